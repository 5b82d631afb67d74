package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import orrery.document.BodyFormat;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.IndexingPolicy;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.naive.NaiveQuery;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryParser;

/** Whatever the data, the policy and the query: the index changes the way, never the answer. */
class IndexedAnswerProperties {
    private static final String LONG = "l".repeat(255) + "é";
    private static final List<String> VALUES =
            List.of(
                    "null",
                    "true",
                    "false",
                    "0",
                    "1",
                    "2",
                    "-3.5",
                    "9007199254740993",
                    "9007199254740992",
                    "\"\"",
                    "\"a\"",
                    "\"ab\"",
                    "\"b\\u0000\"",
                    "\"" + LONG + "x\"",
                    "\"" + LONG + "y\"",
                    "\"" + LONG + "\"");
    private static final List<String> NESTED =
            List.of(
                    "[]",
                    "[1]",
                    "[1,\"a\",1]",
                    "[{\"p\":1},{\"p\":\"a\",\"q\":2}]",
                    "{}",
                    "{\"p\":1}",
                    "{\"p\":\"ab\",\"q\":[2,3]}");

    /** Values that only BSON has, in their JSON form. */
    private static final List<String> OF_BSON =
            List.of(
                    "{\"$oid\":\"507f1f77bcf86cd799439011\"}",
                    "{\"$date\":\"2026-11-17T04:30:00.125Z\"}",
                    "{\"$numberLong\":\"1\"}",
                    "{\"$numberDouble\":\"2.0\"}",
                    "{\"$numberDouble\":\"NaN\"}",
                    "{\"$numberDecimal\":\"1\"}",
                    "{\"$binary\":{\"base64\":\"AQID\",\"subType\":\"04\"}}",
                    "{\"$symbol\":\"a\"}",
                    "{\"$undefined\":true}",
                    "{\"$minKey\":1}",
                    "[{\"$numberDecimal\":\"1\"},{\"$numberLong\":\"1\"},\"a\"]",
                    "{\"p\":{\"$maxKey\":1}}");

    static final IndexingPolicy NO_INDEX =
            new IndexingPolicy(
                    IndexingPolicy.Mode.NONE, false, List.of(), List.of(), List.of(), List.of());

    private static final List<IndexingPolicy> POLICIES = policies();
    private static final int FIRST_WITH_COMPUTED = 5;

    private static final ComputedProperties COMPUTED =
            ComputedProperties.of(
                    List.of(
                            new ComputedProperty("b", "SELECT VALUE c.a FROM c"),
                            new ComputedProperty(
                                    "cp",
                                    "SELECT VALUE IS_DEFINED(c.s) ? {l: [c.a, c.s], o: c.o.p} :"
                                            + " c.arr FROM c")));

    private static List<IndexingPolicy> policies() {
        List<IndexingPolicy> policies = new ArrayList<>();
        policies.add(IndexingPolicy.DEFAULT);
        policies.add(policy(List.of("/*", "/a/?", "/b/?"), List.of(), List.of()));
        policies.add(policy(List.of("/*"), List.of("/a/?", "/arr/*"), List.of()));
        policies.add(policy(List.of("/a/?", "/arr/*", "/o/p/?"), List.of("/*"), List.of()));
        policies.add(
                policy(
                        List.of("/*"),
                        List.of("/s/?"),
                        List.of(
                                List.of(path("/a", false), path("/b", true)),
                                List.of(path("/b", false), path("/s", false), path("/a", false)))));
        // From here on with computed properties, one of which hides a stored one.
        policies.add(policy(List.of("/*", "/b/?", "/cp/*"), List.of(), List.of()));
        policies.add(
                policy(
                        List.of("/*", "/b/*", "/cp/o/?"),
                        List.of(),
                        List.of(List.of(path("/a", false), path("/b", true)))));
        policies.add(policy(List.of("/*"), List.of(), List.of()));
        return policies;
    }

    static IndexingPolicy.CompositePath path(String path, boolean descending) {
        return new IndexingPolicy.CompositePath(path, descending);
    }

    static IndexingPolicy policy(
            List<String> included,
            List<String> excluded,
            List<List<IndexingPolicy.CompositePath>> composites) {
        return new IndexingPolicy(
                IndexingPolicy.Mode.CONSISTENT, true, included, excluded, composites, List.of());
    }

