package orrery.frontend.sql;

import java.util.Locale;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.frontend.http.Decimal;
import orrery.frontend.rest.BodyReader;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Throughput;

/** The throughput that a request to create a database or container asks for, if any. */
final class ThroughputHeaders {
    private ThroughputHeaders() {}

    static Optional<Throughput> parse(SqlRequest request) {
        Optional<String> manual = request.find(SqlHeaders.OFFER_THROUGHPUT);
        Optional<String> autoscale = request.find(SqlHeaders.AUTOPILOT_SETTINGS);
        Optional<String> type = request.find(SqlHeaders.OFFER_TYPE);
        if (manual.isPresent() && autoscale.isPresent()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "Provisioned throughput and autoscale settings are both set on the request."
                            + " x-ms-offer-throughput and x-ms-cosmos-offer-autopilot-settings"
                            + " exclude each other.");
        }
        if (type.isPresent() && (manual.isPresent() || autoscale.isPresent())) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST, "x-ms-offer-type and a throughput exclude each other.");
        }
        boolean perMinute = request.strictFlag(SqlHeaders.OFFER_RU_PER_MINUTE);
        if (perMinute && manual.isEmpty()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "x-ms-offer-is-ru-per-minute-throughput-enabled adds to the throughput per second"
                            + " in x-ms-offer-throughput: send both.");
        }
        return manual.map(text -> manual(text, perMinute))
                .or(() -> autoscale.map(ThroughputHeaders::autoscale))
                .or(() -> type.map(ThroughputHeaders::legacy));
    }

    private static Throughput manual(String text, boolean perMinute) {
        long requestUnits =
                Decimal.parse(text, 1, Integer.MAX_VALUE)
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.BAD_REQUEST,
                                                "x-ms-offer-throughput is not a possible"
                                                        + " throughput."));
        return new Throughput.Manual((int) requestUnits, perMinute);
    }

    private static Throughput autoscale(String json) {
        BodyReader settings = BodyReader.of(SqlHeaders.AUTOPILOT_SETTINGS, JsonText.parse(json));
        Throughput throughput = OfferJson.autoscale(settings);
        settings.finish();
        return throughput;
    }

    /** The performance levels of 2015; the smallest lay below what can be reserved today. */
    private static Throughput legacy(String type) {
        return switch (type.toUpperCase(Locale.ROOT)) {
            case "S1" -> new Throughput.Manual(400);
            case "S2" -> new Throughput.Manual(1000);
            case "S3" -> new Throughput.Manual(2500);
            default ->
                    throw new OrreryException(
                            ErrorCode.BAD_REQUEST, "x-ms-offer-type must be S1, S2 or S3.");
        };
    }
}
