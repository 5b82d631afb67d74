package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.model.EpkVectors.Vector;
import orrery.model.PartitionKeyDefinition.Kind;

final class EffectiveKeysTest {
    private static final PartitionKey A = PartitionKey.ofText("a");
    private static final PartitionKey A_B =
            PartitionKey.of(new KeyComponent.Text("a"), new KeyComponent.Text("b"));

    static List<Vector> hashV1() {
        return EpkVectors.group("hashV1");
    }

    static List<Vector> hashV2() {
        return EpkVectors.group("hashV2");
    }

    static List<Vector> range() {
        return EpkVectors.group("range");
    }

    static List<Vector> multiHash() {
        return EpkVectors.group("multiHash");
    }

    static List<Vector> hashMultiPathLegacy() {
        return EpkVectors.group("hashMultiPathLegacy");
    }

    @ParameterizedTest
    @MethodSource("hashV1")
    void firstHashVersionAgreesWithTheSdks(Vector vector) {
        byte[] input = EffectiveKeys.inputV1(vector.key().components().getFirst());

        assertThat(Bytes.wrap(input).toHex()).isEqualTo(vector.text("hashInput"));
        assertThat(Integer.toUnsignedLong(Murmur3.hash32(input)))
                .isEqualTo(vector.number("murmur32"));
        assertThat(EffectiveKeys.of(Definitions.HASH_V1, vector.key()))
                .isEqualTo(vector.key("epk"));
    }

    @ParameterizedTest
    @MethodSource("hashV2")
    void secondHashVersionAgreesWithTheSdks(Vector vector) {
        byte[] input = EffectiveKeys.inputV2(vector.key().components().getFirst());

        assertThat(Bytes.wrap(input).toHex()).isEqualTo(vector.text("hashInput"));
        assertThat(EffectiveKeys.of(Definitions.HASH_V2, vector.key()))
                .isEqualTo(vector.key("epk"));
    }

    @ParameterizedTest
    @MethodSource("range")
    void rangeKindAgreesWithTheSdks(Vector vector) {
        assertThat(EffectiveKeys.of(Definitions.RANGE, vector.key())).isEqualTo(vector.key("epk"));
    }

    @ParameterizedTest
    @MethodSource("multiHash")
    void hierarchicalKeysAgreeWithTheSdks(Vector vector) {
        PartitionKeyDefinition definition = Definitions.multiHash((int) vector.number("paths"));

        assertThat(EffectiveKeys.of(definition, vector.key())).isEqualTo(vector.key("epk"));
        if (vector.hasText("prefixMin")) {
            assertThat(EffectiveKeys.prefixRange(definition, vector.key()))
                    .isEqualTo(new KeyRange(vector.key("prefixMin"), vector.key("prefixMax")));
        }
    }

    @ParameterizedTest
    @MethodSource("hashMultiPathLegacy")
    void severalPathsUnderOneHashAgreeWithTheSdks(Vector vector) {
        PartitionKeyDefinition definition =
                Definitions.hash(vector.key().components().size(), (int) vector.number("version"));

        assertThat(EffectiveKeys.of(definition, vector.key())).isEqualTo(vector.key("epk"));
    }

    @Test
    void prefixRangeHoldsTheKeysBelowThePrefixAndNoOthers() {
        PartitionKeyDefinition definition = Definitions.multiHash(2);
        KeyRange belowA = EffectiveKeys.prefixRange(definition, A);
        PartitionKey other =
                PartitionKey.of(new KeyComponent.Text("c"), new KeyComponent.Text("b"));

        assertThat(belowA.contains(EffectiveKeys.of(definition, A_B))).isTrue();
        assertThat(belowA.contains(EffectiveKeys.of(definition, other))).isFalse();
    }

    @Test
    void emptyPrefixMeansTheWholeSpace() {
        assertThat(EffectiveKeys.prefixRange(Definitions.multiHash(2), PartitionKey.EMPTY))
                .isEqualTo(KeyRange.FULL);
    }

    @Test
    void fixedContainerHasItsOnePlaceWhereUndefinedKeysLie() {
        assertThat(EffectiveKeys.of(Definitions.hash(0, 1), PartitionKey.EMPTY).toHex())
                .isEqualTo("05C1D529E345DC00");
        assertThat(EffectiveKeys.of(Definitions.hash(0, 2), PartitionKey.EMPTY).toHex())
                .isEqualTo("11622DAA78F835834610ABE56EFF5CB5");
        assertThat(EffectiveKeys.of(Definitions.multiHash(0), PartitionKey.EMPTY).toHex())
                .isEqualTo("11622DAA78F835834610ABE56EFF5CB5");
        assertThat(
                        EffectiveKeys.of(
                                        new PartitionKeyDefinition(List.of(), Kind.RANGE, 1, false),
                                        PartitionKey.EMPTY)
                                .toHex())
                .isEqualTo("00");
    }

    @Test
    void definitionWithoutVersionMeansTheFirst() {
        assertThat(EffectiveKeys.of(Definitions.hash(1, 0), A))
                .isEqualTo(EffectiveKeys.of(Definitions.HASH_V1, A));
    }

    @Test
    void moreComponentsThanPathsAreRefused() {
        String message = "PartitionKey has more components than defined the collection resource.";
        assertBadRequest(message, () -> EffectiveKeys.of(Definitions.HASH_V1, A_B));
        assertBadRequest(message, () -> EffectiveKeys.of(Definitions.HASH_V2, A_B));
        assertBadRequest(message, () -> EffectiveKeys.of(Definitions.RANGE, A_B));
        assertBadRequest(message, () -> EffectiveKeys.of(Definitions.multiHash(1), A_B));
        assertBadRequest(message, () -> EffectiveKeys.of(Definitions.hash(0, 2), A));
    }

    @Test
    void fewerComponentsThanPathsAreRefusedUnlessHierarchical() {
        String message = "PartitionKey has fewer components than defined the collection resource.";
        assertBadRequest(message, () -> EffectiveKeys.of(Definitions.hash(2, 1), A));
        assertBadRequest(message, () -> EffectiveKeys.of(Definitions.hash(2, 2), A));
        assertBadRequest(message, () -> EffectiveKeys.of(Definitions.HASH_V2, PartitionKey.EMPTY));
        assertBadRequest(message, () -> EffectiveKeys.prefixRange(Definitions.hash(2, 2), A));
        assertThat(EffectiveKeys.of(Definitions.multiHash(2), A).toHex())
                .isEqualTo("3A5381E1114EB8D3FCC90795045B49B7");
    }

    @Test
    void randomKeysSpreadEvenly() {
        assertEvenSpread(Definitions.HASH_V1);
        assertEvenSpread(Definitions.HASH_V2);
    }

    private static void assertEvenSpread(PartitionKeyDefinition definition) {
        List<KeyRange> ranges = RangeBoundaries.initial(definition, 5);
        int[] counts = new int[ranges.size()];
        Random random = new Random(20_260_101);
        for (int i = 0; i < 10_000; i++) {
            PartitionKey key = PartitionKey.ofText(Long.toHexString(random.nextLong()));
            EffectiveKey place = EffectiveKeys.of(definition, key);
            for (int range = 0; range < counts.length; range++) {
                if (ranges.get(range).contains(place)) {
                    counts[range]++;
                }
            }
        }
        assertThat(IntStream.of(counts).sum()).isEqualTo(10_000);
        for (int count : counts) {
            assertThat(count).isBetween(1_800, 2_200);
        }
    }

    private static void assertBadRequest(String message, ThrowingCallable call) {
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(call)
                .withMessage(message)
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST));
    }
}
