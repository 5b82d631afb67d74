package orrery.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import orrery.document.IndexPath;
import orrery.document.IndexPathCodec;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.Item;
import orrery.model.KeyComponent;
import orrery.model.KeyRange;
import orrery.model.LongWork;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.partition.machine.Presence;
import orrery.query.execute.ItemSource;
import orrery.query.index.ValueRanges;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.CreationRows;
import orrery.storage.format.DataSize;
import orrery.storage.format.IndexEntry;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;
import orrery.storage.format.PartitionRecord;

/**
 * The items of a partition that a query may see: those in a range of keys, or under one partition
 * key, in one snapshot.
 */
final class SnapshotItems implements ItemSource {
    private static final Bytes EVERY_ITEM = Bytes.wrap(new byte[] {0x06});
    private static final int DOCID_BYTES = 8;

    /** Keys whose counters are added up to know what a part of a partition holds. */
    private static final int MAX_COUNTED_KEYS = 4096;

    /** Items that are read and sorted for a page at most, and bytes of them. */
    private static final int MAX_SORTED_ITEMS = 16_384;

    private static final long MAX_SORTED_BYTES = 16L << 20;

    /** Bytes of items that are kept while others are sorted with them. */
    private static final long MAX_KEPT_BYTES = 256 << 10;

    private final StoreView snapshot;
    private final PartitionId partition;
    private final PartitionRecord record;
    private final PartitionKeyDefinition definition;
    private final Optional<PartitionKey> key;
    private final boolean isWholeKey;
    private final Gaps gaps;
    private final Presence presence;
    private final GoneItems gone;

    private final LongWork work = new LongWork();
    private Optional<LogicalPartitionRecord> counters = Optional.empty();
    private boolean hasCounters;
    private @Nullable QueryMemory memory;

    /** Keys of items, without their container, from here on. */
    private final Bytes from;

    private final Bytes to;

    /** Knows which items have no value at a path. */
    interface Gaps {
        Optional<long[]> find(IndexPath path, BooleanSupplier mayGoOn);
    }

    SnapshotItems(
            StoreView snapshot,
            PartitionId partition,
            PartitionRecord record,
            PartitionKeyDefinition definition,
            KeyRange clip,
            Optional<PartitionKey> key,
            Gaps gaps,
            Presence presence,
            GoneItems gone) {
        this.gaps = gaps;
        this.presence = presence;
        this.gone = gone;
        this.snapshot = snapshot;
        this.partition = partition;
        this.record = record;
        this.definition = definition;
        this.key = key;
        this.isWholeKey =
                key.isPresent() && key.get().components().size() == definition.paths().size();
        int container = partition.container();
        Optional<KeyRange> keys = clip.intersect(record.keys());
        byte[] first = Keys.itemsFrom(container, keys.orElse(record.keys()).min(), definition);
        byte[] behind =
                keys.isPresent() ? Keys.itemsFrom(container, keys.get().max(), definition) : first;
        if (isWholeKey && keys.isPresent()) {
            EffectiveKey epk = EffectiveKeys.of(definition, key.get());
            byte[] ofKey = Keys.itemsOf(container, epk, key.get());
            first = ofKey;
            behind = Keys.after(ofKey);
        }
        this.from = Keys.itemSuffix(first);
        this.to = Keys.itemSuffix(behind);
    }

    /** Lets it use, and add to, what is known of the stored items of the partition. */
    void remember(QueryMemory known) {
        memory = known;
    }

    @Override
    public int counted(Object what, IntSupplier count) {
        QueryMemory known = memory;
        return known == null
                ? count.getAsInt()
                : known.counts().get(partition, record.headLsn(), what, count);
    }

    /** Returns true if an item is among those the query may see. */
    private boolean isVisible(Bytes itemKey) {
        return itemKey.compareTo(from) >= 0 && itemKey.compareTo(to) < 0 && isUnderPrefix(itemKey);
    }

