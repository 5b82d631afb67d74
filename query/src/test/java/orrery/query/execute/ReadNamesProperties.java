package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import orrery.document.JsonText;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.IndexingPolicy;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.naive.NaiveQuery;
import orrery.query.syntax.QueryParser;

/**
 * A page reads of an item only the properties that its query can look at. Whatever the query, that
 * must give what the whole items give.
 */
class ReadNamesProperties {
    private static final ComputedProperties COMPUTED =
            ComputedProperties.of(
                    List.of(
                            new ComputedProperty("sum", "SELECT VALUE c.a + c.b FROM c"),
                            new ComputedProperty("hidden", "SELECT VALUE c.o.p FROM c"),
                            new ComputedProperty("tagged", "SELECT VALUE c.tags FROM c")));

    private static final IndexingPolicy POLICY =
            new IndexingPolicy(
                    IndexingPolicy.Mode.CONSISTENT,
                    true,
                    List.of("/*", "/sum/?", "/hidden/?", "/tagged/*"),
                    List.of(),
                    List.of(),
                    List.of());

    private static final List<String> ITEMS =
            List.of(
                    "{\"id\":\"1\",\"a\":1,\"b\":1,\"o\":{\"p\":1,\"q\":[1,2]},\"tags\":[\"x\",\"y\"]}",
                    "{\"id\":\"2\",\"a\":1,\"b\":2,\"o\":{\"p\":1,\"q\":[1,3]},\"tags\":[\"x\"]}",
                    "{\"id\":\"3\",\"a\":2,\"b\":1,\"o\":{\"p\":2},\"tags\":[{\"a\":1},{\"a\":2}]}",
                    "{\"id\":\"4\",\"a\":2,\"b\":2,\"hidden\":7,\"sum\":9,\"tags\":[]}",
                    "{\"id\":\"5\",\"b\":2,\"o\":{\"p\":2},\"name\":\"b\"}",
                    "{\"id\":\"6\",\"a\":3,\"name\":\"o\",\"o\":{\"o\":1},\"tags\":[1,[2]]}");

