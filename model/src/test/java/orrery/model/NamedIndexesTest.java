package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.IndexingPolicy.CompositePath;
import orrery.model.NamedIndex.Field;

final class NamedIndexesTest {
    private static final PartitionKeyDefinition REGION =
            new PartitionKeyDefinition(
                    List.of(PropertyPath.parse("/region")),
                    PartitionKeyDefinition.Kind.HASH,
                    2,
                    false);

    private static IndexingPolicy policy(NamedIndex... indexes) {
        return NamedIndexes.policy(REGION, List.of(indexes));
    }

    private static NamedIndex index(String path) {
        return new NamedIndex(path + "_1", List.of(Field.ascending(path)));
    }

    private static String fault(NamedIndex... indexes) {
        return NamedIndexes.fault(REGION, List.of(indexes)).orElse("");
    }

    @Test
    void withoutIndexesOnlyTheKeysAreIndexed() {
        assertThat(policy().includedPaths()).containsExactly("/_id/?", "/region/?");
        assertThat(policy().excludedPaths()).containsExactly("/*", "/\"_etag\"/?");
        assertThat(
                        NamedIndexes.policy(PartitionKeyDefinition.OF_THE_SYSTEM, List.of())
                                .includedPaths())
                .containsExactly("/_id/?");
    }

    @Test
    void aFieldIsFoundThroughArraysAtEveryStep() {
        assertThat(policy(index("a.b")).includedPaths())
                .containsExactly(
                        "/_id/?", "/region/?", "/a/b/?", "/a/b/[]/?", "/a/[]/b/?", "/a/[]/b/[]/?");
        assertThat(policy(index("a.b")).compositeIndexes()).isEmpty();
    }

    @Test
    void namesOutsideOfLettersAreQuoted() {
        assertThat(policy(index("a b\"\\")).includedPaths())
                .contains("/\"a b\\\"\\\\\"/?", "/\"a b\\\"\\\\\"/[]/?");
    }

    @Test
    void severalFieldsAreACompositeIndexAndEachByItself() {
        NamedIndex both =
                new NamedIndex("x", List.of(Field.ascending("a"), Field.descending("b.c")));
        IndexingPolicy policy = policy(both, index("a"));
        assertThat(policy.compositeIndexes())
                .containsExactly(
                        List.of(new CompositePath("/a", false), new CompositePath("/b/c", true)));
        assertThat(policy.includedPaths()).contains("/a/?", "/a/[]/?", "/b/c/?", "/b/[]/c/?");
        assertThat(policy.includedPaths()).doesNotHaveDuplicates();
    }

    @Test
    void aWildcardIsASubtree() {
        IndexingPolicy all = policy(new NamedIndex("w", List.of(Field.wildcard(""))));
        assertThat(all.includedPaths()).first().isEqualTo("/*");
        assertThat(all.excludedPaths()).doesNotContain("/*");
        assertThat(policy(new NamedIndex("w", List.of(Field.wildcard("a.b")))).includedPaths())
                .containsExactly("/_id/?", "/region/?", "/a/b/*", "/a/[]/b/*");
    }

    @Test
    void theLastWriteDecidesTheLifetimeOfTheContainer() {
        ContainerDefinition plain =
                new ContainerDefinition(
                                REGION,
                                IndexingPolicy.DEFAULT,
                                ContainerDefinition.ConflictResolution.DEFAULT,
                                ContainerDefinition.Geospatial.GEOGRAPHY)
                        .withKind(ContainerKind.MONGODB);
        NamedIndex lifetime = index("_ts").withExpiry(OptionalInt.of(30));
        ContainerDefinition defined = NamedIndexes.define(plain, List.of(lifetime));
        assertThat(defined.timeToLive()).isEqualTo(new TimeToLive(30));
        assertThat(defined.indexes()).containsExactly(lifetime);
        assertThat(NamedIndexes.define(defined, List.of()).timeToLive()).isEqualTo(TimeToLive.OFF);
        assertThat(
                        NamedIndexes.define(plain, List.of(lifetime.withExpiry(OptionalInt.of(-1))))
                                .timeToLive())
                .isEqualTo(TimeToLive.BY_ITEM);
    }

