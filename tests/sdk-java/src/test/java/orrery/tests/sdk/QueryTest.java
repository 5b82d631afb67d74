package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.JSON;
import static orrery.tests.sdk.Cosmos.assertFails;

import com.azure.cosmos.BridgeInternal;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.implementation.QueryMetrics;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of query that the SDK plans, on one range and on seven, in pages of one and of a
 * hundred, taken up from tokens in the middle, and with a split between two pages.
 */
@Tag("client")
@Timeout(900)
final class QueryTest {
    private static final int ITEMS = 60;
    private static final int T = SmallPartitions.THROUGHPUT;

    private static SmallPartitions lab;
    private static CosmosContainer one;
    private static CosmosContainer seven;

    /** The order of rows that a test can rely on. */
    private enum Order {
        /** The rows come as they are listed. */
        FIXED,
        /** Likewise, but over a split the SDK's tokens do not tell rows with equal values apart. */
        TIED,
        /**
         * Likewise, but the SDK's tokens repeat values: DistinctDocumentQueryExecutionContext does
         * not take over the last hash of the token it was given, so a page of nothing but
         * duplicates hands out a token without one.
         */
        DISTINCT,
        /** In any order. */
        FREE,
        /** In any order, and the SDK has no tokens for it. */
        WHOLE;

        boolean isListed() {
            return this == FIXED || this == TIED || this == DISTINCT;
        }

        boolean hasTokens() {
            return this == FIXED || this == TIED || this == FREE;
        }
    }

    private record Case(String query, Order order, List<JsonNode> expected) {
        @Override
        public String toString() {
            return query;
        }
    }

