package orrery.storage.format;

import java.util.Arrays;
import java.util.OptionalInt;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RowKey;
import orrery.model.VersionPlace;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The keys of the four tables. All begin with the container, so that a container, and within it the
 * items of a range of effective keys, is one contiguous run of rows.
 */
public final class Keys {
    /** After the partition key: what kind of row this is. There are no others so far. */
    private static final int ITEM_ROW = 0x01;

    /** In place of a path: the term that leads from a docid to its item. */
    private static final int DOCID_TERM = 0x06;

    private static final int DOCID_BYTES = 8;

    /** In place of a path: when an item ends by its own word. */
    private static final int EXPIRY_TERM = 0x0E;

    /** Set in the number of a segment, which has 31 bits: its journal, not its change records. */
    private static final int JOURNAL = 1 << 31;

    private static final int APPLIED = 0x01;
    private static final int PARTITION = 0x02;
    private static final int DEFINITION = 0x03;
    private static final int LOGICAL_PARTITION = 0x04;
    private static final int DEDUPLICATION = 0x05;
    private static final int TIME = 0x06;
    private static final int UNIQUE_KEY = 0x08;
    private static final int KEY_DELETIONS = 0x09;
    private static final int IDENTITY = 0x0A;
    private static final int SESSION = 0x0B;
    private static final int CREATION = 0x0C;
    private static final int SESSION_PLACE = 0x0D;
    private static final int CATALOG = 0x10;

    private Keys() {}

    /** The part of an item's key behind the container: EPK, partition key, row kind, row key. */
    public static Bytes itemSuffix(ItemKey key) {
        BinaryWriter out = new BinaryWriter(96);
        out.raw(key.epk().bytes());
        key.partitionKey().write(out);
        return out.u8(ITEM_ROW).raw(key.rowKey().bytes()).toBytes();
    }

    public static byte[] item(int container, Bytes suffix) {
        return new BinaryWriter(4 + suffix.length()).u32(container).raw(suffix).toArray();
    }

    public static Bytes itemSuffix(byte[] itemKey) {
        return Bytes.copyOf(itemKey, 4, itemKey.length - 4);
    }

    /** Lower bound of the items at or above an effective key. */
    public static byte[] itemsFrom(int container, EffectiveKey epk) {
        return item(container, epk.bytes());
    }

    /**
     * Returns the first row of the items at or above a bound that a client chose. A bound may go on
     * after a whole effective key; the items of that key then lie below it, although their rows,
     * which go on with their partition key, do not.
     */
    public static byte[] itemsFrom(
            int container, EffectiveKey bound, PartitionKeyDefinition definition) {
        byte[] bytes = bound.bytes().unsafeArray();
        OptionalInt length = EffectiveKeyLength.find(bytes, definition);
        return length.isPresent() && length.getAsInt() < bytes.length
                ? after(item(container, Bytes.copyOf(bytes, 0, length.getAsInt())))
                : itemsFrom(container, bound);
    }

    /** Every item of one logical partition begins with this. */
    public static byte[] itemsOf(int container, EffectiveKey epk, PartitionKey partitionKey) {
        BinaryWriter out = new BinaryWriter(64).u32(container).raw(epk.bytes());
        partitionKey.write(out);
        return out.u8(ITEM_ROW).toArray();
    }

    /** The same, from the row of the logical partition's counters. */
    public static byte[] itemsOf(byte[] logicalPartition) {
        return new BinaryWriter(logicalPartition.length)
                .raw(Bytes.copyOf(logicalPartition, 1, logicalPartition.length - 1))
                .u8(ITEM_ROW)
                .toArray();
    }

    /** The item's key in parts, from its bytes without the container. */
    public static ItemKey itemKey(Bytes suffix, PartitionKeyDefinition definition) {
        byte[] bytes = suffix.unsafeArray();
        int epkLength = EffectiveKeyLength.of(bytes, definition);
        BinaryReader in = new BinaryReader(bytes, epkLength, bytes.length - epkLength);
        PartitionKey partitionKey = PartitionKey.read(in);
        if (in.u8() != ITEM_ROW) {
            throw new MalformedRecordException("not the key of an item");
        }
        return new ItemKey(
                new EffectiveKey(Bytes.copyOf(bytes, 0, epkLength)),
                partitionKey,
                in.checked(r -> new RowKey(Bytes.wrap(r.rest()))));
    }

