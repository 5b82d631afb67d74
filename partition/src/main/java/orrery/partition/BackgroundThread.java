package orrery.partition;

import java.lang.System.Logger;
import orrery.model.OrreryException;

/** A virtual thread for work that nobody waits for, until whoever started it closes it. */
final class BackgroundThread implements AutoCloseable {
    private final Thread thread;

    private BackgroundThread(Thread thread) {
        this.thread = thread;
    }

    /** Ends by itself, or soon after it is interrupted. */
    @FunctionalInterface
    interface Work {
        void run() throws InterruptedException;
    }

    static BackgroundThread start(String name, Work work) {
        return new BackgroundThread(Thread.ofVirtual().name(name).start(() -> untilStopped(work)));
    }

    /**
     * The log level of a step that waits: a condition that passes by itself was logged where it was
     * noticed.
     */
    static Logger.Level levelOf(RuntimeException failure) {
        return failure instanceof OrreryException refusal && refusal.retryAfter().isPresent()
                ? Logger.Level.DEBUG
                : Logger.Level.WARNING;
    }

    private static void untilStopped(Work work) {
        try {
            work.run();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the step that is under way. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
