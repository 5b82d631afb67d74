package orrery.server.audit;

import java.time.Duration;
import java.time.Instant;

/**
 * Lets so many refusals through in each window of time and counts the others, so that somebody who
 * is refused without end does not fill a disk. A window begins with its first refusal. Safe for all
 * threads.
 */
final class RefusalLimit {
    private final int most;
    private final Duration window;
    private Instant began = Instant.MIN;
    private int taken;
    private long leftOut;

    RefusalLimit(int most, Duration window) {
        this.most = most;
        this.window = window;
    }

    /** Returns true if there is room; otherwise the refusal is counted. */
    synchronized boolean take(Instant now) {
        if (isOver(now)) {
            began = now;
            taken = 0;
        }
        if (taken == most) {
            leftOut++;
            return false;
        }
        taken++;
        return true;
    }

    /** Returns how many were left out, once their window is over, and forgets them. */
    synchronized long settle(Instant now) {
        return isOver(now) || taken < most ? settle() : 0;
    }

    /** The same at once. */
    synchronized long settle() {
        long count = leftOut;
        leftOut = 0;
        return count;
    }

    /** A clock that was set back ends a window too. */
    private boolean isOver(Instant now) {
        return began.equals(Instant.MIN)
                || now.isBefore(began)
                || !now.isBefore(began.plus(window));
    }
}
