package orrery.storage;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * Counts those who use a store, so that its native memory is released only when nobody is inside.
 *
 * <p>Each use is counted when it begins and when it ends, in counters that threads seldom share. A
 * user begins before it looks whether the gate is shut, and the one who shuts it does so before
 * counting; so one of the two sees the other. Ends are summed up before beginnings: a use of which
 * the end was seen began earlier, so equal sums mean that nobody is inside.
 */
final class StoreGate {
    private static final int STRIPES = 16;

    /** Longs between two counters, so that no two lie in one cache line. */
    private static final int STRIDE = 16;

    private final AtomicLongArray begun = new AtomicLongArray(STRIPES * STRIDE);
    private final AtomicLongArray ended = new AtomicLongArray(STRIPES * STRIDE);
    private volatile @Nullable Thread closer;

    /** A use that lasts longer than a call. */
    interface Use extends AutoCloseable {
        /** Ends the use; a second call does nothing. */
        @Override
        void close();
    }

    /** Begins a use, to be ended by {@link #leave}. */
    void enter() {
        begun.getAndIncrement(stripe());
        if (closer != null) {
            leave();
            throw new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.");
        }
    }

    void leave() {
        ended.getAndIncrement(stripe());
        Thread waiting = closer;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    /** Begins a use that may end on another thread. */
    Use hold() {
        enter();
        return use();
    }

    /** The same for somebody who is inside already and may finish, even if the gate is shut. */
    Use holdInside() {
        begun.getAndIncrement(stripe());
        return use();
    }

    private Use use() {
        AtomicBoolean over = new AtomicBoolean();
        return () -> {
            if (over.compareAndSet(false, true)) {
                leave();
            }
        };
    }

    /**
     * Lets nobody in any more and waits for those inside; not even an interrupt ends the wait.
     *
     * @return whether all have left in that time
     */
    boolean shut(Duration patience) {
        closer = Thread.currentThread();
        long deadline = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        try {
            while (isInUse()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
                // A thread that is interrupted does not park.
                interrupted |= Thread.interrupted();
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isInUse() {
        long ends = sum(ended);
        return sum(begun) != ends;
    }

    private static long sum(AtomicLongArray counters) {
        long sum = 0;
        for (int i = 0; i < counters.length(); i += STRIDE) {
            sum += counters.get(i);
        }
        return sum;
    }

    private static int stripe() {
        return (int) (Thread.currentThread().threadId() % STRIPES) * STRIDE;
    }
}
