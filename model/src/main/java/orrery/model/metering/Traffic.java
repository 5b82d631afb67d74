package orrery.model.metering;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The traffic of a partition in some time.
 *
 * @param requests those that were carried out
 * @param refused those that were too many
 */
public record Traffic(double ru, long requests, long refused) {
    public static final Traffic NONE = new Traffic(0, 0, 0);

    /** The share of requests that were refused, 0 to 1. */
    public double refusedShare() {
        return refused == 0 ? 0 : (double) refused / (requests + refused);
    }

    public void write(BinaryWriter out) {
        out.u64(Double.doubleToLongBits(ru)).u64(requests).u64(refused);
    }

    public static Traffic read(BinaryReader in) {
        return new Traffic(Double.longBitsToDouble(in.u64()), in.u64(), in.u64());
    }
}
