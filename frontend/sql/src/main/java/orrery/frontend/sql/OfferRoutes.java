package orrery.frontend.sql;

import java.util.Optional;
import orrery.frontend.http.HttpReply;
import orrery.gateway.api.Resources;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.Throughput;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Offer;

/** {@code /offers} and {@code /offers/{rid}}: the throughput of databases and containers. */
final class OfferRoutes {
    private final Resources resources;

    OfferRoutes(Resources resources) {
        this.resources = resources;
    }

    HttpReply feed(SqlRequest request, RequestContext context) {
        boolean isQuery = request.method().equals("POST") && request.isQuery();
        if (!isQuery && !request.method().equals("GET")) {
            throw SqlEndpoint.methodNotAllowed(request);
        }
        return new ResourceFeed<Offer>(
                        "Offers",
                        offer -> OfferJson.write(offer, resources.isReplacePending(context, offer)))
                .reply(request, "", page -> resources.listOffers(context, page));
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
            case "GET" -> reply(request, context, resources.readOffer(context, rid));
            case "PUT" -> reply(request, context, replace(request, context, rid));
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    private Offer replace(SqlRequest request, RequestContext context, ResourceId rid) {
        Offer present = resources.readOffer(context, rid);
        if (!Precondition.holds(request.ifMatch(), present.etag())) {
            throw new OrreryException(
                    ErrorCode.PRECONDITION_FAILED,
                    "One of the specified pre-condition is not met. Read the offer again.");
        }
        Optional<Throughput.Mode> target = migration(request);
        if (target.isPresent() && target.get() != present.throughput().mode()) {
            OfferJson.checkMigration(request.body(), present);
            return resources.migrateOffer(context, rid, target.get());
        }
        OfferJson.Wanted wanted = OfferJson.parse(request.body(), present);
        if (wanted.throughput().mode() != present.throughput().mode()) {
            throw OfferJson.notMigrated(present.throughput().mode());
        }
        return resources.replaceOffer(
                context, rid, wanted.throughput(), wanted.buckets(), request.ifMatch());
    }

    private static Optional<Throughput.Mode> migration(SqlRequest request) {
        boolean toAutoscale = request.flag(SqlHeaders.MIGRATE_TO_AUTOPILOT);
        boolean toManual = request.flag(SqlHeaders.MIGRATE_TO_MANUAL);
        if (toAutoscale && toManual) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    SqlHeaders.MIGRATE_TO_AUTOPILOT
                            + " and "
                            + SqlHeaders.MIGRATE_TO_MANUAL
                            + " exclude each other.");
        }
        if (toAutoscale) {
            return Optional.of(Throughput.Mode.AUTOSCALE);
        }
        return toManual ? Optional.of(Throughput.Mode.MANUAL) : Optional.empty();
    }

    private HttpReply reply(SqlRequest request, RequestContext context, Offer offer) {
        boolean isPending = resources.isReplacePending(context, offer);
        return new SqlReply(request, 200)
                .charge(RequestCharge.METADATA)
                .etag(offer.etag())
                .header(
                        SqlHeaders.MIN_THROUGHPUT,
                        Integer.toString(resources.minimumThroughput(context, offer)))
                .header(SqlHeaders.OFFER_REPLACE_PENDING, Boolean.toString(isPending))
                .body(OfferJson.write(offer, isPending))
                .build();
    }
}
