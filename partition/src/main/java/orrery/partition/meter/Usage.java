package orrery.partition.meter;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleFunction;

/**
 * Recent use: request units, requests and refusals. It has three counters that only grow, and two
 * rings that remember their values at the beginning of each of the last seconds and minutes; a
 * window is the difference of two of these. Adding costs two additions; the first caller in a new
 * second also turns the rings.
 *
 * <p>The last second is the last whole one. The hour begins at a second too, for which the minute
 * it lies in is taken as even.
 */
public final class Usage {
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int SECONDS_PER_HOUR = 3_600;

    private final LongAdder milliRu = new LongAdder();
    private final LongAdder requests = new LongAdder();
    private final LongAdder refused = new LongAdder();

    /** When step 0 began. Written by who holds the lock. */
    private volatile long originNanos;

    private final SecondListener listener;

    private final ReentrantLock turning = new ReentrantLock();

    // One more than there are steps in the window: both its ends are needed.
    private final Ring seconds = new Ring(SECONDS_PER_MINUTE + 1);
    private final Ring minutes = new Ring(SECONDS_PER_HOUR / SECONDS_PER_MINUTE + 1);

    /** Written by who holds the lock. */
    private volatile long nextSecondNanos;

    /** Hears of each second in which something was used, when it is over. */
    interface SecondListener {
        /**
         * @param nanosAgo since it began
         */
        void secondEnded(long milliRu, long nanosAgo);
    }

    /**
     * @param requests admitted or refused
     * @param refused the 429s among them
     */
    public record Window(double ru, long requests, long refused) {
        public double refusedShare() {
            return requests == 0 ? 0 : (double) refused / requests;
        }
    }

    /** An operator's view of the use. */
    public record Snapshot(Window second, Window minute, Window hour) {}

    private record Totals(double milliRu, double requests, double refused) {
        static final Totals NONE = new Totals(0, 0, 0);

        Window since(Totals start) {
            return new Window(
                    MilliRu.toRu(milliRu - start.milliRu),
                    Math.round(requests - start.requests),
                    Math.round(refused - start.refused));
        }

        Totals plus(Totals other, double part) {
            return new Totals(
                    milliRu + part * other.milliRu,
                    requests + part * other.requests,
                    refused + part * other.refused);
        }

        Totals towards(Totals later, double part) {
            return new Totals(
                    milliRu + part * (later.milliRu - milliRu),
                    requests + part * (later.requests - requests),
                    refused + part * (later.refused - refused));
        }
    }

    /** The totals at the beginning of each of the last steps. Nothing was used before step 0. */
    private static final class Ring {
        private final Totals[] totals;
        private long current;

        Ring(int size) {
            totals = new Totals[size];
            totals[0] = Totals.NONE;
        }

        /** Notes that nothing was used up to a step. */
        void clearTo(long step) {
            Arrays.fill(totals, Totals.NONE);
            current = step;
        }

        void add(DoubleFunction<Totals> history, double share) {
            for (long step = Math.max(0, current - totals.length + 1); step <= current; step++) {
                int place = (int) (step % totals.length);
                totals[place] = totals[place].plus(history.apply((double) step), share);
            }
        }

        void turnTo(long step, Totals now) {
            long first = Math.max(current + 1, step - totals.length + 1);
            for (long i = first; i <= step; i++) {
                totals[(int) (i % totals.length)] = now;
            }
            current = Math.max(current, step);
        }

        Totals at(long step) {
            return step <= 0 ? Totals.NONE : totals[(int) (step % totals.length)];
        }

        Totals atCurrent() {
            return at(current);
        }

        /**
         * Returns the totals at a step, as far back as the ring reaches; use between two steps
         * counts as even.
         */
        Totals at(double step, Totals now) {
            double known = Math.max(step, (double) (current - totals.length + 1));
            long before = (long) Math.floor(Math.min(known, (double) current));
            Totals after = before == current ? now : at(before + 1);
            return at(before).towards(after, Math.min(1, known - (double) before));
        }
    }

    public Usage(long nowNanos) {
        this(nowNanos, (_, _) -> {});
    }

