package orrery.partition.meter;

/**
 * Request units as whole thousandths, in which they are added up: integers can be added by many
 * threads in any order. Clients are told hundredths, and a long of thousandths lasts for centuries.
 */
final class MilliRu {
    private static final double PER_RU = 1000;

    private MilliRu() {}

    static long of(double ru) {
        if (!(ru >= 0 && ru <= Long.MAX_VALUE / PER_RU)) {
            throw new IllegalArgumentException("not an amount of request units: " + ru);
        }
        return Math.round(ru * PER_RU);
    }

    static double toRu(long milliRu) {
        return toRu((double) milliRu);
    }

    static double toRu(double milliRu) {
        return milliRu / PER_RU;
    }
}
