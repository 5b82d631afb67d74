package orrery.partition.meter;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The busiest second of each UTC hour, as a fraction of the budget it had: what autoscale would
 * have scaled to. The last {@value #HOURS} hours in which anything was used are remembered.
 */
public final class HourlyPeaks {
    /** A day, and the hour that is not over. */
    static final int HOURS = 25;

    private static final long MILLIS_PER_HOUR = 3_600_000;

    private final Deque<Peak> latest = new ArrayDeque<>();

    /**
     * @param hour when it began
     * @param fraction of the budget, at most 1
     */
    public record Peak(Instant hour, double fraction) {}

    HourlyPeaks() {}

    synchronized void add(long utcMillis, double fraction) {
        if (fraction <= 0) {
            return;
        }
        Instant hour = Instant.ofEpochMilli(utcMillis - Math.floorMod(utcMillis, MILLIS_PER_HOUR));
        Peak last = latest.peekLast();
        // A clock that was set back does not open an hour again.
        if (last != null && !hour.isAfter(last.hour)) {
            if (fraction > last.fraction) {
                latest.removeLast();
                latest.addLast(new Peak(last.hour, fraction));
            }
            return;
        }
        if (latest.size() == HOURS) {
            latest.removeFirst();
        }
        latest.addLast(new Peak(hour, fraction));
    }

    /** Oldest first. */
    synchronized List<Peak> list() {
        return new ArrayList<>(latest);
    }
}