    /** Returns true if an item's key, without its container, lies in a range of effective keys. */
    public static boolean inRange(Bytes suffix, KeyRange range) {
        return suffix.compareTo(range.min().bytes()) >= 0
                && suffix.compareTo(range.max().bytes()) < 0;
    }

    public static byte[] index(int container, int segment, byte[] term, long docid) {
        return new BinaryWriter(16 + term.length)
                .u32(container)
                .u32(segment)
                .raw(term)
                .u64(docid)
                .toArray();
    }

    public static byte[] docid(int container, int segment, long docid) {
        return index(container, segment, new byte[] {DOCID_TERM}, docid);
    }

    /**
     * Returns the expiry row of an item with its own lifetime, exact to the second, because the
     * item holds the exact time.
     */
    public static byte[] expiry(int container, int segment, long expiryMillis, long docid) {
        return new BinaryWriter(25)
                .u32(container)
                .u32(segment)
                .u8(EXPIRY_TERM)
                .u64(expiryMillis / 1000)
                .u64(docid)
                .toArray();
    }

    /** All expiries of a segment begin with this. */
    public static byte[] expiries(int container, int segment) {
        return new BinaryWriter(9).u32(container).u32(segment).u8(EXPIRY_TERM).toArray();
    }

    /** Everything of one segment, in the index table and in the changes table alike. */
    public static byte[] segment(int container, int segment) {
        return new BinaryWriter(8).u32(container).u32(segment).toArray();
    }

    /**
     * The change record of a version.
     *
     * @param birthSegment the segment into which the version was written, whose LSN it has
     */
    public static byte[] change(
            int container, int segment, long lsn, int birthSegment, int ordinal) {
        return new BinaryWriter(24)
                .u32(container)
                .u32(segment)
                .u64(lsn)
                .u32(birthSegment)
                .u32(ordinal)
                .toArray();
    }

    /** The change record of an item. */
    public static byte[] change(int container, ItemRecord item) {
        return change(container, item.segment(), item.lsn(), item.birthSegment(), item.ordinal());
    }

    /** Lower bound of the change records of a segment at or above an LSN. */
    public static byte[] changesFrom(int container, int segment, long lsn) {
        return new BinaryWriter(16).u32(container).u32(segment).u64(lsn).toArray();
    }

    /** A version in the journal: where a change record of the same place would be, but apart. */
    public static byte[] journal(int container, int segment, long lsn, int ordinal) {
        return change(container, segment | JOURNAL, lsn, segment, ordinal);
    }

    /** Lower bound of the versions in the journal of a segment at or above an LSN. */
    public static byte[] journalFrom(int container, int segment, long lsn) {
        return changesFrom(container, segment | JOURNAL, lsn);
    }

    /** Lower bound of the versions in the journal of a segment behind a place. */
    public static byte[] journalAfter(int container, int segment, VersionPlace place) {
        return place.within()
                .map(
                        row ->
                                after(
                                        change(
                                                container,
                                                segment | JOURNAL,
                                                place.lsn(),
                                                row.segment(),
                                                row.ordinal())))
                .orElseGet(() -> journalFrom(container, segment, place.lsn() + 1));
    }

    /** The whole journal of one segment, in the changes table. */
    public static byte[] journal(int container, int segment) {
        return segment(container, segment | JOURNAL);
    }

    /** Returns true if a row of the changes table is of a journal. */
    public static boolean isJournal(byte[] key) {
        return key[4] < 0;
    }

    /** The place of a change among all of a container: by LSN, then by who gave it. */
    public record ChangePlace(long lsn, int birthSegment, int ordinal)
            implements Comparable<ChangePlace> {
        @Override
        public int compareTo(ChangePlace other) {
            int byLsn = Long.compareUnsigned(lsn, other.lsn);
            if (byLsn != 0) {
                return byLsn;
            }
            int bySegment = Integer.compareUnsigned(birthSegment, other.birthSegment);
            return bySegment != 0 ? bySegment : Integer.compareUnsigned(ordinal, other.ordinal);
        }
    }

