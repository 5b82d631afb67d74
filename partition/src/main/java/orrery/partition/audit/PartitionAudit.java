package orrery.partition.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import orrery.document.IndexTerms;
import orrery.document.ItemLifetime;
import orrery.document.UniqueIndex;
import orrery.document.UniqueValues;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.DerivedRow;
import orrery.model.ItemKey;
import orrery.model.ItemVersion.Operation;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RowKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.MalformedRecordException;
import orrery.partition.machine.PartitionState;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.ChangeHeader;
import orrery.storage.format.ChangeRecord;
import orrery.storage.format.DataSize;
import orrery.storage.format.Docid;
import orrery.storage.format.IndexEntry;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;
import orrery.storage.format.PartitionRecord;
import orrery.storage.format.UniqueKeyRecord;

/**
 * Recounts one partition from its items. The items are read once in key order; whatever each of
 * them must have elsewhere is looked up. Rows that no item accounts for show in the numbers of
 * rows, and only then are they searched for one by one.
 */
public final class PartitionAudit {
    private static final int DOCID_BYTES = 8;
    private static final int SEGMENT_PREFIX_BYTES = 8;

    private final StoreView view;
    private final PartitionId id;
    private final PartitionState state;
    private final PartitionRecord record;
    private final PartitionKeyDefinition keyDefinition;
    private final Findings findings = new Findings();

    private DataSize size = DataSize.NONE;
    private long indexRows;
    private long changeRows;
    private long uniqueRows;

    private PartitionAudit(StoreView view, PartitionId id, PartitionState state) {
        this.view = view;
        this.id = id;
        this.state = state;
        this.record = state.record();
        this.keyDefinition = state.definition().current().definition().partitionKey();
    }

    /**
     * Everything that is wrong with a partition, in sentences; empty if nothing is.
     *
     * @param view the data as of the moment of {@code state}: a snapshot, or a store at rest
     */
    public static List<String> run(StoreView view, PartitionId id, PartitionState state) {
        PartitionAudit audit = new PartitionAudit(view, id, state);
        audit.run();
        return audit.findings.toList();
    }

    private void run() {
        readItems();
        findings.expectEqual("items", record.size().items(), size.items());
        findings.expectEqual("item bytes", record.size().itemBytes(), size.itemBytes());
        findings.expectEqual("index bytes", record.size().indexBytes(), size.indexBytes());
        long storedIndexRows = countRows(Table.INDEX);
        if (storedIndexRows != indexRows) {
            findings.expectEqual("index entries", indexRows, storedIndexRows);
            forEachRow(Table.INDEX, this::checkIndexOwner);
        }
        long storedChangeRows = countRows(Table.CHANGES);
        if (storedChangeRows != changeRows) {
            findings.expectEqual("change records", changeRows, storedChangeRows);
            forEachRow(Table.CHANGES, this::checkChangeOwner);
        }
        for (KeyDeletions.Deletion deletion : state.deletions().deletions()) {
            if (deletion.lsn() > record.headLsn()) {
                findings.add("a key was deleted at an LSN above the head");
            }
        }
        findings.expectEqual("unique-key entries", uniqueRows, countUniqueRows());
        new JournalAudit(view, id, record, findings).run();
        new CreationAudit(view, id.container(), record.keys(), keyDefinition, findings).run();
    }

    /**
     * Items and counters lie in the same order, so one walk over both finds counters that are
     * wrong, missing, or of no item.
     */
    private void readItems() {
        int container = id.container();
        KeyRange keys = record.keys();
        try (LogicalPartitions counters =
                        new LogicalPartitions(
                                view.scan(
                                        Table.META,
                                        Keys.logicalPartitionsFrom(container, keys.min()),
                                        Keys.logicalPartitionsFrom(container, keys.max())));
                Cursor rows =
                        view.scan(
                                Table.ITEMS,
                                Keys.itemsFrom(container, keys.min()),
                                Keys.itemsFrom(container, keys.max()))) {
            while (rows.next()) {
                readItem(Bytes.wrap(rows.key()), rows.value(), counters);
            }
            counters.finish();
        }
    }

    private void readItem(Bytes key, byte[] value, LogicalPartitions counters) {
        Bytes suffix = Keys.itemSuffix(key.unsafeArray());
        ItemKey itemKey;
        ItemRecord item;
        List<DerivedRow> derived;
        IndexTerms terms;
        try {
            itemKey = Keys.itemKey(suffix, keyDefinition);
            item = ItemRecord.decode(value);
            derived = derivedOf(item);
            terms = termsOf(item, derived);
        } catch (MalformedRecordException | IllegalStateException unreadable) {
            findings.add("item " + suffix + " cannot be read: " + unreadable.getMessage());
            return;
        }
        long entryBytes =
                checkIndex(suffix, item, derived, terms) + checkUnique(itemKey, item, derived);
        checkHeader(suffix, itemKey, item);
        checkChange(suffix, item);
        DataSize itemSize = new DataSize(1, (long) key.length() + item.storedBytes(), entryBytes);
        size = size.plus(itemSize);
        counters.count(
                Bytes.wrap(
                        Keys.logicalPartition(
                                id.container(), itemKey.epk(), itemKey.partitionKey())),
                itemSize,
                item.lsn());
    }

