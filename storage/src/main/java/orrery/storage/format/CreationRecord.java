package orrery.storage.format;

import orrery.model.Bytes;
import orrery.model.RowKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * A row in the creation order of a logical partition: names the item with the docid in the row's
 * key.
 */
public record CreationRecord(RowKey rowKey) {
    private static final int VERSION = 1;

    public byte[] encode() {
        Bytes bytes = rowKey.bytes();
        return new BinaryWriter(1 + bytes.length()).u8(VERSION).raw(bytes).toArray();
    }

    public static CreationRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a creation-order row");
        }
        return new CreationRecord(in.checked(r -> new RowKey(Bytes.wrap(r.rest()))));
    }
}
