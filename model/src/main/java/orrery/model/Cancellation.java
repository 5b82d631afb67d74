package orrery.model;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says whether anybody still waits for what a thread does. It follows the threads that work for a
 * request, as its {@link orrery.model.memory.MemoryAccount} does. Long work asks it now and then;
 * waits are ended by it. Thread-safe.
 *
 * <p>Who knows that a client has left {@link #cancel}s. Who receives a message bounds it by the
 * time that the message has left ({@link #within}). So it ends in the same way whether the sender
 * of the message is in this process or not.
 */
public final class Cancellation {
    /** For work that nobody calls off. */
    public static final Cancellation NEVER = new Cancellation();

    private static final ScopedValue<Cancellation> CURRENT = ScopedValue.newInstance();

    /** The one that is cancelled; the others are bounds around it. */
    private final Cancellation root;

    /** On the clock of {@link System#nanoTime}; null if it has no end. */
    private final @Nullable Long deadlineNanos;

    /** Made for the first that waits: most requests never do. */
    private @Nullable Set<Waiter> waiters;

    private volatile boolean isCancelled;

    public Cancellation() {
        this.root = this;
        this.deadlineNanos = null;
    }

    private Cancellation(Cancellation root, long deadlineNanos) {
        this.root = root;
        this.deadlineNanos = deadlineNanos;
    }

    /** The one of the request that the calling thread works for. */
    public static Cancellation current() {
        return CURRENT.orElse(NEVER);
    }

    /** Ends with this one, and when so much time has passed. */
    public Cancellation within(Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        return new Cancellation(
                root, deadlineNanos == null || end - deadlineNanos < 0 ? end : deadlineNanos);
    }

    /** Does work that this one may end. */
    public <T> T during(Supplier<T> work) {
        return ScopedValue.where(CURRENT, this).call(work::get);
    }

    /** Tells that nobody waits any more. A second call does nothing. */
    public void cancel() {
        if (this == NEVER || root != this) {
            throw new IllegalStateException("this cancellation belongs to somebody else");
        }
        synchronized (this) {
            isCancelled = true;
            if (waiters != null) {
                waiters.forEach(Waiter::tell);
            }
        }
    }

    /** Returns true if nobody waits for the work, or its time is over. */
    public boolean isOver() {
        return root.isCancelled
                || (deadlineNanos != null && deadlineNanos - System.nanoTime() <= 0);
    }

    /** The shorter of the given time and the one that is left. */
    public Duration bounded(Duration time) {
        if (deadlineNanos == null) {
            return time;
        }
        Duration left = Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
        return left.compareTo(time) < 0 ? left : time;
    }

    /** Throws TIMEOUT if nobody waits for the work, or its time is over. */
    public void check() {
        if (isOver()) {
            throw failure();
        }
    }

    private OrreryException failure() {
        return new OrreryException(
                ErrorCode.TIMEOUT,
                root.isCancelled
                        ? "The client left before the request was answered."
                        : "The request's time was over before it could be answered.");
    }

    /** Something that a thread waits for, which an interrupt ends. */
    public interface Wait<T, X extends Exception> {
        T run() throws InterruptedException, X;
    }

    /**
     * Waits no longer than until somebody cancels. The time is for the caller to bound.
     *
     * @throws OrreryException TIMEOUT if it is over before, or cancelled meanwhile
     */
    public <T, X extends Exception> T waiting(Wait<T, X> wait) throws InterruptedException, X {
        check();
        if (root == NEVER) {
            return wait.run();
        }
        Waiter waiter = root.enter();
        try {
            return wait.run();
        } catch (InterruptedException ended) {
            if (root.isCancelled) {
                throw failure();
            }
            throw ended;
        } finally {
            root.leave(waiter);
        }
    }

    private synchronized Waiter enter() {
        check();
        Waiter waiter = new Waiter();
        if (waiters == null) {
            waiters = new HashSet<>();
        }
        waiters.add(waiter);
        return waiter;
    }

    /** The thread's next work must not hear of an interrupt that was meant for the wait. */
    private synchronized void leave(Waiter waiter) {
        if (waiters != null) {
            waiters.remove(waiter);
        }
        if (waiter.isTold) {
            var _ = Thread.interrupted();
        }
    }

    private static final class Waiter {
        private final Thread thread = Thread.currentThread();
        private boolean isTold;

        void tell() {
            isTold = true;
            thread.interrupt();
        }
    }
}
