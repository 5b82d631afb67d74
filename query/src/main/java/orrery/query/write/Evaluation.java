package orrery.query.write;

import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A write in the words of a dialect, as it travels to the leader.
 *
 * @param dialect number of the {@link WriteDialect}
 * @param version of the payload's layout, from 1 on
 * @param payload bytes that only the dialect understands
 */
public record Evaluation(int dialect, int version, Bytes payload) {
    /** A dialect and a version are one byte each in a message. */
    private static final int MAX_NUMBER = 0xFF;

    public Evaluation {
        if (dialect < 1 || dialect > MAX_NUMBER || version < 1 || version > MAX_NUMBER) {
            throw new IllegalArgumentException("a dialect and its version are 1 to 255");
        }
    }

    public void write(BinaryWriter out) {
        out.u8(dialect).u8(version).bytes(payload);
    }

    public static Evaluation read(BinaryReader in) {
        return new Evaluation(in.u8(), in.u8(), in.bytes());
    }
}
