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
import orrery.model.ItemRules;
import orrery.model.OrreryException;

/**
 * A set of one replica. There is no second log: whatever commands are waiting are packed into an
 * entry, which the state machine writes in one synced batch. Commands that arrive meanwhile form
 * the next entry, so the cost of a sync is shared by all who wait.
 *
 * <p>Two threads take turns, hand over hand. While the disk is busy with the entry of one, the
 * other waits for more commands: those that come after an entry was taken wait for one sync more.
 * An entry is prepared meanwhile if it is full, or when more commands wait than the disk is busy
 * with. Then most of those who write are in one of the two, and few could still come:
 *
 * <pre>
 *   one    prepare 1 | commit 1 | answer 1    | prepare 3 | commit 3
 *   other            | prepare 2  ·  commit 2 | answer 2
 * </pre>
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
    private final List<Thread> writers;
    private final Deadlines deadlines;

    // Held until the disk is taken: the thread that prepares an entry takes the disk before the
    // other thread prepares one, so entries are committed in the order in which they were prepared.
    private final ReentrantLock preparing = new ReentrantLock();

    // Guards what follows; never held while the machine works. Only the thread that prepares waits
    // for the condition.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Pending<C, O>> waiting = new ArrayDeque<>();
    private long waitingBytes;

    /** The commands of the entry that has the disk; 0 while it is free. */
    private int writing;

    private boolean closing;
    private @Nullable OrreryException stopped;

    public LocalLog(
            String name, StateMachine<C, O> machine, ToIntFunction<C> sizeOf, EntryLimits limits) {
        this.machine = machine;
        this.sizeOf = sizeOf;
        this.limits = limits;
        this.writers =
                List.of(
                        Thread.ofPlatform().name(name + "-log-1").daemon(true).unstarted(this::run),
                        Thread.ofPlatform()
                                .name(name + "-log-2")
                                .daemon(true)
                                .unstarted(this::run));
        this.deadlines = new Deadlines(name + "-log-deadlines");
        writers.forEach(Thread::start);
    }

    @Override
    public O submit(C command, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Pending<C, O> pending =
                new Pending<>(command, sizeOf.applyAsInt(command), Thread.currentThread());
        enqueue(pending);
        Deadlines.Wait wait = new Deadlines.Wait(pending.caller, deadline);
        deadlines.add(wait);
        try {
            return pending.await(deadline);
        } finally {
            deadlines.remove(wait);
        }
    }

    private void enqueue(Pending<C, O> pending) {
        if (pending.bytes > limits.maxCommandBytes()) {
            throw new OrreryException(
                    ErrorCode.TOO_LARGE,
                    ItemRules.TOO_LARGE
                            + ". A write may have %d bytes in the log with all that follows from it,"
                                    .formatted(limits.maxCommandBytes())
                            + " and this one has %d.".formatted(pending.bytes));
        }
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
            if (isDue()) {
                changed.signal();
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
            changed.signal();
        } finally {
            lock.unlock();
        }
        writers.forEach(LocalLog::await);
        stopWith(stopping(), List.of());
        deadlines.close();
    }

    /** Not even an interrupt ends the wait early: the caller closes the store next. */
    private static void await(Thread writer) {
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
        while (writeEntry(entry)) {
            entry.clear();
        }
    }

    /** Carries out the next entry; false when there is none or it failed. */
    private boolean writeEntry(List<Pending<C, O>> entry) {
        StateMachine.Prepared<O> prepared;
        preparing.lock();
        try {
            if (!takeEntry(entry)) {
                return false;
            }
            prepared = prepare(entry);
            takeDisk(entry.size());
        } catch (RuntimeException | Error failure) {
            stop(failure, entry);
            return false;
        } finally {
            preparing.unlock();
        }
        try (prepared) {
            refuseIfStopped();
            prepared.commit(true);
        } catch (RuntimeException | Error failure) {
            stop(failure, entry);
            return false;
        } finally {
            releaseDisk();
        }
        for (int i = 0; i < entry.size(); i++) {
            entry.get(i).complete(prepared.outcomes().get(i));
        }
        return true;
    }

    /** Waits for commands and takes as many as an entry holds; false when no more will come. */
    private boolean takeEntry(List<Pending<C, O>> entry) {
        lock.lock();
        try {
            while (!isDue()) {
                if (waiting.isEmpty() && (closing || stopped != null)) {
                    return false;
                }
                changed.awaitUninterruptibly();
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

    private boolean isDue() {
        return !waiting.isEmpty() && (waiting.size() > writing || isFull());
    }

    private boolean isFull() {
        return waiting.size() >= limits.maxCommands() || waitingBytes >= limits.maxBytes();
    }

    private void takeDisk(int commands) {
        lock.lock();
        try {
            awaitDisk();
            writing = commands;
        } finally {
            lock.unlock();
        }
    }

    private void releaseDisk() {
        lock.lock();
        try {
            writing = 0;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when the entry before is written, or has failed. */
    private void awaitDisk() {
        lock.lock();
        try {
            while (writing > 0) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private StateMachine.Prepared<O> prepare(List<Pending<C, O>> entry) {
        List<C> commands = new ArrayList<>(entry.size());
        for (Pending<C, O> pending : entry) {
            commands.add(pending.command);
        }
        if (machine.readsCommitted(commands)) {
            awaitDisk();
        }
        return machine.prepare(machine.appliedPosition() + 1, commands);
    }

    /** The entry before this one may have failed while this one waited for the disk. */
    private void refuseIfStopped() {
        OrreryException reason = stopReason();
        if (reason != null) {
            throw reason;
        }
    }

    private void stop(Throwable failure, List<Pending<C, O>> entry) {
        if (stopReason() == null) {
            LOG.log(
                    Logger.Level.ERROR,
                    Thread.currentThread().getName() + " stopped; restart to recover",
                    failure);
        }
        stopWith(reason(failure), entry);
    }

    /** One of ours says what clients may hear; others may tell them of files and libraries. */
    private static OrreryException reason(Throwable failure) {
        return failure instanceof OrreryException ours
                ? ours
                : new OrreryException(
                        ErrorCode.UNAVAILABLE,
                        "Writing stopped after a failure and resumes with a restart. The log of the"
                                + " server has the reason.",
                        failure);
    }

    /** Fails whoever waits; the first reason stays. */
    private void stopWith(OrreryException reason, List<Pending<C, O>> entry) {
        List<Pending<C, O>> unanswered = new ArrayList<>(entry);
        OrreryException first;
        lock.lock();
        try {
            first = stopped == null ? reason : stopped;
            stopped = first;
            unanswered.addAll(waiting);
            waiting.clear();
            waitingBytes = 0;
            changed.signal();
        } finally {
            lock.unlock();
        }
        for (Pending<C, O> pending : unanswered) {
            pending.fail(first);
        }
    }

    private static OrreryException stopping() {
        return new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.");
    }

    /** Returns the number of commands that wait for the next entry. */
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
                boolean isLate = deadlineNanos - System.nanoTime() <= 0;
                if (isLate || Thread.currentThread().isInterrupted()) {
                    throw new OrreryException(
                            ErrorCode.TIMEOUT,
                            "The write did not finish in time. It may or may not have happened.");
                }
                LockSupport.park(this);
            }
        }
    }
}
