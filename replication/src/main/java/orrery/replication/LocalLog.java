package orrery.replication;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * A set of one replica. There is no second log: one thread packs whatever commands are waiting into
 * an entry and has the state machine write it in one synced batch. Commands that arrive during the
 * sync form the next entry, so the cost of a sync is shared by all who wait.
 *
 * <p>A failed write is never retried, because after a failed sync nobody knows what is on disk: the
 * log stops, every caller hears why, and a restart recovers what is there.
 */
public final class LocalLog<C, O> implements CommandLog<C, O> {
    private static final Logger LOG = System.getLogger(LocalLog.class.getName());
    private static final Duration SHUTDOWN_PATIENCE = Duration.ofSeconds(10);
    private static final Duration RETRY_AFTER = Duration.ofMillis(50);

    private final StateMachine<C, O> machine;
    private final ToIntFunction<C> sizeOf;
    private final EntryLimits limits;
    private final Thread writer;

    // Guards what follows; never held while the machine works.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Deque<Pending<C, O>> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean closing;
    private @Nullable OrreryException stopped;

    public LocalLog(
            String name, StateMachine<C, O> machine, ToIntFunction<C> sizeOf, EntryLimits limits) {
        this.machine = machine;
        this.sizeOf = sizeOf;
        this.limits = limits;
        this.writer = Thread.ofPlatform().name(name + "-log").daemon(true).start(this::run);
    }

    @Override
    public O submit(C command, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Pending<C, O> pending =
                new Pending<>(command, sizeOf.applyAsInt(command), Thread.currentThread());
        enqueue(pending);
        return pending.await(deadline);
    }

    private void enqueue(Pending<C, O> pending) {
        lock.lock();
        try {
            if (stopped != null) {
                throw stopped;
            }
            if (closing) {
                throw stopping();
            }
            // One command may always wait, however large: else it could never get in.
            if (!waiting.isEmpty() && waitingBytes + pending.bytes > limits.maxPendingBytes()) {
                throw new OrreryException(
                                ErrorCode.TOO_MANY_REQUESTS,
                                "Too many writes are waiting for the disk. Retry after the given"
                                        + " time.")
                        .withRetryAfter(RETRY_AFTER);
            }
            waiting.addLast(pending);
            waitingBytes += pending.bytes;
            if (waiting.size() == 1) {
                arrived.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes no more commands, carries out those that wait, and returns when all is at rest. */
    @Override
    public void close() {
        lock.lock();
        try {
            closing = true;
            arrived.signal();
        } finally {
            lock.unlock();
        }
        awaitWriter();
    }

    /** Not even an interrupt ends the wait early: the caller closes the store next. */
    private void awaitWriter() {
        boolean interrupted = false;
        long deadline = System.nanoTime() + SHUTDOWN_PATIENCE.toNanos();
        try {
            while (true) {
                try {
                    if (writer.join(Duration.ofNanos(deadline - System.nanoTime()))) {
                        return;
                    }
                    throw new IllegalStateException("the log did not come to rest");
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        List<Pending<C, O>> entry = new ArrayList<>();
        try {
            while (takeEntry(entry)) {
                apply(entry);
                entry.clear();
            }
            stopWith(stopping(), entry);
        } catch (RuntimeException | Error failure) {
            LOG.log(
                    Logger.Level.ERROR,
                    Thread.currentThread().getName() + " stopped; restart to recover",
                    failure);
            stopWith(
                    new OrreryException(
                            ErrorCode.UNAVAILABLE,
                            "Writing stopped after a failure and resumes with a restart: "
                                    + failure.getMessage(),
                            failure),
                    entry);
        }
    }

    /** Waits for commands and takes as many as an entry holds; false once closed and empty. */
    private boolean takeEntry(List<Pending<C, O>> entry) {
        lock.lock();
        try {
            while (waiting.isEmpty()) {
                if (closing) {
                    return false;
                }
                arrived.awaitUninterruptibly();
            }
            long bytes = 0;
            while (!waiting.isEmpty() && entry.size() < limits.maxCommands()) {
                long next = waiting.getFirst().bytes;
                if (!entry.isEmpty() && bytes + next > limits.maxBytes()) {
                    break;
                }
                entry.add(waiting.removeFirst());
                bytes += next;
            }
            waitingBytes -= bytes;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void apply(List<Pending<C, O>> entry) {
        List<C> commands = new ArrayList<>(entry.size());
        for (Pending<C, O> pending : entry) {
            commands.add(pending.command);
        }
        List<O> outcomes = machine.apply(machine.appliedPosition() + 1, commands, true);
        for (int i = 0; i < entry.size(); i++) {
            entry.get(i).complete(outcomes.get(i));
        }
    }

    private void stopWith(OrreryException reason, List<Pending<C, O>> entry) {
        List<Pending<C, O>> unanswered = new ArrayList<>(entry);
        lock.lock();
        try {
            stopped = reason;
            unanswered.addAll(waiting);
            waiting.clear();
            waitingBytes = 0;
        } finally {
            lock.unlock();
        }
        for (Pending<C, O> pending : unanswered) {
            pending.fail(reason);
        }
    }

    private static OrreryException stopping() {
        return new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.");
    }

    /** How many commands wait for the next entry. */
    public int waitingCommands() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<OrreryException> failure() {
        return Optional.ofNullable(stopReason()).filter(reason -> reason.getCause() != null);
    }

    /** Why the log no longer takes commands, if so. */
    public @Nullable OrreryException stopReason() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    private static final class Pending<C, O> {
        final C command;
        final int bytes;
        private final Thread caller;
        private volatile @Nullable O outcome;
        private volatile @Nullable OrreryException failure;

        Pending(C command, int bytes, Thread caller) {
            this.command = command;
            this.bytes = bytes;
            this.caller = caller;
        }

        void complete(O result) {
            outcome = result;
            LockSupport.unpark(caller);
        }

        void fail(OrreryException reason) {
            failure = reason;
            LockSupport.unpark(caller);
        }

        O await(long deadlineNanos) {
            while (true) {
                O result = outcome;
                if (result != null) {
                    return result;
                }
                OrreryException reason = failure;
                if (reason != null) {
                    throw reason;
                }
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0 || Thread.currentThread().isInterrupted()) {
                    throw new OrreryException(
                            ErrorCode.TIMEOUT,
                            "The write did not finish in time. It may or may not have happened.");
                }
                LockSupport.parkNanos(this, left);
            }
        }
    }
}
