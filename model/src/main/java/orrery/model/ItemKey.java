package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The identity of an item in its container. The effective key comes first because items are stored
 * in its order; the partition key follows because two keys may share a hash.
 */
public record ItemKey(EffectiveKey epk, PartitionKey partitionKey, RowKey rowKey) {
    /** The key of an item of the same logical partition. */
    public ItemKey withRowKey(RowKey other) {
        return new ItemKey(epk, partitionKey, other);
    }

    public void write(BinaryWriter out) {
        out.bytes(epk.bytes());
        partitionKey.write(out);
        rowKey.write(out);
    }

    /** The most bytes that {@link #write} appends. */
    public int maxEncodedBytes() {
        return 10 + epk.bytes().length() + partitionKey.maxEncodedBytes() + rowKey.bytes().length();
    }

    public static ItemKey read(BinaryReader in) {
        return new ItemKey(new EffectiveKey(in.bytes()), PartitionKey.read(in), RowKey.read(in));
    }
}