    private IndexTerms termsOf(ItemRecord item, List<DerivedRow> derived) {
        return state.definition()
                .planOf(item.policyVersion())
                .extract(item.encoding(), item.body(), item.timestampMillis() / 1000, derived);
    }

    /** Reads the derived rows from the docid row of an item: the item itself does not tell them. */
    private List<DerivedRow> derivedOf(ItemRecord item) {
        if (!state.definition().planOf(item.policyVersion()).needsDerived()) {
            return List.of();
        }
        byte[] row =
                view.get(Table.INDEX, Keys.docid(id.container(), item.segment(), item.docid()));
        return row == null ? List.of() : IndexEntry.derived(row);
    }

    private void checkHeader(Bytes suffix, ItemKey key, ItemRecord item) {
        if (!record.keys().contains(key.epk())) {
            findings.add("item " + suffix + " lies outside its partition " + record.keys());
        }
        if (item.lsn() > record.headLsn()) {
            findings.add(
                    "item %s has LSN %d above the head %d"
                            .formatted(suffix, item.lsn(), record.headLsn()));
        }
        if (item.timestampMillis() > record.timeMillis()) {
            findings.add("item " + suffix + " is younger than its partition");
        }
        if (item.lifetimeSeconds() != ItemLifetime.of(item.encoding(), item.body())) {
            findings.add("item " + suffix + " does not end when it says");
        }
        if (item.creationLsn() < 1 || item.creationLsn() > item.lsn()) {
            findings.add(
                    "item %s was created at LSN %d and written at %d"
                            .formatted(suffix, item.creationLsn(), item.lsn()));
        }
        if (!record.reindexing() && item.policyVersion() != record.policyVersion()) {
            findings.add("item " + suffix + " was left out when the policy changed");
        }
        boolean isBornHere = Docid.range(item.docid()) == id.range();
        long counter = Docid.counter(item.docid());
        if (counter == 0 || (isBornHere && counter >= record.counters().nextDocid())) {
            findings.add("item " + suffix + " has a docid that was never given out");
        }
        if (record.segments().stream().noneMatch(s -> s.number() == item.segment())) {
            findings.add("item " + suffix + " names a segment the partition does not have");
        }
        boolean isWrittenAhead =
                item.segment() != record.ownSegment() && item.birthSegment() == record.ownSegment();
        if (isWrittenAhead) {
            findings.add("item " + suffix + " has left the segment of its partition");
        }
    }

    /** Returns the bytes of the entries the item must have. */
    private long checkIndex(
            Bytes suffix, ItemRecord item, List<DerivedRow> derived, IndexTerms terms) {
        int container = id.container();
        byte[] entry = IndexEntry.encode(suffix);
        long bytes =
                checkIndexRow(
                        suffix,
                        Keys.docid(container, item.segment(), item.docid()),
                        IndexEntry.encode(suffix, item.policyVersion(), derived),
                        "docid");
        for (int i = 0; i < terms.size(); i++) {
            bytes +=
                    checkIndexRow(
                            suffix,
                            Keys.index(
                                    container, item.segment(), terms.unsafeTerm(i), item.docid()),
                            entry,
                            "term");
        }
        if (item.endsByItself()) {
            bytes += checkIndexRow(suffix, expiryOf(item), entry, "expiry");
        }
        for (PartitionRecord.Segment other : record.segments()) {
            byte[] row =
                    other.number() == item.segment()
                            ? null
                            : view.get(
                                    Table.INDEX,
                                    Keys.docid(container, other.number(), item.docid()));
            if (row != null && isCounted(suffixIn(Table.INDEX, Bytes.wrap(row)), other)) {
                findings.add("item " + suffix + " shares its docid with another");
            }
        }
        return bytes;
    }

    private byte[] expiryOf(ItemRecord item) {
        return Keys.expiry(id.container(), item.segment(), item.expiryMillis(), item.docid());
    }

    private long checkIndexRow(Bytes suffix, byte[] key, byte[] expected, String kind) {
        indexRows++;
        byte[] found = view.get(Table.INDEX, key);
        if (found == null) {
            findings.add("item " + suffix + " lacks the index entry of a " + kind);
        } else if (!Arrays.equals(found, expected)) {
            findings.add(
                    "the index entry of a %s of item %s leads to %s"
                            .formatted(kind, suffix, suffixIn(Table.INDEX, Bytes.wrap(found))));
        }
        return (long) key.length + expected.length;
    }

