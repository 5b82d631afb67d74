package orrery.frontend.sql;

import java.util.OptionalLong;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Throughput;
import orrery.model.resource.Offer;

/** The body of an offer, which is how clients see and change throughput. */
final class OfferJson {
    private OfferJson() {}

    static Value.Obj write(Offer offer) {
        String rid = offer.rid().toString();
        return Json.builder()
                .put("resource", Links.ofResource(offer.resource()))
                .put("offerType", "Invalid")
                .put("offerResourceId", offer.resource().toString())
                .put("offerVersion", "V2")
                .put("content", content(offer.throughput()))
                .put("id", rid)
                .put("_rid", rid)
                .put("_self", Links.offer(offer.rid()))
                .put("_etag", offer.etag().quoted())
                .put("_ts", offer.timestampMillis() / 1000)
                .build();
    }

    private static Value content(Throughput throughput) {
        Json.Builder json = Json.builder();
        switch (throughput) {
            case Throughput.Manual(int requestUnits) ->
                    json.put("offerThroughput", requestUnits)
                            .put("offerIsRUPerMinuteThroughputEnabled", false);
            // Without load it stands at a tenth of its ceiling, where the service shows it too.
            case Throughput.Autoscale(int maxRequestUnits) ->
                    json.put("offerThroughput", maxRequestUnits / 10)
                            .put("offerIsRUPerMinuteThroughputEnabled", false)
                            .put(
                                    "offerAutopilotSettings",
                                    Json.object("maxThroughput", Value.of((long) maxRequestUnits)));
        }
        return json.build();
    }

    /**
     * What an offer that a client sends back asks for. Only the content counts; the rest says which
     * offer it is, and must not say another. With autoscale settings the throughput beside them is
     * what they started from.
     */
    static Throughput parse(Bytes body, Offer present) {
        BodyReader reader = BodyReader.of(body);
        requireSame(reader, "offerResourceId", present.resource().toString());
        requireSame(reader, "_rid", present.rid().toString());
        BodyReader content =
                reader.object("content").orElseThrow(() -> reader.refused("content", "is missing"));
        if (content.bool("offerIsRUPerMinuteThroughputEnabled").orElse(false)) {
            throw content.refused("offerIsRUPerMinuteThroughputEnabled", "is not available");
        }
        OptionalLong manual = content.integer("offerThroughput");
        return content.object("offerAutopilotSettings")
                .map(OfferJson::autoscale)
                .orElseGet(
                        () ->
                                new Throughput.Manual(
                                        bounded(
                                                manual.orElseThrow(
                                                        () ->
                                                                content.refused(
                                                                        "offerThroughput",
                                                                        "is missing")))));
    }

    private static void requireSame(BodyReader reader, String member, String expected) {
        reader.text(member)
                .ifPresent(
                        text -> {
                            if (!text.isEmpty() && !text.equals(expected)) {
                                throw reader.refused(
                                        member, "names another resource than the offer has");
                            }
                        });
    }

    /** Reads {@code {"maxThroughput":4000}}, which also stands in a header at creation. */
    static Throughput autoscale(BodyReader settings) {
        long max =
                settings.integer("maxThroughput")
                        .orElseThrow(() -> settings.refused("maxThroughput", "is missing"));
        settings.object("autoUpgradePolicy")
                .flatMap(policy -> policy.object("throughputPolicy"))
                .ifPresent(
                        policy -> {
                            if (policy.integer("incrementPercent").orElse(0) != 0) {
                                throw policy.refused("incrementPercent", "is not available yet");
                            }
                        });
        return new Throughput.Autoscale(bounded(max));
    }

    /** Which values are allowed is the engine's to say; here they only have to be numbers. */
    private static int bounded(long requestUnits) {
        if (requestUnits < 1 || requestUnits > Integer.MAX_VALUE) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST, requestUnits + " is not a possible throughput.");
        }
        return (int) requestUnits;
    }
}
