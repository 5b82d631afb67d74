package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.ContainerKind;
import orrery.model.DerivedRow;
import orrery.model.IndexingPolicy;
import orrery.model.TermRules;

/** The terms of properties that items do not hold: they come from what was derived. */
final class ComputedTermsTest {
    private static final long TS = 1_700_000_000;
    private static final Bytes ITEM =
            Bytes.ofUtf8("{\"id\":\"1\",\"a\":2,\"cp\":\"stored\",\"b\":{\"cp\":\"deep\"}}");

    private static final ComputedProperty CP =
            new ComputedProperty("cp", "SELECT VALUE c.a FROM c");
    private static final ComputedProperty NONE =
            new ComputedProperty("none", "SELECT VALUE c.x FROM c");

    /** A number and an object in an array. */
    private static final List<DerivedRow> DERIVED =
            List.of(
                    row(
                            "cp",
                            new Value.Array(
                                    List.of(
                                            Value.of(20),
                                            new Value.Obj(Map.of("t", Value.of(TS)))))));

    private static DerivedRow row(String name, Value value) {
        return new DerivedRow(DerivedRow.COMPUTED, name, ValueCodec.encode(value));
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
                List.of(CP, NONE),
                ContainerKind.DOCUMENT);
    }

    private static Bytes term(Value value, IndexPath path) {
        return Bytes.ofHex(
                IndexPathCodec.encode(path).toHex()
                        + IndexValue.encode(value, TermRules.FIRST).toHex());
    }

    @Test
    void noWildcardIncludesThem() {
        IndexPlan plan = plan(List.of("/*"), List.of());
        assertThat(plan.derivedNames()).isEmpty();
        assertThat(plan.needsDerived()).isFalse();
        assertThat(plan.extract(ITEM, TS, DERIVED).toList())
                .containsExactlyInAnyOrder(
                        term(Value.of("1"), IndexPath.of("id")),
                        term(Value.of(2), IndexPath.of("a")),
                        term(new Value.Obj(Map.of("x", Value.of(1))), IndexPath.of("b")),
                        term(Value.of("deep"), IndexPath.of("b", "cp")),
                        term(Value.of(TS), IndexPath.of("_ts")));
        assertThat(plan.isIndexed(IndexPath.of("cp"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("cp", "x"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("b", "cp"))).isTrue();
        assertThat(plan.computed("cp")).contains(CP);
        assertThat(plan.computed("a")).isEmpty();
    }

    @Test
    void pathsOfTheirOwnInclude() {
        IndexPlan plan = plan(List.of("/cp/*", "/none/?"), List.of("/*", "/cp/[]/u/?"));
        assertThat(plan.derivedNames()).containsExactly("cp", "none");
        IndexTerms terms = plan.extract(ITEM, TS, DERIVED);
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
                        List.of(CP, NONE),
                        ContainerKind.DOCUMENT);
        byte[] descending = IndexValue.encode(Value.of(2), TermRules.FIRST).unsafeArray().clone();
        for (int i = 0; i < descending.length; i++) {
            descending[i] = (byte) ~descending[i];
        }
        assertThat(plan.derivedNames()).containsExactly("cp");
        assertThat(plan.extract(ITEM, TS, List.of(row("cp", Value.of(2)))).toList())
                .contains(
                        Bytes.ofHex(
                                plan.composites().getFirst().termPrefix().toHex()
                                        + IndexValue.encode(Value.of(2), TermRules.FIRST).toHex()
                                        + Bytes.wrap(descending).toHex()));
    }

    @Test
    void whatCannotBeReadIsRefused() {
        IndexPlan plan = plan(List.of("/cp/*"), List.of("/*"));
        List<DerivedRow> unknown = List.of(new DerivedRow(9, "cp", Bytes.EMPTY));
        List<DerivedRow> cut = List.of(new DerivedRow(DerivedRow.COMPUTED, "cp", Bytes.EMPTY));

        assertThatThrownBy(() -> plan.extract(ITEM, TS, unknown))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> plan.extract(ITEM, TS, cut))
                .isInstanceOf(IllegalStateException.class);
    }
}
