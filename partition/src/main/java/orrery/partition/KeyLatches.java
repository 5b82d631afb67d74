package orrery.partition;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;

/**
 * Lets a script that met a conflict run once more undisturbed: while it holds the latch of its key,
 * other writes of that key wait before they go to the log. Nobody holds more than one latch, and a
 * key that nobody holds costs a look into a map.
 */
final class KeyLatches {
    private final ConcurrentHashMap<Key, Latch> latches = new ConcurrentHashMap<>();

    private record Key(int container, PartitionKey key) {}

    /** Counted by those who hold it or wait for it; changed inside the map only. */
    private record Latch(ReentrantLock lock, int users) {}

    /** Does something while no other write of the key goes to the log. */
    <T> T holding(int container, PartitionKey key, Duration timeout, Supplier<T> work) {
        Key place = new Key(container, key);
        Latch latch = enter(place);
        try {
            return locked(latch.lock(), timeout, work);
        } finally {
            leave(place);
        }
    }

    /** Does something when nobody else holds the key. */
    <T> T passing(int container, PartitionKey key, Duration timeout, Supplier<T> work) {
        Latch held = latches.isEmpty() ? null : latches.get(new Key(container, key));
        return held == null ? work.get() : locked(held.lock(), timeout, work);
    }

    /** Returns the number of keys that a thread holds or waits for. */
    int size() {
        return latches.size();
    }

    private Latch enter(Key place) {
        return latches.merge(
                place,
                // In order: writes that come later do not overtake a script that waits.
                new Latch(new ReentrantLock(true), 1),
                (present, _) -> new Latch(present.lock(), present.users() + 1));
    }

    private void leave(Key place) {
        latches.compute(place, (_, latch) -> without(latch));
    }

    private static @Nullable Latch without(@Nullable Latch latch) {
        return latch == null || latch.users() == 1
                ? null
                : new Latch(latch.lock(), latch.users() - 1);
    }

    private static <T> T locked(ReentrantLock lock, Duration timeout, Supplier<T> work) {
        try {
            if (!Cancellation.current()
                    .waiting(() -> lock.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS))) {
                throw new OrreryException(
                        ErrorCode.RETRY_WITH, "A script is at work on this partition key. Retry.");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.", stopped);
        }
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
