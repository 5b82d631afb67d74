package orrery.frontend.sql;

import orrery.frontend.http.HttpReply;
import orrery.gateway.Engine;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.Throughput;
import orrery.model.resource.Offer;

/** {@code /offers} and {@code /offers/{rid}}: the throughput of databases and containers. */
final class OfferRoutes {
    private static final int AUTOSCALE_STEP = 1000;
    private static final ResourceFeed<Offer> FEED = new ResourceFeed<>("Offers", OfferJson::write);

    private final Engine engine;

    OfferRoutes(Engine engine) {
        this.engine = engine;
    }

    HttpReply feed(SqlRequest request, RequestContext context) {
        boolean isQuery = request.method().equals("POST") && request.isQuery();
        if (!isQuery && !request.method().equals("GET")) {
            throw SqlEndpoint.methodNotAllowed(request);
        }
        return FEED.reply(request, "", page -> engine.listOffers(context, page));
    }

    HttpReply entity(SqlRequest request, RequestContext context, SqlRoute.Offer route) {
        ResourceId rid =
                ResourceId.parse(route.offer())
                        .filter(candidate -> candidate.offer().isPresent())
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.NOT_FOUND,
                                                "Resource Not Found. There is no offer '"
                                                        + route.offer()
                                                        + "'."));
        return switch (request.method()) {
            case "GET" -> reply(request, context, engine.readOffer(context, rid));
            case "PUT" ->
                    reply(
                            request,
                            context,
                            engine.replaceOffer(context, rid, wanted(request, context, rid)));
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    private Throughput wanted(SqlRequest request, RequestContext context, ResourceId rid) {
        Offer present = engine.readOffer(context, rid);
        if (!Precondition.holds(request.ifMatch(), present.etag())) {
            throw new OrreryException(
                    ErrorCode.PRECONDITION_FAILED,
                    "One of the specified pre-condition is not met. Read the offer again.");
        }
        if (request.flag(SqlHeaders.MIGRATE_TO_AUTOPILOT)) {
            return migrated(present);
        }
        if (request.flag(SqlHeaders.MIGRATE_TO_MANUAL)) {
            return new Throughput.Manual(present.throughput().ceiling());
        }
        Throughput wanted = OfferJson.parse(request.body(), present);
        if (wanted instanceof Throughput.Manual
                && present.throughput() instanceof Throughput.Autoscale) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "Updating offer to manually provisioned throughput is not allowed. Please invoke"
                            + " migration API to migrate this offer.");
        }
        return wanted;
    }

    /** The least ceiling that delivers what the offer delivers now and may be scaled to. */
    private static Throughput migrated(Offer present) {
        return switch (present.throughput()) {
            case Throughput.Autoscale same -> same;
            case Throughput.Manual(int requestUnits) ->
                    new Throughput.Autoscale(
                            Math.ceilDiv(
                                            Math.max(requestUnits, present.highestEver() / 10),
                                            AUTOSCALE_STEP)
                                    * AUTOSCALE_STEP);
        };
    }

    private HttpReply reply(SqlRequest request, RequestContext context, Offer offer) {
        return new SqlReply(request, 200)
                .charge(ResourceFeed.METADATA_CHARGE_RU)
                .etag(offer.etag())
                .header(
                        SqlHeaders.MIN_THROUGHPUT,
                        Integer.toString(engine.minimumThroughput(context, offer)))
                .header(SqlHeaders.OFFER_REPLACE_PENDING, "false")
                .body(OfferJson.write(offer))
                .build();
    }
}
