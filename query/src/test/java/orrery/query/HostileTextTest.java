package orrery.query;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.TermRules;
import orrery.query.dialect.Effort;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.Evaluator;
import orrery.query.index.Constants;
import orrery.query.index.FilterAnalysis;
import orrery.query.index.IndexFilter;
import orrery.query.index.ValueRanges;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryParser;
import orrery.query.syntax.SyntaxSize;

/** Texts that are made to hurt: each is refused or answered, on a stack of ordinary size. */
final class HostileTextTest {
    // Threads have 1 MB unless told otherwise; leave a third of it to whoever calls the parser.
    private static final long STACK_BYTES = 640 * 1024;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(",
                "[",
                "{a:",
                "ABS(",
                "ARRAY(SELECT VALUE ",
                "(SELECT VALUE ",
                "NOT ",
                "-",
                "~",
                "1 ? ",
                "1 ? 1 : ",
                "1 IN (",
                "c[",
                "udf.f(",
                "1 + (",
                "1 BETWEEN (",
                "[[{a:(("
            })
    void refusesDeepNesting(String opening) throws Exception {
        for (int depth : new int[] {10_000, QueryParser.MAX_TEXT / opening.length() - 20}) {
            String text = "SELECT VALUE " + opening.repeat(depth);
            assertThat(outcome(text)).isEqualTo(ErrorCode.BAD_REQUEST);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "(;)",
                "[;]",
                "{a:;}",
                "ABS(;)",
                "-;''",
                "NOT;''",
                "1 + (;)",
                "true ? 1 :;''",
                "1 IN (;)",
                "c[;]",
                "[1][;]",
                "IIF(true, 1,;)",
                "undefined ?? (;)",
                "true ? true OR true AND 1 NOT BETWEEN - 1 AND (;) : 1",
                "NOT 1 NOT IN (1 OR 1 AND 1 LIKE (;))"
            })
    void evaluatesWhatItParses(String opening, String closing) throws Exception {
        int parsed =
                onSmallStack(
                        () -> {
                            int deepest = 0;
                            for (int depth = 1; depth < 420; depth += 3) {
                                String text =
                                        (opening + " ").repeat(depth)
                                                + "c.a"
                                                + closing.repeat(depth);
                                try {
                                    new Evaluator(Map.of())
                                            .compile(QueryParser.scalar(text, Set.of("c")));
                                    evaluate(text);
                                    deepest = depth;
                                } catch (OrreryException e) {
                                    assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST);
                                }
                            }
                            return deepest;
                        });
        // An indexer that is not constant is refused for itself.
        assertThat(parsed).isGreaterThan(opening.equals("[1][") ? -1 : 45);
    }

    @ParameterizedTest
    @ValueSource(strings = {" + 1", ".a", "[0]", " || 'a'", " = 1", " - 1 * 1"})
    void refusesLongChains(String link) throws Exception {
        String text = "SELECT VALUE c" + link.repeat(QueryParser.MAX_TEXT / link.length() - 10);
        assertThat(outcome(text + " FROM c")).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(outcome("SELECT VALUE 1 FROM c" + ".a".repeat(200_000)))
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void evaluatesLongLists() throws Exception {
        int count = 50_000;
        assertThat(onSmallStack(() -> evaluate("1 IN (" + "2,".repeat(count) + "1)")))
                .isEqualTo(Value.of(true));
        assertThat(onSmallStack(() -> evaluate("true AND ".repeat(count) + "true")))
                .isEqualTo(Value.of(true));
        assertThat(onSmallStack(() -> evaluate("false OR ".repeat(count) + "true")))
                .isEqualTo(Value.of(true));
        assertThat(onSmallStack(() -> evaluate("undefined ?? ".repeat(count / 2) + "1")))
                .isEqualTo(Value.of(1));
        assertThat(onSmallStack(() -> evaluate("[" + "1,".repeat(count) + "1]")))
                .isInstanceOf(Value.Array.class);
        assertThat(onSmallStack(() -> evaluate("CONCAT('a'" + ",'a'".repeat(count) + ")")))
                .isEqualTo(Value.of("a".repeat(count + 1)));
        assertThat(onSmallStack(() -> evaluate("'" + "a".repeat(500_000) + "'")))
                .isEqualTo(Value.of("a".repeat(500_000)));
        // About the longest list that may be.
        String full = "1 IN (" + "2,".repeat(249_900) + "1)";
        assertThat(onSmallStack(() -> evaluate(full))).isEqualTo(Value.of(true));
    }

    @Test
    void refusesTreesOfTooManyNodes() {
        String list = "1 IN (" + "2,".repeat(QueryParser.MAX_TEXT / 2 - 50) + "1)";
        assertThatThrownBy(() -> evaluate(list))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("maximum limit of 250000 expressions");
        assertThatThrownBy(() -> QueryParser.query("SELECT " + list))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("maximum limit of 250000 expressions");
        assertThatThrownBy(() -> QueryParser.condition("FROM c WHERE " + list))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("maximum limit of 250000 expressions");
        // A client may well send this: comparisons that fill the text.
        Query longest =
                QueryParser.query("SELECT * FROM c WHERE c.a=1" + " OR c.a=1".repeat(57_000));
        assertThat(SyntaxSize.of(longest)).isEqualTo(4 * 57_001 + 2);
    }

    @Test
    @Timeout(900)
    void analysesLongFilters() {
        String numbers =
                IntStream.range(0, 20_000).mapToObj(Integer::toString).collect(joining(", "));
        assertThat(ranges("c.n = " + numbers.replace(", ", " OR c.n = ")))
                .isEqualTo(ranges("c.n IN (" + numbers + ")"));
        assertThat(ranges("c.n != " + numbers.replace(", ", " AND c.n != ")))
                .isEqualTo(ranges("c.n NOT IN (" + numbers + ")"));
    }

    private static ValueRanges ranges(String where) {
        IndexFilter filter =
                FilterAnalysis.of(
                        QueryParser.query("SELECT * FROM c WHERE " + where),
                        new Constants(new Evaluator(Map.of()), TermRules.FIRST));
        return ((IndexFilter.OnPath) filter).ranges();
    }

    @Test
    void testsEachValueOfTheIndexForItself() {
        String terms =
                IntStream.range(0, 500).mapToObj(i -> "'t%d'".formatted(i)).collect(joining(", "));
        IndexFilter filter =
                FilterAnalysis.of(
                        QueryParser.query(
                                "SELECT * FROM c WHERE CONTAINS_ANY_CS(c.s, " + terms + ")"),
                        new Constants(new Evaluator(Map.of()), TermRules.FIRST));
        IndexFilter.EntryTest test = ((IndexFilter.OnPath) filter).test().orElseThrow();
        Value text = Value.of("x".repeat(1000) + "t0");
        // Together they take more work than any single one may.
        for (int i = 0; i < 5000; i++) {
            assertThat(test.test(text, new Effort())).isTrue();
        }
    }

    @Test
    void evaluatesLongNumbers() throws Exception {
        assertThat(onSmallStack(() -> evaluate("9".repeat(500_000))))
                .isEqualTo(new Value.Real(Double.POSITIVE_INFINITY));
        assertThat(onSmallStack(() -> evaluate("0x" + "f".repeat(500_000))))
                .isEqualTo(new Value.Real(Double.POSITIVE_INFINITY));
        assertThat(onSmallStack(() -> evaluate("0." + "1".repeat(500_000))))
                .isEqualTo(new Value.Real(0.1111111111111111));
        assertThat(onSmallStack(() -> evaluate("0".repeat(500_000) + "7"))).isEqualTo(Value.of(7));
    }

    @Test
    void refusesLongText() {
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> QueryParser.query("SELECT " + " ".repeat(524_281) + "1"))
                .withMessageContaining("524288")
                .matches(e -> e.code() == ErrorCode.BAD_REQUEST);
        assertThat(QueryParser.query("SELECT " + " ".repeat(524_280) + "1")).isNotNull();
    }

    @Test
    void quotesOnlyTheBeginningOfAnUnclosedText() {
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> QueryParser.query("SELECT '" + "a".repeat(500_000)))
                .matches(e -> e.text().length() < 300);
    }

    @Test
    void refusesResultsThatGrowWithoutBound() {
        Map<String, Value> item = Map.of("s", Value.of("a".repeat(1_000_000)));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            names.add("c.s");
        }
        String list = String.join(",", names);
        for (String expression :
                List.of(
                        "CONCAT(" + list + ")",
                        String.join("||", names),
                        "STRINGJOIN([" + list + "], '')",
                        "TOSTRING([" + list + "])",
                        "REPLACE(c.s, 'a', c.s)",
                        "ARRAY_LENGTH(ARRAY_CONCAT("
                                + String.join(
                                        ",", "STRINGSPLIT(c.s,'a')".repeat(10).split("(?<=\\))"))
                                + "))")) {
            assertThatExceptionOfType(OrreryException.class)
                    .isThrownBy(() -> evaluate(expression, new Value.Obj(item)))
                    .matches(e -> e.code() == ErrorCode.BAD_REQUEST);
        }
    }

    @Test
    void refusesMoreWorkThanOneRowIsWorth() {
        String text = "a".repeat(1_900_000);
        List<Value> elements = Collections.nCopies(900_000, Value.of(1));
        Value item =
                new Value.Obj(
                        Map.of(
                                "s",
                                Value.of(text),
                                "a",
                                new Value.Array(elements),
                                "b",
                                new Value.Array(List.of(new Value.Array(elements))),
                                "line",
                                longLine()));
        for (String expression :
                List.of(
                        String.join(" OR ", Collections.nCopies(9000, "CONTAINS(c.s, 'b')")),
                        "CONTAINS_ANY_CS(c.s" + ", 'b'".repeat(9000) + ")",
                        "ARRAY_CONTAINS_ANY(c.a" + ", 2".repeat(9000) + ")",
                        String.join(" AND ", Collections.nCopies(9000, "c.b = c.b")),
                        "c.b IN (" + String.join(",", Collections.nCopies(9000, "[c.a, 1]")) + ")",
                        String.join(" OR ", Collections.nCopies(9000, "c.s LIKE '%b'")),
                        String.join(" OR ", Collections.nCopies(100, "c.s LIKE '%a_b%'")),
                        String.join(" OR ", Collections.nCopies(90, "REGEXMATCH(c.s, '(a|b)*c')")),
                        "c.s LIKE '%" + "a".repeat(4000) + "_b%'",
                        String.join(
                                " OR ",
                                Collections.nCopies(5000, "ST_DISTANCE(c.line, c.line) > 1")))) {
            assertThatExceptionOfType(OrreryException.class)
                    .isThrownBy(() -> evaluate(expression, item))
                    .matches(e -> e.code() == ErrorCode.BAD_REQUEST);
        }
    }

    private static Value longLine() {
        List<Value> positions = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            positions.add(new Value.Array(List.of(Value.of(i / 4.0), Value.of(i % 7))));
        }
        return new Value.Obj(
                Map.of("type", Value.of("LineString"), "coordinates", new Value.Array(positions)));
    }

    @Test
    void findsLongTextsInLinearTime() {
        String text = "a".repeat(1_900_000);
        String wanted = "a".repeat(400_000);
        Value item = new Value.Obj(Map.of("s", Value.of(text), "t", Value.of(text + "b" + wanted)));
        assertThat(evaluate("INDEX_OF(c.s, '" + wanted + "b')", item)).isEqualTo(Value.of(-1));
        assertThat(evaluate("INDEX_OF(c.t, '" + wanted + "b')", item))
                .isEqualTo(Value.of(1_500_000));
        assertThat(evaluate("INDEX_OF(c.t, '" + wanted + "', 1500001)", item))
                .isEqualTo(Value.of(1_900_001));
        assertThat(evaluate("LASTINDEXOF(c.s, 'b" + wanted + "')", item)).isEqualTo(Value.of(-1));
        assertThat(evaluate("LASTINDEXOF(c.t, 'b" + wanted + "')", item))
                .isEqualTo(Value.of(1_900_000));
        assertThat(evaluate("c.s LIKE '%" + wanted + "b%'", item)).isEqualTo(Value.of(false));
        assertThat(evaluate("LENGTH(TRIM(c.s, '" + "b".repeat(400_000) + "a'))", item))
                .isEqualTo(Value.of(0));
    }

    private static ErrorCode outcome(String text) throws Exception {
        return onSmallStack(
                () -> {
                    try {
                        QueryParser.query(text);
                        throw new AssertionError("was parsed");
                    } catch (OrreryException e) {
                        return e.code();
                    }
                });
    }

    private static Value evaluate(String expression) {
        return evaluate(expression, new Value.Obj(Map.of()));
    }

    private static Value evaluate(String expression, Value item) {
        return new Evaluator(Map.of())
                .evaluate(
                        QueryParser.scalar(expression, Set.of("c")),
                        Bindings.of(item).with("c", item));
    }

    private interface Task<T> {
        T run();
    }

    private static <T> T onSmallStack(Task<T> task) throws Exception {
        FutureTask<T> future = new FutureTask<>(task::run);
        Thread thread = new Thread(null, future, "hostile", STACK_BYTES);
        thread.start();
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
