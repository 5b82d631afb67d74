package orrery.model.memory;

import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The bytes of the heap that all requests of the process may hold together. It counts what was told
 * to it, by estimates: the rest of the heap is for what nobody counts, and for garbage.
 *
 * <p>A fifth is kept for small requests, which go on when large ones have taken all they may. A
 * quarter is kept for that large request which is the oldest, and no request may hold more than
 * that: so there is always one that comes to its end, however many refuse each other the rest.
 *
 * <p>Thread-safe, without locks.
 */
public final class MemoryBudget {
    /** Nobody is refused; for parts of a server that run alone. */
    public static final MemoryBudget UNLIMITED = new MemoryBudget(Long.MAX_VALUE / 2);

    /** A request that holds no more is small: it may take what large ones have to leave. */
    static final long SMALL_REQUEST_BYTES = 64 << 10;

    private final long limit;
    private final AtomicLong reserved = new AtomicLong();
    private final LongAdder refusals = new LongAdder();

    private final AtomicLong kept = new AtomicLong();

    /** Large requests, by the order in which they became large. */
    private final NavigableSet<Long> large = new ConcurrentSkipListSet<>();

    private final AtomicLong tickets = new AtomicLong();

    public MemoryBudget(long limit) {
        this.limit = limit;
    }

    /**
     * Half of what caches leave of a heap. The other half is for what lives briefly: a collector
     * needs room to work in.
     */
    public static MemoryBudget ofHeap(long maxHeapBytes, long cacheBytes) {
        return new MemoryBudget(Math.max(0, maxHeapBytes - cacheBytes) / 2);
    }

    /** An account of a request that begins. */
    public MemoryAccount open() {
        return new MemoryAccount(this);
    }

    public long limit() {
        return limit;
    }

    /** The most that one request may hold. */
    public long requestLimit() {
        return limit / 4;
    }

    /** Returns the bytes that large requests may hold together, including the oldest of them. */
    private long largeLimit() {
        return limit - limit / 5;
    }

    public long reserved() {
        return reserved.get();
    }

    /** Returns the part of what is reserved that things between requests hold. */
    public long kept() {
        return kept.get();
    }

    /** Returns the number of refused requests since the start. */
    public long refusals() {
        return refusals.sum();
    }

    /** Reserves for something of its own, unless that passes the limit for things of its size. */
    public boolean tryReserve(long bytes) {
        return bytes <= SMALL_REQUEST_BYTES
                ? tryReserve(bytes, limit)
                : tryReserve(bytes, largeLimit() - requestLimit());
    }

    /** Reserves for a request that is small and stays small: it may use the whole budget. */
    boolean tryReserveSmall(long bytes) {
        return tryReserve(bytes, limit);
    }

    /** The place of a request that becomes large among those that are. */
    long enter() {
        long ticket = tickets.incrementAndGet();
        large.add(ticket);
        return ticket;
    }

    void leave(long ticket) {
        large.remove(ticket);
    }

    boolean tryReserveLarge(long bytes, long ticket) {
        boolean isOldest = large.headSet(ticket).isEmpty();
        return tryReserve(bytes, isOldest ? largeLimit() : largeLimit() - requestLimit());
    }

    private boolean tryReserve(long bytes, long most) {
        boolean isReserved = reserveUpTo(bytes, most);
        if (!isReserved) {
            refusals.increment();
        }
        return isReserved;
    }

    private boolean reserveUpTo(long bytes, long most) {
        while (true) {
            long before = reserved.get();
            if (before + bytes > most) {
                return false;
            }
            if (reserved.compareAndSet(before, before + bytes)) {
                return true;
            }
        }
    }

    /** Reserves for something that no request holds. */
    boolean tryKeep(long bytes) {
        if (kept.addAndGet(bytes) > limit / 8
                || !reserveUpTo(bytes, largeLimit() - requestLimit())) {
            kept.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void releaseKept(long bytes) {
        kept.addAndGet(-bytes);
        release(bytes);
    }

    /** Reserves for what exists already and cannot be refused any more. */
    public void reserve(long bytes) {
        reserved.addAndGet(bytes);
    }

    public void release(long bytes) {
        reserved.addAndGet(-bytes);
    }

    void refused() {
        refusals.increment();
    }
}
