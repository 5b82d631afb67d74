package orrery.gateway;

import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Throughput;

/** Minimum, maximum and steps of reserved throughput. */
final class ThroughputRules {
    /** What a container gets that asks for nothing. */
    static final Throughput DEFAULT = new Throughput.Manual(400);

    /** The minimum of a resource that has no history. */
    static final int FLOOR = 0;

    private static final int MIN_MANUAL = 400;
    private static final int MIN_AUTOSCALE = 1000;
    private static final int MAX = 1_000_000;
    private static final int MANUAL_STEP = 100;
    private static final int AUTOSCALE_STEP = 1000;

    private ThroughputRules() {}

    /**
     * @param floor the least the resource may have now; the general minimum holds besides
     */
    static void check(Throughput throughput, int floor) {
        switch (throughput) {
            case Throughput.Manual(int value) ->
                    check(value, Math.max(floor, MIN_MANUAL), MANUAL_STEP);
            case Throughput.Autoscale(int value) ->
                    check(value, Math.max(floor, MIN_AUTOSCALE), AUTOSCALE_STEP);
        }
    }

    /** A hundredth of the most there ever was, or a tenth where it scales by itself. */
    static int minimum(Throughput throughput, int highestEver) {
        return switch (throughput) {
            case Throughput.Manual _ ->
                    Math.max(MIN_MANUAL, roundUp(highestEver / 100, MANUAL_STEP));
            case Throughput.Autoscale _ ->
                    Math.max(MIN_AUTOSCALE, roundUp(highestEver / 10, AUTOSCALE_STEP));
        };
    }

    private static void check(int value, int minimum, int step) {
        if (value < minimum || value > MAX || value % step != 0) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The offer should have valid throughput values between "
                            + minimum
                            + " and "
                            + MAX
                            + " inclusive in increments of "
                            + step
                            + ".");
        }
    }

    private static int roundUp(int value, int step) {
        return Math.ceilDiv(value, step) * step;
    }
}
