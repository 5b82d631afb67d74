package orrery.query.execute;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import orrery.model.memory.MemoryAccount;

/**
 * The first of what it is offered, in some order, as many as it has room for. Whatever it keeps
 * comes before all that it left out.
 */
final class FirstInOrder<T> {
    private final Comparator<T> order;
    private final int maxCount;
    private final long maxBytes;
    private final ToLongFunction<T> sizeBytes;
    private final MemoryAccount.Part memory;
    private final PriorityQueue<T> kept;
    private long bytes;
    private @Nullable T leftOut;

    /**
     * @param maxBytes that those take that are kept; one is kept in any case
     * @param memory that those are counted against
     */
    FirstInOrder(
            Comparator<T> order,
            int maxCount,
            long maxBytes,
            ToLongFunction<T> sizeBytes,
            MemoryAccount.Part memory) {
        this.order = order;
        this.maxCount = maxCount;
        this.maxBytes = maxBytes;
        this.sizeBytes = sizeBytes;
        this.memory = memory;
        this.kept = new PriorityQueue<>(order.reversed());
    }

    void offer(T each) {
        if (leftOut != null && order.compare(each, leftOut) >= 0) {
            return;
        }
        long added = sizeBytes.applyAsLong(each);
        memory.take(added);
        kept.add(each);
        bytes += added;
        while (kept.size() > maxCount || (bytes > maxBytes && kept.size() > 1)) {
            T last = kept.remove();
            long removed = sizeBytes.applyAsLong(last);
            memory.give(removed);
            bytes -= removed;
            leftOut = last;
        }
    }

    boolean hasLeftOut() {
        return leftOut != null;
    }

    List<T> sorted() {
        List<T> sorted = new ArrayList<>(kept);
        sorted.sort(order);
        return sorted;
    }
}