    @BeforeAll
    static void start() {
        lab = SmallPartitions.start();
        one = filled("one", 1);
        seven = filled("seven", 7);
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    private static CosmosContainer filled(String id, int partitions) {
        CosmosContainerProperties properties = Cosmos.properties(id, "/pk");
        SmallPartitions.indexTogether(properties, "/team", "/n");
        CosmosContainer container = lab.create(properties, partitions);
        assertThat(KeyRange.of(container)).hasSize(partitions);
        for (int i = 0; i < ITEMS; i++) {
            container.createItem(item(i));
        }
        return container;
    }

    /** Numbers are all different; every seventh has no group, one has a text for a number. */
    private static ObjectNode item(int i) {
        ObjectNode item = JSON.createObjectNode();
        item.put("id", "i" + i).put("pk", "k" + i % 12).put("n", (i * 37) % 101);
        if (i % 7 != 0) {
            item.put("team", "g" + i % 4);
        }
        item.putObject("deep").put("half", i / 2);
        item.putArray("tags").add("t" + i % 3).add(i);
        return item;
    }

    private static List<ObjectNode> items() {
        return IntStream.range(0, ITEMS).mapToObj(QueryTest::item).toList();
    }

    private static int n(JsonNode item) {
        return item.get("n").asInt();
    }

    static Stream<Case> cases() {
        List<ObjectNode> items = items();
        List<ObjectNode> byNumber =
                items.stream().sorted((a, b) -> Integer.compare(n(a), n(b))).toList();
        List<ObjectNode> grouped = items.stream().filter(item -> item.has("team")).toList();
        return Stream.of(
                new Case(
                        "SELECT * FROM c WHERE c.n > 50",
                        Order.FREE,
                        List.copyOf(items.stream().filter(item -> n(item) > 50).toList())),
                new Case(
                        "SELECT VALUE c.id FROM c WHERE c.team = 'g1' AND c.n < 70",
                        Order.FREE,
                        values(
                                grouped.stream()
                                        .filter(item -> item.get("team").asText().equals("g1"))
                                        .filter(item -> n(item) < 70)
                                        .map(item -> item.get("id")))),
                new Case(
                        "SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.deep.half = 3",
                        Order.FREE,
                        values("\"t0\"", "6", "\"t1\"", "7")),
                new Case(
                        "SELECT VALUE c.n FROM c ORDER BY c.n",
                        Order.FIXED,
                        values(byNumber.stream().map(item -> item.get("n")))),
                new Case(
                        "SELECT c.n, c.id FROM c ORDER BY c.n DESC",
                        Order.FIXED,
                        values(
                                byNumber.reversed().stream()
                                        .map(
                                                item ->
                                                        JSON.createObjectNode()
                                                                .<ObjectNode>set("n", item.get("n"))
                                                                .set("id", item.get("id"))))),
                new Case(
                        "SELECT * FROM c WHERE c.n < 30 ORDER BY c.n",
                        Order.FIXED,
                        List.copyOf(byNumber.stream().filter(item -> n(item) < 30).toList())),
                new Case(
                        "SELECT VALUE c.team FROM c ORDER BY c.team",
                        Order.TIED,
                        values(
                                grouped.stream()
                                        .map(item -> item.get("team"))
                                        .sorted((a, b) -> a.asText().compareTo(b.asText())))),
                new Case(
                        "SELECT VALUE [c.team, c.n] FROM c WHERE IS_DEFINED(c.team)"
                                + " ORDER BY c.team ASC, c.n DESC",
                        Order.FIXED,
                        values(
                                grouped.stream()
                                        .sorted(
                                                (a, b) -> {
                                                    int order =
                                                            a.get("team")
                                                                    .asText()
                                                                    .compareTo(
                                                                            b.get("team").asText());
                                                    return order != 0
                                                            ? order
                                                            : Integer.compare(n(b), n(a));
                                                })
                                        .map(
                                                item ->
                                                        JSON.createArrayNode()
                                                                .add(item.get("team"))
                                                                .add(item.get("n"))))),
                new Case(
                        "SELECT TOP 7 VALUE c.n FROM c ORDER BY c.n",
                        Order.FIXED,
                        values(byNumber.stream().limit(7).map(item -> item.get("n")))),
                new Case(
                        "SELECT VALUE c.n FROM c ORDER BY c.n DESC OFFSET 5 LIMIT 9",
                        Order.FIXED,
                        values(
                                byNumber.reversed().stream()
                                        .skip(5)
                                        .limit(9)
                                        .map(item -> item.get("n")))),
                new Case(
                        "SELECT DISTINCT VALUE c.team FROM c ORDER BY c.team",
                        Order.DISTINCT,
                        values("\"g0\"", "\"g1\"", "\"g2\"", "\"g3\"")),
                new Case(
                        "SELECT DISTINCT c.team FROM c",
                        Order.WHOLE,
                        values(
                                "{\"team\":\"g0\"}",
                                "{\"team\":\"g1\"}",
                                "{\"team\":\"g2\"}",
                                "{\"team\":\"g3\"}",
                                "{}")),
                new Case("SELECT VALUE COUNT(1) FROM c", Order.WHOLE, values("60")),
                new Case(
                        "SELECT VALUE SUM(c.n) FROM c",
                        Order.WHOLE,
                        values(Integer.toString(items.stream().mapToInt(QueryTest::n).sum()))),
                new Case("SELECT VALUE AVG(c.deep.half) FROM c", Order.WHOLE, values("14.5")),
                new Case(
                        "SELECT VALUE MIN(c.n) FROM c WHERE c.n > 10",
                        Order.WHOLE,
                        values(
                                byNumber.stream()
                                        .map(item -> item.get("n"))
                                        .filter(number -> number.asInt() > 10)
                                        .limit(1))),
                new Case("SELECT VALUE MAX(c.team) FROM c", Order.WHOLE, values("\"g3\"")),
                new Case(
                        "SELECT COUNT(c.team) AS groups, MAX(c.deep.half) AS half FROM c",
                        Order.WHOLE,
                        values("{\"groups\":" + grouped.size() + ",\"half\":29}")),
                new Case(
                        "SELECT c.team, COUNT(1) AS n, MIN(c.deep.half) AS least FROM c"
                                + " WHERE c.team != 'g0' GROUP BY c.team",
                        Order.WHOLE,
                        values(
                                Stream.of("g1", "g2", "g3")
                                        .map(
                                                group -> {
                                                    List<ObjectNode> of =
                                                            grouped.stream()
                                                                    .filter(
                                                                            item ->
                                                                                    item.get("team")
                                                                                            .asText()
                                                                                            .equals(
                                                                                                    group))
                                                                    .toList();
                                                    return JSON.createObjectNode()
                                                            .put("team", group)
                                                            .put("n", of.size())
                                                            .put(
                                                                    "least",
                                                                    of.getFirst()
                                                                            .get("deep")
                                                                            .get("half")
                                                                            .asInt());
                                                }))),
                new Case(
                        "SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.pk FROM c)",
                        Order.WHOLE,
                        values("12")),
                new Case(
                        "SELECT VALUE c.id FROM c WHERE c.pk = 'k5' ORDER BY c.id",
                        Order.FIXED,
                        values("\"i17\"", "\"i29\"", "\"i41\"", "\"i5\"", "\"i53\"")),
                new Case(
                        "SELECT VALUE c.id FROM c WHERE c.pk IN ('k1', 'k2') AND c.n > @low",
                        Order.FREE,
                        values(
                                items.stream()
                                        .filter(item -> item.get("pk").asText().matches("k[12]"))
                                        .filter(item -> n(item) > 40)
                                        .map(item -> item.get("id")))),
                new Case(
                        "SELECT VALUE c.n FROM c WHERE CONTAINS(c.id, '7')"
                                + " AND ARRAY_CONTAINS(c.tags, 't1')",
                        Order.FREE,
                        values(
                                items.stream()
                                        .filter(item -> item.get("id").asText().contains("7"))
                                        .filter(
                                                item ->
                                                        item.get("tags")
                                                                .get(0)
                                                                .asText()
                                                                .equals("t1"))
                                        .map(item -> item.get("n")))),
                new Case("SELECT VALUE 1 FROM c WHERE false", Order.FREE, List.of()));
    }

    private static List<JsonNode> values(Stream<? extends JsonNode> values) {
        return values.<JsonNode>map(value -> value).toList();
    }

    private static List<JsonNode> values(String... json) {
        return values(
                Stream.of(json)
                        .map(
                                text -> {
                                    try {
                                        return JSON.readTree(text);
                                    } catch (Exception e) {
                                        throw new IllegalArgumentException(text, e);
                                    }
                                }));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void answersOnOneRangeAndOnSeven(Case expected) {
        for (CosmosContainer container : List.of(one, seven)) {
            for (int size : new int[] {1, 100}) {
                List<JsonNode> rows = new ArrayList<>();
                for (FeedResponse<JsonNode> page :
                        container
                                .queryItems(spec(expected), options(), JsonNode.class)
                                .iterableByPage(size)) {
                    assertThat(page.getResults()).hasSizeLessThanOrEqualTo(size);
                    rows.addAll(page.getResults());
                }
                check(expected, rows);
            }
        }
    }

    static Stream<Case> casesWithTokens() {
        return cases().filter(each -> each.order().hasTokens());
    }

    @ParameterizedTest
    @MethodSource("casesWithTokens")
    void goesOnFromTheTokenOfAnyPage(Case expected) {
        for (CosmosContainer container : List.of(one, seven)) {
            for (int size : new int[] {3, 7}) {
                check(expected, resumed(container, expected, size, () -> {}));
            }
        }
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("casesWithTokens")
    void goesOnFromTheTokenOfAnyRow(Case expected) {
        for (CosmosContainer container : List.of(one, seven)) {
            check(expected, resumed(container, expected, 1, () -> {}));
        }
    }

    /**
     * A page, a split, a page, a split. Sorted answers are taken up from their tokens. For others
     * the token of this SDK knows one range only, so there the query itself goes on.
     */
    @ParameterizedTest
    @MethodSource("cases")
    void goesOnOverSplits(Case expected) {
        CosmosContainer container = filled(Cosmos.uniqueName("split"), 1);
        int[] partitions = {1};
        Runnable split =
                () -> {
                    if (partitions[0] < 4) {
                        partitions[0]++;
                        container.replaceThroughput(
                                ThroughputProperties.createManualThroughput(T * partitions[0]));
                        KeyRange.await(container, partitions[0]);
                    }
                };
        List<JsonNode> rows = new ArrayList<>();
        if (expected.order() == Order.FIXED) {
            rows.addAll(resumed(container, expected, 4, split));
        } else {
            for (FeedResponse<JsonNode> page :
                    container
                            .queryItems(spec(expected), options(), JsonNode.class)
                            .iterableByPage(4)) {
                rows.addAll(page.getResults());
                split.run();
            }
        }
        check(expected, rows);
        container.delete();
    }

    private static List<JsonNode> resumed(
            CosmosContainer container, Case expected, int size, Runnable between) {
        List<JsonNode> rows = new ArrayList<>();
        String token = null;
        int pages = 0;
        do {
            FeedResponse<JsonNode> page =
                    container
                            .queryItems(spec(expected), options(), JsonNode.class)
                            .iterableByPage(token, size)
                            .iterator()
                            .next();
            rows.addAll(page.getResults());
            token = page.getContinuationToken();
            assertThat(++pages).isLessThan(500);
            between.run();
        } while (token != null);
        return rows;
    }

    /** The server gives the whole answer for one logical partition by itself. */
    @ParameterizedTest
    @MethodSource("cases")
    void answersForOneKey(Case expected) {
        CosmosQueryRequestOptions ofKey = options().setPartitionKey(new PartitionKey("k5"));
        List<JsonNode> onOne = rows(one, expected, ofKey);
        List<JsonNode> onSeven = rows(seven, expected, ofKey);
        if (expected.order().isListed()) {
            assertThat(onSeven).isEqualTo(onOne);
        } else {
            assertThat(onSeven).containsExactlyInAnyOrderElementsOf(onOne);
        }
        assertThat(onOne.size()).isLessThanOrEqualTo(Math.max(1, 2 * ITEMS / 12));
    }

    private static List<JsonNode> rows(
            CosmosContainer container, Case expected, CosmosQueryRequestOptions options) {
        return container.queryItems(spec(expected), options, JsonNode.class).stream()
                .map(QueryTest::own)
                .toList();
    }

    private static SqlQuerySpec spec(Case expected) {
        return new SqlQuerySpec(expected.query(), List.of(new SqlParameter("@low", 40)));
    }

    private static CosmosQueryRequestOptions options() {
        return new CosmosQueryRequestOptions();
    }

    /** Leaves out what the server adds; whole numbers are all of one Java type. */
    private static JsonNode own(JsonNode row) {
        return switch (row) {
            case ObjectNode object -> {
                ObjectNode copy = JSON.createObjectNode();
                Cosmos.own(object)
                        .properties()
                        .forEach(member -> copy.set(member.getKey(), own(member.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = JSON.createArrayNode();
                array.forEach(element -> copy.add(own(element)));
                yield copy;
            }
            case NumericNode number -> DoubleNode.valueOf(number.doubleValue());
            default -> row;
        };
    }

    private static void check(Case expected, List<JsonNode> rows) {
        List<JsonNode> own = rows.stream().map(QueryTest::own).toList();
        List<JsonNode> wanted = expected.expected().stream().map(QueryTest::own).toList();
        if (expected.order().isListed()) {
            assertThat(own).isEqualTo(wanted);
        } else {
            assertThat(own).containsExactlyInAnyOrderElementsOf(wanted);
        }
    }

    /** The SDK shows them in its diagnostics only; this is how it reads them. */
    @Test
    void theSdkReadsTheMetrics() {
        List<QueryMetrics> metrics = new ArrayList<>();
        for (FeedResponse<JsonNode> page :
                seven.queryItems(
                                "SELECT * FROM c WHERE c.n > 50 AND LENGTH(c.team) > c.n - c.n",
                                new CosmosQueryRequestOptions()
                                        .setQueryMetricsEnabled(true)
                                        .setIndexMetricsEnabled(true),
                                JsonNode.class)
                        .iterableByPage(100)) {
            metrics.addAll(BridgeInternal.queryMetricsFromFeedResponse(page).values());
            assertThat(page.getCosmosDiagnostics().toString()).contains("/n/?");
        }
        long matching = items().stream().filter(item -> n(item) > 50 && item.has("team")).count();
        long loaded = metrics.stream().mapToLong(QueryMetrics::getRetrievedDocumentCount).sum();
        assertThat(metrics.stream().mapToLong(QueryMetrics::getOutputDocumentCount).sum())
                .isEqualTo(matching);
        assertThat(loaded)
                .isEqualTo(items().stream().filter(item -> n(item) > 50).count())
                .isGreaterThan(matching);
        assertThat(metrics)
                .allSatisfy(
                        each -> {
                            assertThat(each.getTotalQueryExecutionTime()).isPositive();
                            assertThat(each.getIndexHitRatio()).isBetween(0.0, 1.0);
                            assertThat(each.getQueryPreparationTimes().getQueryCompilationTime())
                                    .isLessThanOrEqualTo(each.getTotalQueryExecutionTime());
                        });
    }

    @Test
    void aNumberThatJsonCannotWriteIsRefused() {
        assertFails(
                400,
                4001,
                () ->
                        seven.queryItems(
                                        "SELECT VALUE c.n / 0 FROM c WHERE c.n > 0",
                                        new CosmosQueryRequestOptions(),
                                        JsonNode.class)
                                .forEach(_ -> {}));
    }
}
