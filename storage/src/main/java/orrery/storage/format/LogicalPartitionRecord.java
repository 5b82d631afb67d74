package orrery.storage.format;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * Counters of one logical partition. Deleted with its last item, so an empty key leaves nothing
 * behind.
 *
 * @param size keys of items and index entries included, each once
 * @param lastWriteLsn a transaction that read the partition before this LSN has a conflict
 */
public record LogicalPartitionRecord(DataSize size, long lastWriteLsn) {
    private static final int VERSION = 2;

    public static final LogicalPartitionRecord EMPTY = new LogicalPartitionRecord(DataSize.NONE, 0);

    public byte[] encode() {
        BinaryWriter out = new BinaryWriter(33).u8(VERSION);
        size.write(out);
        return out.u64(lastWriteLsn).toArray();
    }

    public static LogicalPartitionRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a logical partition record");
        }
        LogicalPartitionRecord record = new LogicalPartitionRecord(DataSize.read(in), in.u64());
        in.expectEnd();
        return record;
    }
}
