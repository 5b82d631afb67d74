package orrery.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import orrery.model.EffectiveKey;
import orrery.model.IndexingPolicy;
import orrery.model.KeyRange;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RangeBoundaries;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;

final class SharedSlotsTest {
    private static final PartitionKeyDefinition KEY =
            CatalogFixture.definition(IndexingPolicy.DEFAULT).partitionKey();

    /** Ranges that end at these places of the hash space, in percent. */
    private static PartitionMap cutAt(int... percents) {
        List<PhysicalPartition> partitions = new ArrayList<>();
        EffectiveKey min = EffectiveKey.MIN;
        for (int percent : percents) {
            EffectiveKey max = percent == 100 ? EffectiveKey.MAX : at(percent);
            partitions.add(
                    new PhysicalPartition(
                            partitions.size(), new KeyRange(min, max), List.of(), 0, 1, 1, 0));
            min = max;
        }
        return new PartitionMap(1, partitions);
    }

    private static EffectiveKey at(int percent) {
        BigInteger hash =
                BigInteger.ONE
                        .shiftLeft(126)
                        .multiply(BigInteger.valueOf(percent))
                        .divide(BigInteger.valueOf(100));
        return EffectiveKey.ofHex("%032X".formatted(hash));
    }

    @Test
    void evenRangesHaveOnePartEach() {
        for (int count : new int[] {1, 2, 3, 5, 7, 100}) {
            List<PhysicalPartition> partitions = new ArrayList<>();
            for (KeyRange keys : RangeBoundaries.initial(KEY, count)) {
                partitions.add(
                        new PhysicalPartition(partitions.size(), keys, List.of(), 0, 1, 1, 0));
            }
            List<Integer> slots = SharedSlots.of(KEY, new PartitionMap(1, partitions), count);
            assertThat(slots).doesNotHaveDuplicates().isSorted().hasSize(count);
        }
    }

    @Test
    void childrenDrawOnThePartOfTheirParent() {
        assertThat(SharedSlots.of(KEY, cutAt(50, 60, 100), 2)).containsExactly(0, 1, 1);
        assertThat(SharedSlots.of(KEY, cutAt(10, 50, 100), 2)).containsExactly(0, 0, 1);
        assertThat(SharedSlots.of(KEY, cutAt(1, 2, 3, 4, 50, 100), 2))
                .containsExactly(0, 0, 0, 0, 0, 1);
        assertThat(SharedSlots.of(KEY, cutAt(25, 50, 75, 80, 85, 100), 4))
                .containsExactly(0, 1, 2, 3, 3, 3);
        assertThat(SharedSlots.of(KEY, cutAt(10, 100), 1)).containsExactly(0, 0);
    }

    @Test
    void noPartIsOutOfReachWhenThereAreEnoughRanges() {
        assertThat(SharedSlots.of(KEY, cutAt(10, 50, 100), 3)).containsExactly(0, 1, 2);
        assertThat(SharedSlots.of(KEY, cutAt(97, 98, 99, 100), 3)).containsExactly(0, 1, 2, 2);
        assertThat(SharedSlots.of(KEY, cutAt(1, 2, 3, 100), 3)).containsExactly(0, 0, 1, 2);
    }

    @Test
    void withTooFewRangesEachDrawsOnOneOfItsParts() {
        assertThat(SharedSlots.of(KEY, cutAt(50, 100), 4)).containsExactly(1, 3);
        assertThat(SharedSlots.of(KEY, cutAt(100), 3)).containsExactly(1);
    }
}