    /** Only the prefix of a hierarchical key needs a look at each item: its hashes may collide. */
    private boolean isUnderPrefix(Bytes itemKey) {
        if (key.isEmpty() || isWholeKey) {
            return true;
        }
        List<?> wanted = key.get().components();
        List<?> found = Keys.itemKey(itemKey, definition).partitionKey().components();
        return found.size() >= wanted.size() && found.subList(0, wanted.size()).equals(wanted);
    }

    @Override
    public EntryCursor entries(Bytes first, Bytes behind, boolean isBackward) {
        return entries(first, behind, isBackward, gone);
    }

    @Override
    public EntryCursor walkedEntries(Bytes first, Bytes behind) {
        return new MergedEntries(
                record.segments().stream()
                        .map(
                                segment ->
                                        new SegmentEntries(
                                                segment,
                                                first,
                                                behind,
                                                false,
                                                false,
                                                GoneItems.NONE))
                        .toList(),
                false);
    }

    @Override
    public boolean mayHold(Bytes itemKey) {
        return isVisible(itemKey);
    }

    /** The value of the key that all items here have, where it is one text. */
    @Override
    public boolean isOfEveryItem(Bytes term) {
        if (!isWholeKey
                || definition.paths().size() != 1
                || !(key.orElseThrow().components().getFirst()
                        instanceof KeyComponent.Text(String text))) {
            return false;
        }
        IndexPath path =
                IndexPath.of(definition.paths().getFirst().segments().toArray(String[]::new));
        Bytes value = IndexValue.encodeWhole(Value.of(text));
        byte[] prefix = IndexPathCodec.encode(path).unsafeArray();
        byte[] all = term.unsafeArray();
        return all.length == prefix.length + value.length()
                && Arrays.equals(all, 0, prefix.length, prefix, 0, prefix.length)
                && Arrays.equals(
                        all, prefix.length, all.length, value.unsafeArray(), 0, value.length());
    }

    /** Returns true if the query may see every item of the partition. */
    private boolean isAll() {
        return key.isEmpty()
                && from.compareTo(record.keys().min().bytes()) <= 0
                && to.compareTo(record.keys().max().bytes()) >= 0;
    }

    private MergedEntries entries(
            Bytes first, Bytes behind, boolean isBackward, GoneItems passedOver) {
        boolean isAll = isAll();
        List<SegmentEntries> parts = new ArrayList<>();
        for (PartitionRecord.Segment segment : record.segments()) {
            // Nobody else writes to the partition's own segment.
            boolean isOwn = segment.number() == record.ownSegment();
            parts.add(
                    new SegmentEntries(
                            segment, first, behind, isBackward, !(isOwn && isAll), passedOver));
        }
        return new MergedEntries(parts, isBackward);
    }

    @Override
    public ItemCursor items(Bytes start, boolean isInclusive) {
        if (start.isEmpty() && isInclusive) {
            Optional<List<KeyCache.Row>> known = known();
            if (known.isPresent()) {
                return new KeptRows(known.get());
            }
        }
        byte[] low = start.compareTo(from) > 0 ? start.unsafeArray() : from.unsafeArray();
        if (!isInclusive && start.compareTo(from) >= 0) {
            low = Arrays.copyOf(low, low.length + 1);
        }
        return new ItemRows(Bytes.wrap(low));
    }

    @Override
    public ItemCursor created(long docid, long wanted) {
        return items(places(docid), wanted);
    }

    @Override
    public ItemCursor at(List<Place> places, long wanted) {
        return items(
                CreationPlaces.of(
                        places.stream()
                                .map(
                                        place ->
                                                new CreationPlaces.Place(
                                                        place.docid(),
                                                        place.key(),
                                                        Optional.empty()))
                                .toList()),
                wanted);
    }

    private ItemCursor items(CreationPlaces places, long wanted) {
        return new CreatedItems(snapshot, partition.container(), presence, places, wanted);
    }

