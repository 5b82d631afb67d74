package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.model.EpkVectors.Vector;

final class RangeBoundariesTest {
    private static final String A = "00000000000000000000000000000005";
    private static final String AFTER_A = "00000000000000000000000000000006";
    private static final String LOW = "10000000000000000000000000000000";
    private static final String HIGH = "20000000000000000000000000000000";

    static List<Vector> initialBoundaries() {
        return EpkVectors.group("initialBoundaries");
    }

    static List<Vector> splitMidpoints() {
        return EpkVectors.group("splitMidpoints");
    }

    @ParameterizedTest
    @MethodSource("initialBoundaries")
    void initialRangesFollowTheFormulas(Vector vector) {
        int count = (int) vector.number("partitions");

        assertThat(boundaries(RangeBoundaries.initial(Definitions.HASH_V1, count)))
                .isEqualTo(vector.list("hashV1"));
        assertThat(boundaries(RangeBoundaries.initial(Definitions.HASH_V2, count)))
                .isEqualTo(vector.list("hashV2"));
        assertThat(boundaries(RangeBoundaries.initial(Definitions.multiHash(3), count)))
                .isEqualTo(vector.list("hashV2"));
    }

    @ParameterizedTest
    @MethodSource("splitMidpoints")
    void midpointsFollowTheFormulas(Vector vector) {
        PartitionKeyDefinition definition =
                switch (vector.text("kind")) {
                    case "hashV1" -> Definitions.HASH_V1;
                    case "hashV2" -> Definitions.HASH_V2;
                    default -> throw new IllegalStateException(vector.text("kind"));
                };
        KeyRange range = new KeyRange(vector.key("min"), vector.key("max"));

        assertThat(RangeBoundaries.midpoint(definition, range)).isEqualTo(vector.key("mid"));
        if (definition.version() == 2) {
            assertThat(RangeBoundaries.midpoint(Definitions.multiHash(3), range))
                    .isEqualTo(vector.key("mid"));
        }
    }

    @Test
    void rangeKindSpreadsTextsByTheirFirstCharacter() {
        assertThat(boundaries(RangeBoundaries.initial(Definitions.RANGE, 1)))
                .containsExactly("", "FF");
        assertThat(boundaries(RangeBoundaries.initial(Definitions.RANGE, 4)))
                .containsExactly("", "0820C000", "08408000", "08604000", "FF");
    }

    @Test
    void rangeKindSplitsBetweenTheBytes() {
        assertThat(midpoint(Definitions.RANGE, "", "FF")).isEqualTo("7F80");
        assertThat(midpoint(Definitions.RANGE, "0862", "0863")).isEqualTo("086280");
    }

    @Test
    void hierarchicalMidpointDescendsWhereALevelHasNoRoom() {
        PartitionKeyDefinition definition = Definitions.multiHash(3);

        // Equal first level: the second one decides, and the key ends there.
        assertThat(midpoint(definition, A + LOW, A + HIGH))
                .isEqualTo(A + "18000000000000000000000000000000");
        // Neighbours: min stays, and everything below it up to the end is free.
        assertThat(midpoint(definition, A, AFTER_A))
                .isEqualTo(A + "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF");
        // Neighbours, and min is the greater one on the second level: up to its end.
        assertThat(midpoint(definition, A + HIGH, AFTER_A + LOW))
                .isEqualTo(A + "2FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF");
        // Two levels without room.
        assertThat(midpoint(definition, A + A + LOW, A + A + HIGH))
                .isEqualTo(A + A + "18000000000000000000000000000000");
        // A prefix and what follows it.
        assertThat(midpoint(definition, A, A + "FF"))
                .isEqualTo(A + "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF");
    }

    @Test
    void rangeOfASingleHashCannotBeSplit() {
        assertTooNarrow(Definitions.HASH_V2, A, AFTER_A);
        assertTooNarrow(Definitions.HASH_V1, "05C1DFFFFFFFFC", "05C1E0");
        assertTooNarrow(Definitions.multiHash(2), A + A, A + AFTER_A);
        assertTooNarrow(Definitions.RANGE, "0862", "086200");
    }

    @Test
    void countsOutOfBoundsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RangeBoundaries.initial(Definitions.HASH_V2, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                RangeBoundaries.initial(
                                        Definitions.HASH_V2, PartitionId.MAX_RANGE + 1));
    }

    private static void assertTooNarrow(PartitionKeyDefinition definition, String min, String max) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> midpoint(definition, min, max))
                .withMessageContaining("too narrow");
    }

    private static String midpoint(PartitionKeyDefinition definition, String min, String max) {
        KeyRange range = new KeyRange(EffectiveKey.ofHex(min), EffectiveKey.ofHex(max));
        return RangeBoundaries.midpoint(definition, range).toHex();
    }

    /** All the boundaries, lowest and highest included; fails unless the ranges meet. */
    private static List<String> boundaries(List<KeyRange> ranges) {
        List<String> boundaries = new ArrayList<>();
        boundaries.add(ranges.getFirst().min().toHex());
        for (KeyRange range : ranges) {
            assertThat(range.min().toHex()).isEqualTo(boundaries.getLast());
            boundaries.add(range.max().toHex());
        }
        return boundaries;
    }
}
