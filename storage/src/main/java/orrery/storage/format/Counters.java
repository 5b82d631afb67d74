package orrery.storage.format;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The counters of a physical partition. As bytes they are a map, in the order of its numbers, so
 * that a release may add one: those that are not known here stay as they are. Children begin with
 * their parent's, and a merge keeps the higher of two, as for {@code lastTick}.
 *
 * @param nextDocid counter for the docids born here
 * @param reindexed items passed so far by the work on the index
 * @param lastTick the highest {@link orrery.model.FileTime} that an etag was made from; 0 where
 *     etags are made otherwise
 * @param others number and value of each counter of a later release
 */
public record Counters(DataSize size, long nextDocid, long reindexed, long lastTick, Bytes others) {
    private static final int ITEMS = 1;
    private static final int ITEM_BYTES = 2;
    private static final int INDEX_BYTES = 3;
    private static final int NEXT_DOCID = 4;
    private static final int REINDEXED = 5;
    private static final int LAST_TICK = 6;

    /** Counters up to this number are always there. */
    private static final int KNOWN = LAST_TICK;

    /** The bytes of a number and its value. */
    private static final int ENTRY_BYTES = 1 + Long.BYTES;

    /** The counters of a partition that never had items. */
    public static Counters first() {
        return new Counters(DataSize.NONE, 1, 0, 0, Bytes.EMPTY);
    }

    /** The counters of a partition that takes over items of this one. None was born there yet. */
    public Counters inherited(DataSize itsSize) {
        return new Counters(itsSize, 1, 0, lastTick, others);
    }

    /** The counters of a partition that takes over the items of this one and another. */
    public Counters joined(Counters other, DataSize itsSize) {
        SortedMap<Integer, Long> highest = new TreeMap<>(byNumber(others));
        byNumber(other.others)
                .forEach((number, value) -> highest.merge(number, value, Counters::higher));
        BinaryWriter joined = new BinaryWriter(highest.size() * ENTRY_BYTES);
        highest.forEach((number, value) -> joined.u8(number).u64(value));
        return new Counters(itsSize, 1, 0, Math.max(lastTick, other.lastTick), joined.toBytes());
    }

    private static long higher(long one, long other) {
        return Long.compareUnsigned(one, other) >= 0 ? one : other;
    }

    private static Map<Integer, Long> byNumber(Bytes others) {
        Map<Integer, Long> values = new HashMap<>();
        BinaryReader in = new BinaryReader(others);
        while (in.remaining() > 0) {
            values.put(in.u8(), in.u64());
        }
        return values;
    }

    void write(BinaryWriter out) {
        out.varint(KNOWN + others.length() / ENTRY_BYTES);
        out.u8(ITEMS).u64(size.items());
        out.u8(ITEM_BYTES).u64(size.itemBytes());
        out.u8(INDEX_BYTES).u64(size.indexBytes());
        out.u8(NEXT_DOCID).u64(nextDocid);
        out.u8(REINDEXED).u64(reindexed);
        out.u8(LAST_TICK).u64(lastTick);
        out.raw(others);
    }

    static Counters read(BinaryReader in) {
        int count = in.count();
        if (count < KNOWN) {
            throw new MalformedRecordException("a partition record lacks a counter");
        }
        DataSize size =
                new DataSize(value(in, ITEMS), value(in, ITEM_BYTES), value(in, INDEX_BYTES));
        return new Counters(
                size,
                value(in, NEXT_DOCID),
                value(in, REINDEXED),
                value(in, LAST_TICK),
                others(in.raw((count - KNOWN) * ENTRY_BYTES)));
    }

    private static long value(BinaryReader in, int number) {
        if (in.u8() != number) {
            throw new MalformedRecordException("the counters of a partition are out of order");
        }
        return in.u64();
    }

    private static Bytes others(byte[] entries) {
        int last = KNOWN;
        for (int at = 0; at < entries.length; at += ENTRY_BYTES) {
            int number = entries[at] & 0xFF;
            if (number <= last) {
                throw new MalformedRecordException("the counters of a partition are out of order");
            }
            last = number;
        }
        return entries.length == 0 ? Bytes.EMPTY : Bytes.wrap(entries);
    }
}
