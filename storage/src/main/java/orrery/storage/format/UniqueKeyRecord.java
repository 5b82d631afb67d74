package orrery.storage.format;

import java.nio.charset.StandardCharsets;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * Names the item of a logical partition that has the values in the record's key.
 *
 * @param rowKey the item's
 */
public record UniqueKeyRecord(String rowKey) {
    private static final int VERSION = 1;

    public byte[] encode() {
        return new BinaryWriter(32).u8(VERSION).raw(Bytes.ofUtf8(rowKey)).toArray();
    }

    public static UniqueKeyRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a unique-key record");
        }
        return new UniqueKeyRecord(new String(in.rest(), StandardCharsets.UTF_8));
    }
}