    Usage(long nowNanos, SecondListener listener) {
        this.originNanos = nowNanos;
        this.nextSecondNanos = nowNanos + NANOS_PER_SECOND;
        this.listener = listener;
    }

    /**
     * Goes on where others end: a child of a split with its share of what the parent counted, a
     * merged partition with all that both did. For one that has counted nothing itself.
     */
    void continueFrom(List<Usage> others, double share, long nowNanos) {
        turning.lock();
        try {
            long oldest = others.stream().mapToLong(o -> nowNanos - o.originNanos).max().orElse(0);
            originNanos = nowNanos - oldest;
            long second = oldest / NANOS_PER_SECOND;
            seconds.clearTo(second);
            minutes.clearTo(second / SECONDS_PER_MINUTE);
            nextSecondNanos = originNanos + (second + 1) * NANOS_PER_SECOND;
            others.forEach(other -> add(other, share, nowNanos));
        } finally {
            turning.unlock();
        }
    }

    private void add(Usage other, double share, long nowNanos) {
        other.turning.lock();
        try {
            other.turn(nowNanos);
            Totals now = other.totals();
            double later = (double) (other.originNanos - originNanos) / NANOS_PER_SECOND;
            seconds.add(step -> other.seconds.at(step - later, now), share);
            minutes.add(step -> other.minutes.at(step - later / SECONDS_PER_MINUTE, now), share);
            milliRu.add(Math.round(now.milliRu * share));
            requests.add(Math.round(now.requests * share));
            refused.add(Math.round(now.refused * share));
        } finally {
            other.turning.unlock();
        }
    }

    /** Counts an admitted request. */
    void add(long amountMilliRu, long nowNanos) {
        turnIfDue(nowNanos);
        milliRu.add(amountMilliRu);
        requests.increment();
    }

    /** Counts a request that was answered with 429. */
    void addRefused(long nowNanos) {
        turnIfDue(nowNanos);
        requests.increment();
        refused.increment();
    }

    public Snapshot snapshot(long nowNanos) {
        turning.lock();
        try {
            turn(nowNanos);
            Totals now = seconds.atCurrent();
            long second = seconds.current;
            long hourStart = second - SECONDS_PER_HOUR;
            long minute = Math.floorDiv(hourStart, SECONDS_PER_MINUTE);
            double part =
                    (double) Math.floorMod(hourStart, SECONDS_PER_MINUTE) / SECONDS_PER_MINUTE;
            return new Snapshot(
                    now.since(seconds.at(second - 1)),
                    now.since(seconds.at(second - SECONDS_PER_MINUTE)),
                    now.since(minutes.at(minute).towards(minutes.at(minute + 1), part)));
        } finally {
            turning.unlock();
        }
    }

    /** Since this was created; only grows. */
    public Window total() {
        return totals().since(Totals.NONE);
    }

    /** Ends the seconds that are over, should nobody have come since. */
    void advance(long nowNanos) {
        turning.lock();
        try {
            turn(nowNanos);
        } finally {
            turning.unlock();
        }
    }

    private void turnIfDue(long nowNanos) {
        // A caller that finds the lock taken goes on; its sample may land in the previous second.
        if (nowNanos - nextSecondNanos >= 0 && turning.tryLock()) {
            try {
                turn(nowNanos);
            } finally {
                turning.unlock();
            }
        }
    }

    private void turn(long nowNanos) {
        if (nowNanos - nextSecondNanos < 0) {
            return;
        }
        long second = (nowNanos - originNanos) / NANOS_PER_SECOND;
        Totals now = totals();
        // Nobody came since the current second ended, so all of it belongs to that one.
        double used = now.milliRu - seconds.atCurrent().milliRu;
        if (used > 0) {
            long began = originNanos + seconds.current * NANOS_PER_SECOND;
            listener.secondEnded(Math.round(used), nowNanos - began);
        }
        seconds.turnTo(second, now);
        minutes.turnTo(second / SECONDS_PER_MINUTE, now);
        nextSecondNanos = originNanos + (second + 1) * NANOS_PER_SECOND;
    }

    private Totals totals() {
        return new Totals(milliRu.sum(), requests.sum(), refused.sum());
    }
}