    @Property
    void unorderedQueries(
            @ForAll("bodies") @Size(max = 25) List<String> bodies,
            @ForAll("policyNumbers") int policy,
            @ForAll("filters") String filter,
            @ForAll("selections") String selection,
            @ForAll("limits") PageLimits limits) {
        MemoryItems items = items(bodies, policy);
        String text = "SELECT " + selection + " FROM c WHERE " + filter;
        assertThat(items.all(text, limits))
                .as(text)
                .containsExactlyInAnyOrderElementsOf(
                        policy >= FIRST_WITH_COMPUTED && isWhole(selection)
                                ? stored("SELECT VALUE c.id FROM c WHERE " + filter, items)
                                : naive(text, seen(items, policy)));
    }

    @Property
    void orderedQueries(
            @ForAll("flatBodies") @Size(max = 25) List<String> bodies,
            @ForAll("policyNumbers") int policy,
            @ForAll("filters") String filter,
            @ForAll("orders") String order,
            @ForAll("windows") String window,
            @ForAll("limits") PageLimits limits) {
        boolean isComposite = order.contains(",");
        String path = order.substring(0, 3);
        boolean isServed =
                isComposite
                        ? policy == 4 || policy == 6
                        : switch (policy) {
                            case 2 -> !path.equals("c.a");
                            case 3 -> path.equals("c.a");
                            case 4 -> !path.equals("c.s");
                            case 7 -> !path.equals("c.b");
                            default -> true;
                        };
        if (!isServed) {
            return;
        }
        MemoryItems items = items(bodies, policy);
        String text = "SELECT VALUE c.id FROM c WHERE " + filter + " ORDER BY " + order + window;
        // Ties come in the order of docids, falling where the index is read from its end.
        boolean isBackward =
                isComposite ? !order.startsWith("c.a ASC, c.b DESC") : order.endsWith("DESC");
        List<Value> seen = seen(items, policy);
        List<Value> values = isBackward ? seen.reversed() : seen;
        assertThat(items.all(text, limits)).as(text).isEqualTo(naive(text, values));
    }

    @Property
    void aggregates(
            @ForAll("bodies") @Size(max = 25) List<String> bodies,
            @ForAll("policyNumbers") int policy,
            @ForAll("filters") String filter,
            @ForAll("aggregations") String query,
            @ForAll("limits") PageLimits limits) {
        MemoryItems items = items(bodies, policy);
        String text = query.replace("?", "(" + filter + ")");
        assertThat(items.all(text, limits))
                .as(text)
                .containsExactlyInAnyOrderElementsOf(naive(text, seen(items, policy)));
    }

    /** The same documents, in BSON and in JSON, with an index and without. */
    @Property
    void bothEncodings(
            @ForAll("bsonBodies") @Size(max = 25) List<String> bodies,
            @ForAll("policyNumbers") int policy,
            @ForAll("bsonFilters") String filter,
            @ForAll("selections") String selection,
            @ForAll("limits") PageLimits limits) {
        MemoryItems bson = items(bodies, policy, ContainerKind.MONGODB);
        MemoryItems json = inJson(bson, POLICIES.get(policy), computedOf(policy));
        String text = "SELECT " + selection + " FROM c WHERE " + filter;

        List<String> rows = json.all(text, limits);
        assertThat(bson.values()).isEqualTo(json.values());
        assertThat(bson.all(text, limits)).as(text).containsExactlyInAnyOrderElementsOf(rows);
        if (policy < FIRST_WITH_COMPUTED) {
            MemoryItems scanned = inJson(bson, NO_INDEX, ComputedProperties.NONE);
            assertThat(scanned.all(text, limits))
                    .as(text)
                    .containsExactlyInAnyOrderElementsOf(rows);
            assertThat(rows)
                    .as(text)
                    .containsExactlyInAnyOrderElementsOf(naive(text, json.values()));
        }
    }

