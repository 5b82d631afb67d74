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

    /** The extension that says which items have a row in the creation order. */
    private static final int CREATION_ROWS = 1;

    private static final int FIXED_BYTES = RecordHeader.BYTES + 32;

    public static final LogicalPartitionRecord EMPTY =
            new LogicalPartitionRecord(DataSize.NONE, 0, Extensions.NONE);

    /** The record after a change of what is stored, without a write that readers could notice. */
    public LogicalPartitionRecord plus(DataSize change) {
        return after(change, lastWriteLsn);
    }

    /** The record after a write. */
    public LogicalPartitionRecord after(DataSize change, long lsn) {
        DataSize next = size.plus(change);
        // The record goes with the last item, and what it says of rows with it.
        return new LogicalPartitionRecord(
                next, lsn, next.items() == 0 ? extensions.without(CREATION_ROWS) : extensions);
    }

    /** Returns which items have a row in the creation order of the logical partition. */
    public CreationRows creationRows() {
        return CreationRows.decode(extensions.find(CREATION_ROWS));
    }

    public LogicalPartitionRecord with(CreationRows rows) {
        if (rows.equals(creationRows())) {
            return this;
        }
        Extensions others = extensions.without(CREATION_ROWS);
        return new LogicalPartitionRecord(
                size,
                lastWriteLsn,
                CreationRows.encode(rows)
                        .map(field -> others.and(CREATION_ROWS, field))
                        .orElse(others));
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
