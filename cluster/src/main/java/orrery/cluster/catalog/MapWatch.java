package orrery.cluster.catalog;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import orrery.model.Cancellation;

/** Wakes those who wait for a change of some partition map. */
final class MapWatch {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    void changed() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * True as soon as the condition holds, false when the time is over first. Throws TIMEOUT if the
     * request is cancelled that waits.
     */
    boolean await(BooleanSupplier condition, Duration timeout) {
        try {
            return Cancellation.current().waiting(() -> awaited(condition, timeout));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean awaited(BooleanSupplier condition, Duration timeout)
            throws InterruptedException {
        long left = timeout.toNanos();
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
