package orrery.storage.format;

import orrery.model.Bytes;
import orrery.model.RowKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * Names the item of a logical partition that has the values in the record's key.
 *
 * @param rowKey the item's
 */
public record UniqueKeyRecord(RowKey rowKey) {
    private static final int VERSION = 2;

    public byte[] encode() {
        return new BinaryWriter(1 + rowKey.bytes().length())
                .u8(VERSION)
                .raw(rowKey.bytes())
                .toArray();
    }

    public static UniqueKeyRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a unique-key record");
        }
        return new UniqueKeyRecord(in.checked(r -> new RowKey(Bytes.wrap(r.rest()))));
    }
}