    @Property
    void aggregatesOfBothEncodings(
            @ForAll("bsonBodies") @Size(max = 25) List<String> bodies,
            @ForAll("policyNumbers") int policy,
            @ForAll("bsonFilters") String filter,
            @ForAll("aggregations") String query,
            @ForAll("limits") PageLimits limits) {
        MemoryItems bson = items(bodies, policy, ContainerKind.MONGODB);
        MemoryItems json = inJson(bson, POLICIES.get(policy), computedOf(policy));
        String text = query.replace("?", "(" + filter + ")");
        assertThat(bson.all(text, limits))
                .as(text)
                .containsExactlyInAnyOrderElementsOf(json.all(text, limits));
    }

    private static MemoryItems inJson(
            MemoryItems bson, IndexingPolicy policy, ComputedProperties computed) {
        MemoryItems json = new MemoryItems(policy, Geospatial.GEOGRAPHY, computed);
        bson.bodies().forEach(body -> json.add(BodyFormat.of(Encoding.JSON).show(body)));
        return json;
    }

    private static ComputedProperties computedOf(int policy) {
        return policy < FIRST_WITH_COMPUTED ? ComputedProperties.NONE : COMPUTED;
    }

    private static MemoryItems items(List<String> bodies, int policy) {
        return items(bodies, policy, ContainerKind.DOCUMENT);
    }

    private static MemoryItems items(List<String> bodies, int policy, ContainerKind kind) {
        MemoryItems items =
                new MemoryItems(
                        POLICIES.get(policy), Geospatial.GEOGRAPHY, computedOf(policy), kind);
        items.add("{\"id\":\"first\"}");
        for (int i = 0; i < bodies.size(); i++) {
            items.add("{\"id\":\"" + i + "\"" + bodies.get(i) + "}");
        }
        return items;
    }

    private static boolean isWhole(String selection) {
        return selection.equals("*") || selection.equals("VALUE c");
    }

    /** Returns the stored items whose ids a query gives. */
    private static List<String> stored(String text, MemoryItems items) {
        List<String> ids =
                naive(text, items.values().stream().map(each -> computed(each)).toList());
        return items.values().stream()
                .filter(item -> ids.contains(JsonText.write(property(item, "id"))))
                .map(JsonText::write)
                .toList();
    }

    /** The items as if they held what is computed. */
    private static List<Value> seen(MemoryItems items, int policy) {
        return policy < FIRST_WITH_COMPUTED
                ? items.values()
                : items.values().stream().map(each -> computed(each)).toList();
    }

    /** Computes in Java what {@link #COMPUTED} says. */
    private static Value computed(Value item) {
        Map<String, Value> properties = new LinkedHashMap<>(((Value.Obj) item).properties());
        properties.remove("b");
        put(properties, "b", property(item, "a"));
        if (property(item, "s").isDefined()) {
            Map<String, Value> both = new LinkedHashMap<>();
            Value a = property(item, "a");
            both.put(
                    "l",
                    new Value.Array(
                            List.of(a.isDefined() ? a : Value.Null.NULL, property(item, "s"))));
            put(both, "o", property(property(item, "o"), "p"));
            properties.put("cp", new Value.Obj(both));
        } else {
            put(properties, "cp", property(item, "arr"));
        }
        return new Value.Obj(properties);
    }

    private static void put(Map<String, Value> properties, String name, Value value) {
        if (value.isDefined()) {
            properties.put(name, value);
        }
    }

    private static Value property(Value item, String name) {
        return item instanceof Value.Obj(Map<String, Value> properties)
                ? properties.getOrDefault(name, Value.Undefined.UNDEFINED)
                : Value.Undefined.UNDEFINED;
    }

    private static List<String> naive(String text, List<Value> items) {
        Query query = QueryParser.query(text);
        return NaiveQuery.evaluate(query, Map.of(), items).stream().map(JsonText::write).toList();
    }

    @Provide
    Arbitrary<Integer> policyNumbers() {
        return Arbitraries.integers().between(0, POLICIES.size() - 1);
    }

    @Provide
    Arbitrary<List<String>> bodies() {
        Arbitrary<String> any = Arbitraries.of(VALUES).injectNull(0.0);
        Arbitrary<String> value = Arbitraries.oneOf(any, any, Arbitraries.of(NESTED));
        return body(value).list().ofMaxSize(25);
    }