    /**
     * A partition has its docid entries, and a large key its rows. A small part of a partition is
     * sorted: among the docid entries of all others it would be found too slowly.
     */
    private CreationPlaces places(long first) {
        if (from.compareTo(to) >= 0) {
            return CreationPlaces.of(List.of());
        }
        if (!isAll()) {
            Optional<LogicalPartitionRecord> counters = counters();
            if (counters.isPresent() && counters.get().creationRows() instanceof CreationRows.All) {
                return rows(first);
            }
            Optional<DataSize> size = counters.map(LogicalPartitionRecord::size);
            if (size.or(this::sum).filter(SnapshotItems::isSorted).isPresent()) {
                return CreationPlaces.of(sorted(first));
            }
        }
        return CreationPlaces.of(
                entries(EVERY_ITEM, ValueRanges.after(EVERY_ITEM), false, GoneItems.NONE),
                EVERY_ITEM,
                first);
    }

    private static boolean isSorted(DataSize size) {
        return size.items() <= MAX_SORTED_ITEMS && size.itemBytes() <= MAX_SORTED_BYTES;
    }

    private CreationPlaces rows(long first) {
        int container = partition.container();
        PartitionKey whole = key.orElseThrow();
        EffectiveKey epk = EffectiveKeys.of(definition, whole);
        Cursor rows =
                snapshot.scan(
                        Table.META,
                        Keys.creation(container, epk, whole, first),
                        Keys.after(Keys.creationsOf(container, epk, whole)));
        return CreationPlaces.of(rows, from);
    }

    /** Returns the size of all logical partitions here, if there are few. */
    private Optional<DataSize> sum() {
        int container = partition.container();
        DataSize sum = DataSize.NONE;
        int keys = 0;
        try (Cursor rows =
                snapshot.scan(
                        Table.META,
                        Keys.logicalPartitionsFrom(container, new EffectiveKey(from)),
                        Keys.logicalPartitionsFrom(container, new EffectiveKey(to)))) {
            while (rows.next()) {
                work.step();
                if (++keys > MAX_COUNTED_KEYS || !isSorted(sum)) {
                    return Optional.empty();
                }
                sum = sum.plus(LogicalPartitionRecord.decode(rows.value()).size());
            }
        }
        return Optional.of(sum);
    }

    /** Reads all that is here, and keeps where the items are that come from a docid on. */
    private List<CreationPlaces.Place> sorted(long first) {
        List<CreationPlaces.Place> places = new ArrayList<>();
        int container = partition.container();
        long kept = 0;
        try (Cursor rows =
                snapshot.scan(Table.ITEMS, Keys.item(container, from), Keys.item(container, to))) {
            while (rows.next()) {
                work.step();
                Bytes itemKey = Keys.itemSuffix(rows.key());
                ItemRecord item = ItemRecord.decode(rows.value());
                if (isUnderPrefix(itemKey) && Long.compareUnsigned(item.docid(), first) >= 0) {
                    kept += item.body().length();
                    places.add(
                            new CreationPlaces.Place(
                                    item.docid(),
                                    itemKey,
                                    kept <= MAX_KEPT_BYTES ? Optional.of(item) : Optional.empty()));
                }
            }
        }
        places.sort((a, b) -> Long.compareUnsigned(a.docid(), b.docid()));
        return places;
    }

    @Override
    public Item load(Bytes itemKey) {
        return item(snapshot.item(Keys.item(partition.container(), itemKey)));
    }

    private static Item item(@Nullable ItemRecord record) {
        if (record == null) {
            throw new IllegalStateException("an index entry leads to no item");
        }
        return record.toItem();
    }

    @Override
    public List<Item> load(List<Bytes> itemKeys) {
        List<byte[]> keys = new ArrayList<>(itemKeys.size());
        for (Bytes itemKey : itemKeys) {
            keys.add(Keys.item(partition.container(), itemKey));
        }
        List<Item> items = new ArrayList<>(itemKeys.size());
        for (ItemRecord record : snapshot.items(keys)) {
            items.add(item(record));
        }
        return items;
    }

    @Override
    public OptionalLong size() {
        if (!isWholeKey || key.isEmpty() || gone != GoneItems.NONE) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(counters().map(found -> found.size().items()).orElse(0L));
    }

