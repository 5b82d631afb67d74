package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.query.QueryCall;
import orrery.query.execute.QueryMetrics;
import orrery.query.execute.QueryTimes;
import orrery.query.execute.ResumePoint;
import orrery.query.sql.SqlStatement;

/** Queries from the door to the disk and back, over one partition and over several. */
class QueryTest {
    private static final FeedScope EVERYWHERE = new FeedScope.Everything();

    @TempDir private Path directory;
    private EngineFixture fixture;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private ContainerRef filled(int requestUnits, int items) {
        ContainerRef container = fixture.container("c", requestUnits, "/pk");
        for (int i = 0; i < items; i++) {
            fixture.create(
                    container,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"n\":%d,\"tags\":[\"t%d\",\"all\"]%s}"
                            .formatted(i, i % 10, i, i % 3, i % 4 == 0 ? "" : ",\"x\":" + i % 5));
        }
        return container;
    }

    private List<String> all(ContainerRef container, FeedScope scope, String query, int pageSize) {
        return fixture.all(container, scope, query, pageSize);
    }

    private QueryPage page(
            ContainerRef container,
            FeedScope scope,
            String query,
            int pageSize,
            Optional<String> continuation) {
        return fixture.page(container, scope, query, pageSize, continuation);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void pagesOfAnySizeGiveTheSameRows(int pageSize) {
        checkPages(filled(400, 60), pageSize);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void partsOfSevenPartitionsArePutTogether(int pageSize) {
        checkPages(filled(70_000, 60), pageSize);
    }

    private void checkPages(ContainerRef container, int pageSize) {
        assertThat(all(container, EVERYWHERE, "SELECT VALUE c.n FROM c", pageSize))
                .containsExactlyInAnyOrderElementsOf(numbers(0, 60));
        assertThat(all(container, EVERYWHERE, "SELECT VALUE c.n FROM c WHERE c.n >= 40", pageSize))
                .containsExactlyInAnyOrderElementsOf(numbers(40, 60));
        assertThat(
                        all(
                                container,
                                EVERYWHERE,
                                "SELECT VALUE c.n FROM c WHERE c.pk = 'k3' AND c.n < 30",
                                pageSize))
                .containsExactlyInAnyOrder("3", "13", "23");
        assertThat(
                        all(
                                container,
                                EVERYWHERE,
                                "SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.n < 4",
                                pageSize))
                .containsExactlyInAnyOrder(
                        "\"t0\"", "\"all\"", "\"t1\"", "\"all\"", "\"t2\"", "\"all\"", "\"t0\"",
                        "\"all\"");
        assertThat(all(container, EVERYWHERE, "SELECT VALUE c.n FROM c ORDER BY c.n", pageSize))
                .containsExactlyElementsOf(numbers(0, 60));
        assertThat(
                        all(
                                container,
                                EVERYWHERE,
                                "SELECT VALUE c.n FROM c WHERE c.n != 7 ORDER BY c.n DESC",
                                pageSize))
                .containsExactlyElementsOf(
                        numbers(0, 60).reversed().stream().filter(n -> !n.equals("7")).toList());
        assertThat(
                        all(
                                container,
                                EVERYWHERE,
                                "SELECT c.x FROM c ORDER BY c.x OFFSET 13 LIMIT 5",
                                pageSize))
                .containsExactly("{}", "{}", "{\"x\":0}", "{\"x\":0}", "{\"x\":0}");
        assertThat(all(container, EVERYWHERE, "SELECT DISTINCT VALUE c.x FROM c", pageSize))
                .containsExactlyInAnyOrder("0", "1", "2", "3", "4");
        assertThat(all(container, EVERYWHERE, "SELECT DISTINCT VALUE c.n FROM c", pageSize))
                .containsExactlyInAnyOrderElementsOf(numbers(0, 60));
        assertThat(all(container, EVERYWHERE, "SELECT VALUE COUNT(1) FROM c", pageSize))
                .containsExactly("60");
        assertThat(
                        all(
                                container,
                                EVERYWHERE,
                                "SELECT c.x, COUNT(1) AS n FROM c WHERE c.x > 1 GROUP BY c.x",
                                pageSize))
                .containsExactlyInAnyOrder(
                        "{\"x\":2,\"n\":9}", "{\"x\":3,\"n\":9}", "{\"x\":4,\"n\":9}");
    }

    @Test
    void theLastPageSaysSo() {
        ContainerRef container = filled(400, 12);
        for (String query :
                List.of(
                        "SELECT * FROM c",
                        "SELECT * FROM c WHERE c.n >= 0",
                        "SELECT * FROM c ORDER BY c.n",
                        "SELECT * FROM c ORDER BY c.n OFFSET 0 LIMIT 12",
                        "SELECT DISTINCT c.n FROM c",
                        "SELECT c.n FROM c GROUP BY c.n")) {
            QueryPage first = page(container, EVERYWHERE, query, 6, Optional.empty());
            assertThat(first.rows()).as(query).hasSize(6);
            QueryPage last = page(container, EVERYWHERE, query, 6, first.continuation());
            assertThat(last.rows()).as(query).hasSize(6);
            assertThat(last.continuation()).as(query).isEmpty();
        }
        assertThat(
                        page(container, EVERYWHERE, "SELECT TOP 6 * FROM c", 6, Optional.empty())
                                .continuation())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 50_000})
    void aTokenIsAPositionInAnOrder(int requestUnits) {
        ContainerRef container = filled(requestUnits, 40);
        String order = " ORDER BY c.n";
        Optional<String> token =
                page(container, EVERYWHERE, "SELECT * FROM c" + order, 6, Optional.empty())
                        .continuation();
        assertThat(token.orElseThrow().length()).isLessThan(1024);
        String other = "SELECT VALUE c.n FROM c WHERE c.n % 2 = 0 AND c.n < 12" + order;
        assertThat(texts(page(container, EVERYWHERE, other, 100, token)))
                .containsExactly("6", "8", "10");
        for (String query :
                List.of(
                        "SELECT * FROM c ORDER BY c.n DESC",
                        "SELECT * FROM c",
                        "SELECT TOP 9 * FROM c ORDER BY c.n",
                        "SELECT DISTINCT VALUE c.n FROM c ORDER BY c.n",
                        "SELECT VALUE COUNT(1) FROM c")) {
            assertThatThrownBy(() -> page(container, EVERYWHERE, query, 6, token))
                    .as(query)
                    .isInstanceOf(OrreryException.class)
                    .hasMessageContaining("Invalid Continuation Token");
        }
    }

    /** It leads through the partitions of certain keys. With others, rows would be missing. */
    @Test
    void aTokenIsGoodForItsKeysOnly() {
        ContainerRef container = filled(50_000, 40);
        String all = "SELECT * FROM c WHERE c.pk IN ('k0', 'k1', 'k2', 'k3')";
        Optional<String> token =
                page(container, EVERYWHERE, all, 1, Optional.empty()).continuation();
        assertThat(token).isPresent();
        assertThat(page(container, EVERYWHERE, all + " AND c.n >= 0", 1, token).rows()).hasSize(1);
        for (String query :
                List.of(
                        "SELECT * FROM c",
                        "SELECT * FROM c WHERE c.pk IN ('k0', 'k1')",
                        "SELECT * FROM c WHERE c.pk = 'k2'")) {
            assertThatThrownBy(() -> page(container, EVERYWHERE, query, 1, token))
                    .as(query)
                    .isInstanceOf(OrreryException.class)
                    .hasMessageContaining("Invalid Continuation Token");
        }
    }

    /** Clients of the service look into the token of a query over several partitions. */
    @Test
    void theTokenOfAQueryOverAllPartitionsIsJsonWithARange() {
        ContainerRef container = filled(50_000, 40);
        for (String query : List.of("SELECT * FROM c", "SELECT * FROM c ORDER BY c.n")) {
            QueryPage first = page(container, EVERYWHERE, query, 6, Optional.empty());
            String token = first.continuation().orElseThrow();
            assertThat(token)
                    .matches(
                            "\\{\"token\":\"[-_A-Za-z0-9]+\","
                                    + "\"range\":\\{\"min\":\"[0-9A-F]*\",\"max\":\"[0-9A-F]+\"}}");
            List<String> second =
                    texts(page(container, EVERYWHERE, query, 6, first.continuation()));
            assertThat(second).hasSize(6).doesNotContainAnyElementsOf(texts(first));
            String inner = token.substring(token.indexOf(':') + 2, token.indexOf(',') - 1);
            for (String form : List.of("[" + token + "]", inner)) {
                assertThat(texts(page(container, EVERYWHERE, query, 6, Optional.of(form))))
                        .isEqualTo(second);
            }
        }
        FeedScope key = new FeedScope.Key(PartitionKey.ofText("k1"));
        assertThat(page(container, key, "SELECT * FROM c", 1, Optional.empty()).continuation())
                .hasValueSatisfying(token -> assertThat(token).doesNotContain("{"));
        for (String junk : List.of("{", "{\"token\":1}", "[]", "junk")) {
            assertThatThrownBy(
                            () ->
                                    page(
                                            container,
                                            EVERYWHERE,
                                            "SELECT * FROM c",
                                            6,
                                            Optional.of(junk)))
                    .isInstanceOf(OrreryException.class)
                    .hasMessageContaining("Invalid Continuation Token");
        }
    }

    private static List<String> texts(QueryPage page) {
        return page.rows().stream().map(Bytes::toUtf8).toList();
    }

    @Test
    void aWholeItemIsWhatAReadGives() {
        ContainerRef container = filled(400, 1);
        String row = all(container, EVERYWHERE, "SELECT * FROM c WHERE c.id = '0'", 10).getFirst();
        assertThat(row)
                .startsWith(
                        "{\"id\":\"0\",\"pk\":\"k0\",\"n\":0,\"tags\":[\"t0\",\"all\"],\"_rid\":\"")
                .contains("\"_self\":", "\"_etag\":", "\"_attachments\":\"attachments/\",\"_ts\":");
        assertThat(all(container, EVERYWHERE, "SELECT VALUE c FROM c WHERE c._ts > 0", 10))
                .containsExactly(row);
    }

    @Test
    void rangesAreReadOneAfterTheOther() {
        ContainerRef container = filled(70_000, 60);
        assertThat(
                        fixture.engine
                                .resources()
                                .readPartitionMap(EngineFixture.context(), container)
                                .partitions())
                .hasSize(7);
        for (int pageSize : new int[] {1, 7, 100}) {
            assertThat(all(container, EVERYWHERE, "SELECT VALUE c.n FROM c", pageSize))
                    .containsExactlyInAnyOrderElementsOf(numbers(0, 60));
            assertThat(
                            all(
                                    container,
                                    EVERYWHERE,
                                    "SELECT VALUE c.n FROM c WHERE c.n IN (3, 17, 58)",
                                    pageSize))
                    .containsExactlyInAnyOrder("3", "17", "58");
        }
    }

    @Test
    void aFilterOnTheKeyVisitsTheRangesOfThatKey() {
        ContainerRef container = filled(70_000, 60);
        QueryPage one =
                page(
                        container,
                        EVERYWHERE,
                        "SELECT VALUE c.n FROM c WHERE c.pk = 'k4' ORDER BY c.n DESC",
                        100,
                        Optional.empty());
        assertThat(one.charge().ranges()).isEqualTo(1);
        assertThat(one.rows())
                .extracting(Bytes::toUtf8)
                .containsExactly("54", "44", "34", "24", "14", "4");
        QueryPage two =
                page(
                        container,
                        EVERYWHERE,
                        "SELECT VALUE c.n FROM c WHERE c.pk IN ('k4', 'k5') AND c.n < 20",
                        100,
                        Optional.empty());
        assertThat(two.charge().ranges()).isLessThanOrEqualTo(2);
        assertThat(two.rows())
                .extracting(Bytes::toUtf8)
                .containsExactlyInAnyOrder("4", "14", "5", "15");
        assertThat(
                        all(
                                container,
                                new FeedScope.Key(PartitionKey.ofText("k4")),
                                "SELECT VALUE SUM(c.n) FROM c",
                                10))
                .containsExactly("174");
    }

    @Test
    void splitsBetweenPagesLoseAndRepeatNothing() {
        ContainerRef container = filled(400, 60);
        for (String query :
                List.of(
                        "SELECT VALUE c.n FROM c",
                        "SELECT VALUE c.n FROM c WHERE c.n >= 0",
                        "SELECT VALUE c.n FROM c WHERE c.n < 20 OR ARRAY_CONTAINS(c.tags, 'all')")) {
            List<String> rows = new ArrayList<>();
            Optional<String> continuation = Optional.empty();
            int pages = 0;
            do {
                QueryPage page = page(container, EVERYWHERE, query, 11, continuation);
                page.rows().forEach(row -> rows.add(row.toUtf8()));
                continuation = page.continuation();
                if (++pages == 2) {
                    split(container);
                }
            } while (continuation.isPresent());
            assertThat(rows).as(query).containsExactlyInAnyOrderElementsOf(numbers(0, 60));
        }
    }

    /** Arrays and objects have no order, so equal ones are not neighbours. */
    @ParameterizedTest
    @ValueSource(ints = {400, 70_000})
    void distinctArraysComeOnce(int requestUnits) {
        ContainerRef container = filled(requestUnits, 60);
        for (int pageSize : new int[] {1, 2, 100}) {
            assertThat(
                            all(
                                    container,
                                    EVERYWHERE,
                                    "SELECT DISTINCT VALUE c.tags FROM c ORDER BY c.tags",
                                    pageSize))
                    .containsExactlyInAnyOrder(
                            "[\"t0\",\"all\"]", "[\"t1\",\"all\"]", "[\"t2\",\"all\"]");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 70_000})
    void sortedDistinctResultsGoOnBehindTheLastWhateverIsWritten(int requestUnits) {
        ContainerRef container = filled(requestUnits, 60);
        String query = "SELECT DISTINCT VALUE c.n FROM c ORDER BY c.n";
        List<String> rows = new ArrayList<>();
        Optional<String> continuation = Optional.empty();
        int written = 0;
        do {
            QueryPage page = page(container, EVERYWHERE, query, 7, continuation);
            page.rows().forEach(row -> rows.add(row.toUtf8()));
            continuation = page.continuation();
            written++;
            for (int n : new int[] {-written, 100}) {
                fixture.create(
                        container,
                        "{\"id\":\"new %d %d\",\"pk\":\"k%d\",\"n\":%d}"
                                .formatted(n, written, written, n));
            }
        } while (continuation.isPresent());
        List<String> expected = new ArrayList<>(numbers(0, 60));
        expected.add("100");
        assertThat(rows).containsExactlyElementsOf(expected);
    }

    /** Equal values lie in every partition, so places among them must hold over every change. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE c.n FROM c ORDER BY c.n",
                "SELECT VALUE c.n FROM c ORDER BY c.n DESC",
                "SELECT VALUE c.n FROM c ORDER BY c.x",
                "SELECT VALUE c.n FROM c ORDER BY c.x DESC",
                "SELECT VALUE c.n FROM c ORDER BY c.missing",
                "SELECT VALUE [c.n, t][0] FROM c JOIN t IN c.tags WHERE t = 'all' ORDER BY c.x",
                "SELECT DISTINCT VALUE c.n FROM c ORDER BY c.n",
                "SELECT DISTINCT VALUE c.n FROM c ORDER BY c.x",
                "SELECT DISTINCT VALUE c.n FROM c",
                "SELECT VALUE c.n FROM c GROUP BY c.n",
                "SELECT VALUE c.n FROM c OFFSET 0 LIMIT 60",
                "SELECT TOP 60 VALUE c.n FROM c ORDER BY c.x",
                "SELECT VALUE d FROM (SELECT DISTINCT VALUE c.n FROM c) d"
            })
    void splitsAndMergesBetweenPagesOfMergedAnswers(String query) {
        ContainerRef container = filled(400, 60);
        for (int pageSize : new int[] {1, 7}) {
            List<String> rows = new ArrayList<>();
            Optional<String> continuation = Optional.empty();
            int pages = 0;
            do {
                QueryPage page = page(container, EVERYWHERE, query, pageSize, continuation);
                page.rows().forEach(row -> rows.add(row.toUtf8()));
                continuation = page.continuation();
                pages++;
                if (pages <= 3) {
                    split(container);
                } else if (pages <= 6) {
                    mergeFirstTwo(container);
                }
            } while (continuation.isPresent());
            assertThat(rows).containsExactlyInAnyOrderElementsOf(numbers(0, 60));
            assertThat(pages).isBetween(60 / pageSize, 60 / pageSize + 1);
        }
    }

    private void mergeFirstTwo(ContainerRef container) {
        int range =
                fixture.engine
                        .resources()
                        .readPartitionMap(EngineFixture.context(), container)
                        .partitions()
                        .getFirst()
                        .range();
        fixture.engine.operations().mergePartitions(EngineFixture.context(), container, range);
    }

    private void split(ContainerRef container) {
        int range =
                fixture.engine
                        .resources()
                        .readPartitionMap(EngineFixture.context(), container)
                        .partitions()
                        .getFirst()
                        .range();
        fixture.engine.operations().splitPartition(EngineFixture.context(), container, range);
    }

    @Test
    void mergesBetweenPagesLoseAndRepeatNothing() {
        ContainerRef container = filled(400, 60);
        for (String query :
                List.of("SELECT VALUE c.n FROM c", "SELECT VALUE c.n FROM c WHERE c.n >= 0")) {
            split(container);
            QueryPage first = page(container, EVERYWHERE, query, 9, Optional.empty());
            List<String> rows = new ArrayList<>();
            first.rows().forEach(row -> rows.add(row.toUtf8()));
            int left =
                    fixture.engine
                            .resources()
                            .readPartitionMap(EngineFixture.context(), container)
                            .partitions()
                            .getFirst()
                            .range();
            fixture.engine.operations().mergePartitions(EngineFixture.context(), container, left);
            Optional<String> continuation = first.continuation();
            while (continuation.isPresent()) {
                QueryPage page = page(container, EVERYWHERE, query, 9, continuation);
                page.rows().forEach(row -> rows.add(row.toUtf8()));
                continuation = page.continuation();
            }
            assertThat(rows).as(query).containsExactlyInAnyOrderElementsOf(numbers(0, 60));
        }
    }

    @Test
    void aTokenOfARangeIsGoodForItsChildren() {
        ContainerRef container = filled(400, 60);
        String query = "SELECT VALUE c.n FROM c ORDER BY c.n DESC";
        int parent = ranges(container).getFirst();
        QueryPage first =
                page(
                        container,
                        new FeedScope.Range(parent, Optional.empty()),
                        query,
                        10,
                        Optional.empty());
        assertThat(first.rows()).hasSize(10);
        split(container);
        assertThatThrownBy(
                        () ->
                                page(
                                        container,
                                        new FeedScope.Range(parent, Optional.empty()),
                                        query,
                                        10,
                                        first.continuation()))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.RANGE_GONE));
        List<String> rest = new ArrayList<>();
        for (int child : ranges(container)) {
            List<String> rows = new ArrayList<>();
            Optional<String> continuation = first.continuation();
            while (continuation.isPresent()) {
                QueryPage page =
                        page(
                                container,
                                new FeedScope.Range(child, Optional.empty()),
                                query,
                                7,
                                continuation);
                page.rows().forEach(row -> rows.add(row.toUtf8()));
                continuation = page.continuation();
            }
            assertThat(rows.stream().map(Integer::valueOf).toList())
                    .isSortedAccordingTo(Comparator.reverseOrder());
            rest.addAll(rows);
        }
        assertThat(rest).containsExactlyInAnyOrderElementsOf(numbers(0, 50));
    }

    private List<Integer> ranges(ContainerRef container) {
        return fixture
                .engine
                .resources()
                .readPartitionMap(EngineFixture.context(), container)
                .partitions()
                .stream()
                .map(partition -> partition.range())
                .toList();
    }

    @Test
    void itemsThatComeWithoutASortValueAreFound() {
        ContainerRef container = filled(400, 12);
        String query = "SELECT TOP 3 VALUE c.id FROM c ORDER BY c.n";
        assertThat(all(container, EVERYWHERE, query, 10))
                .containsExactly("\"0\"", "\"1\"", "\"2\"");
        fixture.create(container, "{\"id\":\"none\",\"pk\":\"k\"}");
        fixture.create(container, "{\"id\":\"some\",\"pk\":\"k\",\"n\":100}");
        assertThat(all(container, EVERYWHERE, query, 10))
                .containsExactly("\"none\"", "\"0\"", "\"1\"");
        assertThat(
                        all(
                                container,
                                EVERYWHERE,
                                "SELECT VALUE c.id FROM c WHERE c.n > 9 OR NOT IS_DEFINED(c.n)"
                                        + " ORDER BY c.n DESC",
                                2))
                .containsExactly("\"some\"", "\"11\"", "\"10\"", "\"none\"");
    }

    @Test
    void aChangedPolicyNeverChangesTheAnswer() {
        ContainerRef container = filled(400, 200);
        String query = "SELECT VALUE c.n FROM c WHERE c.n >= 150 AND ARRAY_CONTAINS(c.tags, 'all')";
        ContainerDefinition plain = EngineFixture.definition("/pk");
        for (int i = 0; i < 6; i++) {
            IndexingPolicy policy =
                    i % 2 == 0
                            ? new IndexingPolicy(
                                    IndexingPolicy.Mode.CONSISTENT,
                                    true,
                                    List.of("/*"),
                                    List.of("/n/?", "/tags/*"),
                                    List.of(),
                                    List.of())
                            : IndexingPolicy.DEFAULT;
            fixture.engine
                    .resources()
                    .replaceContainer(
                            EngineFixture.context(),
                            container,
                            new ContainerDefinition(
                                    plain.partitionKey(),
                                    policy,
                                    plain.conflictResolution(),
                                    plain.geospatial()),
                            Precondition.NONE);
            // Some of these fall into the re-indexing, some behind it.
            for (int j = 0; j < 4; j++) {
                assertThat(all(container, EVERYWHERE, query, 1000))
                        .containsExactlyInAnyOrderElementsOf(numbers(150, 200));
            }
        }
    }

    @Test
    void chargesAreForRangesAndLoadedDocuments() {
        ContainerRef container = filled(400, 60);
        QueryPage page =
                page(container, EVERYWHERE, "SELECT * FROM c WHERE c.n = 5", 100, Optional.empty());
        assertThat(page.charge().documents()).isEqualTo(1);
        assertThat(page.charge().ranges()).isEqualTo(1);
        assertThat(page.charge().ru()).isBetween(2.4, 2.45);
        assertThat(page.metrics().indexes().paths()).containsExactly("/n/?");
    }

    @Test
    void aResumeFilterBeginsInTheMiddle() {
        ContainerRef container = filled(400, 20);
        QueryCall resumed =
                new QueryCall(
                        SqlStatement.parse("SELECT VALUE c.n FROM c ORDER BY c.n", Map.of()),
                        Optional.of(
                                new ResumePoint(List.of(Value.of(15)), Optional.empty(), true)));
        QueryPage page =
                fixture.engine
                        .items()
                        .query(
                                EngineFixture.context(),
                                container,
                                EVERYWHERE,
                                resumed,
                                new PageRequest(OptionalInt.of(2), Optional.empty()));
        assertThat(page.rows()).extracting(Bytes::toUtf8).containsExactly("16", "17");
        QueryPage rest =
                fixture.engine
                        .items()
                        .query(
                                EngineFixture.context(),
                                container,
                                EVERYWHERE,
                                resumed,
                                new PageRequest(OptionalInt.of(2), page.continuation()));
        assertThat(rest.rows()).extracting(Bytes::toUtf8).containsExactly("18", "19");
        assertThat(rest.continuation()).isEmpty();
    }

    @Test
    void distancesAreThoseOfTheContainersSpace() {
        ContainerDefinition globe = EngineFixture.definition("/pk");
        ContainerDefinition plane =
                new ContainerDefinition(
                        globe.partitionKey(),
                        globe.indexingPolicy(),
                        globe.conflictResolution(),
                        ContainerDefinition.Geospatial.GEOMETRY);
        String item =
                "{\"id\":\"1\",\"pk\":\"a\",\"at\":{\"type\":\"Point\",\"coordinates\":[3,4]}}";
        String origin = "{'type': 'Point', 'coordinates': [0, 0]}";
        String distance = "ST_DISTANCE(%s, " + origin + ")";
        List<String> queries =
                List.of(
                        "SELECT VALUE " + distance.formatted("c.at") + " FROM c",
                        // Put together from seven partitions, and over the results of another.
                        "SELECT VALUE MAX(" + distance.formatted("c.at") + ") FROM c",
                        "SELECT VALUE "
                                + distance.formatted("d.at")
                                + " FROM (SELECT DISTINCT c.at FROM c) AS d",
                        "SELECT VALUE MAX("
                                + distance.formatted("d.at")
                                + ") FROM (SELECT DISTINCT c.at FROM c) AS d");
        ContainerRef onPlane = fixture.container("plane", 70_000, plane);
        ContainerRef onGlobe = fixture.container("globe", 70_000, globe);
        fixture.create(onPlane, item);
        fixture.create(onGlobe, item);
        for (String query : queries) {
            assertThat(all(onPlane, EVERYWHERE, query, 10)).as(query).containsExactly("5");
            assertThat(all(onGlobe, EVERYWHERE, query, 10))
                    .as(query)
                    .singleElement()
                    .satisfies(row -> assertThat(Double.valueOf(row)).isBetween(5.5e5, 5.6e5));
        }
        assertThat(
                        all(
                                onPlane,
                                EVERYWHERE,
                                "SELECT VALUE c.id FROM c WHERE "
                                        + distance.formatted("c.at")
                                        + " < 6",
                                10))
                .containsExactly("\"1\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE 1 / 0",
                "SELECT VALUE c.n / 0 FROM c WHERE c.n = 5",
                "SELECT VALUE SUM(c.n * 1e307) FROM c",
                "SELECT c.pk, MAX(c.n / 0) AS x FROM c WHERE c.n > 0 GROUP BY c.pk",
                "SELECT c.n / 0 AS x FROM c ORDER BY c.n"
            })
    void numbersThatAreNotFiniteAreNoResults(String query) {
        ContainerRef container = filled(70_000, 60);
        assertThatThrownBy(() -> all(container, EVERYWHERE, query, 10))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        failure -> {
                            assertThat(failure.code()).isEqualTo(ErrorCode.NON_FINITE_RESULT);
                            assertThat(failure.text()).contains("\"code\":4001");
                        });
    }

    @Test
    void indexMetricsNameThePartitionKeyThatWasLookedUp() {
        ContainerRef container = filled(400, 6);
        FeedScope key = new FeedScope.Key(PartitionKey.ofText("k1"));
        assertThat(
                        page(container, key, "SELECT * FROM c", 10, Optional.empty())
                                .metrics()
                                .indexes()
                                .paths())
                .containsExactly("/pk/?");
        assertThat(
                        page(
                                        container,
                                        EVERYWHERE,
                                        "SELECT * FROM c WHERE c.pk IN ('k1', 'k2')",
                                        10,
                                        Optional.empty())
                                .metrics()
                                .indexes()
                                .paths())
                .contains("/pk/?");
        assertThat(
                        page(container, EVERYWHERE, "SELECT * FROM c", 10, Optional.empty())
                                .metrics()
                                .indexes()
                                .paths())
                .isEmpty();
    }

    @Test
    void metricsTellWhatWasLoadedAndWhatOfItMatched() {
        ContainerRef container = filled(400, 60);
        QueryMetrics scan =
                page(
                                container,
                                EVERYWHERE,
                                "SELECT VALUE COUNT(1) FROM c WHERE c.n % 4 = LENGTH(c.pk) - 2",
                                10,
                                Optional.empty())
                        .metrics();
        assertThat(scan.documents()).isEqualTo(60);
        assertThat(scan.matches()).isEqualTo(15);
        assertThat(scan.rows()).isEqualTo(1);
        QueryMetrics look =
                page(
                                container,
                                EVERYWHERE,
                                "SELECT * FROM c WHERE c.n > 50 ORDER BY c.n",
                                100,
                                Optional.empty())
                        .metrics();
        assertThat(look.matches()).isEqualTo(9).isEqualTo(look.documents());
        QueryTimes times = look.times();
        assertThat(
                        List.of(
                                times.parse(),
                                times.prepare(),
                                times.choose(),
                                times.index(),
                                times.load(),
                                times.write()))
                .allSatisfy(nanos -> assertThat(nanos).isPositive());
        assertThat(times.total())
                .isGreaterThanOrEqualTo(
                        times.parse()
                                + times.prepare()
                                + times.choose()
                                + times.index()
                                + times.load()
                                + times.write());
    }

    @Test
    void parametersTravelWithTheQuery() {
        ContainerRef container = filled(400, 20);
        QueryPage page =
                fixture.engine
                        .items()
                        .query(
                                EngineFixture.context(),
                                container,
                                EVERYWHERE,
                                QueryCall.of(
                                        SqlStatement.parse(
                                                "SELECT VALUE c.n FROM c WHERE c.n IN (@a, @b)",
                                                Map.of(
                                                        "@a",
                                                        Value.of(3),
                                                        "@b",
                                                        Value.Undefined.UNDEFINED))),
                                PageRequest.FIRST);
        assertThat(page.rows()).extracting(Bytes::toUtf8).containsExactly("3");
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }
}
