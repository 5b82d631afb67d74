package orrery.partition;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.model.PartitionId;
import orrery.storage.format.LogicalPartitionRecord;

/**
 * The items of small logical partitions that queries have read as a whole lately. To walk over the
 * rows of a hundred items takes the store longer than it takes a query to look at them.
 *
 * <p>Each is kept with the counters of its key, which name the last write: a reader whose snapshot
 * has the same counters has the same items, and any other reads them anew. So nothing has to be
 * taken out when something is written. A key is kept when it is read for the second time in one
 * state. In memory only, bounded, and shared by all requests.
 */
final class KeyCache {
    /** Larger keys are not kept. */
    static final int MAX_ITEMS = 256;

    static final long MAX_KEY_BYTES = 256 << 10;

    /** The heap that an item takes besides its body and its key. */
    private static final int ITEM_BYTES = 160;

    /** States of keys that were read once; a newer one may take the place of another. */
    private static final int SEEN = 4096;

    private record Place(PartitionId partition, Bytes key) {}

    /**
     * @param key without its container
     */
    record Row(Bytes key, Item item) {}

    private record Kept(LogicalPartitionRecord counters, List<Row> rows, long bytes) {}

    private final long maxBytes;
    private final Map<Place, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final long[] seen = new long[SEEN];
    private long bytes;

    KeyCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Returns the items of a key in the order of their keys, if they are here.
     *
     * @param key what the keys of its items begin with
     * @param counters those of the key in the snapshot that is read
     */
    synchronized Optional<List<Row>> find(
            PartitionId partition, Bytes key, LogicalPartitionRecord counters) {
        Kept found = kept.get(new Place(partition, key));
        return found != null && found.counters.equals(counters)
                ? Optional.of(found.rows)
                : Optional.empty();
    }

    /** Returns true if a key may be kept that is read now, and was read before in this state. */
    synchronized boolean isWorthwhile(
            PartitionId partition, Bytes key, LogicalPartitionRecord counters) {
        if (counters.size().items() > MAX_ITEMS || counters.size().itemBytes() > MAX_KEY_BYTES) {
            return false;
        }
        int hash = new Place(partition, key).hashCode() * 0x9E3779B9;
        int at = (hash >>> 16) % SEEN;
        long state = ((long) hash << 32) ^ counters.lastWriteLsn();
        boolean isSecond = seen[at] == state;
        seen[at] = state;
        return isSecond;
    }

    synchronized void add(
            PartitionId partition, Bytes key, LogicalPartitionRecord counters, List<Row> rows) {
        long size = ITEM_BYTES;
        for (Row row : rows) {
            size += ITEM_BYTES + row.key().length() + row.item().body().length();
        }
        if (size > maxBytes) {
            return;
        }
        drop(kept.put(new Place(partition, key), new Kept(counters, List.copyOf(rows), size)));
        bytes += size;
        var oldest = kept.values().iterator();
        while (bytes > maxBytes) {
            bytes -= oldest.next().bytes;
            oldest.remove();
        }
    }

    private void drop(@Nullable Kept old) {
        bytes -= old == null ? 0 : old.bytes;
    }
}
