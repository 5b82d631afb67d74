package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.IndexingPolicy;

/**
 * Checks how much a query reads for its answer: the index should spare it the items that do not
 * match.
 */
class AccessPathTest {
    private static final PageLimits PAGE = PageLimits.of(1000, 4 << 20);

    private static MemoryItems items(IndexingPolicy policy) {
        MemoryItems items = new MemoryItems(policy);
        for (int i = 0; i < 1000; i++) {
            items.add(
                    "{\"id\":\"%d\",\"n\":%d,\"type\":\"%s\",\"name\":\"name %d\",\"tags\":[%d,\"x\"]}"
                            .formatted(i, i, i % 2 == 0 ? "even" : "odd", i, i % 100));
        }
        return items;
    }

    private static QueryMetrics run(MemoryItems items, String filter) {
        return items.page("SELECT VALUE c.id FROM c " + filter, PAGE, Optional.empty()).metrics();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    WHERE c.n = 5                                          | 1
                    WHERE c.n IN (5, 6, 5, 'x')                            | 2
                    WHERE c.n > 989 AND c.n < 995                          | 5
                    WHERE c.n BETWEEN 10 AND 12                            | 3
                    WHERE c.n = 5 OR c.id = '7'                            | 2
                    WHERE c.type = 'even' AND c.n = 4                      | 1
                    WHERE c.type = 'odd' AND c.n = 4                       | 0
                    WHERE STARTSWITH(c.name, 'name 99')                    | 11
                    WHERE c.name LIKE 'name 99%'                           | 11
                    WHERE CONTAINS(c.name, ' 99')                          | 11
                    WHERE ENDSWITH(c.name, '99')                           | 10
                    WHERE NOT IS_STRING(c.type) AND IS_DEFINED(c.type)     | 0
                    WHERE ARRAY_CONTAINS(c.tags, 42)                       | 10
                    WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 42) | 10
                    WHERE (true) AND c.n = 3                               | 1
                    WHERE false                                            | 0
                    ORDER BY c.n DESC OFFSET 0 LIMIT 5                     | 5
                    WHERE c.n >= 990 OR IS_ARRAY(c.n) ORDER BY c.n         | 10
                    """)
    void onlyWhatMatchesIsLoaded(String filter, long documents) {
        MemoryItems items = items(IndexingPolicy.DEFAULT);
        QueryMetrics metrics = run(items, filter);
        assertThat(metrics.documents()).isEqualTo(documents);
        assertThat(metrics.indexes().missing()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    SELECT VALUE COUNT(1) FROM c                                     | 1000 | 0
                    SELECT VALUE COUNT(1) FROM c WHERE c.n < 10                      | 10   | 0
                    SELECT VALUE COUNT(c) FROM c WHERE c.type = 'even' AND c.n = 4   | 1    | 0
                    SELECT VALUE COUNT(1) FROM c WHERE c.type = 'odd' AND c.n < 10   | 5    | 0
                    SELECT VALUE COUNT(1) FROM c WHERE c.name > 'name 2' AND c.n < 4 | 1    | 4
                    SELECT VALUE COUNT(1) FROM c WHERE ENDSWITH(c.name, '99')        | 10   | 10
                    SELECT VALUE COUNT(1) FROM c WHERE ARRAY_CONTAINS(c.tags, 42)    | 10   | 10
                    SELECT VALUE COUNT(1) FROM c WHERE c.tags[0] = 42                | 10   | 10
                    SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags WHERE c.n = 5      | 2    | 1
                    SELECT VALUE COUNT(c.id) FROM c WHERE c.n < 10                   | 10   | 10
                    """)
    void countsWhatTheIndexDecidesWithoutTheItems(String query, String count, long documents) {
        QueryResult result = items(IndexingPolicy.DEFAULT).page(query, PAGE, Optional.empty());
        assertThat(result.rows()).extracting(Bytes::toUtf8).containsExactly(count);
        assertThat(result.metrics().documents()).isEqualTo(documents);
    }

    /** The form in which SDKs ask for many items at once, with few pairs and with many. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64, 65, 500})
    void manyItemsThatAreNamedByIdAndKeyAreLookedUp(int count) {
        MemoryItems items = items(IndexingPolicy.DEFAULT);
        String pairs =
                IntStream.range(0, count)
                        .mapToObj(
                                i ->
                                        "(c.id = '%d' AND c[\"type\"] = '%s')"
                                                .formatted(i, i % 2 == 0 ? "even" : "odd"))
                        .collect(Collectors.joining(" OR "));
        String others = " OR (c.id = '901' AND c.type = 'even') OR (c.id = 'x' AND c.type = 'odd')";
        List<String> expected = IntStream.range(0, count).mapToObj(i -> "\"" + i + "\"").toList();
        String query = "SELECT VALUE c.id FROM c WHERE " + pairs + (count == 1 ? "" : others);

        List<String> rows = new ArrayList<>();
        long documents = 0;
        Optional<Bytes> next = Optional.empty();
        do {
            QueryResult page = items.page(query, PageLimits.of(100, 4 << 20), next);
            page.rows().forEach(row -> rows.add(row.toUtf8()));
            documents += page.metrics().documents();
            next = page.next();
        } while (next.isPresent());

        assertThat(rows).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(documents).isBetween((long) count, count + 20L);
    }

    /** Keys that begin alike for longer than the index holds them; some pairs belong to nobody. */
    @ParameterizedTest
    @ValueSource(ints = {2, 40})
    void pairsMayComeTwiceAndHaveLongKeys(int count) {
        MemoryItems items = new MemoryItems(IndexingPolicy.DEFAULT);
        String beginning = "k".repeat(2040);
        for (int i = 0; i < 100; i++) {
            items.add("{\"id\":\"%d\",\"pk\":\"%s%d\"}".formatted(i / 2, beginning, i % 2));
        }
        String pairs =
                IntStream.range(0, count)
                        .mapToObj(
                                i ->
                                        "(c.id = '%d' AND c.pk = '%s%d')"
                                                .formatted(i, beginning, i % 3))
                        .collect(Collectors.joining(" OR "));
        List<String> expected =
                IntStream.range(0, count)
                        .filter(i -> i % 3 < 2)
                        .mapToObj(i -> "\"" + i + "/" + i % 3 + "\"")
                        .toList();

        assertThat(
                        items.all(
                                "SELECT VALUE CONCAT(c.id, '/', RIGHT(c.pk, 1)) FROM c WHERE "
                                        + pairs
                                        + " OR "
                                        + pairs,
                                PageLimits.of(7, 4 << 20)))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void stringsThatTheIndexCutsAreToldApart() {
        MemoryItems items = new MemoryItems(IndexingPolicy.DEFAULT);
        String beginning = "x".repeat(300);
        for (int i = 0; i < 100; i++) {
            items.add("{\"id\":\"%d\",\"s\":\"%s%d\"}".formatted(i, beginning, i));
        }
        String count = "SELECT VALUE COUNT(1) FROM c WHERE ";
        assertThat(first(items, count + "c.s = '" + beginning + "7'")).isEqualTo("1");
        assertThat(first(items, count + "c.s > '" + beginning + "8'")).isEqualTo("21");
        assertThat(first(items, count + "c.s > 'w' AND c.s < 'y'")).isEqualTo("100");
    }

    private static String first(MemoryItems items, String query) {
        return items.page(query, PAGE, Optional.empty()).rows().getFirst().toUtf8();
    }

    @Test
    void aPageEndsInTimeHoweverLongItsRowsTake() {
        MemoryItems items = items(IndexingPolicy.DEFAULT);
        AtomicLong seconds = new AtomicLong();
        String slow =
                "SELECT VALUE (SELECT VALUE COUNT(1) FROM x IN c.tags JOIN y IN (SELECT VALUE %s)) FROM c"
                        .formatted("[" + "0,".repeat(2000) + "0]");
        QueryResult page =
                items.part(
                        slow,
                        PAGE,
                        Optional.empty(),
                        () -> Duration.ofSeconds(seconds.getAndIncrement()).toNanos());
        assertThat(page.rows()).hasSizeBetween(1, 10);
        assertThat(page.next()).isPresent();
    }

    @Test
    void aPartOfDistinctResultsIsNotFoundAgainForEachPage() {
        MemoryItems items = items(IndexingPolicy.DEFAULT);
        PageLimits pages = PageLimits.of(100, 4 << 20);
        Optional<Bytes> token = Optional.empty();
        long documents = 0;
        Set<String> rows = new HashSet<>();
        do {
            QueryResult page =
                    items.part("SELECT DISTINCT TOP 990 c.n FROM c", pages, token, () -> 0);
            page.rows().forEach(row -> rows.add(row.toUtf8()));
            documents += page.metrics().documents();
            token = page.next();
        } while (token.isPresent());
        assertThat(rows).hasSize(1000);
        // Each page looks at one item more to know whether another follows.
        assertThat(documents).isBetween(1000L, 1010L);
    }

    @Test
    void anExcludedPathIsScannedAndSaysSo() {
        IndexingPolicy policy =
                new IndexingPolicy(
                        IndexingPolicy.Mode.CONSISTENT,
                        true,
                        List.of("/*"),
                        List.of("/n/?"),
                        List.of(),
                        List.of());
        MemoryItems items = items(policy);
        QueryMetrics metrics = run(items, "WHERE c.n = 5");
        assertThat(metrics.documents()).isEqualTo(1000);
        assertThat(metrics.indexes().paths()).isEmpty();
        assertThat(metrics.indexes().missing()).containsExactly("/n/?");
        assertThat(run(items, "WHERE c.n = 5 AND c.id = '5'").documents()).isEqualTo(1);
        assertThatThrownBy(() -> run(items, "ORDER BY c.n"))
                .hasMessageContaining(
                        "The index path corresponding to the specified order-by item is excluded.");
    }

    @Test
    void severalOrdersNeedACompositeIndex() {
        assertThatThrownBy(() -> run(items(IndexingPolicy.DEFAULT), "ORDER BY c.n, c.id"))
                .hasMessageContaining(
                        "The order by query does not have a corresponding composite index that it"
                                + " can be served from.");
        IndexingPolicy policy =
                new IndexingPolicy(
                        IndexingPolicy.Mode.CONSISTENT,
                        true,
                        List.of("/*"),
                        List.of(),
                        List.of(
                                List.of(
                                        new IndexingPolicy.CompositePath("/type", false),
                                        new IndexingPolicy.CompositePath("/n", false))),
                        List.of());
        MemoryItems items = items(policy);
        QueryMetrics filtered = run(items, "WHERE c.type = 'odd' AND c.n > 990");
        assertThat(filtered.documents()).isEqualTo(5);
        assertThat(filtered.indexes().composites()).containsExactly(List.of("/type ASC", "/n ASC"));
        QueryMetrics ordered =
                run(items, "WHERE c.type = 'odd' ORDER BY c.type DESC, c.n DESC OFFSET 0 LIMIT 3");
        assertThat(ordered.documents()).isEqualTo(3);
        assertThat(ordered.isBackward()).isTrue();
    }

    @Test
    void whatWouldHelpIsSuggested() {
        QueryMetrics metrics =
                run(items(IndexingPolicy.DEFAULT), "WHERE c.type = 'odd' AND c.n > 990");
        assertThat(metrics.indexes().missingComposites())
                .containsExactly(List.of("/type ASC", "/n ASC"));
    }
}
