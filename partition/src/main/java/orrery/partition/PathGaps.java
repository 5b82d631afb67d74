package orrery.partition;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import orrery.document.IndexPathCodec;
import orrery.document.ValueTag;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.Item;
import orrery.model.PartitionId;
import orrery.query.execute.ItemSource;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.ChangeRecord;
import orrery.storage.format.Docid;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Which items have no value at a path that queries sort by. They have no index entry there and come
 * first in a rising order, so that without this every such query would begin by reading all items.
 *
 * <p>Found once by going over the entries of the path, and kept up with the change log afterwards.
 * The set only grows: an item that has got a value since is seen to have one when it is read. In
 * memory only, bounded, and shared by all requests.
 */
final class PathGaps {
    /** More than these are found as quickly by reading. */
    private static final int MAX_GAPS = 1000;

    /** Changes that are followed; after more of them the path is gone over again. */
    private static final int MAX_CHANGES = 20_000;

    private static final int MAX_PATHS = 512;

    /** A set of docids up to here takes 16 MB while it is made. */
    private static final long MAX_COUNTER = 1L << 27;

    /**
     * @param computed how the values are computed, if they are: others may be missing tomorrow
     */
    private record Place(PartitionId partition, Bytes path, Optional<ComputedProperty> computed) {}

    private final Map<Place, Known> known =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Place, Known> eldest) {
                    return size() > MAX_PATHS;
                }
            };

    /**
     * The knowledge about one path. It has its own lock, so that only queries for this path wait.
     */
    private static final class Known {
        /** Since when items that came without a value are among the docids. */
        private long from;

        private long lsn;
        private @Nullable NavigableSet<Long> docids;
    }

    /**
     * Empty if there are many.
     *
     * @param items all of the partition, as of the snapshot
     */
    Optional<long[]> find(
            StoreView snapshot,
            PartitionId partition,
            PartitionRecord record,
            ItemSource items,
            SortedPath path) {
        Bytes encoded = IndexPathCodec.encode(path.path());
        Known place;
        synchronized (known) {
            place =
                    known.computeIfAbsent(
                            new Place(partition, encoded, path.definition()), _ -> new Known());
        }
        synchronized (place) {
            boolean isNew = place.lsn == 0;
            if (!isNew && record.headLsn() < place.from) {
                return Optional.empty();
            }
            if (isNew || record.headLsn() - place.lsn > MAX_CHANGES) {
                place.docids = search(items, encoded);
                place.from = record.headLsn();
                place.lsn = record.headLsn();
            } else if (place.docids != null && record.headLsn() > place.lsn) {
                follow(snapshot, partition, record, place.lsn, path::isMissing, place.docids);
                place.lsn = record.headLsn();
            }
            if (place.docids != null && place.docids.size() > MAX_GAPS) {
                place.docids = null;
            }
            return place.docids == null
                    ? Optional.empty()
                    : Optional.of(place.docids.stream().mapToLong(Long::longValue).toArray());
        }
    }

    /** Null if there are many. */
    private static @Nullable NavigableSet<Long> search(ItemSource items, Bytes path) {
        Map<Integer, BitSet> present = new HashMap<>();
        try (ItemSource.EntryCursor entries =
                items.entries(
                        with(path, ValueTag.UNDEFINED + 1), with(path, ValueTag.MAX_KEY), false)) {
            while (entries.next()) {
                long docid = entries.docid();
                if (Docid.counter(docid) >= MAX_COUNTER) {
                    return null;
                }
                present.computeIfAbsent(Docid.birthplace(docid), _ -> new BitSet())
                        .set((int) Docid.counter(docid));
            }
        }
        NavigableSet<Long> missing = new TreeSet<>(Long::compareUnsigned);
        Bytes every = items.everyItem();
        try (ItemSource.EntryCursor entries =
                items.entries(every, Bytes.wrap(Keys.after(every.unsafeArray())), false)) {
            while (entries.next()) {
                long docid = entries.docid();
                BitSet born = present.get(Docid.birthplace(docid));
                boolean isPresent =
                        born != null
                                && Docid.counter(docid) < MAX_COUNTER
                                && born.get((int) Docid.counter(docid));
                if (!isPresent) {
                    missing.add(docid);
                    if (missing.size() > MAX_GAPS) {
                        return null;
                    }
                }
            }
        }
        return missing;
    }

    /** Takes in what was written since. */
    private static void follow(
            StoreView snapshot,
            PartitionId partition,
            PartitionRecord record,
            long lsn,
            Predicate<Item> isMissing,
            NavigableSet<Long> docids) {
        int container = partition.container();
        int segment = record.ownSegment();
        try (Cursor changes =
                snapshot.scan(
                        Table.CHANGES,
                        Keys.changesFrom(container, segment, lsn + 1),
                        Keys.after(Keys.segment(container, segment)))) {
            while (docids.size() <= MAX_GAPS && changes.next()) {
                Bytes key = ChangeRecord.itemSuffix(changes.value());
                byte[] row = snapshot.get(Table.ITEMS, Keys.item(container, key));
                if (row != null) {
                    Item item = ItemRecord.decode(row).toItem();
                    if (isMissing.test(item)) {
                        docids.add(item.docid());
                    }
                }
            }
        }
    }

    private static Bytes with(Bytes path, int tag) {
        byte[] bytes = Arrays.copyOf(path.unsafeArray(), path.length() + 1);
        bytes[path.length()] = (byte) tag;
        return Bytes.wrap(bytes);
    }
}
