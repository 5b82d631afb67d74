package orrery.script;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 *
 * <p>A thread whose script does not end although it was stopped is lost until it does, and another
 * takes its place. As lost threads may go on computing, no more are replaced than there are threads
 * in the first place.
 */
final class ScriptThreads implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ScriptThreads.class.getName());

    /** Recursion of scripts takes more of a stack than that of Java. */
    private static final long STACK_BYTES = 4 << 20;

    private static final Duration RETRY_AFTER = Duration.ofMillis(100);

    private final int threads;
    private final ThreadPoolExecutor pool;
    private final Map<Thread, Task<?>> running = new HashMap<>();
    private int lost;

    ScriptThreads(int threads, int waiting) {
        this.threads = threads;
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

    /** Work that waits for a thread, has one, or is done. */
    private final class Task<T> implements Runnable {
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final Supplier<T> work;
        private final long latest;
        private boolean isLost;

        Task(Duration wait, Supplier<T> work) {
            this.work = work;
            this.latest = System.nanoTime() + wait.toNanos();
        }

        @Override
        public void run() {
            if (System.nanoTime() - latest > 0) {
                fail(tooMany());
                return;
            }
            begin(this);
            T value;
            try {
                value = work.get();
            } catch (Throwable failure) { // the caller's thread throws it again
                end(this);
                fail(failure);
                return;
            }
            // First, so that who has the result knows that the thread is free.
            end(this);
            result.complete(value);
        }

        void fail(Throwable failure) {
            result.completeExceptionally(failure);
        }
    }

    /** Waits for a thread, no longer than this, and then for the result. */
    <T> T call(Duration wait, Supplier<T> work) {
        Task<T> task = new Task<>(wait, work);
        try {
            pool.execute(task);
        } catch (RejectedExecutionException full) {
            throw pool.isShutdown() ? stopping() : tooMany();
        }
        refuseIfAllAreLost();
        try {
            return task.result.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw stopping();
        }
    }

    /**
     * Gives up the work on a thread, which was stopped and did not end. Its caller waits no longer;
     * should it end after all, nobody hears of what came of it.
     */
    synchronized void lose(Thread thread, OrreryException failure) {
        Task<?> task = running.get(thread);
        if (task == null || task.isLost) {
            return;
        }
        task.isLost = true;
        lost++;
        LOG.log(
                Logger.Level.WARNING,
                lost <= threads
                        ? "A script did not end although it was stopped; another thread takes the"
                                + " place of {0}, {1} are lost"
                        : "A script did not end although it was stopped; too many threads are lost"
                                + " to replace {0} as well, {1} are lost",
                thread.getName(),
                lost);
        resize();
        task.fail(failure);
        refuseIfAllAreLost();
    }

    /** Threads that are lost at the moment. */
    synchronized int lost() {
        return lost;
    }

    private synchronized void begin(Task<?> task) {
        running.put(Thread.currentThread(), task);
    }

    private synchronized void end(Task<?> task) {
        running.remove(Thread.currentThread());
        if (task.isLost) {
            lost--;
            resize();
        }
    }

    private void resize() {
        int size = threads + Math.min(lost, threads);
        // In this order the one is never above the other.
        if (size > pool.getMaximumPoolSize()) {
            pool.setMaximumPoolSize(size);
            pool.setCorePoolSize(size);
        } else {
            pool.setCorePoolSize(size);
            pool.setMaximumPoolSize(size);
        }
    }

    /** Nobody would ever take up what waits. */
    private synchronized void refuseIfAllAreLost() {
        if (lost < 2 * threads) {
            return;
        }
        List<Runnable> waiting = new ArrayList<>();
        pool.getQueue().drainTo(waiting);
        for (Runnable task : waiting) {
            ((Task<?>) task)
                    .fail(
                            new OrreryException(
                                    ErrorCode.UNAVAILABLE,
                                    "No script can be run: "
                                            + lost
                                            + " scripts did not end although they were stopped, and"
                                            + " hold all threads until they do or the server is"
                                            + " restarted."));
        }
    }

    private static OrreryException tooMany() {
        return new OrreryException(
                        ErrorCode.TOO_MANY_SCRIPTS,
                        "Too many scripts run at once, so this one was not started. Please retry"
                                + " after sometime.")
                .withRetryAfter(RETRY_AFTER);
    }

    private static OrreryException stopping() {
        return new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.");
    }

    /** What waits is not begun any more. */
    @Override
    public void close() {
        pool.shutdownNow().forEach(task -> ((Task<?>) task).fail(stopping()));
    }
}
