package orrery.query.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryParser;

/** Rows spread over pages and partitions must give the groups that they give in one run. */
final class GroupsProperties {
    private static final List<String> QUERIES =
            List.of(
                    "SELECT COUNT(1) AS n, COUNT(c.v) AS d, SUM(c.v) AS s, AVG(c.v) AS a, MIN(c.v)"
                            + " AS lo, MAX(c.v) AS hi, COUNTIF(c.v) AS t FROM c",
                    "SELECT c.k, COUNT(1) AS n, SUM(c.v) AS s, MIN(c.v) AS lo FROM c GROUP BY c.k",
                    "SELECT VALUE [c.k, AVG(c.v), MAX(c.v)] FROM c GROUP BY c.k, c.k = 1",
                    "SELECT MAKELIST(c.v) AS l, MAKESET(c.v) AS s FROM c GROUP BY c.k",
                    "SELECT VALUE COUNT(1) FROM c");

    @Property(tries = 1000)
    void mergesToTheSame(
            @ForAll("query") String text,
            @ForAll("items") List<Value> items,
            @ForAll("items") List<Value> more,
            @ForAll("items") List<Value> rest) {
        Query query = QueryParser.query(text);
        Evaluator evaluator = new Evaluator(Map.of());
        Aggregation aggregation = new Aggregation(evaluator, query);

        Groups merged = aggregation.start();
        for (List<Value> page : List.of(items, more, rest)) {
            Groups run = aggregation.start();
            page.forEach(item -> run.add(row(item)));
            run.states().forEachRemaining(merged::merge);
        }

        Groups whole = aggregation.start();
        List.of(items, more, rest).forEach(page -> page.forEach(item -> whole.add(row(item))));
        assertThat(results(merged)).isEqualTo(results(whole));
        assertThat(merged.sizeBytes()).isEqualTo(whole.sizeBytes());
    }

    @Example
    void refusesStatesOfOtherQueries() {
        Groups count = groups("SELECT VALUE COUNT(1) FROM c");
        Groups grouped = groups("SELECT c.k, SUM(c.v) FROM c GROUP BY c.k");
        grouped.add(row(JsonText.parse("{\"k\":1,\"v\":2}")));
        assertRefuses(count, grouped.states().next());
        assertRefuses(grouped, count.states().next());
        assertRefuses(grouped, Bytes.EMPTY);
        Bytes state = grouped.states().next();
        for (int length = 0; length < state.length(); length++) {
            assertRefuses(grouped, Bytes.copyOf(state.unsafeArray(), 0, length));
        }
    }

    private static void assertRefuses(Groups groups, Bytes state) {
        assertThatExceptionOfType(MalformedRecordException.class)
                .isThrownBy(() -> groups.merge(state));
    }

    @Example
    void keepsWhatJsonCannotWrite() {
        Groups run = groups("SELECT SUM(c.v / 0) > 1 AS s, MAX(c.v / 0) > 1 AS m FROM c");
        run.add(row(JsonText.parse("{\"v\":1}")));
        Groups restored = groups("SELECT SUM(c.v / 0) > 1 AS s, MAX(c.v / 0) > 1 AS m FROM c");
        run.states().forEachRemaining(restored::merge);
        assertThat(results(restored)).containsExactly("{\"s\":true,\"m\":true}");
    }

    private static Groups groups(String query) {
        return new Aggregation(new Evaluator(Map.of()), QueryParser.query(query)).start();
    }

    private static Bindings row(Value item) {
        return Bindings.of(item).with("c", item);
    }

    private static List<String> results(Groups groups) {
        List<String> results = new ArrayList<>();
        groups.results().forEachRemaining(result -> results.add(JsonText.write(result)));
        return results;
    }

    @Provide
    Arbitrary<String> query() {
        return Arbitraries.of(QUERIES);
    }

    @Provide
    Arbitrary<List<Value>> items() {
        Arbitrary<Value> value =
                Arbitraries.frequencyOf(
                        Tuple.of(2, Arbitraries.just(Value.Undefined.UNDEFINED)),
                        Tuple.of(9, Arbitraries.integers().between(-9, 9).map(Value::of)),
                        Tuple.of(
                                3,
                                Arbitraries.integers().between(-9, 9).map(n -> Value.of(n / 8.0))),
                        Tuple.of(
                                1,
                                Arbitraries.of("null", "true", "\"a\"", "\"b\"", "[]", "{\"a\":1}")
                                        .map(JsonText::parse)));
        Arbitrary<Value> item =
                Combinators.combine(value, value)
                        .as(
                                (k, v) -> {
                                    Map<String, Value> properties = new LinkedHashMap<>();
                                    if (k.isDefined()) {
                                        properties.put("k", k);
                                    }
                                    if (v.isDefined()) {
                                        properties.put("v", v);
                                    }
                                    return new Value.Obj(properties);
                                });
        return item.list().ofMaxSize(12);
    }
}
