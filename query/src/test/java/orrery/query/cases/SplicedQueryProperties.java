package orrery.query.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.evaluate.ReadPaths;
import orrery.query.naive.NaiveQuery;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryParser;

/** Queries cut into words and put together again: each is answered or refused, none breaks. */
final class SplicedQueryProperties {
    private static final List<String> QUERIES = new ArrayList<>();
    private static final List<Value> ITEMS = QueryCases.items("mixed");

    static {
        for (String file : QueryCases.files()) {
            QueryCases.read(file).forEach(each -> QUERIES.add(each.query()));
        }
    }

    @Property(tries = 4000)
    void answersOrRefuses(@ForAll("spliced") String text) {
        try {
            Query query = QueryParser.query(text);
            ReadPaths.of(query);
            assertThat(NaiveQuery.evaluate(query, Map.of("@p", Value.of(1)), ITEMS)).isNotNull();
        } catch (OrreryException e) {
            assertThat(e.code())
                    .isIn(
                            ErrorCode.BAD_REQUEST,
                            ErrorCode.NON_FINITE_RESULT,
                            ErrorCode.NOT_IMPLEMENTED);
        }
    }

    /** The beginning of one query, a piece of another and the end of the first. */
    @Provide
    Arbitrary<String> spliced() {
        Arbitrary<String> query = Arbitraries.of(QUERIES);
        Arbitrary<Double> cut = Arbitraries.doubles().between(0, 1);
        return Combinators.combine(query, query, cut, cut, cut, cut)
                .as(
                        (host, donor, a, b, c, d) ->
                                piece(host, 0, Math.min(a, b))
                                        + " "
                                        + piece(donor, Math.min(c, d), Math.max(c, d))
                                        + " "
                                        + piece(host, Math.max(a, b), 1));
    }

    private static String piece(String text, double from, double to) {
        String[] words = text.split("(?<=[^\\w])|(?=[^\\w])");
        int start = (int) Math.round(from * words.length);
        int end = (int) Math.round(to * words.length);
        return String.join("", List.of(words).subList(start, end));
    }
}
