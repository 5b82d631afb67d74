package orrery.frontend.http;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes of bodies that all connections of a server hold together. Thread-safe. */
final class HeldBytes {
    private final long limit;
    private final AtomicLong held = new AtomicLong();

    HeldBytes(long limit) {
        this.limit = limit;
    }

    /** Takes {@code bytes} unless that passes the limit; at the limit even zero is refused. */
    boolean tryTake(long bytes) {
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
        held.addAndGet(bytes);
    }

    void give(long bytes) {
        held.addAndGet(-bytes);
    }

    long held() {
        return held.get();
    }
}
