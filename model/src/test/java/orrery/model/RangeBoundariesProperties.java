package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;

final class RangeBoundariesProperties {
    @Provide
    Arbitrary<PartitionKeyDefinition> definitions() {
        return Arbitraries.of(
                Definitions.HASH_V1,
                Definitions.HASH_V2,
                Definitions.multiHash(3),
                Definitions.RANGE);
    }

    @Property
    void initialRangesTileTheSpace(
            @ForAll("definitions") PartitionKeyDefinition definition,
            @ForAll @IntRange(min = 1, max = 300) int count) {
        List<KeyRange> ranges = RangeBoundaries.initial(definition, count);

        assertThat(ranges).hasSize(count);
        // The constructor refuses anything that does not tile.
        assertThat(
                        new PartitionMap(
                                1,
                                IntStream.range(0, count)
                                        .mapToObj(
                                                i ->
                                                        new PhysicalPartition(
                                                                i,
                                                                ranges.get(i),
                                                                List.of(),
                                                                1,
                                                                1,
                                                                i,
                                                                0))
                                        .toList()))
                .isNotNull();
    }

    /** Follows a key down: each split must leave it in exactly one of the two halves. */
    @Property
    void splittingAgainAndAgainStaysInsideTheRange(
            @ForAll("definitions") PartitionKeyDefinition definition,
            @ForAll @IntRange(min = 1, max = 20) int count,
            @ForAll List<Boolean> turns) {
        KeyRange range = RangeBoundaries.initial(definition, count).getFirst();
        for (boolean right : turns.subList(0, Math.min(20, turns.size()))) {
            EffectiveKey middle = RangeBoundaries.midpoint(definition, range);
            assertThat(middle).isGreaterThan(range.min()).isLessThan(range.max());
            range = right ? new KeyRange(middle, range.max()) : new KeyRange(range.min(), middle);
        }
    }
}