    /** Returns the counters of the one logical partition that is read, if it has any items. */
    private Optional<LogicalPartitionRecord> counters() {
        if (!hasCounters) {
            counters = readCounters();
            hasCounters = true;
        }
        return counters;
    }

    private Optional<LogicalPartitionRecord> readCounters() {
        if (!isWholeKey || key.isEmpty()) {
            return Optional.empty();
        }
        byte[] row =
                snapshot.get(
                        Table.META,
                        Keys.logicalPartition(
                                partition.container(),
                                EffectiveKeys.of(definition, key.get()),
                                key.get()));
        return row == null ? Optional.empty() : Optional.of(LogicalPartitionRecord.decode(row));
    }

    @Override
    public long total() {
        return record.size().items();
    }

    @Override
    public Optional<long[]> without(IndexPath path, BooleanSupplier mayGoOn) {
        return gaps.find(path, mayGoOn);
    }

    /**
     * The same partition without restrictions, also with what is gone: another setting may bring it
     * back.
     */
    SnapshotItems whole() {
        return new SnapshotItems(
                snapshot,
                partition,
                record,
                definition,
                record.keys(),
                Optional.empty(),
                gaps,
                presence.withAll(),
                GoneItems.NONE);
    }

    @Override
    public Bytes everyItem() {
        return EVERY_ITEM;
    }

    /** The items of the one key that is read, if they are kept, or from now on. */
    private Optional<List<KeyCache.Row>> known() {
        QueryMemory known = memory;
        if (known == null || !presence.isOfAll() || from.compareTo(to) >= 0) {
            return Optional.empty();
        }
        Optional<LogicalPartitionRecord> state = counters();
        if (state.isEmpty()) {
            return Optional.empty();
        }
        KeyCache keys = known.keys();
        Optional<List<KeyCache.Row>> found = keys.find(partition, from, state.get());
        if (found.isPresent() || !keys.isWorthwhile(partition, from, state.get())) {
            return found;
        }
        List<KeyCache.Row> rows = new ArrayList<>();
        try (ItemRows all = new ItemRows(from)) {
            while (all.next()) {
                rows.add(new KeyCache.Row(all.key(), all.item()));
            }
        }
        keys.add(partition, from, state.get(), rows);
        return Optional.of(rows);
    }

    /** Items that were read before. */
    private static final class KeptRows implements ItemCursor {
        private final List<KeyCache.Row> rows;
        private int at = -1;

        KeptRows(List<KeyCache.Row> rows) {
            this.rows = rows;
        }

        @Override
        public boolean next() {
            at++;
            return at < rows.size();
        }

        @Override
        public Bytes key() {
            return rows.get(at).key();
        }

        @Override
        public Item item() {
            return rows.get(at).item();
        }

        @Override
        public void close() {}
    }

    /** Items in key order. */
    private final class ItemRows implements ItemCursor {
        private final Optional<Cursor> rows;
        private Bytes present = Bytes.EMPTY;

        ItemRows(Bytes low) {
            int container = partition.container();
            rows =
                    low.compareTo(to) < 0
                            ? Optional.of(
                                    snapshot.scan(
                                            Table.ITEMS,
                                            Keys.item(container, low),
                                            Keys.item(container, to)))
                            : Optional.empty();
        }

        @Override
        public boolean next() {
            while (rows.isPresent() && rows.get().next()) {
                present = Keys.itemSuffix(rows.get().key());
                if (isUnderPrefix(present) && isThere()) {
                    return true;
                }
            }
            return false;
        }

        private boolean isThere() {
            return presence.isOfAll()
                    || !presence.isGone(present, ItemRecord.decode(rows.orElseThrow().value()));
        }

        @Override
        public Bytes key() {
            return present;
        }

        @Override
        public Item item() {
            return ItemRecord.decode(rows.orElseThrow().value()).toItem();
        }

        @Override
        public void close() {
            rows.ifPresent(Cursor::close);
        }
    }

