package orrery.frontend.gremlin;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Measures one request, for the attributes of its answers. Used by one thread. */
final class Meter {
    private final UUID activityId;
    private final long startNanos = System.nanoTime();
    private double toldCharge;
    private long toldNanos;

    Meter(UUID activityId) {
        this.activityId = activityId;
    }

    UUID activityId() {
        return activityId;
    }

    long nanos() {
        return System.nanoTime() - startNanos;
    }

    /**
     * Returns the attributes of an answer that has succeeded so far.
     *
     * @param charge of the whole request up to here
     */
    Map<String, Object> success(double charge) {
        return attributes(200, charge);
    }

    Map<String, Object> failure(GremlinFailure failure, double charge) {
        Map<String, Object> attributes = attributes(failure.serviceCode(), charge);
        failure.substatus()
                .ifPresent(substatus -> attributes.put("x-ms-substatus-code", substatus));
        Optional<String> wait = failure.retryAfter().map(Meter::timeSpan);
        wait.ifPresent(span -> attributes.put("x-ms-retry-after-ms", span));
        return attributes;
    }

    private Map<String, Object> attributes(int code, double charge) {
        long now = nanos();
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("x-ms-status-code", code);
        attributes.put("x-ms-request-charge", rounded(charge - toldCharge));
        attributes.put("x-ms-total-request-charge", rounded(charge));
        attributes.put("x-ms-server-time-ms", rounded((now - toldNanos) / 1e6));
        attributes.put("x-ms-total-server-time-ms", rounded(now / 1e6));
        attributes.put("x-ms-activity-id", activityId.toString());
        toldCharge = charge;
        toldNanos = now;
        return attributes;
    }

    private static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }

    /** Clients of the service read a duration of .NET, and no number. */
    private static String timeSpan(Duration time) {
        return String.format(
                Locale.ROOT,
                "%02d:%02d:%02d.%07d",
                time.toHours(),
                time.toMinutesPart(),
                time.toSecondsPart(),
                time.toNanosPart() / 100);
    }
}
