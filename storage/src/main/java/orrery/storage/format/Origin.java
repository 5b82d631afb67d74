package orrery.storage.format;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The region that took a write, and the reading of its hybrid clock. Records of an account with one
 * region leave it out.
 */
public record Origin(int region, long clock) {
    /** The origin of every write while there is one region. */
    public static final Origin HERE = new Origin(0, 0);

    static final int BYTES = 9;

    boolean isHere() {
        return region == 0 && clock == 0;
    }

    void write(BinaryWriter out) {
        out.u8(region).u64(clock);
    }

    static Origin read(BinaryReader in) {
        return new Origin(in.u8(), in.u64());
    }
}
