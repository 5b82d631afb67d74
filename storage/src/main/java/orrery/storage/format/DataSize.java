package orrery.storage.format;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * An amount of data, or its change.
 *
 * @param itemBytes items with their keys
 * @param indexBytes index entries with their keys
 */
public record DataSize(long items, long itemBytes, long indexBytes) {
    public static final DataSize NONE = new DataSize(0, 0, 0);

    /** Returns the bytes that count against limits. */
    public long bytes() {
        return itemBytes + indexBytes;
    }

    public DataSize plus(DataSize other) {
        return new DataSize(
                items + other.items, itemBytes + other.itemBytes, indexBytes + other.indexBytes);
    }

    public DataSize minus(DataSize other) {
        return new DataSize(
                items - other.items, itemBytes - other.itemBytes, indexBytes - other.indexBytes);
    }

    public boolean isNegative() {
        return items < 0 || itemBytes < 0 || indexBytes < 0;
    }

    public void write(BinaryWriter out) {
        out.u64(items).u64(itemBytes).u64(indexBytes);
    }

    public static DataSize read(BinaryReader in) {
        return new DataSize(in.u64(), in.u64(), in.u64());
    }
}
