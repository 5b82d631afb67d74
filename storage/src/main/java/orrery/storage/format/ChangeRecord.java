package orrery.storage.format;

import orrery.model.Bytes;
import orrery.model.ItemVersion.Operation;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Says that an item was last changed at the LSN in the record's key. It holds no copy of the item:
 * the next change of the same item deletes it. A delete leaves no record: the journal has those.
 *
 * @param itemSuffix the item's key without its container
 */
public record ChangeRecord(ChangeHeader header, Bytes itemSuffix) {
    private static final int VERSION = 2;

    public byte[] encode() {
        BinaryWriter out = new BinaryWriter(header.length() + itemSuffix.length());
        header.write(out, VERSION);
        return out.raw(itemSuffix).toArray();
    }

    /** One field alone, for readers that meet many records. */
    public static Operation operation(byte[] bytes) {
        return ChangeHeader.operation(bytes, VERSION);
    }

    /** One field alone, for readers that meet many records. */
    public static long previousLsn(byte[] bytes) {
        return ChangeHeader.previousLsn(bytes, VERSION);
    }

    /** One field alone, for readers that meet many records. */
    public static Bytes itemSuffix(byte[] bytes) {
        return Bytes.wrap(ChangeHeader.rest(bytes, VERSION).rest());
    }

    public static ChangeRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        return new ChangeRecord(ChangeHeader.read(in, VERSION), Bytes.wrap(in.rest()));
    }
}
