package orrery.frontend.http;

import java.util.concurrent.atomic.AtomicLong;
import orrery.model.memory.MemoryBudget;

/**
 * The bytes of bodies that all connections of a server hold together: a part, with a limit of its
 * own, of what all requests hold. Thread-safe.
 */
final class HeldBytes {
    private final long limit;
    private final MemoryBudget memory;
    private final AtomicLong held = new AtomicLong();

    HeldBytes(long limit, MemoryBudget memory) {
        this.limit = limit;
        this.memory = memory;
    }

    /** Takes {@code bytes} unless that passes a limit; at its own even zero is refused. */
    boolean tryTake(long bytes) {
        if (bytes > 0 && !memory.tryReserve(bytes)) {
            return false;
        }
        if (tryCount(bytes)) {
            return true;
        }
        memory.release(bytes);
        return false;
    }

    private boolean tryCount(long bytes) {
        while (true) {
            long before = held.get();
            if (before >= limit || before + bytes > limit) {
                return false;
            }
            if (bytes == 0 || held.compareAndSet(before, before + bytes)) {
                return true;
            }
        }
    }

    /** Takes bytes that exist already: a reply cannot be refused, but further requests can. */
    void take(long bytes) {
        memory.reserve(bytes);
        held.addAndGet(bytes);
    }

    void give(long bytes) {
        memory.release(bytes);
        held.addAndGet(-bytes);
    }

    long limit() {
        return limit;
    }

    long held() {
        return held.get();
    }
}