    /** Returns the bytes of the entries the item must have. */
    private long checkUnique(ItemKey key, ItemRecord item, List<DerivedRow> derived) {
        List<ContainerDefinition.UniqueKey> keys =
                state.definition().current().definition().uniqueKeys();
        List<Bytes> digests = UniqueValues.of(keys, item.encoding(), item.body());
        List<byte[]> expected = new ArrayList<>();
        for (int i = 0; i < digests.size(); i++) {
            expected.add(Keys.uniqueKey(id.container(), key, i, digests.get(i)));
        }
        List<UniqueIndex> indexes = state.definition().planOf(item.policyVersion()).uniques();
        if (!indexes.isEmpty()) {
            Value.Obj read = UniqueIndex.read(indexes, item.encoding(), item.body());
            indexes.stream()
                    .filter(index -> index.isFor(derived))
                    .flatMap(index -> index.keys(read).stream())
                    .map(UniqueIndex.Key::digest)
                    .distinct()
                    .forEach(
                            digest ->
                                    expected.add(
                                            Keys.uniqueKey(
                                                    id.container(),
                                                    key,
                                                    Keys.NAMED_CONSTRAINT,
                                                    digest)));
        }
        long bytes = 0;
        for (byte[] row : expected) {
            uniqueRows++;
            byte[] entry = view.get(Table.META, row);
            if (entry == null || !leadsTo(key.rowKey(), entry)) {
                findings.add("item " + Keys.itemSuffix(key) + " lacks the entry of a unique key");
            }
            bytes += (long) row.length + UniqueKeyRecord.storedBytes(key.rowKey());
        }
        return bytes;
    }

    private static boolean leadsTo(RowKey item, byte[] entry) {
        try {
            return UniqueKeyRecord.decode(entry).rowKey().equals(item);
        } catch (MalformedRecordException unreadable) {
            return false;
        }
    }

    private long countUniqueRows() {
        long count = 0;
        try (Cursor rows =
                view.scan(
                        Table.META,
                        Keys.uniqueKeysFrom(id.container(), record.keys().min()),
                        Keys.uniqueKeysFrom(id.container(), record.keys().max()))) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }

    private void checkChange(Bytes suffix, ItemRecord item) {
        changeRows++;
        byte[] row = view.get(Table.CHANGES, Keys.change(id.container(), item));
        if (row == null) {
            findings.add("item " + suffix + " lacks its change record");
            return;
        }
        ChangeRecord change;
        try {
            change = ChangeRecord.decode(row);
        } catch (MalformedRecordException unreadable) {
            findings.add("the change record of item " + suffix + " cannot be read");
            return;
        }
        if (!change.itemSuffix().equals(suffix)) {
            findings.add(
                    "the change record of item %s names %s".formatted(suffix, change.itemSuffix()));
        }
        ChangeHeader header = change.header();
        boolean isCreate = header.operation() == Operation.CREATE;
        if (isCreate != (header.previousLsn() == 0)
                || header.operation() == Operation.DELETE
                || header.previousLsn() > item.lsn()
                || (isCreate && item.creationLsn() != item.lsn())
                || header.timeMillis() != item.timestampMillis()) {
            findings.add("the change record of item " + suffix + " has an impossible past");
        }
    }

    private interface RowVisitor {
        void visit(PartitionRecord.Segment segment, Bytes key, Bytes value);
    }

    private void forEachRow(Table table, RowVisitor visitor) {
        for (PartitionRecord.Segment segment : record.segments()) {
            byte[] prefix = Keys.segment(id.container(), segment.number());
            try (Cursor rows = view.scan(table, prefix, Keys.after(prefix))) {
                while (rows.next()) {
                    Bytes value = Bytes.wrap(rows.value());
                    if (isCounted(suffixIn(table, value), segment)) {
                        visitor.visit(segment, Bytes.wrap(rows.key()), value);
                    }
                }
            }
        }
    }

    private long countRows(Table table) {
        long[] count = {0};
        forEachRow(table, (segment, key, value) -> count[0]++);
        return count[0];
    }

    /** A segment may be shared with siblings of a split: rows of their items are not ours. */
    private boolean isCounted(Bytes suffix, PartitionRecord.Segment segment) {
        boolean isOwn = segment.number() == record.ownSegment();
        return isOwn
                || (Keys.inRange(suffix, segment.clip()) && Keys.inRange(suffix, record.keys()));
    }

    private static Bytes suffixIn(Table table, Bytes value) {
        try {
            return table == Table.INDEX
                    ? IndexEntry.itemSuffix(value.unsafeArray())
                    : ChangeRecord.decode(value.unsafeArray()).itemSuffix();
        } catch (MalformedRecordException unreadable) {
            return Bytes.EMPTY;
        }
    }

