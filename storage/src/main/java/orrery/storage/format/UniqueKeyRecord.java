package orrery.storage.format;

import orrery.model.Bytes;
import orrery.model.RowKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Names the item of a logical partition that has the values in the record's key.
 *
 * @param rowKey the item's
 */
public record UniqueKeyRecord(RowKey rowKey, Extensions extensions) {
    private static final int VERSION = 3;

    public UniqueKeyRecord(RowKey rowKey) {
        this(rowKey, Extensions.NONE);
    }

    /** The same record once the values belong to another item. */
    public UniqueKeyRecord ownedBy(RowKey owner) {
        return new UniqueKeyRecord(owner, extensions);
    }

    /**
     * Returns the bytes that a record counts against its partition's storage, without its key.
     * Extensions count nothing, so that whoever deletes the record need not read it.
     */
    public static int storedBytes(RowKey rowKey) {
        return RecordHeader.BYTES + rowKey.bytes().length();
    }

    public byte[] encode() {
        int header = Extensions.headerBytes(RecordHeader.BYTES, extensions);
        BinaryWriter out = new BinaryWriter(header + rowKey.bytes().length());
        RecordHeader.write(out, VERSION, header);
        return out.raw(extensions.encoded()).raw(rowKey.bytes()).toArray();
    }

    public static UniqueKeyRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        RecordHeader header = RecordHeader.read(in, VERSION, "a unique-key record");
        Extensions extensions = header.extensions(in);
        return new UniqueKeyRecord(in.checked(r -> new RowKey(Bytes.wrap(r.rest()))), extensions);
    }
}