    /** The entries of one segment, as far as they are those of visible items. */
    private final class SegmentEntries {
        private final PartitionRecord.Segment segment;
        private final Cursor rows;
        private final boolean isChecked;
        private final GoneItems passedOver;
        private byte[] row = new byte[0];
        private boolean isAtEntry;

        SegmentEntries(
                PartitionRecord.Segment segment,
                Bytes first,
                Bytes behind,
                boolean isBackward,
                boolean isChecked,
                GoneItems passedOver) {
            this.segment = segment;
            this.passedOver = passedOver;
            this.isChecked = isChecked;
            byte[] low = bound(first);
            byte[] high = bound(behind);
            this.rows =
                    isBackward
                            ? snapshot.scanBackward(Table.INDEX, low, high)
                            : snapshot.scan(Table.INDEX, low, high);
        }

        private byte[] bound(Bytes term) {
            byte[] prefix = Keys.segment(partition.container(), segment.number());
            byte[] bound = Arrays.copyOf(prefix, prefix.length + term.length());
            System.arraycopy(term.unsafeArray(), 0, bound, prefix.length, term.length());
            return bound;
        }

        void next() {
            isAtEntry = rows.next();
            settle();
        }

        void seek(Bytes term, long docid) {
            isAtEntry =
                    rows.seek(
                            Keys.index(
                                    partition.container(),
                                    segment.number(),
                                    term.unsafeArray(),
                                    docid));
            settle();
        }

        private void settle() {
            while (isAtEntry && isPassedOver()) {
                work.step();
                isAtEntry = rows.next();
            }
            if (isAtEntry) {
                row = rows.key();
            }
        }

        private boolean isPassedOver() {
            if (isChecked && !isSeen(IndexEntry.itemSuffix(rows.value()))) {
                return true;
            }
            return passedOver != GoneItems.NONE
                    && passedOver.contains(
                            Keys.docidOf(rows.key()), IndexEntry.itemSuffix(rows.value()));
        }

        private boolean isSeen(Bytes itemKey) {
            return Keys.inRange(itemKey, segment.clip()) && isVisible(itemKey);
        }
    }

    /** The entries of all segments as one sequence; an item has its entries in one of them. */
    private static final class MergedEntries implements EntryCursor {
        private static final int TERM_AT = 8;

        private final List<SegmentEntries> parts;
        private final boolean isBackward;
        private int present = -1;
        private boolean started;

        MergedEntries(List<SegmentEntries> parts, boolean isBackward) {
            this.parts = parts;
            this.isBackward = isBackward;
        }

        @Override
        public boolean next() {
            if (!started) {
                started = true;
                parts.forEach(SegmentEntries::next);
            } else if (present >= 0) {
                parts.get(present).next();
            }
            return choose();
        }

        @Override
        public boolean seek(Bytes term, long docid) {
            started = true;
            parts.forEach(part -> part.seek(term, docid));
            return choose();
        }

        private boolean choose() {
            present = -1;
            for (int i = 0; i < parts.size(); i++) {
                if (parts.get(i).isAtEntry && (present < 0 || isBefore(i, present))) {
                    present = i;
                }
            }
            return present >= 0;
        }

        private boolean isBefore(int left, int right) {
            byte[] a = parts.get(left).row;
            byte[] b = parts.get(right).row;
            int order = Arrays.compareUnsigned(a, TERM_AT, a.length, b, TERM_AT, b.length);
            return isBackward ? order > 0 : order < 0;
        }

        @Override
        public byte[] row() {
            return parts.get(present).row;
        }

        @Override
        public int termStart() {
            return TERM_AT;
        }

        @Override
        public int termEnd() {
            return row().length - DOCID_BYTES;
        }

        @Override
        public long docid() {
            return Keys.docidOf(row());
        }

        @Override
        public Bytes key() {
            return IndexEntry.itemSuffix(parts.get(present).rows.value());
        }

        @Override
        public void close() {
            parts.forEach(part -> part.rows.close());
        }
    }
}
