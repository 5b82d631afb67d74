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
    private static final int PREVIOUS_AT = 2;
    private static final int SUFFIX_AT = 10;

    /** The operation that made the version. A delete leaves no record: the journal has those. */
    public enum Operation {
        CREATE,
        REPLACE
    }

    public byte[] encode() {
        return new BinaryWriter(16 + itemSuffix.length())
                .u8(VERSION)
                .u8(operation.ordinal())
                .u64(previousLsn)
                .raw(itemSuffix)
                .toArray();
    }

    /** One field alone, for readers that meet many records. */
    public static long previousLsn(byte[] bytes) {
        return from(bytes, PREVIOUS_AT).u64();
    }

    /** One field alone, for readers that meet many records. */
    public static Bytes itemSuffix(byte[] bytes) {
        return Bytes.wrap(from(bytes, SUFFIX_AT).rest());
    }

    private static BinaryReader from(byte[] bytes, int offset) {
        if (bytes.length < SUFFIX_AT || bytes[0] != VERSION) {
            throw new MalformedRecordException("unknown version of a change record");
        }
        return new BinaryReader(bytes, offset, bytes.length - offset);
    }

    public static ChangeRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a change record");
        }
        return new ChangeRecord(in.enumeration(Operation.class), in.u64(), Bytes.wrap(in.rest()));
    }
}