    private void checkIndexOwner(PartitionRecord.Segment segment, Bytes key, Bytes value) {
        Bytes suffix = suffixIn(Table.INDEX, value);
        byte[] row = view.get(Table.ITEMS, Keys.item(id.container(), suffix));
        byte[] bytes = key.unsafeArray();
        if (row == null || bytes.length < SEGMENT_PREFIX_BYTES + DOCID_BYTES) {
            findings.add("index entry " + key + " leads to no item");
            return;
        }
        try {
            ItemRecord item = ItemRecord.decode(row);
            int docidAt = bytes.length - DOCID_BYTES;
            long docid = new BinaryReader(bytes, docidAt, DOCID_BYTES).u64();
            Bytes term = Bytes.copyOf(bytes, SEGMENT_PREFIX_BYTES, docidAt - SEGMENT_PREFIX_BYTES);
            boolean isOfDocid =
                    Arrays.equals(
                            bytes, Keys.docid(id.container(), segment.number(), item.docid()));
            boolean isExpiry = item.endsByItself() && Arrays.equals(bytes, expiryOf(item));
            boolean isOwned =
                    item.docid() == docid
                            && item.segment() == segment.number()
                            && (isOfDocid
                                    || isExpiry
                                    || termsOf(item, derivedOf(item)).toList().contains(term));
            if (!isOwned) {
                findings.add("index entry " + key + " does not stand for item " + suffix);
            }
        } catch (MalformedRecordException | IllegalStateException unreadable) {
            findings.add("index entry " + key + " leads to an unreadable item");
        }
    }

    private void checkChangeOwner(PartitionRecord.Segment segment, Bytes key, Bytes value) {
        byte[] row =
                view.get(Table.ITEMS, Keys.item(id.container(), suffixIn(Table.CHANGES, value)));
        if (row == null) {
            findings.add("change record " + key + " names no item");
            return;
        }
        try {
            ItemRecord item = ItemRecord.decode(row);
            byte[] own = Keys.change(id.container(), item);
            if (!Arrays.equals(own, key.unsafeArray())) {
                findings.add("change record " + key + " is of an older version of its item");
            }
        } catch (MalformedRecordException unreadable) {
            findings.add("change record " + key + " names an unreadable item");
        }
    }

    /** Sums up one logical partition at a time and holds it against its stored counter. */
    private final class LogicalPartitions implements AutoCloseable {
        private final Cursor counters;
        private boolean hasCounter;
        private Bytes current = Bytes.EMPTY;
        private DataSize currentSize = DataSize.NONE;
        private long newestLsn;

        LogicalPartitions(Cursor counters) {
            this.counters = counters;
            this.hasCounter = counters.next();
        }

        void count(Bytes key, DataSize size, long lsn) {
            if (!key.equals(current)) {
                finishCurrent();
                current = key;
                currentSize = DataSize.NONE;
                newestLsn = 0;
            }
            currentSize = currentSize.plus(size);
            newestLsn = Math.max(newestLsn, lsn);
        }

        void finish() {
            finishCurrent();
            while (hasCounter) {
                findings.add("counter " + Bytes.wrap(counters.key()) + " is of an empty key");
                hasCounter = counters.next();
            }
        }

        private void finishCurrent() {
            if (current.isEmpty()) {
                return;
            }
            while (hasCounter && Bytes.wrap(counters.key()).compareTo(current) < 0) {
                findings.add("counter " + Bytes.wrap(counters.key()) + " is of an empty key");
                hasCounter = counters.next();
            }
            if (!hasCounter || !Bytes.wrap(counters.key()).equals(current)) {
                findings.add("counter " + current + " is missing");
                return;
            }
            check(counters.value());
            hasCounter = counters.next();
        }

        private void check(byte[] value) {
            LogicalPartitionRecord counter;
            try {
                counter = LogicalPartitionRecord.decode(value);
            } catch (MalformedRecordException unreadable) {
                findings.add("counter " + current + " cannot be read");
                return;
            }
            findings.expectEqual(
                    "items of " + current, counter.size().items(), currentSize.items());
            findings.expectEqual(
                    "item bytes of " + current,
                    counter.size().itemBytes(),
                    currentSize.itemBytes());
            findings.expectEqual(
                    "index bytes of " + current,
                    counter.size().indexBytes(),
                    currentSize.indexBytes());
            if (counter.lastWriteLsn() < newestLsn || counter.lastWriteLsn() > record.headLsn()) {
                findings.add(
                        "counter %s has last write %d, its newest item %d, the head %d"
                                .formatted(
                                        current,
                                        counter.lastWriteLsn(),
                                        newestLsn,
                                        record.headLsn()));
            }
        }

        @Override
        public void close() {
            counters.close();
        }
    }
}
