package orrery.model.memory;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * The part of the {@link MemoryBudget} that one request holds. It follows the threads that work for
 * the request: code that hands work to another thread runs it {@link #during} the account there.
 *
 * <p>Code that keeps something for a request takes its bytes from the {@link #current} account, or
 * right after making it if the size was not known before. So the uncounted bytes are never more
 * than the processors make at one time. Thread-safe.
 */
public final class MemoryAccount implements AutoCloseable {
    /** The account of work that no request waits for; it counts nothing. */
    public static final MemoryAccount NONE = new MemoryAccount(null);

    private static final ScopedValue<MemoryAccount> CURRENT = ScopedValue.newInstance();

    /**
     * Larger accounts grow in steps of this, so that they do not meet at the budget for each row.
     */
    private static final long STEP_BYTES = 64 << 10;

    /**
     * Bytes that every request has for free, so that small requests do not contend for the budget.
     */
    private static final long FREE_BYTES = 16 << 10;

    private static final Duration RETRY_AFTER = Duration.ofMillis(250);

    private final @Nullable MemoryBudget budget;
    private long held;
    private long reserved;
    private boolean isClosed;

    /** Its place among large requests; 0 while it is small. */
    private long ticket;

    MemoryAccount(@Nullable MemoryBudget budget) {
        this.budget = budget;
    }

    /** The account of the request that the calling thread works for. */
    public static MemoryAccount current() {
        return CURRENT.orElse(NONE);
    }

    /** The most that it may hold. */
    public long limit() {
        return budget == null ? Long.MAX_VALUE : budget.requestLimit();
    }

    /** Does work for the request of this account. */
    public <T> T during(Supplier<T> work) {
        return ScopedValue.where(CURRENT, this).call(work::get);
    }

    /**
     * Takes so many bytes more.
     *
     * @throws OrreryException TOO_MANY_REQUESTS when all requests together hold too much, TOO_LARGE
     *     when this one alone would
     */
    public synchronized void take(long bytes) {
        if (budget == null) {
            return;
        }
        if (isClosed) {
            throw tooMuch(); // the request has ended, and its thread does not know yet
        }
        if (held + bytes > budget.requestLimit()) {
            budget.refused();
            throw tooLarge(budget.requestLimit());
        }
        if (held + bytes > reserved && !reserve(budget, held + bytes)) {
            throw tooMuch();
        }
        held += bytes;
    }

    private boolean reserve(MemoryBudget from, long needed) {
        if (needed <= FREE_BYTES) {
            return true;
        }
        long wanted = Math.ceilDiv(needed, STEP_BYTES) * STEP_BYTES;
        boolean isReserved;
        if (wanted <= MemoryBudget.SMALL_REQUEST_BYTES) {
            isReserved = from.tryReserveSmall(wanted - reserved);
        } else {
            ticket = ticket == 0 ? from.enter() : ticket;
            isReserved = from.tryReserveLarge(wanted - reserved, ticket);
        }
        reserved = isReserved ? wanted : reserved;
        return isReserved;
    }

    /**
     * Returns the bytes that it holds: what work has taken and not given back is the difference.
     */
    public synchronized long held() {
        return held;
    }

    /** Gives back what was taken. */
    public synchronized void give(long bytes) {
        if (budget == null || isClosed) {
            return;
        }
        held -= bytes;
        long spare = reserved - Math.ceilDiv(held, STEP_BYTES) * STEP_BYTES;
        if (spare >= STEP_BYTES) {
            budget.release(spare);
            reserved -= spare;
        }
    }

    /** Gives all back. What is taken after that is refused. */
    @Override
    public synchronized void close() {
        if (budget == null || isClosed) {
            return;
        }
        isClosed = true;
        budget.release(reserved);
        if (ticket != 0) {
            budget.leave(ticket);
        }
        held = 0;
        reserved = 0;
    }

    /**
     * Reserves bytes for something that outlives the request, so that a later one finds it. Nobody
     * waits for it: empty if requests need the memory.
     */
    public Optional<KeptMemory> keep(long bytes) {
        return budget == null
                ? Optional.of(new KeptMemory(MemoryBudget.UNLIMITED, 0))
                : KeptMemory.of(budget, bytes);
    }

    /** Something that ends before the request does, and gives back then what it has taken. */
    public Part part() {
        return new Part();
    }

    /** The memory that one piece of work holds. Used by one thread at a time. */
    public final class Part implements AutoCloseable {
        private long taken;
        private long least;

        /** Like {@link MemoryAccount#take}, until this part is closed. */
        public void take(long bytes) {
            MemoryAccount.this.take(bytes);
            taken += bytes;
        }

        public void give(long bytes) {
            MemoryAccount.this.give(bytes);
            taken -= bytes;
        }

        /** Takes enough memory for the largest of several things that exist one at a time. */
        public void makeRoom(long bytes) {
            if (bytes > least) {
                take(bytes - least);
                least = bytes;
            }
        }

        @Override
        public void close() {
            if (taken != 0) {
                give(taken);
            }
            least = 0;
        }
    }

    private static OrreryException tooMuch() {
        return new OrreryException(
                        ErrorCode.TOO_MANY_REQUESTS,
                        "The server is short of memory for this request, because of others that it"
                                + " answers at this moment. Retry after the given time.")
                .withRetryAfter(RETRY_AFTER);
    }

    private static OrreryException tooLarge(long limit) {
        return new OrreryException(
                ErrorCode.TOO_LARGE,
                "The request needs more memory than the "
                        + (limit >> 20)
                        + " MB that the server has for one request. Ask for less at once: with"
                        + " smaller pages, another filter, fewer groups or fewer operations.");
    }
}
