package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;

/** A continuation is a position: queries that walk the same way go on from it, others do not. */
class QueryPositionTest {
    private static final int ITEMS = 300;

    private final MemoryItems items = items();

    private static MemoryItems items() {
        MemoryItems items = new MemoryItems(IndexingPolicy.DEFAULT);
        for (int i = 0; i < ITEMS; i++) {
            // Every fifth has nothing to sort by, and all values come several times.
            items.add(
                    "{\"id\":\"%d\",\"even\":%b%s}"
                            .formatted(i, i % 2 == 0, i % 5 == 0 ? "" : ",\"n\":" + i % 20));
        }
        return items;
    }

    private Optional<Bytes> after(String query, int rows) {
        return items.page(query, PageLimits.of(rows, 4 << 20), Optional.empty()).next();
    }

    private List<String> rest(String query, Optional<Bytes> token) {
        return items.all(query, PageLimits.of(7, 4 << 20), Optional.empty(), token);
    }

    /** Where a filter leaves out nothing behind the position, the rest is that of the order. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ASC  | WHERE c.even
                    ASC  | WHERE c.n > 3
                    ASC  | WHERE c.n > 12 AND c.id != '7'
                    ASC  | WHERE c.n < 17 OR c.even
                    ASC  | WHERE NOT IS_DEFINED(c.n)
                    DESC | WHERE c.even
                    DESC | WHERE c.n < 9
                    DESC | WHERE NOT IS_DEFINED(c.n)
                    """)
    void aSortedQueryGoesOnWithAnotherFilter(String direction, String filter) {
        String order = " ORDER BY c.n " + direction;
        String text = "SELECT VALUE c.id FROM c ";
        List<String> everything = rest(text + order, Optional.empty());
        List<String> filtered = rest(text + filter + order, Optional.empty());
        for (int given : List.of(1, 59, 60, 61, 150, 240, 299)) {
            List<String> done = everything.subList(0, given);
            assertThat(rest(text + filter + order, after(text + order, given)))
                    .as("behind %s", given)
                    .isEqualTo(filtered.stream().filter(id -> !done.contains(id)).toList());
        }
    }

    @Test
    void whatIsSelectedAndWhatTheItemIsCalledMakeNoDifference() {
        Optional<Bytes> token = after("SELECT * FROM c ORDER BY c.n", 100);
        List<String> all = rest("SELECT VALUE c.id FROM c ORDER BY c.n", Optional.empty());
        assertThat(rest("SELECT VALUE r.id FROM root r ORDER BY r['n'] ASC", token))
                .isEqualTo(all.subList(100, ITEMS));
    }

    @Test
    void anUnsortedQueryGoesOnWithOtherValues() {
        Optional<Bytes> token = after("SELECT VALUE c.id FROM c WHERE c.n >= 4", 30);
        List<String> given =
                items
                        .page(
                                "SELECT VALUE c.id FROM c WHERE c.n >= 4",
                                PageLimits.of(30, 4 << 20),
                                Optional.empty())
                        .rows()
                        .stream()
                        .map(Bytes::toUtf8)
                        .toList();
        String narrower = "SELECT VALUE c.id FROM c WHERE c.n >= 8";
        List<String> rest = rest(narrower, token);
        List<String> expected = rest(narrower, Optional.empty());
        assertThat(rest).isEqualTo(expected.stream().filter(id -> !given.contains(id)).toList());
    }

    @Test
    void aFilterThatLeadsElsewhereIsRefused() {
        Optional<Bytes> token = after("SELECT * FROM c WHERE c.even", 30);
        assertThatThrownBy(() -> rest("SELECT * FROM c WHERE c.id >= '1'", token))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("Invalid Continuation Token")
                .hasMessageContaining("filter");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM c ORDER BY c.n DESC",
                "SELECT * FROM c ORDER BY c.id",
                "SELECT * FROM c",
                "SELECT TOP 200 * FROM c ORDER BY c.n",
                "SELECT DISTINCT c.n FROM c ORDER BY c.n",
                "SELECT VALUE COUNT(1) FROM c",
                "SELECT c.n FROM c JOIN t IN c.tags ORDER BY c.n"
            })
    void anotherOrderOrKindIsRefused(String query) {
        Optional<Bytes> token = after("SELECT * FROM c ORDER BY c.n", 100);
        assertThatThrownBy(() -> rest(query, token))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("Invalid Continuation Token");
    }

    @Test
    void groupsAndDistinctResultsAreBoundToTheirQuery() {
        for (String query :
                List.of(
                        "SELECT DISTINCT VALUE c.n FROM c",
                        "SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n")) {
            Optional<Bytes> token = after(query, 3);
            assertThat(rest(query, token)).as(query).isNotEmpty();
            String other = query.replace("FROM c", "FROM c WHERE c.even");
            assertThatThrownBy(() -> rest(other, token))
                    .isInstanceOf(OrreryException.class)
                    .hasMessageContaining("Invalid Continuation Token");
        }
    }
}
