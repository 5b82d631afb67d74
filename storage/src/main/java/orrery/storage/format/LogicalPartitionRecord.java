package orrery.storage.format;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Counters of one logical partition. Deleted with its last item, so an empty key leaves nothing
 * behind.
 *
 * @param size keys of items and index entries included, each once
 * @param lastWriteLsn a transaction that read the partition before this LSN has a conflict
 */
public record LogicalPartitionRecord(DataSize size, long lastWriteLsn, Extensions extensions) {
    private static final int VERSION = 3;
    private static final int FIXED_BYTES = RecordHeader.BYTES + 32;

    public static final LogicalPartitionRecord EMPTY =
            new LogicalPartitionRecord(DataSize.NONE, 0, Extensions.NONE);

    /** The record after a change of what is stored, without a write that readers could notice. */
    public LogicalPartitionRecord plus(DataSize change) {
        return after(change, lastWriteLsn);
    }

    /** The record after a write. */
    public LogicalPartitionRecord after(DataSize change, long lsn) {
        return new LogicalPartitionRecord(size.plus(change), lsn, extensions);
    }

    public byte[] encode() {
        int length = Extensions.headerBytes(FIXED_BYTES, extensions);
        BinaryWriter out = new BinaryWriter(length);
        RecordHeader.write(out, VERSION, length);
        size.write(out);
        return out.u64(lastWriteLsn).raw(extensions.encoded()).toArray();
    }

    public static LogicalPartitionRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        RecordHeader header = RecordHeader.read(in, VERSION, "a logical partition record");
        LogicalPartitionRecord record =
                new LogicalPartitionRecord(DataSize.read(in), in.u64(), header.extensions(in));
        in.expectEnd();
        return record;
    }
}
