package orrery.query;

import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A query as it is sent to partitions: bytes that only its language can read.
 *
 * @param dialect the name of the language
 * @param version of its payload, 0 to 255
 */
public record EncodedQuery(String dialect, int version, Bytes payload) {
    /** In bytes. A payload of so many takes a millisecond or two to get ready. */
    private static final int SHORT = 16 << 10;

    /** Returns true if the caller can make it ready while others wait for the thread. */
    public boolean isShort() {
        return payload.length() <= SHORT;
    }

    public void write(BinaryWriter out) {
        out.string(dialect).u8(version).bytes(payload);
    }

    public static EncodedQuery read(BinaryReader in) {
        return new EncodedQuery(in.string(), in.u8(), in.bytes());
    }
}
