package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.IndexingPolicy;
import orrery.model.TermRules;
import orrery.query.naive.NaiveQuery;
import orrery.query.syntax.QueryParser;

/**
 * The index has the first 256 bytes of a string. Filters and orders go by all of it, at the cut,
 * one byte before and behind it, and where strings are alike far beyond it.
 */
class LongTextProperties {
    private static final IndexingPolicy POLICY =
            new IndexingPolicy(
                    IndexingPolicy.Mode.CONSISTENT,
                    true,
                    List.of("/*"),
                    List.of(),
                    List.of(
                            List.of(path("/a", false), path("/b", false)),
                            List.of(path("/a", false), path("/b", true)),
                            List.of(path("/n", true), path("/a", true), path("/b", false))),
                    List.of());

    /** Beginnings that end about where the index cuts, in bytes, units and pairs. */
    private static final List<String> BEGINNINGS =
            List.of(
                    "",
                    "l".repeat(254),
                    "l".repeat(255),
                    "l".repeat(256),
                    "l".repeat(257),
                    "漢".repeat(85),
                    "漢".repeat(86),
                    "l".repeat(255) + "é",
                    "l".repeat(255) + "\u0000",
                    "l".repeat(1100),
                    "漢".repeat(700),
                    "l".repeat(3000));

    private static final List<String> ENDS =
            List.of("", "", "a", "b", "ab", "ba", "\u0000", "é", "漢", "\uD83D\uDE00", "zz");

    private static IndexingPolicy.CompositePath path(String path, boolean descending) {
        return new IndexingPolicy.CompositePath(path, descending);
    }

    @Property
    void ordersGoByAllOfAString(
            @ForAll("items") List<Value> bodies,
            @ForAll("filters") String filter,
            @ForAll("orders") String order,
            @ForAll("windows") String window,
            @ForAll("limits") PageLimits limits,
            @ForAll("rules") TermRules rules) {
        MemoryItems items = items(bodies, rules);
        String text =
                "SELECT "
                        + (window.startsWith("TOP") ? window : "")
                        + " VALUE c.id FROM c WHERE "
                        + filter
                        + " ORDER BY "
                        + order
                        + (window.startsWith("TOP") ? "" : window);
        List<Value> stored = items.values();
        assertThat(items.all(text, limits))
                .as(text)
                .isEqualTo(naive(text, isBackward(order) ? stored.reversed() : stored));
    }

    /** More than is kept of a run. */
    @Example
    void stringsOfAMegabyteAreSorted() {
        MemoryItems items = items(List.of());
        String beginning = "l".repeat(1 << 20);
        List<String> ends = List.of("f", "b", "l", "a", "k", "c", "j", "d", "i", "e", "h", "g");
        ends.forEach(
                end -> items.add("{\"id\":\"" + end + "\",\"a\":\"" + beginning + end + "\"}"));
        PageLimits limits = new PageLimits(5, 4 << 20, 100_000, 1000, Duration.ofHours(1));
        String text = "SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.a) ORDER BY c.a";
        assertThat(items.all(text, limits))
                .isEqualTo(ends.stream().sorted().map(end -> '"' + end + '"').toList());
        assertThat(items.all(text + " DESC", limits))
                .isEqualTo(
                        ends.stream()
                                .sorted(Comparator.reverseOrder())
                                .map(end -> '"' + end + '"')
                                .toList());
    }

    @Property
    void clientsResumeBehindAnyRow(
            @ForAll("items") List<Value> bodies,
            @ForAll("orders") String order,
            @ForAll("limits") PageLimits limits,
            @ForAll boolean isExclusive,
            @ForAll boolean hasDocid,
            @ForAll @IntRange(max = 20) int place) {
        MemoryItems items = items(bodies);
        String text = "SELECT VALUE c.id FROM c ORDER BY " + order;
        List<String> all = items.all(text, limits);
        int at = place % all.size();
        List<Value> values = keys(items, order, all.get(at));
        long docid = docid(items, all.get(at));
        List<String> expected =
                hasDocid
                        ? all.subList(isExclusive ? at + 1 : at, all.size())
                        : all.subList(
                                isExclusive
                                        ? lastWith(items, order, all, values) + 1
                                        : firstWith(items, order, all, values),
                                all.size());
        ResumePoint resume =
                new ResumePoint(
                        values, hasDocid ? Optional.of(docid) : Optional.empty(), isExclusive);
        assertThat(items.all(text, limits, Optional.of(resume), Optional.empty()))
                .as(text)
                .isEqualTo(expected);
    }

