package orrery.storage.format;

import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * Says that an item was last changed at the LSN in the record's key. It holds no copy of the item:
 * the next change of the same item deletes it.
 *
 * @param previousLsn LSN of the version before, 0 if there was none
 * @param itemSuffix the item's key without its container
 */
public record ChangeRecord(Operation operation, long previousLsn, Bytes itemSuffix) {
    private static final int VERSION = 1;

    /** Deletes appear only in the journal of a container that keeps one. */
    public enum Operation {
        CREATE,
        REPLACE,
        DELETE
    }

    public byte[] encode() {
        return new BinaryWriter(16 + itemSuffix.length())
                .u8(VERSION)
                .u8(operation.ordinal())
                .u64(previousLsn)
                .raw(itemSuffix)
                .toArray();
    }

    public static ChangeRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a change record");
        }
        return new ChangeRecord(in.enumeration(Operation.class), in.u64(), Bytes.wrap(in.rest()));
    }
}