    public static ChangePlace changePlace(byte[] key) {
        BinaryReader in = new BinaryReader(key, 8, key.length - 8);
        return new ChangePlace(in.u64(), in.u32(), in.u32());
    }

    public static byte[] applied() {
        return new byte[] {APPLIED};
    }

    public static byte[] identity() {
        return new byte[] {IDENTITY};
    }

    public static byte[] partition(PartitionId id) {
        return perPartition(PARTITION, id);
    }

    public static byte[] allPartitions() {
        return new byte[] {PARTITION};
    }

    public static byte[] definition(PartitionId id) {
        return perPartition(DEFINITION, id);
    }

    public static byte[] allDefinitions() {
        return new byte[] {DEFINITION};
    }

    public static byte[] keyDeletions(PartitionId id) {
        return perPartition(KEY_DELETIONS, id);
    }

    public static byte[] allKeyDeletions() {
        return new byte[] {KEY_DELETIONS};
    }

    public static byte[] allLogicalPartitions() {
        return new byte[] {LOGICAL_PARTITION};
    }

    public static byte[] allDeduplications() {
        return new byte[] {DEDUPLICATION};
    }

    public static byte[] allTimes() {
        return new byte[] {TIME};
    }

    public static byte[] logicalPartition(
            int container, EffectiveKey epk, PartitionKey partitionKey) {
        BinaryWriter out =
                new BinaryWriter(64).u8(LOGICAL_PARTITION).u32(container).raw(epk.bytes());
        partitionKey.write(out);
        return out.toArray();
    }

    /** The effective key in the key of a logical partition's counters. */
    public static EffectiveKey logicalPartitionEpk(byte[] key, PartitionKeyDefinition definition) {
        byte[] suffix = Arrays.copyOfRange(key, 5, key.length);
        return new EffectiveKey(Bytes.copyOf(suffix, 0, EffectiveKeyLength.of(suffix, definition)));
    }

    /**
     * A bound that does not go on behind a whole effective key: the rows of that key then lie on
     * the same side of it as the key itself.
     */
    public static EffectiveKey atWholeKey(EffectiveKey bound, PartitionKeyDefinition definition) {
        OptionalInt length = EffectiveKeyLength.find(bound.bytes().unsafeArray(), definition);
        return length.isPresent()
                ? new EffectiveKey(Bytes.copyOf(bound.bytes().unsafeArray(), 0, length.getAsInt()))
                : bound;
    }

    /** Lower bound of the counters of logical partitions at or above an effective key. */
    public static byte[] logicalPartitionsFrom(int container, EffectiveKey epk) {
        return new BinaryWriter(32).u8(LOGICAL_PARTITION).u32(container).raw(epk.bytes()).toArray();
    }

    /**
     * The entry of a value, or several, that no two items of a logical partition share.
     *
     * @param constraint which of the container's unique keys
     * @param digest of the values
     */
    public static byte[] uniqueKey(int container, ItemKey item, int constraint, Bytes digest) {
        BinaryWriter out =
                new BinaryWriter(96).u8(UNIQUE_KEY).u32(container).raw(item.epk().bytes());
        item.partitionKey().write(out);
        return out.u8(constraint).raw(digest).toArray();
    }

    /** The constraint of all unique indexes with names: their digests tell them apart. */
    public static final int NAMED_CONSTRAINT = 0xFF;

    /** Lower bound of the unique-key entries at or above an effective key. */
    public static byte[] uniqueKeysFrom(int container, EffectiveKey epk) {
        return new BinaryWriter(32).u8(UNIQUE_KEY).u32(container).raw(epk.bytes()).toArray();
    }

    public static byte[] allUniqueKeys() {
        return new byte[] {UNIQUE_KEY};
    }

    /**
     * The row of an item in the creation order of its logical partition. It begins with the
     * effective key, so that it goes with its range.
     */
    public static byte[] creation(
            int container, EffectiveKey epk, PartitionKey partitionKey, long docid) {
        byte[] prefix = creationsOf(container, epk, partitionKey);
        return new BinaryWriter(prefix.length + DOCID_BYTES).raw(prefix).u64(docid).toArray();
    }

    /** Every row in the creation order of one logical partition begins with this. */
    public static byte[] creationsOf(int container, EffectiveKey epk, PartitionKey partitionKey) {
        BinaryWriter out = new BinaryWriter(64).raw(creationsFrom(container, epk));
        partitionKey.write(out);
        return out.toArray();
    }

