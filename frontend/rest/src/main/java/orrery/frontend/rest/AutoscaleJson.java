package orrery.frontend.rest;

import java.util.OptionalInt;
import java.util.OptionalLong;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Throughput;

/** The settings of throughput that scales, in offers and in a header. */
public final class AutoscaleJson {
    private AutoscaleJson() {}

    /**
     * Reads {@code {"maxThroughput":4000}}, perhaps with a policy beside it. It also stands in a
     * header at creation.
     */
    public static Throughput read(BodyReader settings) {
        long max =
                settings.integer("maxThroughput")
                        .orElseThrow(() -> settings.refused("maxThroughput", "is missing"));
        OptionalInt increment =
                settings.object("autoUpgradePolicy")
                        .flatMap(policy -> policy.object("throughputPolicy"))
                        .map(AutoscaleJson::incrementPercent)
                        .orElse(OptionalInt.empty());
        return new Throughput.Autoscale(bounded(max), increment);
    }

    private static OptionalInt incrementPercent(BodyReader policy) {
        OptionalLong percent = policy.integer("incrementPercent");
        if (percent.isEmpty()) {
            return OptionalInt.empty();
        }
        if (percent.getAsLong() < 0 || percent.getAsLong() > 100) {
            throw policy.refused("incrementPercent", "must be between 0 and 100");
        }
        return OptionalInt.of((int) percent.getAsLong());
    }

    /** Checks that the value is a number in range; the engine decides which values are allowed. */
    public static int bounded(long requestUnits) {
        if (requestUnits != (int) requestUnits) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST, requestUnits + " is not a possible throughput.");
        }
        return (int) requestUnits;
    }
}
