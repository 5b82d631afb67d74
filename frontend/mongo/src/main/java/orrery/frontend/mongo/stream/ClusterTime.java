package orrery.frontend.mongo.stream;

import orrery.document.BsonValue;

/**
 * Times as MongoDB has them: seconds, and a number within the second. Changes are stamped with
 * milliseconds, so the number is made of those, with room for the times that are handed out within
 * one. The time of a change is the last of its millisecond: no time that was handed out before it
 * is later.
 */
public final class ClusterTime {
    private static final int OF_A_MILLISECOND = 1_000_000;

    private ClusterTime() {}

    /** The first time of a millisecond, as 64 bits. */
    public static long first(long millis) {
        return time(millis, 1);
    }

    /** The last time of a millisecond, as 64 bits. */
    public static long last(long millis) {
        return time(millis, OF_A_MILLISECOND - 1);
    }

    private static long time(long millis, int within) {
        return ((millis / 1000) << 32) | ((millis % 1000) * OF_A_MILLISECOND + within);
    }

    /** The time behind another one. */
    public static long next(long time) {
        long number = Integer.toUnsignedLong((int) time) + 1;
        return number < 1000L * OF_A_MILLISECOND ? time + 1 : ((((time >>> 32) + 1) << 32) | 1);
    }

    public static BsonValue.Timestamp timestamp(long time) {
        return new BsonValue.Timestamp((int) (time >>> 32), (int) time);
    }

    /**
     * Returns the millisecond of a time; what no server hands out lies at the end of its second.
     */
    public static long millis(BsonValue.Timestamp time) {
        long number = Integer.toUnsignedLong(time.increment()) / OF_A_MILLISECOND;
        return Integer.toUnsignedLong(time.seconds()) * 1000 + Math.min(999, number);
    }
}
