package orrery.model.metering;

import orrery.model.PartitionKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/** An amount of something that falls to one partition key. */
public record KeyAmount(PartitionKey key, double amount) {
    public void write(BinaryWriter out) {
        key.write(out);
        out.u64(Double.doubleToLongBits(amount));
    }

    public static KeyAmount read(BinaryReader in) {
        return new KeyAmount(PartitionKey.read(in), Double.longBitsToDouble(in.u64()));
    }
}
