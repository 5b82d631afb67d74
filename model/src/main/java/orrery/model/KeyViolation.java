package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The key of a unique index that two items would have.
 *
 * @param index its name
 * @param key BSON of a document that has the paths of the index and the values there; empty if it
 *     is very long
 */
public record KeyViolation(String index, Bytes key) implements Violation {
    /** A longer key is not told. */
    public static final int MAX_KEY_BYTES = MAX_BYTES;

    public void write(BinaryWriter out) {
        out.string(index).bytes(key);
    }

    public static KeyViolation read(BinaryReader in) {
        return new KeyViolation(in.string(), in.bytes());
    }
}
