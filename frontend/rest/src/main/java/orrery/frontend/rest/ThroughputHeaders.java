package orrery.frontend.rest;

import java.util.Locale;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.frontend.http.Decimal;
import orrery.frontend.http.Headers;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Throughput;

/** The throughput that a request to create a database or container asks for, if any. */
public final class ThroughputHeaders {
    private static final String MANUAL = "x-ms-offer-throughput";
    private static final String AUTOSCALE = "x-ms-cosmos-offer-autopilot-settings";
    private static final String LEGACY_TYPE = "x-ms-offer-type";
    private static final String PER_MINUTE = "x-ms-offer-is-ru-per-minute-throughput-enabled";

    private ThroughputHeaders() {}

    public static Optional<Throughput> parse(Headers headers) {
        Optional<String> manual = headers.find(MANUAL);
        Optional<String> autoscale = headers.find(AUTOSCALE);
        Optional<String> type = headers.find(LEGACY_TYPE);
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
        boolean perMinute = HeaderFlag.parse(headers, PER_MINUTE);
        if (perMinute && manual.isEmpty()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "x-ms-offer-is-ru-per-minute-throughput-enabled adds to the throughput per"
                            + " second in x-ms-offer-throughput: send both.");
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
        BodyReader settings = BodyReader.of(AUTOSCALE, JsonText.parse(json));
        Throughput throughput = AutoscaleJson.read(settings);
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
