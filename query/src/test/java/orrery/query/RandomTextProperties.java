package orrery.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.UserFunctions;
import orrery.query.sql.FeedQuery;
import orrery.query.sql.PatchCondition;
import orrery.query.syntax.QueryParser;

/** Whatever the text, the only way to fail is the one that clients can be told about. */
final class RandomTextProperties {
    private static final QuerySurroundings SURROUNDINGS =
            new QuerySurroundings(
                    InstantSource.system(),
                    Geospatial.GEOGRAPHY,
                    UserFunctions.NONE,
                    ComputedProperties.NONE);

    private static final List<String> WORDS =
            List.of(
                    "SELECT",
                    "VALUE",
                    "*",
                    "FROM",
                    "c",
                    "c",
                    "WHERE",
                    "JOIN",
                    "IN",
                    "AS",
                    "GROUP",
                    "BY",
                    "ORDER",
                    "RANK",
                    "TOP",
                    "DISTINCT",
                    "OFFSET",
                    "LIMIT",
                    "AND",
                    "OR",
                    "NOT",
                    "BETWEEN",
                    "LIKE",
                    "ESCAPE",
                    "EXISTS",
                    "ARRAY",
                    "ALL",
                    "FIRST",
                    "LAST",
                    "ASC",
                    "DESC",
                    "LEFT",
                    "udf",
                    "true",
                    "null",
                    "undefined",
                    "1",
                    "2.5",
                    "'a'",
                    "\"b\"",
                    "@p",
                    "(",
                    ")",
                    "(",
                    ")",
                    "[",
                    "]",
                    "{",
                    "}",
                    ",",
                    ".",
                    ":",
                    "?",
                    "??",
                    "+",
                    "-",
                    "*",
                    "/",
                    "%",
                    "=",
                    "!=",
                    "<",
                    ">=",
                    "<<",
                    ">>>",
                    "&",
                    "|",
                    "||",
                    "^",
                    "~",
                    "ABS",
                    "COUNT",
                    "CONCAT",
                    "ARRAY_CONTAINS",
                    "x",
                    ";",
                    "--",
                    "\n",
                    "'",
                    "\\",
                    "\uD800",
                    "😀",
                    "é",
                    "NaN",
                    "RRF",
                    "0x1F",
                    "IIF");

    private static final List<String> QUERIES =
            List.of(
                    "SELECT * FROM c WHERE c.a = 1 AND (c.b IN (1, 2) OR NOT c.c LIKE 'x%')",
                    "SELECT c.a, [c.b, {x: c.c}] AS y FROM c WHERE c.d BETWEEN 1 AND 2 + 3 * 4",
                    "SELECT VALUE IIF(IS_DEFINED(c.a), ABS(c.a) << 2, c.b ?? 'none') FROM c",
                    "SELECT DISTINCT TOP 10 c.a FROM c JOIN t IN c.tags WHERE t.x = @p",
                    "SELECT c.a ? c.b : c.c || 'x' FROM root AS c ORDER BY c.a DESC, c.b",
                    "SELECT EXISTS(SELECT VALUE t FROM t IN c.a WHERE t > 1) FROM c OFFSET 1 LIMIT 2");

    private static final Value.Obj ITEM =
            (Value.Obj) JsonText.parse("{\"a\":1,\"b\":\"x\",\"c\":[1,{\"d\":null}],\"d\":true}");

    @Property(tries = 3000)
    void wordsInAnyOrder(@ForAll("words") String text) {
        tryAll(text);
    }

    @Property(tries = 2000)
    void anyCharacters(@ForAll String text) {
        tryAll(text);
    }

    @Property(tries = 3000)
    void brokenQueries(@ForAll("mutated") String text) {
        tryAll(text);
    }

    /** A condition is evaluated as partitions have it: read from the bytes of its tree. */
    private static boolean holds(String condition) {
        return PatchCondition.read(PatchCondition.parse(condition).encoded())
                .bind(SURROUNDINGS)
                .test(ITEM);
    }

    private static void tryAll(String text) {
        attempt(() -> QueryParser.query(text));
        attempt(
                () ->
                        FeedQuery.parse(text, Map.of("@p", Value.of(1)))
                                .results(Stream.of(ITEM), 0, 10));
        attempt(() -> holds(text));
        attempt(() -> holds("FROM c WHERE " + text));
        attempt(
                () ->
                        new Evaluator(Map.of())
                                .evaluate(
                                        QueryParser.scalar(text, Set.of("c")),
                                        Bindings.of(ITEM).with("c", ITEM)));
    }

    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (OrreryException e) {
            assertThat(e.code())
                    .isIn(
                            ErrorCode.BAD_REQUEST,
                            ErrorCode.NON_FINITE_RESULT,
                            ErrorCode.NOT_IMPLEMENTED);
            if (e.code() == ErrorCode.BAD_REQUEST) {
                assertThat(JsonText.parse(e.text())).isInstanceOf(Value.Obj.class);
            }
        }
    }

    @Provide
    Arbitrary<String> words() {
        return Arbitraries.of(WORDS).list().ofMaxSize(30).map(words -> String.join(" ", words));
    }

    /** A query with a few words replaced, dropped or put in. */
    @Provide
    Arbitrary<String> mutated() {
        return Combinators.combine(
                        Arbitraries.of(QUERIES),
                        Arbitraries.integers().between(0, 100),
                        Arbitraries.integers().between(0, 12),
                        Arbitraries.of(WORDS).list().ofMaxSize(3))
                .as(
                        (query, at, dropped, words) -> {
                            int from = Math.min(at, query.length());
                            int to = Math.min(from + dropped, query.length());
                            return query.substring(0, from)
                                    + String.join(" ", words)
                                    + query.substring(to);
                        });
    }
}