    @Property
    void anItemThatGoesBetweenTwoPagesTakesNoOtherWithIt(
            @ForAll("items") List<Value> bodies,
            @ForAll("orders") String order,
            @ForAll @IntRange(min = 1, max = 4) int rows,
            @ForAll boolean isLastOfPage) {
        MemoryItems items = items(bodies);
        PageLimits limits = new PageLimits(rows, 4 << 20, 100_000, 1000, Duration.ofHours(1));
        String text = "SELECT VALUE c.id FROM c ORDER BY " + order;
        List<String> all = items.all(text, limits);
        QueryResult first = items.page(text, limits, Optional.empty());
        if (first.next().isEmpty()) {
            assertThat(all).hasSizeLessThanOrEqualTo(rows);
            return;
        }
        assertThat(first.next().get().length()).isLessThan(1200);
        items.remove(docid(items, all.get(isLastOfPage ? rows - 1 : rows)));
        assertThat(items.all(text, limits, Optional.empty(), first.next()))
                .as(text)
                .isEqualTo(all.subList(isLastOfPage ? rows : rows + 1, all.size()));
    }

    private static int firstWith(
            MemoryItems items, String order, List<String> ids, List<Value> values) {
        return ids.stream().map(id -> keys(items, order, id)).toList().indexOf(values);
    }

    private static int lastWith(
            MemoryItems items, String order, List<String> ids, List<Value> values) {
        return ids.stream().map(id -> keys(items, order, id)).toList().lastIndexOf(values);
    }

    private static long docid(MemoryItems items, String id) {
        return items.values().indexOf(item(items, id)) + 1L;
    }

