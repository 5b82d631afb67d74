package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.ContainerKind;
import orrery.model.IndexingPolicy;
import orrery.model.TermRules;

/** The index has the content of each property of an entity, once. */
final class TableTermsTest {
    private static final long TS = 7;

    private static final String ENTITY =
            "{\"id\":\"r\",\"$id\":\"r\",\"$pk\":\"p\",\"age\":{\"$t\":16,\"$v\":36},"
                    + "\"name\":{\"$t\":2,\"$v\":\"Ada\"}}";

    private static IndexPlan plan(IndexingPolicy policy) {
        return IndexPlan.compile(policy, List.of(), ContainerKind.TABLE);
    }

    private static IndexingPolicy policy(List<String> included, List<String> excluded) {
        return new IndexingPolicy(
                IndexingPolicy.Mode.CONSISTENT, true, included, excluded, List.of(), List.of());
    }

    private static Bytes term(Value value, String... names) {
        return term(value, IndexPath.of(names));
    }

    private static Bytes term(Value value, IndexPath path) {
        return new ByteSink()
                .put(IndexPathCodec.encode(path))
                .put(IndexValue.encode(value, TermRules.FIRST))
                .toBytes();
    }

    private static List<Bytes> terms(IndexPlan plan, String body) {
        return plan.extract(Bytes.ofUtf8(body), TS).toList();
    }

    @Test
    void anEntityHasATermForEachContentAndNoneForItsType() {
        IndexPlan plan = plan(IndexingPolicy.DEFAULT);

        assertThat(terms(plan, ENTITY))
                .containsExactlyInAnyOrder(
                        term(Value.of("r"), "id"),
                        term(Value.of(TS), "_ts"),
                        term(Value.of("r"), "$id"),
                        term(Value.of("p"), "$pk"),
                        term(Value.of(36), "age", "$v"),
                        term(Value.of("Ada"), "name", "$v"));
        assertThat(plan.extract(Bytes.ofUtf8(ENTITY), TS).leafCount()).isEqualTo(5);
    }

    @Test
    void whatHasNoTermsIsNotLookedUp() {
        IndexPlan plan = plan(IndexingPolicy.DEFAULT);

        assertThat(plan.isIndexed(IndexPath.of("age", "$v"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("$pk"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("$id"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("id"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("_ts"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("age"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("age", "$t"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("age").element())).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("age", "$v").element())).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("age", "$v", "$v"))).isFalse();
    }

    /** Another API can write what is no property of a table. */
    @Test
    void contentsOfAnyKindHaveATerm() {
        IndexPlan plan = plan(IndexingPolicy.DEFAULT);

        assertThat(terms(plan, "{\"id\":\"r\",\"a\":1,\"b\":{\"$v\":[2]},\"c\":{\"d\":3}}"))
                .containsExactlyInAnyOrder(
                        term(Value.of("r"), "id"),
                        term(Value.of(TS), "_ts"),
                        term(new Value.Array(List.of(Value.of(2))), "b", "$v"));
    }

    @Test
    void pathsThatAPolicyNamesAreWhatTheyAreInOtherContainers() {
        IndexPlan plan =
                plan(
                        policy(
                                List.of("/*", "/age/\"$t\"/?", "/whole/*"),
                                List.of("/name/*", "/\"$pk\"/?", "/city/?")));

        assertThat(plan.isIndexed(IndexPath.of("age", "$t"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("age", "$v"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("whole"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("whole", "$t"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("name", "$v"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("$pk"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("city"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("city", "$v"))).isTrue();
        assertThat(terms(plan, ENTITY))
                .contains(term(Value.of(16), "age", "$t"), term(Value.of(36), "age", "$v"))
                .doesNotContain(term(Value.of("Ada"), "name", "$v"), term(Value.of("p"), "$pk"));
    }

    @Test
    void aPolicyThatExcludesEverythingIndexesWhatItNames() {
        IndexPlan plan = plan(policy(List.of("/age/*"), List.of("/*")));

        assertThat(plan.isIndexed(IndexPath.of("age", "$v"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("age", "$t"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("name", "$v"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("$pk"))).isFalse();
    }

    @Test
    void aComputedPropertyIsIndexedOnlyWhereAPathNamesIt() {
        IndexPlan plan =
                IndexPlan.compile(
                        IndexingPolicy.DEFAULT,
                        List.of(new ComputedProperty("up", "SELECT VALUE UPPER(c.id) FROM c")),
                        ContainerKind.TABLE);

        assertThat(plan.isIndexed(IndexPath.of("up"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("up", "$v"))).isFalse();
        assertThat(plan.derivedNames()).isEmpty();
    }
}