    @Property(tries = 3000)
    void whatIsLeftOutMakesNoDifference(
            @ForAll("queries") String text,
            @ForAll boolean hasComputed,
            @ForAll("limits") PageLimits limits) {
        ComputedProperties computed = hasComputed ? COMPUTED : ComputedProperties.NONE;
        MemoryItems items = new MemoryItems(POLICY, Geospatial.GEOGRAPHY, computed);
        ITEMS.forEach(items::add);
        List<String> expected =
                NaiveQuery.evaluate(
                                QueryParser.query(text),
                                Map.of(),
                                items.values(),
                                () -> Instant.EPOCH,
                                computed)
                        .stream()
                        .map(JsonText::write)
                        .toList();
        assertThat(items.all(text, limits)).as(text).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Provide
    Arbitrary<PageLimits> limits() {
        return Arbitraries.of(1, 4, 100)
                .map(rows -> new PageLimits(rows, 4 << 20, 100_000, 1000, Duration.ofHours(1)));
    }

    @Provide
    Arbitrary<String> queries() {
        Arbitrary<String> rows =
                Combinators.combine(
                                Arbitraries.of("", "DISTINCT "),
                                Arbitraries.of(
                                        "*",
                                        "VALUE #",
                                        "VALUE #",
                                        "VALUE #",
                                        "# AS first, @ AS second"),
                                scalars(),
                                scalars(),
                                sources(),
                                filters())
                        .as(ReadNamesProperties::query);
        Arbitrary<String> sorted =
                Combinators.combine(
                                Arbitraries.of("", "DISTINCT "),
                                Arbitraries.of("*", "VALUE c", "VALUE #", "c.id, # AS first"),
                                scalars(),
                                filters(),
                                Arbitraries.of("c.a", "c.b DESC", "c.o.p", "c.sum"))
                        .as(
                                (distinct, selection, scalar, filter, order) ->
                                        query(distinct, selection, scalar, "1", "FROM c", filter)
                                                + " ORDER BY "
                                                + order);
        Arbitrary<String> grouped =
                Combinators.combine(aggregates(), plain(), filters())
                        .as(
                                (aggregate, key, filter) ->
                                        "SELECT # AS k, @ AS v FROM c"
                                                        .replace("#", key)
                                                        .replace("@", aggregate)
                                                + filter
                                                + " GROUP BY "
                                                + key);
        Arbitrary<String> totals =
                Combinators.combine(aggregates(), sources(), filters())
                        .as(
                                (aggregate, from, filter) ->
                                        query("", "VALUE #", aggregate, "1", from, filter));
        return Arbitraries.frequencyOf(
                Tuple.of(4, rows), Tuple.of(1, sorted), Tuple.of(1, grouped), Tuple.of(1, totals));
    }

    private static String query(
            String distinct,
            String selection,
            String first,
            String second,
            String from,
            String filter) {
        boolean hasOneSource = !from.contains("JOIN");
        String columns =
                (selection.equals("*") && !hasOneSource ? "VALUE c" : selection)
                        .replace("#", "(" + first + ")")
                        .replace("@", "(" + second + ")");
        return "SELECT " + distinct + columns + " " + from + filter;
    }

    private static final List<String> LEAVES =
            List.of(
                    "c",
                    "c.a",
                    "c.b",
                    "c.o",
                    "c.o.p",
                    "c.sum",
                    "c.hidden",
                    "c.tags",
                    "c.tagged",
                    "c[\"a\"]",
                    "c[c.name]",
                    "c.o[c.name]",
                    "c.tags[0]",
                    "c._ts");

    private static final List<String> PLAIN =
            List.of(
                    "[#, @]",
                    "{x: #, y: @}",
                    "(# ?? @)",
                    "(IS_DEFINED(#) ? @ : 0)",
                    "(# = @)",
                    "(# IN (@, 1))",
                    "ToString(#)",
                    "ObjectToArray(#)",
                    "ARRAY_LENGTH(ObjectToArray(#))",
                    "IS_OBJECT(#)",
                    "[#][0]",
                    "{x: #}.x.a");

    private static final List<String> SUBQUERIES =
            List.of(
                    "EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = #)",
                    "EXISTS(SELECT VALUE x FROM (SELECT VALUE #) AS x WHERE x = @)",
                    "ARRAY(SELECT VALUE t FROM t IN c.tags)",
                    "ARRAY(SELECT VALUE [t, #] FROM t IN c.tags)",
                    "ARRAY(SELECT DISTINCT VALUE # FROM t IN c.tags)",
                    "ARRAY(SELECT DISTINCT VALUE c FROM t IN c.tags)",
                    "ARRAY(SELECT VALUE c FROM c IN c.tags)",
                    "ARRAY(SELECT * FROM c IN c.tags)",
                    "ARRAY(SELECT VALUE d.b FROM d IN c.tags)",
                    "(SELECT VALUE #)",
                    "(SELECT # AS x, @ AS y)",
                    "(SELECT VALUE COUNT(c) FROM t IN c.tags)",
                    "(SELECT VALUE COUNT(#) FROM t IN c.tags)",
                    "(SELECT VALUE MAX(#) FROM t IN c.tags)");

    /** Every way in which an expression can get at the item, or at a part of it. */
    private static Arbitrary<String> scalars() {
        return Arbitraries.oneOf(plain(), filled(SUBQUERIES));
    }

    private static Arbitrary<String> plain() {
        return Arbitraries.oneOf(Arbitraries.of(LEAVES), filled(PLAIN));
    }

    private static Arbitrary<String> filled(List<String> patterns) {
        return Combinators.combine(
                        Arbitraries.of(patterns), Arbitraries.of(LEAVES), Arbitraries.of(LEAVES))
                .as((pattern, one, two) -> pattern.replace("#", one).replace("@", two));
    }

    private static Arbitrary<String> aggregates() {
        return Combinators.combine(
                        Arbitraries.of(
                                "COUNT(#)", "COUNT(1)", "MIN(#)", "MAX(#)", "SUM(#)", "AVG(#)"),
                        plain())
                .as((pattern, scalar) -> pattern.replace("#", scalar));
    }

    private static Arbitrary<String> sources() {
        return Arbitraries.of(
                "FROM c",
                "FROM c",
                "FROM c",
                "FROM root AS c",
                "FROM c.o AS c",
                "FROM c IN c.tags",
                "FROM c JOIN t IN c.tags",
                "FROM c JOIN t IN c.o.q",
                "FROM c JOIN d IN (SELECT VALUE c)",
                "FROM c JOIN (SELECT VALUE c) AS d",
                "FROM c JOIN (SELECT DISTINCT VALUE t FROM t IN c.tags) AS d",
                "FROM (SELECT VALUE e FROM e) AS c",
                "FROM (SELECT e.a, e.o FROM e) AS c",
                "FROM (SELECT * FROM e) AS c");
    }

    private static Arbitrary<String> filters() {
        Arbitrary<String> some = scalars();
        return Arbitraries.oneOf(
                Arbitraries.just(""),
                Arbitraries.of(
                        " WHERE c.a > 1",
                        " WHERE c.a = 1",
                        " WHERE c.b = 2 AND c.a >= 1",
                        " WHERE c.sum >= 2",
                        " WHERE c.hidden = 1",
                        " WHERE c.o.p = 1 OR c.b = 2"),
                some.map(scalar -> " WHERE IS_DEFINED(" + scalar + ")"),
                some.map(scalar -> " WHERE " + scalar + " != 1"));
    }
}