    @Provide
    Arbitrary<List<String>> bsonBodies() {
        return body(Arbitraries.oneOf(
                        Arbitraries.of(VALUES), Arbitraries.of(OF_BSON), Arbitraries.of(NESTED)))
                .list()
                .ofMaxSize(25);
    }

    @Provide
    Arbitrary<List<String>> flatBodies() {
        return body(Arbitraries.of(VALUES)).list().ofMaxSize(25);
    }

    private static Arbitrary<String> body(Arbitrary<String> value) {
        Arbitrary<String> optional = Arbitraries.oneOf(value, value, value, Arbitraries.just(""));
        Arbitrary<String> array =
                Arbitraries.oneOf(
                        Arbitraries.of(NESTED), Arbitraries.just(""), Arbitraries.of(VALUES));
        return Combinators.combine(optional, optional, optional, optional, array)
                .as(
                        (a, b, s, p, arr) ->
                                property("a", a)
                                        + property("b", b)
                                        + property("s", s)
                                        + (p.isEmpty() ? "" : ",\"o\":{\"p\":" + p + "}")
                                        + property("arr", arr));
    }

    private static String property(String name, String value) {
        return value.isEmpty() ? "" : ",\"" + name + "\":" + value;
    }

    @Provide
    Arbitrary<PageLimits> limits() {
        return Combinators.combine(
                        Arbitraries.of(1, 3, 100),
                        Arbitraries.of(4, 50, 100_000),
                        Arbitraries.of(2, 10_000),
                        Arbitraries.of(40, 4 << 20))
                .as(
                        (rows, entries, documents, bytes) ->
                                new PageLimits(
                                        rows, bytes, entries, documents, Duration.ofHours(1)));
    }

    @Provide
    Arbitrary<String> selections() {
        return Arbitraries.of(
                "VALUE c.id",
                "c.a, c.o",
                "*",
                "VALUE c",
                "VALUE c.cp",
                "DISTINCT VALUE c.a",
                "DISTINCT c.b, c.s");
    }

    @Provide
    Arbitrary<String> aggregations() {
        return Arbitraries.of(
                "SELECT VALUE COUNT(1) FROM c WHERE ?",
                "SELECT COUNT(c.a) AS n, SUM(c.b) AS s, MIN(c.s) AS m, MAX(c.a) AS x FROM c WHERE ?",
                "SELECT VALUE [{\"item\": AVG(c.a)}] FROM c WHERE ?",
                "SELECT c.a, COUNT(1) AS n FROM c WHERE ? GROUP BY c.a",
                "SELECT COUNT(t) AS n FROM c JOIN t IN c.arr WHERE ?",
                "SELECT VALUE t FROM c JOIN t IN c.arr WHERE ?",
                "SELECT t.p, c.id FROM c JOIN t IN c.arr WHERE t.p = 1 OR t = 'a'",
                "SELECT VALUE c.id FROM c JOIN t IN c.arr WHERE t = 1 AND (?)");
    }

    @Provide
    Arbitrary<String> orders() {
        return Arbitraries.of(
                "c.a ASC",
                "c.a DESC",
                "c.b ASC",
                "c.b DESC",
                "c.s DESC",
                "c.a ASC, c.b DESC",
                "c.a DESC, c.b ASC");
    }

    @Provide
    Arbitrary<String> windows() {
        return Arbitraries.of("", "", " OFFSET 2 LIMIT 3", " OFFSET 0 LIMIT 100");
    }

    @Provide
    Arbitrary<String> filters() {
        return filters(Arbitraries.oneOf(Arbitraries.of(VALUES), Arbitraries.of(NESTED)));
    }

    @Provide
    Arbitrary<String> bsonFilters() {
        return filters(
                Arbitraries.oneOf(
                        Arbitraries.of(VALUES), Arbitraries.of(NESTED), Arbitraries.of(OF_BSON)));
    }

