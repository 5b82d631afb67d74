package orrery.frontend.sql;

import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.Value;
import orrery.frontend.rest.AutoscaleJson;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.BucketsJson;
import orrery.frontend.rest.Json;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.resource.Offer;

/** The body of an offer, which is how clients see and change throughput. */
final class OfferJson {
    private static final String BUCKETS = "throughputBuckets";

    /**
     * A change of an offer.
     *
     * @param buckets absent where they stay as they are
     */
    record Wanted(Throughput throughput, Optional<ThroughputBuckets> buckets) {}

    private OfferJson() {}

    /**
     * @param isPending more partitions, which the throughput needs, are still to come
     */
    static Value.Obj write(Offer offer, boolean isPending) {
        String rid = offer.rid().toString();
        return Json.builder()
                .put("resource", Links.ofResource(offer.resource()))
                .put("offerType", "Invalid")
                .put("offerResourceId", offer.resource().toString())
                .put("offerVersion", "V2")
                .put("content", content(offer, isPending))
                .put("id", rid)
                .put("_rid", rid)
                .put("_self", Links.offer(offer.rid()))
                .put("_etag", offer.etag().quoted())
                .put("_ts", offer.timestampMillis() / 1000)
                .build();
    }

    private static Value content(Offer offer, boolean isPending) {
        Json.Builder json = Json.builder();
        switch (offer.throughput()) {
            case Throughput.Manual(int requestUnits, boolean perMinute) ->
                    json.put("offerThroughput", requestUnits)
                            .put("offerIsRUPerMinuteThroughputEnabled", perMinute);
            // Without load it stands at a tenth of its ceiling, where the service shows it too.
            case Throughput.Autoscale autoscale ->
                    json.put("offerThroughput", autoscale.maxRequestUnits() / 10)
                            .put("offerIsRUPerMinuteThroughputEnabled", false)
                            .put("offerAutopilotSettings", settings(autoscale));
        }
        if (!offer.buckets().isEmpty()) {
            json.put(BUCKETS, BucketsJson.write(offer.buckets()));
        }
        if (isPending) {
            json.put("isOfferReplacePending", true);
        }
        return json.build();
    }

    private static Value settings(Throughput.Autoscale autoscale) {
        Json.Builder json = Json.builder().put("maxThroughput", autoscale.maxRequestUnits());
        autoscale
                .incrementPercent()
                .ifPresent(
                        percent ->
                                json.put(
                                        "autoUpgradePolicy",
                                        Json.object(
                                                "throughputPolicy",
                                                Json.object(
                                                        "incrementPercent",
                                                        Value.of((long) percent)))));
        return json.build();
    }

    /**
     * Parses the throughput and the buckets in an offer that a client sends back. Only the content
     * counts; the rest must name the same offer. With autoscale settings the throughput beside them
     * is what they started from.
     */
    static Wanted parse(Bytes body, Offer present) {
        BodyReader content = content(body, present);
        Optional<ThroughputBuckets> buckets = BucketsJson.parse(content, BUCKETS);
        return new Wanted(throughput(content), buckets);
    }

    private static Throughput throughput(BodyReader content) {
        boolean perMinute = content.bool("offerIsRUPerMinuteThroughputEnabled").orElse(false);
        OptionalLong manual = content.integer("offerThroughput");
        Optional<BodyReader> autoscale = content.object("offerAutopilotSettings");
        finish(content);
        if (autoscale.isPresent()) {
            if (perMinute) {
                throw content.refused(
                        "offerIsRUPerMinuteThroughputEnabled", "does not go with autoscale");
            }
            return AutoscaleJson.read(autoscale.get());
        }
        return new Throughput.Manual(
                AutoscaleJson.bounded(
                        manual.orElseThrow(() -> content.refused("offerThroughput", "is missing"))),
                perMinute);
    }

    /**
     * Looks at the offer that comes with a request to switch it to the other mode. It has to be of
     * the present mode, which tells a client that knows what it does from one that sends the header
     * always. Its values do not count, as in the service, whose examples send -1: the new ones are
     * the server's to choose.
     */
    static void checkMigration(Bytes body, Offer present) {
        BodyReader content = content(body, present);
        content.ignore("offerIsRUPerMinuteThroughputEnabled", BUCKETS);
        boolean names = content.integer("offerThroughput").isPresent();
        Optional<BodyReader> autoscale = content.object("offerAutopilotSettings");
        finish(content);
        boolean fits =
                switch (present.throughput().mode()) {
                    case MANUAL -> names && autoscale.isEmpty();
                    case AUTOSCALE ->
                            autoscale.isPresent()
                                    && autoscale.get().integer("maxThroughput").isPresent();
                };
        if (!fits) {
            throw notMigrated(present.throughput().mode());
        }
    }

    /** Makes the service's error for a change of mode without migration. */
    static OrreryException notMigrated(Throughput.Mode present) {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                switch (present) {
                    case MANUAL ->
                            "x-ms-cosmos-migrate-offer-to-autopilot must be supplied and offercontent"
                                    + " must not contain autopilotSettings for migration from manual"
                                    + " throughput to autoscale.";
                    case AUTOSCALE ->
                            "Updating offer to manually provisioned throughput is not allowed. Please"
                                    + " invoke migration API to migrate this offer:"
                                    + " x-ms-cosmos-migrate-offer-to-manual-throughput must be"
                                    + " supplied and offercontent must contain autopilotSettings for"
                                    + " migration of autoscale collection to manual throughput.";
                });
    }

    private static BodyReader content(Bytes body, Offer present) {
        BodyReader reader = BodyReader.of(body);
        requireSame(reader, "offerResourceId", present.resource().toString());
        requireSame(reader, "_rid", present.rid().toString());
        String type = reader.text("offerType").orElse("");
        if (!type.isEmpty() && !type.equals("Invalid")) {
            throw reader.refused(
                    "offerType",
                    "belongs to the performance levels of 2015, and an offer has throughput now."
                            + " Send Invalid and set content.offerThroughput");
        }
        requireSame(reader, "offerVersion", "V2");
        BodyReader content =
                reader.object("content").orElseThrow(() -> reader.refused("content", "is missing"));
        reader.ignore("resource", "id", "_self", "_etag", "_ts");
        reader.finish();
        return content;
    }

    /** Ignores members that only the service writes, and refuses all others. */
    private static void finish(BodyReader content) {
        content.ignore(
                "offerMinimumThroughputParameters",
                "offerLastReplaceTimestamp",
                "isOfferReplacePending");
        content.finish();
    }

    private static void requireSame(BodyReader reader, String member, String expected) {
        reader.text(member)
                .ifPresent(
                        text -> {
                            if (!text.isEmpty() && !text.equals(expected)) {
                                throw reader.refused(
                                        member,
                                        "is not that of the offer, which is '" + expected + "'");
                            }
                        });
    }
}