    private static Value item(MemoryItems items, String id) {
        return items.values().stream()
                .filter(item -> JsonText.write(property(item, "id")).equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static List<Value> keys(MemoryItems items, String order, String id) {
        Value item = item(items, id);
        return Arrays.stream(order.split(", "))
                .map(part -> property(item, part.substring(2, 3)))
                .toList();
    }

    private static Value property(Value item, String name) {
        return ((Value.Obj) item).properties().getOrDefault(name, Value.Undefined.UNDEFINED);
    }

    /** Ties come in the order of docids, falling where the index is read from its end. */
    private static boolean isBackward(String order) {
        return switch (order) {
            case "c.a DESC",
                    "c.a DESC, c.b DESC",
                    "c.a DESC, c.b ASC",
                    "c.n ASC, c.a ASC, c.b DESC" ->
                    true;
            default -> false;
        };
    }

    @Property
    void filtersGoByAllOfAString(
            @ForAll("items") List<Value> bodies,
            @ForAll("filters") String filter,
            @ForAll("limits") PageLimits limits,
            @ForAll("rules") TermRules rules) {
        MemoryItems items = items(bodies, rules);
        for (String selection : List.of("VALUE c.id", "VALUE COUNT(1)", "DISTINCT VALUE c.a")) {
            String text = "SELECT " + selection + " FROM c WHERE " + filter;
            assertThat(items.all(text, limits))
                    .as(text)
                    .containsExactlyInAnyOrderElementsOf(naive(text, items.values()));
        }
    }

    @Property(tries = 300)
    void groupsAndExtremesGoByAllOfAString(
            @ForAll("items") List<Value> bodies, @ForAll("filters") String filter) {
        MemoryItems items = items(bodies);
        PageLimits limits = new PageLimits(100, 4 << 20, 100_000, 1000, Duration.ofHours(1));
        for (String text :
                List.of(
                        "SELECT MIN(c.a) AS low, MAX(c.a) AS high FROM c WHERE " + filter,
                        "SELECT c.a, COUNT(1) AS n FROM c WHERE " + filter + " GROUP BY c.a")) {
            assertThat(items.all(text, limits))
                    .as(text)
                    .containsExactlyInAnyOrderElementsOf(naive(text, items.values()));
        }
    }

    private static MemoryItems items(List<Value> bodies) {
        return items(bodies, TermRules.FIRST);
    }

    private static MemoryItems items(List<Value> bodies, TermRules rules) {
        MemoryItems items = new MemoryItems(POLICY, rules);
        items.add("{\"id\":\"first\"}");
        bodies.forEach(body -> items.add(JsonText.write(body)));
        return items;
    }

    private static List<String> naive(String text, List<Value> items) {
        return NaiveQuery.evaluate(QueryParser.query(text), Map.of(), items).stream()
                .map(JsonText::write)
                .toList();
    }

    /** Readers make their terms as the index was made, at whichever level that was. */
    @Provide
    Arbitrary<TermRules> rules() {
        return Arbitraries.of(256, 1, 255, 257, 1101)
                .map(textBytes -> new TermRules(textBytes, TermRules.FIRST.cells()));
    }

    @Provide
    Arbitrary<String> texts() {
        return Combinators.combine(Arbitraries.of(BEGINNINGS), Arbitraries.of(ENDS))
                .as((beginning, end) -> beginning + end);
    }

    @Provide
    Arbitrary<List<Value>> items() {
        Arbitrary<Value> value =
                Arbitraries.frequencyOf(
                        Tuple.of(8, texts().map(Value::of)),
                        Tuple.of(
                                1,
                                Arbitraries.of(
                                        Value.of(7L), Value.Null.NULL, Value.Undefined.UNDEFINED)));
        return Combinators.combine(value, value, Arbitraries.of(1L, 2L))
                .as((a, b, n) -> body(a, b, Value.of(n)))
                .list()
                .ofMaxSize(20)
                .map(LongTextProperties::numbered);
    }

    private static Map<String, Value> body(Value a, Value b, Value n) {
        Map<String, Value> body = new LinkedHashMap<>();
        body.put("n", n);
        if (a.isDefined()) {
            body.put("a", a);
        }
        if (b.isDefined()) {
            body.put("b", b);
        }
        return body;
    }

    private static List<Value> numbered(List<Map<String, Value>> bodies) {
        List<Value> numbered = new ArrayList<>();
        for (int i = 0; i < bodies.size(); i++) {
            Map<String, Value> body = new LinkedHashMap<>();
            body.put("id", Value.of("i" + i));
            body.putAll(bodies.get(i));
            numbered.add(new Value.Obj(body));
        }
        return numbered;
    }

    @Provide
    Arbitrary<String> orders() {
        return Arbitraries.of(
                "c.a ASC",
                "c.a DESC",
                "c.a ASC, c.b ASC",
                "c.a DESC, c.b DESC",
                "c.a ASC, c.b DESC",
                "c.a DESC, c.b ASC",
                "c.n DESC, c.a DESC, c.b ASC",
                "c.n ASC, c.a ASC, c.b DESC");
    }

    @Provide
    Arbitrary<String> windows() {
        return Arbitraries.of("", "", "", "TOP 3", " OFFSET 2 LIMIT 3");
    }

    @Provide
    Arbitrary<String> filters() {
        Arbitrary<String> constant = texts().map(text -> JsonText.write(Value.of(text)));
        Arbitrary<String> comparison =
                Combinators.combine(
                                Arbitraries.of("c.a", "c.a", "c.b"),
                                Arbitraries.of("=", "!=", "<", "<=", ">", ">="),
                                constant)
                        .as((path, operator, text) -> path + " " + operator + " " + text);
        Arbitrary<String> others =
                Combinators.combine(
                                Arbitraries.of(
                                        "STARTSWITH(c.a, #)",
                                        "c.a IN (#, @)",
                                        "(c.a BETWEEN # AND @)",
                                        "CONTAINS(c.a, #)",
                                        "STRINGEQUALS(c.a, #)",
                                        "c.a = # AND c.b = @",
                                        "c.a = # AND c.b >= @",
                                        "c.a > # OR c.b < @",
                                        "NOT (c.a = #)"),
                                constant,
                                constant)
                        .as((pattern, one, two) -> pattern.replace("#", one).replace("@", two));
        return Arbitraries.oneOf(Arbitraries.of("true", "c.n = 1"), comparison, others);
    }

    @Provide
    Arbitrary<PageLimits> limits() {
        return Combinators.combine(
                        Arbitraries.of(1, 3, 100),
                        Arbitraries.of(4, 100_000),
                        Arbitraries.of(1, 2, 10_000))
                .as(
                        (rows, entries, documents) ->
                                new PageLimits(
                                        rows, 4 << 20, entries, documents, Duration.ofHours(1)));
    }
}
