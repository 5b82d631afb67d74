package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.IndexingPolicy;
import orrery.model.TermRules;

final class IndexPlanTest {
    private static final long TS = 7;

    private static IndexingPolicy policy(List<String> included, List<String> excluded) {
        return new IndexingPolicy(
                IndexingPolicy.Mode.CONSISTENT, true, included, excluded, List.of(), List.of());
    }

    private static IndexingPolicy composites(int count, int paths) {
        List<List<IndexingPolicy.CompositePath>> composites =
                IntStream.range(0, count)
                        .mapToObj(
                                i ->
                                        IntStream.range(0, paths)
                                                .mapToObj(j -> composite("/p" + i + "/q" + j))
                                                .toList())
                        .toList();
        return new IndexingPolicy(
                IndexingPolicy.Mode.CONSISTENT,
                true,
                List.of("/*"),
                List.of(),
                composites,
                List.of());
    }

    private static IndexingPolicy.CompositePath composite(String path) {
        return new IndexingPolicy.CompositePath(path, false);
    }

    private static Bytes term(Value value, IndexPath path) {
        return Bytes.ofHex(
                IndexPathCodec.encode(path).toHex()
                        + IndexValue.encode(value, TermRules.FIRST).toHex());
    }

    private static Bytes term(Value value, String... names) {
        return term(value, IndexPath.of(names));
    }

    private static List<Bytes> extract(IndexingPolicy policy, String json) {
        return IndexPlan.compile(policy).extract(Bytes.ofUtf8(json), TS).toList();
    }

    @Test
    void indexesEverythingByDefault() {
        assertThat(extract(IndexingPolicy.DEFAULT, "{\"id\":\"1\",\"a\":[1,{\"b\":null}]}"))
                .containsExactlyInAnyOrder(
                        term(Value.of("1"), "id"),
                        term(Value.of(TS), "_ts"),
                        term(new Value.Array(List.of(Value.of(1))), "a"),
                        term(Value.of(1), IndexPath.of("a").element()),
                        term(
                                new Value.Obj(java.util.Map.of("b", Value.of(1))),
                                IndexPath.of("a").element()),
                        term(Value.Null.NULL, IndexPath.of("a").element().property("b")));
    }

    @Test
    void indexesIdAndTimeWhateverIsExcluded() {
        assertThat(
                        extract(
                                policy(List.of(), List.of("/*", "/id/?", "/_ts/?")),
                                "{\"id\":\"1\",\"a\":1}"))
                .containsExactlyInAnyOrder(term(Value.of("1"), "id"), term(Value.of(TS), "_ts"));
    }

    @Test
    void oldAndNewSpellingOfEverythingAreOne() {
        IndexPlan old = IndexPlan.compile(policy(List.of("/"), List.of("/a/*")));
        assertThat(old.isIndexed(IndexPath.of("b", "c"))).isTrue();
        assertThat(old.isIndexed(IndexPath.of("a"))).isFalse();
        assertThat(
                        IndexPlan.compile(policy(List.of("/a/?"), List.of("/")))
                                .isIndexed(IndexPath.of("b")))
                .isFalse();
        assertThat(Samples.refusal(() -> IndexPlan.compile(policy(List.of("/"), List.of("/*")))))
                .contains("both included and excluded");
    }

    @Test
    void lazyIndexesLikeConsistent() {
        IndexingPolicy everything = IndexingPolicy.DEFAULT;
        IndexingPolicy lazy =
                new IndexingPolicy(
                        IndexingPolicy.Mode.LAZY,
                        true,
                        everything.includedPaths(),
                        everything.excludedPaths(),
                        List.of(),
                        List.of());
        String item = "{\"id\":\"1\",\"a\":[1,{\"b\":null}]}";
        assertThat(extract(lazy, item)).isEqualTo(extract(everything, item));
    }

