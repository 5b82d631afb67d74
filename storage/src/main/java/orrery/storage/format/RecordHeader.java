package orrery.storage.format;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The first bytes of a record: its version, and where its fields and {@link Extensions} end. A body
 * may follow them.
 *
 * @param start place of the version among the bytes that are read
 * @param length from the version to the end of the extensions
 */
record RecordHeader(int start, int length) {
    /** Bytes of the version and the length. */
    static final int BYTES = 3;

    static void write(BinaryWriter out, int version, int length) {
        out.u8(version).u16(length);
    }

    /**
     * @param what the record, for the reader of the error
     */
    static RecordHeader read(BinaryReader in, int version, String what) {
        int start = in.position();
        if (in.u8() != version) {
            throw new MalformedRecordException("unknown version of " + what);
        }
        return new RecordHeader(start, in.u16());
    }

    /** Reads what lies between the last known field and the end of the header. */
    Extensions extensions(BinaryReader in) {
        return Extensions.readTo(in, start, length);
    }
}
