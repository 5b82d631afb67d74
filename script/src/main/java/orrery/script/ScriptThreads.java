package orrery.script;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * The threads on which scripts run: few, so that scripts that compute leave processors to the rest,
 * and of the platform, whose scheduler takes turns among them.
 */
final class ScriptThreads implements AutoCloseable {
    /** Recursion of scripts takes more of a stack than that of Java. */
    private static final long STACK_BYTES = 4 << 20;

    private static final Duration RETRY_AFTER = Duration.ofMillis(100);

    private final ThreadPoolExecutor pool;

    ScriptThreads(int threads, int waiting) {
        pool =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        10,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(waiting),
                        Thread.ofPlatform()
                                .daemon()
                                .name("script-", 0)
                                .stackSize(STACK_BYTES)
                                .factory());
        pool.allowCoreThreadTimeOut(true);
    }

    /** Waits for a thread, no longer than this, and then for the result. */
    <T> T call(Duration wait, Supplier<T> work) {
        long latest = System.nanoTime() + wait.toNanos();
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            pool.execute(() -> complete(result, latest, work));
        } catch (RejectedExecutionException full) {
            throw tooMany();
        }
        try {
            return result.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.", stopped);
        }
    }

    private static <T> void complete(CompletableFuture<T> result, long latest, Supplier<T> work) {
        if (System.nanoTime() - latest > 0) {
            result.completeExceptionally(tooMany());
            return;
        }
        try {
            result.complete(work.get());
        } catch (Throwable failure) { // the caller's thread throws it again
            result.completeExceptionally(failure);
        }
    }

    private static OrreryException tooMany() {
        return new OrreryException(
                        ErrorCode.TOO_MANY_SCRIPTS,
                        "Too many scripts run at once, so this one was not started. Please retry"
                                + " after sometime.")
                .withRetryAfter(RETRY_AFTER);
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
