package orrery.partition;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
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
 * Knows which items have no value at a path that queries sort by. They have no index entry there
 * and come first in a rising order, so without this every such query would begin by reading all
 * items.
 *
 * <p>A search goes over the entries of the path once, in short steps. Queries that sort by the path
 * take the steps, and none holds the lock of the path for longer than one. After the search, the
 * change log keeps the knowledge up to date. The set only grows: a reader sees that an item has got
 * a value since. It is in memory only, bounded, and shared by all requests.
 */
final class PathGaps {
    /** More than these are found as quickly by reading. */
    private static final int MAX_GAPS = 1000;

    /** Changes that are followed; after more of them the path is searched again. */
    private static final int MAX_CHANGES = 20_000;

    private static final int MAX_PATHS = 512;

    /** Searches under way; each may hold 16 MB. The oldest begins again when there are more. */
    private static final int MAX_SEARCHES = 4;

    /** Entries of one step: a few milliseconds. */
    private static final int STEP_ENTRIES = 4096;

    /** A set of docids up to here takes 16 MB while a search is under way. */
    private static final long MAX_COUNTER = 1L << 27;

    /**
     * @param computed how the values are computed, if they are: others may be missing tomorrow
     */
    private record Place(PartitionId partition, Bytes path, Optional<ComputedProperty> computed) {}

    private final int stepEntries;
    private final Map<Place, Known> known = bounded(MAX_PATHS);

    /** Those that are being searched; the others hold little. */
    private final Map<Known, Search> searches = bounded(MAX_SEARCHES);

    PathGaps() {
        this(STEP_ENTRIES);
    }

    PathGaps(int stepEntries) {
        this.stepEntries = stepEntries;
    }

