package orrery.query.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.ValueOrder;
import orrery.query.naive.NaiveQuery;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.QueryParser;

/** Runs the case files against the naive evaluation. */
final class QueryCasesTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2024-02-29T12:34:56.789Z"));

    static List<String> files() {
        return QueryCases.files();
    }

    @ParameterizedTest
    @MethodSource("files")
    void answersAsWritten(String file) {
        Map<String, List<Value>> items = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        for (QueryCase each : QueryCases.read(file)) {
            String actual = run(each, items.computeIfAbsent(each.dataset(), QueryCases::items));
            String expected = show(each.expected());
            if (!actual.equals(expected)) {
                wrong.add(each + "\n  wanted " + expected + "\n  found  " + actual);
            }
        }
        assertThat(wrong).withFailMessage(() -> String.join("\n", wrong)).isEmpty();
    }

    @Test
    void thereAreEnough() {
        int count = files().stream().mapToInt(file -> QueryCases.read(file).size()).sum();
        assertThat(count).isGreaterThanOrEqualTo(2000);
    }

    @Test
    void everyFunctionHasACase() {
        StringBuilder all = new StringBuilder();
        for (String file : files()) {
            QueryCases.read(file).forEach(each -> all.append(each.query()).append('\n'));
        }
        String text = all.toString().toUpperCase(Locale.ROOT);
        assertThat(BuiltIn.values())
                .allSatisfy(
                        function ->
                                assertThat(text)
                                        .containsPattern("\\b" + function.name() + " ?\\("));
    }

    private static String run(QueryCase each, List<Value> items) {
        try {
            List<Value> rows =
                    NaiveQuery.evaluate(
                            QueryParser.query(each.query()),
                            each.parameters(),
                            items,
                            CLOCK,
                            ComputedProperties.of(each.computed()));
            boolean isOrdered = !(each.expected() instanceof QueryCase.Rows(_, boolean is)) || is;
            return show(new QueryCase.Rows(rows, isOrdered));
        } catch (OrreryException e) {
            return show(new QueryCase.Failure(QueryCases.describe(e)));
        }
    }

    private static String show(QueryCase.Outcome outcome) {
        return switch (outcome) {
            case QueryCase.Failure(String text) -> "error " + text;
            case QueryCase.Rows(List<Value> rows, boolean isOrdered) ->
                    JsonText.write(
                            new Value.Array(
                                    isOrdered
                                            ? rows
                                            : rows.stream().sorted(ValueOrder.INSTANCE).toList()));
        };
    }
}
