package orrery.cluster;

import java.util.ArrayList;
import java.util.List;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RangeBoundaries;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;

/**
 * Assigns each range of a container to a part of its database's throughput. The parts stand for
 * equal pieces of the hash space, as the ranges of a new container do, and a range draws on the
 * part in whose piece its middle lies: where range i has been split for its storage, its children
 * share part i.
 *
 * <p>Where the cuts lie elsewhere, because a container was split for storage before the throughput
 * grew, a part could be left without a range and its throughput out of reach. So each part gets at
 * least one range as long as there are enough, in order.
 */
final class SharedSlots {
    private SharedSlots() {}

    /** The number of the part for each range, in key order. */
    static List<Integer> of(PartitionKeyDefinition definition, PartitionMap map, int slots) {
        int count = map.partitions().size();
        List<Integer> all = new ArrayList<>(count);
        double start = 0;
        int before = -1;
        for (PhysicalPartition partition : map.partitions()) {
            double span = RangeBoundaries.span(definition, partition.keys());
            int slot = (int) Math.min(slots - 1.0, Math.floor((start + span / 2) * slots));
            if (count >= slots) {
                int left = count - all.size();
                slot = Math.clamp(slot, Math.max(before, slots - left), before + 1);
            }
            all.add(slot);
            before = slot;
            start += span;
        }
        return all;
    }
}
