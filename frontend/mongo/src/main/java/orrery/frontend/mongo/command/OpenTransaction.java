package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.KeyTransaction;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.memory.KeptMemory;
import orrery.model.memory.MemoryAccount;

/**
 * A transaction of a session that has not ended, as this node keeps it. Its commands take turns:
 * each needs what the one before has written.
 */
final class OpenTransaction {
    private final Bytes session;
    private final long number;
    private final long endNanos;
    private final KeyTransaction work = new KeyTransaction();
    private final List<Long> cursors = new ArrayList<>();
    private final Semaphore turn = new Semaphore(1, true);
    private KeptMemory memory;
    private boolean isClosed;

    /** Whether a commit was sent whose outcome nobody has heard. */
    private boolean isInDoubt;

    /**
     * @param endNanos when its lifetime is over, on the clock of deadlines
     */
    OpenTransaction(Bytes session, long number, long endNanos) {
        this.session = session;
        this.number = number;
        this.endNanos = endNanos;
        this.memory = kept(work.heapBytes());
    }

    Bytes session() {
        return session;
    }

    long number() {
        return number;
    }

    KeyTransaction work() {
        return work;
    }

    long endNanos() {
        return endNanos;
    }

    boolean isOver(long nowNanos) {
        return endNanos - nowNanos <= 0;
    }

    synchronized boolean isInDoubt() {
        return isInDoubt;
    }

    synchronized void isInDoubt(boolean next) {
        isInDoubt = next;
    }

    /** Waits until the command before has ended. To be given back with {@link #leave}. */
    void enter(RequestContext context) {
        try {
            if (!turn.tryAcquire(context.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
                throw new OrreryException(
                        ErrorCode.TIMEOUT,
                        "Another command of the transaction was still running when the time of this"
                                + " one was over.");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.", stopped);
        }
    }

    void leave() {
        turn.release();
    }

    /** Keeps what a command has added. Throws where there is no memory for it. */
    synchronized void proceed(List<Long> opened) {
        cursors.addAll(opened);
        if (!isClosed) {
            KeptMemory larger = kept(work.heapBytes() + 8L * cursors.size());
            memory.close();
            memory = larger;
        }
    }

    private static KeptMemory kept(long bytes) {
        return MemoryAccount.current()
                .keep(bytes)
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.TOO_MANY_REQUESTS,
                                        "The server has no memory for the writes of this"
                                                + " transaction."));
    }

    /** Gives its memory back, and returns its cursors, which end with it. */
    synchronized List<Long> close() {
        if (!isClosed) {
            isClosed = true;
            memory.close();
        }
        return List.copyOf(cursors);
    }

    synchronized boolean isClosed() {
        return isClosed;
    }
}
