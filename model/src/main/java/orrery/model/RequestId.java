package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Names one attempt to change something, however often it has to be sent. A partition that has
 * already carried it out answers with the first outcome.
 */
public record RequestId(long high, long low) {
    public void write(BinaryWriter out) {
        out.u64(high).u64(low);
    }

    public static RequestId read(BinaryReader in) {
        return new RequestId(in.u64(), in.u64());
    }
}
