package orrery.partition;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;

/**
 * Wakes those who wait for the next change of a partition. Whoever publishes a state tells it
 * afterwards, so nobody misses one. It costs a look-up where nobody waits. Thread-safe.
 */
final class HeadWatch {
    private final Map<PartitionId, Set<CountDownLatch>> waiting = new ConcurrentHashMap<>();

    /** Tells that the state of a partition is another one, or gone. */
    void changed(PartitionId id) {
        Set<CountDownLatch> told = waiting.remove(id);
        if (told != null) {
            told.forEach(CountDownLatch::countDown);
        }
    }

    /**
     * Waits until a condition on the state of a partition holds, or the time is over. Throws
     * TIMEOUT if nobody waits for the answer any more.
     */
    void await(PartitionId id, BooleanSupplier condition, Duration time) {
        long deadlineNanos = System.nanoTime() + time.toNanos();
        while (!condition.getAsBoolean()) {
            long left = deadlineNanos - System.nanoTime();
            if (left <= 0) {
                return;
            }
            CountDownLatch latch = new CountDownLatch(1);
            enter(id, latch);
            try {
                // The state may have changed between the look at it and the entry.
                if (!condition.getAsBoolean()) {
                    Cancellation.current().waiting(() -> latch.await(left, TimeUnit.NANOSECONDS));
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                throw new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.", ended);
            } finally {
                leave(id, latch);
            }
        }
    }

    /** Returns how many wait for a partition. */
    int waiting(PartitionId id) {
        Set<CountDownLatch> all = waiting.get(id);
        return all == null ? 0 : all.size();
    }

    /** Sets are never changed, so those who tell need no lock. */
    private void enter(PartitionId id, CountDownLatch latch) {
        waiting.compute(
                id,
                (_, present) -> {
                    Set<CountDownLatch> next =
                            present == null ? new HashSet<>() : new HashSet<>(present);
                    next.add(latch);
                    return next;
                });
    }

    private void leave(PartitionId id, CountDownLatch latch) {
        waiting.computeIfPresent(
                id,
                (_, present) -> {
                    Set<CountDownLatch> next = new HashSet<>(present);
                    next.remove(latch);
                    return next.isEmpty() ? null : next;
                });
    }
}
