package orrery.query;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.sharing.FairQueue;
import orrery.model.sharing.QueuedWork;

/**
 * The threads on which long queries are parsed, planned and made ready. That takes a second for the
 * longest, and never waits for anything: on a virtual thread it would hold a carrier all the while,
 * and a few such texts would hold them all. So it has threads of the platform, half as many as
 * there are processors, and containers share them fairly. Short queries stay where they are and
 * never wait behind long ones.
 */
public final class PlanningThreads {
    /** The number under which queries over resources outside of containers wait. */
    public static final int NO_CONTAINER = 0;

    /** A query over many partitions has sixteen of them at once. */
    private static final int MAX_WAITING = 256;

    private static final Duration MAX_WAIT = Duration.ofSeconds(10);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** A text that nests as deeply as it may takes a fifth of this. */
    private static final long STACK_BYTES = 2 << 20;

    private static final PlanningThreads OF_PROCESS =
            new PlanningThreads(
                    Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
                    MAX_WAITING,
                    MAX_WAIT);

    private final int threads;
    private final Duration maxWait;
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
                            .name("planning-", 0)
                            .stackSize(STACK_BYTES)
                            .factory());

    /**
     * @param waiting queries of one container that wait for a thread
     * @param maxWait for a thread
     */
    PlanningThreads(int threads, int waiting, Duration maxWait) {
        this.threads = threads;
        this.maxWait = maxWait;
        this.queue = new FairQueue<>(waiting);
    }

    /** Processors are shared by all that the process does, so there is one of it. */
    public static PlanningThreads ofProcess() {
        return OF_PROCESS;
    }

    /** Returns the number of queries that are made ready at once. */
    public int threads() {
        return threads;
    }

    private final class Task<T> implements Runnable {
        private final QueuedWork<T> queued = new QueuedWork<>();
        private final int container;
        private final Supplier<T> work;

        Task(int container, Supplier<T> work) {
            this.container = container;
            this.work = work;
        }

        @Override
        public void run() {
            try {
                queued.complete(queued.scope().during(work));
            } catch (Throwable failure) { // the caller's thread throws it again
                queued.fail(failure);
            } finally {
                end(this);
            }
        }
    }

    /**
     * Does on one of the threads what a query takes, or on the caller's if the query is short.
     *
     * @throws OrreryException TOO_MANY_REQUESTS if too many queries of the container wait, or this
     *     one would wait for too long
     */
    public <T> T plan(int container, QueryRequest query, Supplier<T> work) {
        return plan(container, QuerySize.isShort(query), work);
    }

    /** Like the other method of this name, for a query of which only this is known. */
    public <T> T plan(int container, boolean isShort, Supplier<T> work) {
        return isShort ? work.get() : plan(container, work);
    }

    /** Does something on one of the threads, whatever it is. */
    public <T> T plan(int container, Supplier<T> work) {
        Task<T> task = new Task<>(container, work);
        submit(task);
        // Texts have a limit, so what has begun ends soon.
        return task.queued.await(maxWait, () -> withdraw(task), PlanningThreads::tooMany);
    }

    private synchronized void submit(Task<?> task) {
        if (!queue.offer(task.container, task)) {
            throw tooMany();
        }
        startNext();
    }

    private synchronized boolean withdraw(Task<?> task) {
        return queue.withdraw(task.container, task);
    }

    private synchronized void end(Task<?> task) {
        queue.end(task.container);
        startNext();
    }

    private void startNext() {
        for (Optional<Task<?>> next = queue.begin(threads, 0);
                next.isPresent();
                next = queue.begin(threads, 0)) {
            pool.execute(next.get());
        }
    }

    private static OrreryException tooMany() {
        return new OrreryException(
                        ErrorCode.TOO_MANY_REQUESTS,
                        "Too many long queries of this container wait to be parsed. Retry later, or"
                                + " make the queries shorter.")
                .withRetryAfter(RETRY_AFTER);
    }
}
