package orrery.partition;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A time that follows the clock and never goes back. While it is ahead of the clock it advances at
 * half the monotonic pace: lifetimes go on, and the clock catches up.
 */
final class PacedTime {
    /** A millisecond of this time in nanoseconds of the monotonic clock. */
    private static final long NANOS_PER_MILLI = 2_000_000;

    private final AtomicReference<Point> last;

    /** The pace is counted from here, and not from one look to the next: no part of it is lost. */
    private record Point(long millis, long nanos) {
        long at(long now) {
            // A look that began earlier may come later.
            return millis + Math.max(0, now - nanos) / NANOS_PER_MILLI;
        }
    }

    PacedTime(long millis, long nanos) {
        last = new AtomicReference<>(new Point(millis, nanos));
    }

    /** Returns the paced time for the case that the clock is behind. */
    long peek(long nanos) {
        return last().at(nanos);
    }

    /**
     * @param leastMillis what the clock says, or a time that was stamped before if that is later
     * @param nanos read after the clock: the other way round a thread that is held up between the
     *     two would put this time ahead of the clock
     */
    long advance(long leastMillis, long nanos) {
        while (true) {
            Point point = last();
            long paced = point.at(nanos);
            if (leastMillis <= paced) {
                return paced;
            }
            if (last.compareAndSet(point, new Point(leastMillis, nanos))) {
                return leastMillis;
            }
        }
    }

    private Point last() {
        return Objects.requireNonNull(last.get());
    }
}