    /** Lower bound of the rows of creation orders at or above an effective key. */
    public static byte[] creationsFrom(int container, EffectiveKey epk) {
        return new BinaryWriter(32).u8(CREATION).u32(container).raw(epk.bytes()).toArray();
    }

    public static byte[] allCreations() {
        return new byte[] {CREATION};
    }

    /** The docid at the end of a row of the index, or of a creation order. */
    public static long docidOf(byte[] row) {
        long docid = 0;
        for (int i = row.length - DOCID_BYTES; i < row.length; i++) {
            docid = docid << 8 | (row[i] & 0xFF);
        }
        return docid;
    }

    public static byte[] deduplication(long position) {
        return new BinaryWriter(9).u8(DEDUPLICATION).u64(position).toArray();
    }

    /**
     * The newest transaction of a session under an effective key, with its first statement. It
     * begins with the key, so that it goes with its range.
     */
    public static byte[] session(int container, EffectiveKey epk, Bytes session) {
        return new BinaryWriter(40)
                .u8(SESSION)
                .u32(container)
                .raw(epk.bytes())
                .raw(session)
                .toArray();
    }

    /** The outcome of a statement that is not the first of its transaction under the key. */
    public static byte[] session(
            int container, EffectiveKey epk, Bytes session, long transaction, int statement) {
        return new BinaryWriter(64)
                .u8(SESSION)
                .u32(container)
                .raw(epk.bytes())
                .raw(session)
                .u64(transaction)
                .u32(statement)
                .toArray();
    }

    /** The row of a session, from its bytes without the kind and the container. */
    public static byte[] session(int container, Bytes suffix) {
        return new BinaryWriter(5 + suffix.length())
                .u8(SESSION)
                .u32(container)
                .raw(suffix)
                .toArray();
    }

    /** The row of a session without the kind and the container. */
    public static Bytes sessionSuffix(byte[] row) {
        return Bytes.copyOf(row, 5, row.length - 5);
    }

    /** Lower bound of the rows of sessions at or above an effective key. */
    public static byte[] sessionsFrom(int container, EffectiveKey epk) {
        return session(container, epk.bytes());
    }

    public static byte[] allSessions() {
        return new byte[] {SESSION};
    }

    /** The way to a statement for those who do not know the key under which it wrote. */
    public static byte[] sessionPlace(
            int container, Bytes session, long transaction, int statement) {
        return new BinaryWriter(33)
                .raw(sessionPlaces(container))
                .raw(session)
                .u64(transaction)
                .u32(statement)
                .toArray();
    }

    /** The ways to all such statements in a container. */
    public static byte[] sessionPlaces(int container) {
        return new BinaryWriter(5).u8(SESSION_PLACE).u32(container).toArray();
    }

    public static byte[] allSessionPlaces() {
        return new byte[] {SESSION_PLACE};
    }

    public static byte[] time(int container, int segment, long minute) {
        return new BinaryWriter(17).u8(TIME).u32(container).u32(segment).u64(minute).toArray();
    }

    /** Everything in the time table of a segment begins with this. */
    public static byte[] times(int container, int segment) {
        return new BinaryWriter(9).u8(TIME).u32(container).u32(segment).toArray();
    }

    /** Records of the catalog, by kind and number. */
    public static byte[] catalog(int kind, int number) {
        return new BinaryWriter(6).u8(CATALOG).u8(kind).u32(number).toArray();
    }

    public static byte[] catalog() {
        return new byte[] {CATALOG};
    }

    /** The first key after all that begin with a prefix: the upper bound of a scan over it. */
    public static byte[] after(byte[] prefix) {
        byte[] end = prefix.clone();
        for (int i = end.length - 1; i >= 0; i--) {
            if (end[i] != (byte) 0xFF) {
                end[i]++;
                return Arrays.copyOf(end, i + 1);
            }
        }
        throw new IllegalArgumentException("nothing sorts after this prefix");
    }

    private static byte[] perPartition(int kind, PartitionId id) {
        BinaryWriter out = new BinaryWriter(9).u8(kind);
        id.write(out);
        return out.toArray();
    }
}
