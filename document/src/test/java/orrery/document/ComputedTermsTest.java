package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.IndexingPolicy;

/** The terms of properties that items do not hold. */
final class ComputedTermsTest {
    private static final long TS = 1_700_000_000;
    private static final Bytes ITEM =
            Bytes.ofUtf8("{\"id\":\"1\",\"a\":2,\"cp\":\"stored\",\"b\":{\"cp\":\"deep\"}}");

    /** Ten times {@code a} and the time. */
    private static final ComputedValue CP =
            new Made(
                    "cp",
                    item ->
                            new Value.Array(
                                    List.of(
                                            Value.of(((Value.Int) get(item, "a")).value() * 10),
                                            new Value.Obj(Map.of("t", get(item, "_ts"))))));

    private static final ComputedValue NONE = new Made("none", _ -> Value.Undefined.UNDEFINED);

    private record Made(String name, Function<Map<String, Value>, Value> function)
            implements ComputedValue {
        @Override
        public ComputedProperty definition() {
            return new ComputedProperty(name, "SELECT VALUE c.a FROM c");
        }

        @Override
        public boolean reads(String property) {
            return property.equals("a");
        }

        @Override
        public Value of(Value.Obj item) {
            assertThat(item.properties().keySet()).containsExactly("a", "_ts");
            return function.apply(item.properties());
        }
    }

    private static Value get(Map<String, Value> item, String name) {
        return item.getOrDefault(name, Value.Undefined.UNDEFINED);
    }

    private static IndexPlan plan(List<String> included, List<String> excluded) {
        return IndexPlan.compile(
                new IndexingPolicy(
                        IndexingPolicy.Mode.CONSISTENT,
                        true,
                        included,
                        excluded,
                        List.of(),
                        List.of()),
                List.of(CP, NONE));
    }

    private static Bytes term(Value value, IndexPath path) {
        return Bytes.ofHex(IndexPathCodec.encode(path).toHex() + IndexValue.encode(value).toHex());
    }

    @Test
    void noWildcardIncludesThem() {
        IndexPlan plan = plan(List.of("/*"), List.of());
        assertThat(plan.extract(ITEM, TS).toList())
                .containsExactlyInAnyOrder(
                        term(Value.of("1"), IndexPath.of("id")),
                        term(Value.of(2), IndexPath.of("a")),
                        term(new Value.Obj(Map.of("x", Value.of(1))), IndexPath.of("b")),
                        term(Value.of("deep"), IndexPath.of("b", "cp")),
                        term(Value.of(TS), IndexPath.of("_ts")));
        assertThat(plan.isIndexed(IndexPath.of("cp"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("cp", "x"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("b", "cp"))).isTrue();
        assertThat(plan.computed("cp")).contains(CP.definition());
        assertThat(plan.computed("a")).isEmpty();
    }

    @Test
    void pathsOfTheirOwnInclude() {
        IndexPlan plan = plan(List.of("/cp/*", "/none/?"), List.of("/*", "/cp/[]/u/?"));
        IndexTerms terms = plan.extract(ITEM, TS);
        IndexPath element = IndexPath.of("cp").element();
        assertThat(terms.toList())
                .containsExactlyInAnyOrder(
                        term(Value.of("1"), IndexPath.of("id")),
                        term(new Value.Array(List.of(Value.of(1))), IndexPath.of("cp")),
                        term(Value.of(20), element),
                        term(new Value.Obj(Map.of("x", Value.of(1))), element),
                        term(Value.of(TS), element.property("t")),
                        term(Value.Undefined.UNDEFINED, IndexPath.of("none")),
                        term(Value.of(TS), IndexPath.of("_ts")));
        assertThat(plan.isIndexed(IndexPath.of("cp"))).isTrue();
        assertThat(plan.isIndexed(element.property("u"))).isFalse();
        assertThat(plan.indexesUndefined(IndexPath.of("none"))).isTrue();
        assertThat(terms.leafCount()).isEqualTo(3);
    }

    @Test
    void aCompositeIndexHasThemToo() {
        IndexPlan plan =
                IndexPlan.compile(
                        new IndexingPolicy(
                                IndexingPolicy.Mode.CONSISTENT,
                                true,
                                List.of(),
                                List.of("/*"),
                                List.of(
                                        List.of(
                                                new IndexingPolicy.CompositePath("/a", false),
                                                new IndexingPolicy.CompositePath("/cp", true))),
                                List.of()),
                        List.of(
                                new Made("cp", item -> get(item, "a")),
                                new Made("other", item -> get(item, "a"))));
        byte[] descending = IndexValue.encode(Value.of(2)).unsafeArray().clone();
        for (int i = 0; i < descending.length; i++) {
            descending[i] = (byte) ~descending[i];
        }
        assertThat(plan.extract(ITEM, TS).toList())
                .contains(
                        Bytes.ofHex(
                                plan.composites().getFirst().termPrefix().toHex()
                                        + IndexValue.encode(Value.of(2)).toHex()
                                        + Bytes.wrap(descending).toHex()));
    }
}
