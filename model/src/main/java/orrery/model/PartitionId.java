package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Names a physical partition for ever: the container's number and a range id that is never reused
 * within it. The range id is what clients know as the partition key range id.
 */
public record PartitionId(int container, int range) implements Comparable<PartitionId> {
    /** Range ids live in 20 bits of a docid. */
    public static final int MAX_RANGE = (1 << 20) - 1;

    public PartitionId {
        if (container <= 0 || range < 0 || range > MAX_RANGE) {
            throw new IllegalArgumentException("container number or range id out of bounds");
        }
    }

    public void write(BinaryWriter out) {
        out.u32(container).u32(range);
    }

    public static PartitionId read(BinaryReader in) {
        return in.checked(r -> new PartitionId(r.u32(), r.u32()));
    }

    @Override
    public int compareTo(PartitionId other) {
        int byContainer = Integer.compare(container, other.container);
        return byContainer != 0 ? byContainer : Integer.compare(range, other.range);
    }

    @Override
    public String toString() {
        return container + "/" + range;
    }
}
