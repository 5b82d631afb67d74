package orrery.script;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;
import orrery.model.sharing.FairQueue;
import orrery.model.sharing.QueuedWork;

/**
 * The threads on which scripts run: few, so that scripts that compute leave processors to the rest,
 * and of the platform, whose scheduler takes turns among them. Containers share them fairly, and
 * some are left to containers that have no script under way: one whose scripts all run until they
 * are stopped does not hold up the scripts of others.
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

    /**
     * The memory that counts as held by a running script. Nobody can tell what it really holds; the
     * watchdog stops scripts that fill the heap.
     */
    private static final long SCRIPT_BYTES = 16 << 20;

    private final int threads;
    private final int spares;
    private final FairQueue<Task<?>> queue;

    /** Has a thread for each task that the queue lets begin. */
    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(
                    0,
                    Integer.MAX_VALUE,
                    10,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    Thread.ofPlatform()
                            .daemon()
                            .name("script-", 0)
                            .stackSize(STACK_BYTES)
                            .factory());

    private final Map<Thread, Task<?>> running = new HashMap<>();
    private int lost;
    private boolean isClosed;

    /**
     * @param threads that one container may have
     * @param spares more of them, for containers that have none
     * @param waiting scripts of one container that wait for a thread
     */
    ScriptThreads(int threads, int spares, int waiting) {
        this.threads = threads;
        this.spares = spares;
        this.queue = new FairQueue<>(waiting);
    }

    private final class Task<T> implements Runnable {
        private final QueuedWork<T> queued = new QueuedWork<>();
        private final int container;
        private final Supplier<T> work;
        private boolean isLost;

        Task(int container, Supplier<T> work) {
            this.container = container;
            this.work = work;
        }

        @Override
        public void run() {
            begin(this);
            T value;
            MemoryAccount account = queued.scope().account();
            try (MemoryAccount.Part memory = account.part()) {
                memory.take(Math.min(SCRIPT_BYTES, account.limit() / 2));
                value = queued.scope().during(work);
            } catch (Throwable failure) { // the caller's thread throws it again
                end(this);
                queued.fail(failure);
                return;
            }
            // First, so that who has the result knows that the thread is free.
            end(this);
            queued.complete(value);
        }
    }

    /**
     * Waits for a thread, no longer than this, and then for the result. The watchdog stops a script
     * for which nobody waits.
     */
    <T> T call(int container, Duration wait, Supplier<T> work) {
        Task<T> task = new Task<>(container, work);
        submit(task);
        return task.queued.await(wait, () -> withdraw(task), ScriptThreads::tooMany);
    }

    private synchronized boolean withdraw(Task<?> task) {
        return queue.withdraw(task.container, task);
    }

    private synchronized void submit(Task<?> task) {
        if (isClosed) {
            throw stopping();
        }
        if (!queue.offer(task.container, task)) {
            throw tooMany();
        }
        startNext();
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
        queue.end(task.container);
        LOG.log(
                Logger.Level.WARNING,
                lost <= threads
                        ? "A script did not end although it was stopped; another thread takes the"
                                + " place of {0}, {1} are lost"
                        : "A script did not end although it was stopped; too many threads are lost"
                                + " to replace {0} as well, {1} are lost",
                thread.getName(),
                lost);
        task.queued.fail(failure);
        startNext();
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
        } else {
            queue.end(task.container);
        }
        startNext();
    }

    private void startNext() {
        // Lost threads that were not replaced are missing.
        int places = threads - Math.max(0, lost - threads);
        if (places <= 0) {
            refuseAll();
            return;
        }
        for (Optional<Task<?>> next = queue.begin(places, spares);
                next.isPresent();
                next = queue.begin(places, spares)) {
            pool.execute(next.get());
        }
    }

    /** No thread is left to take up what waits. */
    private void refuseAll() {
        for (Task<?> task : queue.drain()) {
            task.queued.fail(
                    new OrreryException(
                            ErrorCode.UNAVAILABLE,
                            "No script can be run: "
                                    + lost
                                    + " scripts did not end although they were stopped, and hold"
                                    + " all threads until they do or the server is restarted."));
        }
    }

    private static OrreryException tooMany() {
        return new OrreryException(
                        ErrorCode.TOO_MANY_SCRIPTS,
                        "Too many scripts of this container run at once, so this one was not"
                                + " started. Please retry after sometime.")
                .withRetryAfter(RETRY_AFTER);
    }

    private static OrreryException stopping() {
        return new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.");
    }

    /** Refuses the scripts that wait, and interrupts those that run. */
    @Override
    public synchronized void close() {
        isClosed = true;
        queue.drain().forEach(task -> task.queued.fail(stopping()));
        pool.shutdownNow();
    }
}