    private static <K, V> Map<K, V> bounded(int size) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > size;
            }
        };
    }

    /** The knowledge about one path. It has its own lock: only queries for this path wait. */
    private static final class Known {
        /** Changes up to here are taken in; 0 before the first search. */
        private long lsn;

        private boolean isSearched;

        /**
         * The gaps that a search has found so far, and those that changes have made since it began.
         */
        private NavigableSet<Long> docids = new TreeSet<>(Long::compareUnsigned);

        void begin(long headLsn) {
            lsn = headLsn;
            isSearched = false;
            docids = new TreeSet<>(Long::compareUnsigned);
        }

        boolean areMany() {
            return docids.size() > MAX_GAPS;
        }

        Optional<long[]> result() {
            return areMany()
                    ? Optional.empty()
                    : Optional.of(docids.stream().mapToLong(Long::longValue).toArray());
        }
    }

    /**
     * Empty if there are many, or if they are not known by the time the query has to pause.
     *
     * @param items all of the partition, as of the snapshot
     * @param mayGoOn asked between two steps of a search, without any lock
     */
    Optional<long[]> find(
            StoreView snapshot,
            PartitionId partition,
            PartitionRecord record,
            ItemSource items,
            SortedPath path,
            BooleanSupplier mayGoOn) {
        Bytes encoded = IndexPathCodec.encode(path.path());
        Known place;
        synchronized (known) {
            place =
                    known.computeIfAbsent(
                            new Place(partition, encoded, path.definition()), _ -> new Known());
        }
        do {
            synchronized (place) {
                boolean isTooFar = record.headLsn() - place.lsn > MAX_CHANGES;
                if (place.lsn == 0 || isTooFar) {
                    place.begin(record.headLsn());
                    end(place);
                }
                if (record.headLsn() < place.lsn) {
                    // An item may have got a value between this snapshot and the last one.
                    return Optional.empty();
                }
                follow(snapshot, partition, record, place, path::isMissing);
                if (!place.isSearched && !place.areMany()) {
                    place.isSearched = search(place, encoded).advance(items, place.docids);
                }
                if (place.isSearched || place.areMany()) {
                    end(place);
                    return place.result();
                }
            }
        } while (mayGoOn.getAsBoolean());
        return Optional.empty();
    }

    private Search search(Known place, Bytes path) {
        synchronized (searches) {
            return searches.computeIfAbsent(place, _ -> new Search(path, stepEntries));
        }
    }

    private void end(Known place) {
        synchronized (searches) {
            searches.remove(place);
        }
    }

    /**
     * Goes over the entries of a path, then over all items, and finds those without an entry. The
     * snapshot may be another one in each step: an item that changes meanwhile is in the change
     * log, and one that does not change looks the same in all of them.
     */
    private static final class Search {
        private final Bytes path;
        private final int stepEntries;
        private final Map<Integer, BitSet> present = new HashMap<>();
        private boolean arePresentKnown;
        private @Nullable Bytes nextTerm;
        private long nextDocid;

        Search(Bytes path, int stepEntries) {
            this.path = path;
            this.stepEntries = stepEntries;
        }

        /** Takes a step; true if it was the last. */
        boolean advance(ItemSource items, NavigableSet<Long> missing) {
            if (!arePresentKnown) {
                arePresentKnown =
                        step(
                                items,
                                with(path, ValueTag.UNDEFINED + 1),
                                with(path, ValueTag.MAX_KEY),
                                this::mark);
                return false;
            }
            Bytes every = items.everyItem();
            return step(
                    items,
                    every,
                    Bytes.wrap(Keys.after(every.unsafeArray())),
                    docid -> {
                        if (!has(docid)) {
                            missing.add(docid);
                        }
                    });
        }

        /** Returns true if it has come to the end of the entries. */
        private boolean step(ItemSource items, Bytes from, Bytes to, LongConsumer each) {
            try (ItemSource.EntryCursor entries = items.entries(from, to, false)) {
                boolean isAt =
                        nextTerm == null ? entries.next() : entries.seek(nextTerm, nextDocid);
                for (int i = 0; isAt && i < stepEntries; i++) {
                    each.accept(entries.docid());
                    isAt = entries.next();
                }
                nextTerm = isAt ? entries.term() : null;
                nextDocid = isAt ? entries.docid() : 0;
                return !isAt;
            }
        }

        private void mark(long docid) {
            if (Docid.counter(docid) < MAX_COUNTER) {
                present.computeIfAbsent(Docid.birthplace(docid), _ -> new BitSet())
                        .set((int) Docid.counter(docid));
            }
        }

        private boolean has(long docid) {
            BitSet born = present.get(Docid.birthplace(docid));
            return born != null
                    && Docid.counter(docid) < MAX_COUNTER
                    && born.get((int) Docid.counter(docid));
        }
    }

    /** Takes in the changes up to the snapshot. */
    private static void follow(
            StoreView snapshot,
            PartitionId partition,
            PartitionRecord record,
            Known place,
            Predicate<Item> isMissing) {
        if (record.headLsn() == place.lsn || place.areMany()) {
            return;
        }
        int container = partition.container();
        int segment = record.ownSegment();
        try (Cursor changes =
                snapshot.scan(
                        Table.CHANGES,
                        Keys.changesFrom(container, segment, place.lsn + 1),
                        Keys.after(Keys.segment(container, segment)))) {
            while (!place.areMany() && changes.next()) {
                Bytes key = ChangeRecord.itemSuffix(changes.value());
                byte[] row = snapshot.get(Table.ITEMS, Keys.item(container, key));
                if (row != null) {
                    Item item = ItemRecord.decode(row).toItem();
                    if (isMissing.test(item)) {
                        place.docids.add(item.docid());
                    }
                }
            }
        }
        place.lsn = record.headLsn();
    }

    private static Bytes with(Bytes path, int tag) {
        byte[] bytes = Arrays.copyOf(path.unsafeArray(), path.length() + 1);
        bytes[path.length()] = (byte) tag;
        return Bytes.wrap(bytes);
    }
}