    @Test
    void whatIsNoIndexIsRefused() {
        assertThat(fault(index("a"), index("b"))).isEmpty();
        assertThat(fault(index("a"), index("a"))).contains("two indexes have the name");
        assertThat(fault(new NamedIndex("", List.of(Field.ascending("a"))))).contains("name");
        assertThat(fault(new NamedIndex("x", List.of()))).contains("1 to 8 fields");
        assertThat(fault(new NamedIndex("x", List.of(Field.ascending("a"), Field.ascending("a")))))
                .contains("twice");
        assertThat(fault(index("_ts"))).contains("_ts");
        assertThat(fault(index("_ts").withExpiry(OptionalInt.of(0)))).contains("expiry");
        assertThat(fault(index("a").withExpiry(OptionalInt.of(-1)))).contains("expiry");
        assertThat(fault(index("a").withFilter(Bytes.EMPTY))).contains("only a unique index");
        assertThat(fault(new NamedIndex("w", List.of(Field.wildcard("a"))).withUnique(true)))
                .contains("wildcard");
        assertThat(
                        fault(
                                index("_ts").withExpiry(OptionalInt.of(1)),
                                new NamedIndex("other", List.of(Field.descending("_ts")))
                                        .withExpiry(OptionalInt.of(1))))
                .contains("only one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".a", "a.", "a..b"})
    void aPathWithoutANameIsRefused(String path) {
        assertThat(fault(new NamedIndex("x", List.of(Field.ascending(path)))))
                .contains("empty name");
    }

    @Test
    void aUniqueIndexHasTheFieldsOfThePartitionKey() {
        NamedIndex lacking = index("a").withUnique(true);
        NamedIndex having =
                new NamedIndex("x", List.of(Field.ascending("a"), Field.ascending("region")))
                        .withUnique(true);
        assertThat(fault(lacking)).contains("partition key");
        assertThat(fault(having)).isEmpty();
        assertThat(NamedIndexes.fault(PartitionKeyDefinition.OF_THE_SYSTEM, List.of(lacking)))
                .isEmpty();
    }

    @Test
    void theLimitsHoldAtThemAndNotPastThem() {
        List<NamedIndex> most = new ArrayList<>();
        for (int i = 0; i < NamedIndexes.MAX_INDEXES; i++) {
            most.add(index("f" + i));
        }
        assertThat(NamedIndexes.fault(REGION, most)).isEmpty();
        most.add(index("more"));
        assertThat(NamedIndexes.fault(REGION, most))
                .hasValue("a container has at most 500 indexes");

        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < NamedIndexes.MAX_FIELDS; i++) {
            fields.add(Field.ascending("f" + i));
        }
        assertThat(fault(new NamedIndex("x", fields))).isEmpty();
        fields.add(Field.ascending("more"));
        assertThat(fault(new NamedIndex("x", fields))).contains("1 to 8 fields");

        String longest = "n".repeat(NamedIndexes.MAX_NAME_BYTES);
        assertThat(fault(new NamedIndex(longest, List.of(Field.ascending("a"))))).isEmpty();
        assertThat(fault(new NamedIndex(longest + "n", List.of(Field.ascending("a")))))
                .contains("1024 bytes");

        String deepest = "a" + ".a".repeat(NamedIndexes.MAX_DEPTH - 1);
        assertThat(fault(index(deepest))).isEmpty();
        assertThat(fault(index(deepest + ".a"))).contains("more than 10 names");

        // Each has 1,024 paths; four of them and the keys are too many.
        assertThat(fault(index(deepest), index("b" + deepest), index("c" + deepest))).isEmpty();
        assertThat(
                        fault(
                                index(deepest),
                                index("b" + deepest),
                                index("c" + deepest),
                                index("d" + deepest)))
                .contains("at most 4096");
    }
}
