package orrery.replication;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Wakes those who wait for an outcome when their time is over. One thread looks at all of them now
 * and then: a timer for each wait would take longer to set and to take back than most of them wait.
 */
final class Deadlines implements AutoCloseable {
    /** How much later than its deadline a wait may end. */
    private static final long TICK_NANOS = Duration.ofMillis(20).toNanos();

    private final Set<Wait> waits = ConcurrentHashMap.newKeySet();
    private final Thread ticker;

    /** True while the ticker sleeps until somebody waits. */
    private volatile boolean isIdle;

    private volatile boolean isClosed;

    /** A thread that is to be woken at a time, again and again until the wait is removed. */
    record Wait(Thread thread, long deadlineNanos) {}

    Deadlines(String name) {
        ticker = Thread.ofPlatform().name(name).daemon(true).start(this::run);
    }

    void add(Wait wait) {
        waits.add(wait);
        if (isIdle) {
            LockSupport.unpark(ticker);
        }
    }

    void remove(Wait wait) {
        waits.remove(wait);
    }

    private void run() {
        while (!isClosed) {
            if (waits.isEmpty()) {
                isIdle = true;
                // A waiter that comes now has seen that the ticker is idle, or is seen here.
                if (waits.isEmpty() && !isClosed) {
                    LockSupport.park(this);
                }
                isIdle = false;
            } else {
                LockSupport.parkNanos(this, TICK_NANOS);
            }
            wake();
        }
    }

    private void wake() {
        long now = System.nanoTime();
        for (Wait wait : waits) {
            if (wait.deadlineNanos - now <= 0) {
                LockSupport.unpark(wait.thread);
            }
        }
    }

    /** Ends the ticker; it wakes nobody any more. */
    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(ticker);
    }
}