    private static Arbitrary<String> filters(Arbitrary<String> constants) {
        Arbitrary<String> constant = constants.map(v -> "(" + v + ")");
        Arbitrary<String> path =
                Arbitraries.of(
                        "c.a",
                        "c.a",
                        "c.b",
                        "c.b",
                        "c.s",
                        "c.o.p",
                        "c.arr",
                        "c.arr[0]",
                        "c[\"o\"]",
                        "c.cp",
                        "c.cp.o",
                        "c.cp.l");
        Arbitrary<String> comparison =
                Combinators.combine(
                                path,
                                Arbitraries.of("=", "=", "!=", "<", "<=", ">", ">="),
                                constant)
                        .as((left, operator, right) -> left + " " + operator + " " + right);
        Arbitrary<String> flipped =
                Combinators.combine(constant, Arbitraries.of("=", "<", ">="), path)
                        .as((left, operator, right) -> left + " " + operator + " " + right);
        Arbitrary<String> in =
                Combinators.combine(path, constant, constant)
                        .as((left, one, two) -> left + " IN (" + one + ", " + two + ")");
        Arbitrary<String> between =
                Combinators.combine(path, constant, constant)
                        .as(
                                (left, one, two) ->
                                        "(" + left + " BETWEEN " + one + " AND " + two + ")");
        Arbitrary<String> check =
                Combinators.combine(
                                Arbitraries.of(
                                        "IS_DEFINED",
                                        "IS_NULL",
                                        "IS_BOOLEAN",
                                        "IS_NUMBER",
                                        "IS_STRING",
                                        "IS_ARRAY",
                                        "IS_OBJECT",
                                        "IS_PRIMITIVE",
                                        "IS_INTEGER"),
                                path)
                        .as((function, argument) -> function + "(" + argument + ")");
        Arbitrary<String> text =
                Combinators.combine(
                                path,
                                Arbitraries.of(
                                        "STARTSWITH(#, 'a')",
                                        "STARTSWITH(#, 'A', true)",
                                        "STARTSWITH(#, '')",
                                        "STRINGEQUALS(#, 'ab')",
                                        "STARTSWITH(#, '" + LONG + "x')",
                                        "CONTAINS(#, 'b')",
                                        "ENDSWITH(#, 'b')",
                                        "# LIKE 'a%'",
                                        "# LIKE '%b_'",
                                        "# LIKE 'ab'",
                                        "LENGTH(#) > 1",
                                        "(# ?? 1) = 1",
                                        "# + 1 = 2",
                                        "UPPER(#) = 'AB'",
                                        "ARRAY_CONTAINS([1, 'a', null], #)",
                                        "ARRAY_CONTAINS(#, 1)",
                                        "ARRAY_CONTAINS(#, {'p': 1}, true)",
                                        "ARRAY_CONTAINS(#, {'p': 1})",
                                        "ARRAY_CONTAINS_ANY(#, 'a', 5)",
                                        "ARRAY_CONTAINS_ALL(#, 1, 'a')",
                                        "EXISTS(SELECT VALUE t FROM t IN # WHERE t = 1)",
                                        "EXISTS(SELECT VALUE c FROM c IN # WHERE c.p = 'a')",
                                        "EXISTS(SELECT VALUE COUNT(1) FROM t IN # WHERE t = 1)",
                                        "ARRAY_LENGTH(#) > 1",
                                        "IS_DEFINED(#) = false",
                                        "#"))
                        .as((argument, pattern) -> pattern.replace("#", argument));
        Arbitrary<String> leaf =
                Arbitraries.oneOf(
                        comparison,
                        comparison,
                        flipped,
                        in,
                        between,
                        check,
                        text,
                        Arbitraries.of("true", "false", "c.a = c.b", "1", "undefined"));
        return Arbitraries.lazyOf(
                () -> leaf,
                () -> leaf,
                () -> leaf.map(filter -> "NOT (" + filter + ")"),
                () ->
                        Combinators.combine(leaf, leaf)
                                .as((left, right) -> "(" + left + ") AND (" + right + ")"),
                () ->
                        Combinators.combine(leaf, leaf)
                                .as((left, right) -> "(" + left + ") OR (" + right + ")"),
                () ->
                        Combinators.combine(leaf, leaf, leaf)
                                .as(
                                        (one, two, three) ->
                                                "(("
                                                        + one
                                                        + ") OR ("
                                                        + two
                                                        + ")) AND NOT ("
                                                        + three
                                                        + ")"),
                () ->
                        Combinators.combine(leaf, leaf, leaf)
                                .as(
                                        (one, two, three) ->
                                                "((" + one + ") AND (" + two + ")) OR (" + three
                                                        + ")"));
    }
}
