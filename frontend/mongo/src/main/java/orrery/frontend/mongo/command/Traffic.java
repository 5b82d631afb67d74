package orrery.frontend.mongo.command;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts what a port has had to do, for those who watch it. Safe for many threads. */
public final class Traffic {
    private final LongAdder opened = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final AtomicInteger mostConnections = new AtomicInteger();

    /** Tells how many connections there may be at a time. */
    public void mostConnections(int count) {
        mostConnections.set(count);
    }

    public void opened() {
        opened.increment();
    }

    public void closed() {
        closed.increment();
    }

    public void received(long bytes) {
        messages.increment();
        received.add(bytes);
    }

    public void sent(long bytes) {
        sent.add(bytes);
    }

    /**
     * @param active connections whose command runs
     */
    Doc connections(int active) {
        long total = opened.sum();
        long current = Math.max(0, total - closed.sum());
        return new Doc()
                .putCount("current", current)
                .putCount("available", Math.max(0, mostConnections.get() - current))
                .putCount("totalCreated", total)
                .put("active", active);
    }

    Doc network() {
        return new Doc()
                .putInt64("bytesIn", received.sum())
                .putInt64("bytesOut", sent.sum())
                .putInt64("numRequests", messages.sum());
    }
}
