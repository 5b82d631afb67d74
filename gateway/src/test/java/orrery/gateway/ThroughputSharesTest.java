package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import orrery.gateway.api.Redistribution;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.RangeBoundaries;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;

final class ThroughputSharesTest {
    private static final int T = 12_000;
    private static final int MOST = 10_000;

    private PartitionMap map = map(3);

    private static PartitionMap map(int count) {
        List<PhysicalPartition> partitions = new ArrayList<>();
        for (KeyRange keys :
                RangeBoundaries.initial(EngineFixture.definition("/pk").partitionKey(), count)) {
            partitions.add(new PhysicalPartition(partitions.size(), keys, List.of(), 0, 1, 1, 0));
        }
        return new PartitionMap(1, partitions);
    }

    private List<Double> ru(Map<Integer, Integer> targets, Map<Integer, Integer> sources) {
        List<Double> fractions =
                new ThroughputShares(map, T, MOST).of(new Redistribution.Custom(targets, sources));
        map = map.withFractions(fractions); // which also checks that they add up
        return fractions.stream().map(fraction -> Math.rint(fraction * T * 1000) / 1000).toList();
    }

    private String refusal(Map<Integer, Integer> targets, Map<Integer, Integer> sources) {
        OrreryException failure =
                catchThrowableOfType(OrreryException.class, () -> ru(targets, sources));
        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        return failure.text();
    }

    @Test
    void theOthersGiveInProportionToWhatTheyCanSpare() {
        assertThat(ru(Map.of(1, 6000), Map.of())).containsExactly(3000.0, 6000.0, 3000.0);
        assertThat(ru(Map.of(0, 4000), Map.of(2, 100))).containsExactly(4000.0, 6000.0, 2000.0);
        // 3,900 and 1,900 can be spared; 2,900 are wanted.
        assertThat(ru(Map.of(1, 8900), Map.of())).containsExactly(2050.0, 8900.0, 1050.0);
        assertThat(ru(Map.of(1, 2900), Map.of(0, 100, 2, 100)))
                .satisfies(all -> assertThat(all.get(1)).isEqualTo(2900));
    }

    @Test
    void equalPartsAreNoParts() {
        ru(Map.of(1, 6000), Map.of());

        assertThat(new ThroughputShares(map, T, MOST).of(new Redistribution.Equal())).isEmpty();
    }

    @Test
    void allOfThemMayBeNamed() {
        assertThat(ru(Map.of(0, 1000, 1, 2000, 2, 9000), Map.of()))
                .containsExactly(1000.0, 2000.0, 9000.0);
        assertThat(refusal(Map.of(0, 1000, 1, 2000, 2, 9001), Map.of()))
                .contains("ask for 1 RU/s more than they have", "only 0 to give");
        assertThat(refusal(Map.of(0, 1000, 1, 2000, 2, 8000), Map.of()))
                .contains("leave 1000 RU/s", "can take only 0");
    }

    @Test
    void noRangeHasTooMuchOrTooLittle() {
        assertThat(refusal(Map.of(0, 10_001), Map.of())).contains("between 100 and 10000");
        assertThat(refusal(Map.of(0, 99), Map.of())).contains("between 100 and 10000");
        assertThat(refusal(Map.of(0, 9000, 1, 2950), Map.of())).contains("only 3900 to give");
        assertThat(ru(Map.of(0, 9000, 1, 2900), Map.of())).containsExactly(9000.0, 2900.0, 100.0);
        assertThat(refusal(Map.of(0, 100, 1, 100), Map.of())).contains("can take only 9900");
    }

    @Test
    void rangesHaveToMakeSense() {
        assertThat(refusal(Map.of(7, 400), Map.of())).contains("no range 7");
        assertThat(refusal(Map.of(0, 5000), Map.of(8, 100))).contains("no range 8");
        assertThat(refusal(Map.of(0, 5000), Map.of(0, 100))).contains("cannot both");
        assertThat(refusal(Map.of(), Map.of())).contains("Say which ranges");
        assertThat(refusal(Map.of(0, 8000), Map.of(1, 3000))).contains("only 1000 to give");
    }

    @Test
    void littleThroughputOverManyRangesHasASmallerLeast() {
        ThroughputShares shares = new ThroughputShares(map(8), 400, MOST);

        assertThat(shares.of(new Redistribution.Custom(Map.of(3, 50), Map.of())))
                .hasSize(8)
                .containsOnly(0.125);
        assertThat(
                        catchThrowableOfType(
                                        OrreryException.class,
                                        () ->
                                                shares.of(
                                                        new Redistribution.Custom(
                                                                Map.of(3, 49), Map.of())))
                                .text())
                .contains("between 50 and 10000");
    }
}
