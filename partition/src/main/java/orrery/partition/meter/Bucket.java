package orrery.partition.meter;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A bucket that fills at a constant rate up to a capacity and may be overdrawn. The balance is what
 * time has granted less what was spent; only the second is written by requests, with one atomic
 * addition. A full bucket does not overflow by itself: what was granted beyond the capacity is
 * forfeited by the next charge, which moves the spent amount up to it.
 *
 * <p>Because requests add amounts, never times, a change of the rate cannot meet a charge half way:
 * whichever comes first, the same amount is taken.
 */
final class Bucket {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** In thousandths of a request unit. */
    private final AtomicLong spent = new AtomicLong();

    private volatile Plan plan;

    /**
     * @param milliPerNano what a nanosecond grants
     * @param capacity in thousandths of a request unit
     * @param anchorNanos a moment at which {@code anchorGranted} had been granted
     */
    private record Plan(double milliPerNano, long capacity, long anchorNanos, long anchorGranted) {
        static Plan of(
                double ruPerSecond, double capacitySeconds, long anchorNanos, long anchorGranted) {
            return new Plan(
                    1000 * ruPerSecond / NANOS_PER_SECOND,
                    MilliRu.of(ruPerSecond * capacitySeconds),
                    anchorNanos,
                    anchorGranted);
        }

        long granted(long nowNanos) {
            // The difference may be negative: the caller looked at the clock before a change.
            return anchorGranted + (long) ((nowNanos - anchorNanos) * milliPerNano);
        }

        double nanosUntilGranted(long milliRu, long nowNanos) {
            return (milliRu - anchorGranted) / milliPerNano - (nowNanos - anchorNanos);
        }

        /** Returns the spending below which the bucket is full. */
        long forfeited(long nowNanos) {
            return granted(nowNanos) - capacity;
        }
    }

    Bucket(double ruPerSecond, double capacitySeconds, double balanceRu, long nowNanos) {
        long balance = Math.round(balanceRu * 1000);
        this.plan = Plan.of(ruPerSecond, capacitySeconds, nowNanos, balance);
    }

    /** The balance stays, less what exceeds the new capacity. */
    synchronized void change(double ruPerSecond, double capacitySeconds, long nowNanos) {
        Plan old = plan;
        // Otherwise a larger capacity would find all that an idle bucket was granted since ever.
        long least = old.forfeited(nowNanos);
        spent.accumulateAndGet(least, Math::max);
        plan = Plan.of(ruPerSecond, capacitySeconds, nowNanos, old.granted(nowNanos));
    }

    boolean holdsMoreThan(long milliRu, long nowNanos) {
        return plan.granted(nowNanos) - spent.get() > milliRu;
    }

    /** In thousandths of a request unit; negative after a charge that was larger than it. */
    long balance(long nowNanos) {
        Plan current = plan;
        return Math.min(current.capacity, current.granted(nowNanos) - spent.get());
    }

    void charge(long milliRu, long nowNanos) {
        long least = plan.forfeited(nowNanos);
        for (long before = spent.get(); before < least; before = spent.get()) {
            if (spent.compareAndSet(before, least + milliRu)) {
                return;
            }
        }
        // Never falls, so it is still at least that.
        spent.getAndAdd(milliRu);
    }

    /** Charges no more than there is, and returns how much that was. */
    long chargeWhatIsThere(long milliRu, long nowNanos) {
        while (true) {
            Plan current = plan;
            long before = spent.get();
            long from = Math.max(before, current.forfeited(nowNanos));
            long taken = Math.clamp(current.granted(nowNanos) - from, 0, milliRu);
            if (spent.compareAndSet(before, from + taken)) {
                return taken;
            }
        }
    }

    /**
     * Returns the time until the bucket holds more than this if nobody charges it: 0 if it does
     * now.
     */
    long millisUntilMoreThan(long milliRu, long nowNanos) {
        Plan current = plan;
        long wanted = spent.get() + milliRu + 1;
        if (current.granted(nowNanos) >= wanted) {
            return 0;
        }
        double nanos = current.nanosUntilGranted(wanted, nowNanos);
        long millis = (long) Math.ceil(nanos / NANOS_PER_MILLI);
        // Rounding of doubles may give a millisecond too few or too many.
        while (millis > 1 && current.granted(nowNanos + (millis - 1) * NANOS_PER_MILLI) >= wanted) {
            millis--;
        }
        while (current.granted(nowNanos + millis * NANOS_PER_MILLI) < wanted) {
            millis++;
        }
        return millis;
    }
}
