package orrery.model.resource;

import java.util.List;
import java.util.Optional;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A container's ranges in key order. Immutable; a split or merge makes a new one with a higher
 * epoch. The ranges always tile the whole hash space: that is checked here, once, for everybody.
 */
public record PartitionMap(long epoch, List<PhysicalPartition> partitions) {
    public PartitionMap {
        partitions = List.copyOf(partitions);
        EffectiveKey expected = EffectiveKey.MIN;
        for (PhysicalPartition partition : partitions) {
            if (!partition.keys().min().equals(expected)) {
                throw new IllegalArgumentException("ranges do not tile the key space");
            }
            expected = partition.keys().max();
        }
        if (!expected.equals(EffectiveKey.MAX)) {
            throw new IllegalArgumentException("ranges do not reach the end of the key space");
        }
    }

    /** The partition that owns a key. Binary search: containers may have thousands of ranges. */
    public PhysicalPartition owner(EffectiveKey key) {
        int low = 0;
        int high = partitions.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (partitions.get(middle).keys().min().compareTo(key) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return partitions.get(low);
    }

    public Optional<PhysicalPartition> find(int range) {
        return partitions.stream().filter(partition -> partition.range() == range).findFirst();
    }

    public List<PhysicalPartition> overlapping(KeyRange keys) {
        return partitions.stream().filter(partition -> partition.keys().overlaps(keys)).toList();
    }

    public void write(BinaryWriter out) {
        out.u64(epoch).list(partitions, (w, partition) -> partition.write(w));
    }

    public static PartitionMap read(BinaryReader in) {
        return in.checked(r -> new PartitionMap(r.u64(), r.list(PhysicalPartition::read)));
    }
}