    @Test
    void indexesNothingInModeNone() {
        for (List<String> excluded :
                List.of(List.<String>of(), List.of("/*"), List.of("/"), List.of("/\"_etag\"/?"))) {
            IndexPlan plan =
                    IndexPlan.compile(
                            new IndexingPolicy(
                                    IndexingPolicy.Mode.NONE,
                                    false,
                                    List.of("/*"),
                                    excluded,
                                    List.of(),
                                    List.of()));
            assertThat(plan.isActive()).isFalse();
            assertThat(plan.extract(Bytes.ofUtf8("{\"id\":\"1\"}"), TS).size()).isZero();
            assertThat(plan.isIndexed(IndexPath.of("id"))).isFalse();
        }
    }

    @Test
    void letsTheMorePrecisePathWin() {
        IndexPlan plan =
                IndexPlan.compile(
                        policy(
                                List.of("/*", "/a/b/*", "/x/?", "/l/[]/k/?"),
                                List.of("/a/*", "/a/b/c/?", "/x/*", "/l/*")));
        assertThat(plan.isIndexed(IndexPath.of("other", "deep"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("a"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("a", "z"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("a", "b"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("a", "b", "d", "e"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("a", "b", "c"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("a", "b", "c", "d"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("x"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("x", "y"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("l").element().property("k"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("l").element())).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("l", "k"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("_ts"))).isTrue();
        assertThat(plan.isIndexed(IndexPath.of("_etag"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.of("_self"))).isFalse();
        assertThat(plan.isIndexed(IndexPath.ROOT)).isFalse();
    }

    @Test
    void indexesUndefinedForExplicitPathsOnly() {
        IndexPlan plan =
                IndexPlan.compile(
                        policy(List.of("/a/b/?", "/c/[]/?", "/d/*", "/id/?"), List.of("/*")));
        assertThat(plan.indexesUndefined(IndexPath.of("a", "b"))).isTrue();
        assertThat(plan.indexesUndefined(IndexPath.of("a"))).isFalse();
        assertThat(plan.indexesUndefined(IndexPath.of("c").element())).isFalse();
        assertThat(plan.indexesUndefined(IndexPath.of("d"))).isFalse();
        for (String without : List.of("{\"id\":\"1\"}", "{\"id\":\"1\",\"a\":[{\"b\":1}]}")) {
            assertThat(plan.extract(Bytes.ofUtf8(without), TS).toList())
                    .containsExactlyInAnyOrder(
                            term(Value.of("1"), "id"),
                            term(Value.of(TS), "_ts"),
                            term(Value.Undefined.UNDEFINED, "a", "b"));
        }
        assertThat(plan.extract(Bytes.ofUtf8("{\"id\":\"1\",\"a\":{\"b\":{}}}"), TS).toList())
                .contains(term(new Value.Obj(java.util.Map.of()), "a", "b"))
                .doesNotContain(term(Value.Undefined.UNDEFINED, "a", "b"));
    }

    @Test
    void countsLeavesAndCollapsesEqualTerms() {
        IndexTerms terms =
                IndexPlan.compile(IndexingPolicy.DEFAULT)
                        .extract(
                                Bytes.ofUtf8(
                                        "{\"id\":\"1\",\"username\":\"u\",\"t\":[1,1.0,1e0,[],{}]}"),
                                TS);
        assertThat(terms.leafCount()).isEqualTo(5);
        assertThat(terms.size()).isEqualTo(3 + 1 + 1 + 2);
    }

    @Test
    void collapsesAMillionEqualElements() {
        String json = "{\"id\":\"1\",\"t\":[" + "0,1,".repeat(500_000) + "0]}";
        IndexTerms terms =
                IndexPlan.compile(IndexingPolicy.DEFAULT).extract(Bytes.ofUtf8(json), TS);
        assertThat(terms.leafCount()).isEqualTo(1_000_002);
        assertThat(terms.size()).isEqualTo(5);
    }

    /** Hashing the whole path at each leaf would take hours here. */
    @Test
    void hashesALongNameOnce() {
        String json =
                "{\"" + "n".repeat(1_000_000) + "\":[" + "[0],{\"k\":1},".repeat(60_000) + "2]}";
        IndexTerms terms =
                IndexPlan.compile(IndexingPolicy.DEFAULT).extract(Bytes.ofUtf8(json), TS);
        assertThat(terms.leafCount()).isEqualTo(120_001);
    }

    @Test
    void sharesTheSlotOfAPathBetweenComposites() {
        IndexingPolicy policy =
                new IndexingPolicy(
                        IndexingPolicy.Mode.CONSISTENT,
                        true,
                        List.of(),
                        List.of("/*"),
                        List.of(
                                List.of(composite("/a"), composite("/b")),
                                List.of(composite("/a"), composite("/b")),
                                List.of(
                                        new IndexingPolicy.CompositePath("/b", true),
                                        composite("/a"))),
                        List.of());
        IndexPlan plan = IndexPlan.compile(policy);
        assertThat(plan.composites()).hasSize(2);
        assertThat(plan.extract(Bytes.ofUtf8("{\"id\":\"1\",\"a\":[1],\"b\":true}"), TS).toList())
                .contains(
                        Bytes.ofHex(plan.composites().get(0).termPrefix().toHex() + "0814"),
                        Bytes.ofHex(plan.composites().get(1).termPrefix().toHex() + "EB08"))
                .hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "//?",
                "/a",
                "/a/",
                "/?",
                "/a/?/b",
                "/a/*/b",
                "/a/?/?",
                "/a?/?",
                "/a*",
                "/[]/?",
                "/a/[0]/?",
                "/a/[]",
                "/\"a/?",
                "/\"a\"b/?",
                "/\"\"/?",
                "/a[]/?",
                "/t/[]/{x, y}/?",
                "/a/ {/?",
                "*",
                "?",
                "/_etag/?",
                "/\"_self\"/*",
                "/_rid/a/?",
            })
    void refusesBadPaths(String path) {
        assertThat(Samples.refusal(() -> IndexPlan.compile(policy(List.of("/*", path), List.of()))))
                .startsWith("The indexing p")
                .contains("'" + path + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a/?",
                "/a/*",
                "/a/[]/?",
                "/\"a b\"/?",
                "/'$x'/*",
                "/\"a\\\"b\"/?",
                "/é/?",
                "/a-b/?"
            })
    void acceptsGoodPaths(String path) {
        IndexPlan.compile(policy(List.of("/*"), List.of(path)));
        IndexPlan.compile(policy(List.of(path), List.of("/*")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "/a/?", "/a/*", "/*", "/a/[]/b", "/", "", "/a/", "/_etag"})
    void refusesBadCompositePaths(String path) {
        Samples.refusal(
                () ->
                        IndexPlan.compile(
                                new IndexingPolicy(
                                        IndexingPolicy.Mode.CONSISTENT,
                                        true,
                                        List.of("/*"),
                                        List.of(),
                                        List.of(List.of(composite("/x"), composite(path))),
                                        List.of())));
    }

    @Test
    void holdsItsLimits() {
        List<String> most =
                Stream.concat(
                                Stream.of("/*"),
                                IntStream.range(1, 1500).mapToObj(i -> "/p" + i + "/?"))
                        .toList();
        List<String> tooMany = Stream.concat(most.stream(), Stream.of("/x/?")).toList();
        IndexPlan.compile(policy(most, List.of()));
        IndexPlan.compile(policy(List.of(), most));
        assertThat(Samples.refusal(() -> IndexPlan.compile(policy(tooMany, List.of()))))
                .contains("includedPaths has 1501 paths, at most 1500");
        assertThat(Samples.refusal(() -> IndexPlan.compile(policy(List.of(), tooMany))))
                .contains("excludedPaths");
        IndexPlan.compile(composites(100, 2));
        IndexPlan.compile(composites(1, 8));
        assertThat(Samples.refusal(() -> IndexPlan.compile(composites(101, 2)))).contains("100");
        assertThat(Samples.refusal(() -> IndexPlan.compile(composites(1, 9)))).contains("2 to 8");
        assertThat(Samples.refusal(() -> IndexPlan.compile(composites(1, 1)))).contains("2 to 8");
    }

    /** The service adds it to a policy, so it must not take the place of a path of the client. */
    @ParameterizedTest
    @ValueSource(strings = {"/\"_etag\"/?", "/_etag/?"})
    void doesNotCountTheExclusionOfTheEtag(String etag) {
        List<String> most = IntStream.range(0, 1500).mapToObj(i -> "/p" + i + "/?").toList();
        List<String> shown = Stream.concat(most.stream(), Stream.of(etag)).toList();
        List<String> tooMany = Stream.concat(shown.stream(), Stream.of("/x/?")).toList();
        IndexPlan.compile(policy(List.of("/*"), shown));
        assertThat(Samples.refusal(() -> IndexPlan.compile(policy(List.of("/*"), tooMany))))
                .contains("excludedPaths has 1501 paths, at most 1500");
    }

    @Test
    void refusesWhatItCouldNotHonour() {
        assertThat(Samples.refusal(() -> IndexPlan.compile(policy(List.of("/a/?"), List.of()))))
                .contains("'/*'");
        assertThat(Samples.refusal(() -> IndexPlan.compile(policy(List.of("/*"), List.of("/*")))))
                .contains("both included and excluded");
        assertThat(
                        Samples.refusal(
                                () ->
                                        IndexPlan.compile(
                                                new IndexingPolicy(
                                                        IndexingPolicy.Mode.CONSISTENT,
                                                        true,
                                                        List.of("/*"),
                                                        List.of(),
                                                        List.of(),
                                                        List.of(
                                                                new IndexingPolicy.SpatialPath(
                                                                        "/p/?",
                                                                        List.of("Circle"),
                                                                        Optional.empty()))))))
                .contains("Point, LineString, Polygon and MultiPolygon");
        assertThat(
                        Samples.refusal(
                                () ->
                                        IndexPlan.compile(
                                                new IndexingPolicy(
                                                        IndexingPolicy.Mode.CONSISTENT,
                                                        false,
                                                        List.of("/*"),
                                                        List.of(),
                                                        List.of(),
                                                        List.of()))))
                .contains("automatic");
        assertThat(
                        Samples.refusal(
                                () ->
                                        IndexPlan.compile(
                                                new IndexingPolicy(
                                                        IndexingPolicy.Mode.NONE,
                                                        true,
                                                        List.of("/a/?"),
                                                        List.of(),
                                                        List.of(),
                                                        List.of()))))
                .contains("mode none");
        assertThat(
                        Samples.refusal(
                                () ->
                                        IndexPlan.compile(
                                                new IndexingPolicy(
                                                        IndexingPolicy.Mode.CONSISTENT,
                                                        true,
                                                        List.of("/*"),
                                                        List.of(),
                                                        List.of(
                                                                Collections.nCopies(
                                                                        2, composite("/a"))),
                                                        List.of()))))
                .contains("twice");
    }

    @Test
    void saysWhatToTakeOutAndWhatToPutIn() {
        IndexPlan plan = IndexPlan.compile(IndexingPolicy.DEFAULT);
        IndexTerms before =
                plan.extract(Bytes.ofUtf8("{\"id\":\"1\",\"a\":1,\"b\":[1,2],\"c\":3}"), 5);
        IndexTerms after =
                plan.extract(Bytes.ofUtf8("{\"id\":\"1\",\"a\":2,\"b\":[2,1],\"d\":{}}"), 6);
        IndexTerms.Change change = before.changeTo(after);
        assertThat(change.removed().toList())
                .containsExactlyInAnyOrder(
                        term(Value.of(1), "a"), term(Value.of(3), "c"), term(Value.of(5), "_ts"));
        assertThat(change.added().toList())
                .containsExactlyInAnyOrder(
                        term(Value.of(2), "a"),
                        term(Value.of(6), "_ts"),
                        term(new Value.Obj(java.util.Map.of()), "d"));
        assertThat(change.removed().leafCount()).isEqualTo(2);
        assertThat(change.added().leafCount()).isEqualTo(1);
        assertThat(before.changeTo(before).added().size()).isZero();
        assertThat(IndexTerms.EMPTY.changeTo(after).added().toList()).isEqualTo(after.toList());
        assertThat(before.changeTo(IndexTerms.EMPTY).removed().toList()).isEqualTo(before.toList());
    }
}
