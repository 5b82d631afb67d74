package orrery.storage.format;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * Counters of one logical partition. Deleted with its last item, so an empty key leaves nothing
 * behind.
 *
 * @param bytes items and their index entries, keys included, once
 * @param lastWriteLsn a transaction that read the partition before this LSN has a conflict
 */
public record LogicalPartitionRecord(long items, long bytes, long lastWriteLsn) {
    private static final int VERSION = 1;

    public static final LogicalPartitionRecord EMPTY = new LogicalPartitionRecord(0, 0, 0);

    public byte[] encode() {
        return new BinaryWriter(25).u8(VERSION).u64(items).u64(bytes).u64(lastWriteLsn).toArray();
    }

    public static LogicalPartitionRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a logical partition record");
        }
        LogicalPartitionRecord record = new LogicalPartitionRecord(in.u64(), in.u64(), in.u64());
        in.expectEnd();
        return record;
    }
}
