package orrery.cluster.catalog;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.partition.api.PartitionEnvelope;
import orrery.storage.format.AppliedRecord;

/**
 * A node of the account, as it registered itself.
 *
 * @param address where other nodes reach it; empty while there are none
 * @param region its number, as in docids; 0 with one region
 * @param lowestLevel the lowest feature level that its release can apply
 * @param highestLevel the highest one
 */
public record NodeRecord(
        int number, String address, int region, int lowestLevel, int highestLevel, State state) {
    /** The node that makes an account. */
    public static final int FIRST = 0;

    static final int VERSION = 1;

    /** More states come with more nodes. */
    public enum State {
        UP
    }

    public NodeRecord {
        if (lowestLevel > highestLevel) {
            throw new IllegalArgumentException("a node knows no feature level");
        }
    }

    /** The node that is alone, of this release. */
    public static NodeRecord alone() {
        return new NodeRecord(
                FIRST, "", 0, AppliedRecord.FIRST_LEVEL, PartitionEnvelope.LEVEL, State.UP);
    }

    void write(BinaryWriter out) {
        out.u32(number)
                .string(address)
                .u8(region)
                .u32(lowestLevel)
                .u32(highestLevel)
                .enumeration(state);
    }

    static NodeRecord read(BinaryReader in) {
        return in.checked(
                r ->
                        new NodeRecord(
                                r.u32(),
                                r.string(),
                                r.u8(),
                                r.u32(),
                                r.u32(),
                                r.enumeration(State.class)));
    }
}
