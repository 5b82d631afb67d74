package orrery.bench;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Threads that each do one operation after the other. */
final class Clients {
    private Clients() {}

    /** Returns operations per second. */
    static double run(int clients, ThreadFactory threads, double seconds, Runnable operation)
            throws InterruptedException {
        LongAdder done = new LongAdder();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch ended = new CountDownLatch(clients);
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        for (int i = 0; i < clients; i++) {
            threads.newThread(
                            () -> {
                                try {
                                    while (System.nanoTime() < end) {
                                        operation.run();
                                        // The last one of each client ends late: not counted.
                                        if (System.nanoTime() < end) {
                                            done.increment();
                                        }
                                    }
                                } catch (RuntimeException | Error e) {
                                    failure.compareAndSet(null, e);
                                } finally {
                                    ended.countDown();
                                }
                            })
                    .start();
        }
        ended.await();
        if (failure.get() != null) {
            throw new IllegalStateException("an operation failed", failure.get());
        }
        return done.sum() / seconds;
    }
}
