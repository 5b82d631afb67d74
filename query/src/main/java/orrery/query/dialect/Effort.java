package orrery.query.dialect;

/**
 * Counts the steps that a page of a query has computed, of about a nanosecond each: characters
 * looked at, operands of lists, rows of subqueries. It is counted and never timed, so that the same
 * query over the same items always comes to the same. Belongs to one thread.
 */
public final class Effort {
    /** A row may take as long as a million others, and pauses meanwhile. */
    private static final long STEPS_PER_PAUSE = 1 << 20;

    private RowWatcher watcher = RowWatcher.NONE;
    private long steps;
    private long stepsAtPause;

    public void watchedBy(RowWatcher watcher) {
        this.watcher = watcher;
    }

    public long steps() {
        return steps;
    }

    public void add(long more) {
        steps += more;
        if (steps - stepsAtPause >= STEPS_PER_PAUSE) {
            stepsAtPause = steps;
            watcher.pause();
        }
    }

    /** The present row, with what was computed for it, takes so much memory. */
    public void holds(long bytes) {
        watcher.holds(bytes);
    }
}
