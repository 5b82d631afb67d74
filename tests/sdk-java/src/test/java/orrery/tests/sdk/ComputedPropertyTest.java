package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.ComputedProperty;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Containers with computed properties: defined, changed, queried with and without an index. */
@Tag("client")
@Timeout(900)
final class ComputedPropertyTest {
    private static final int ITEMS = 60;
    private static final ComputedProperty NAME =
            new ComputedProperty("cp_name", "SELECT VALUE LOWER(c.name) FROM c");
    private static final ComputedProperty TENS =
            new ComputedProperty("cp_tens", "SELECT VALUE FLOOR(c.n / 10) FROM c");

    private final int throughput;

    ComputedPropertyTest(int throughput) {
        this.throughput = throughput;
    }

    private static IndexingPolicy including(String... paths) {
        return new IndexingPolicy()
                .setIncludedPaths(
                        Stream.concat(Stream.of("/*"), Stream.of(paths))
                                .map(IncludedPath::new)
                                .toList());
    }

    private CosmosContainer filled(IndexingPolicy policy, ComputedProperty... computed) {
        CosmosContainerProperties properties =
                Cosmos.properties(Cosmos.uniqueName("computed"), "/pk")
                        .setComputedProperties(List.of(computed))
                        .setIndexingPolicy(policy);
        Cosmos.database()
                .createContainer(
                        properties, ThroughputProperties.createManualThroughput(throughput));
        CosmosContainer container = Cosmos.database().getContainer(properties.getId());
        for (int i = 0; i < ITEMS; i++) {
            container.createItem(
                    Cosmos.json(
                            "{\"id\":\"%d\",\"pk\":\"k%d\",\"n\":%d,\"name\":\"N%d\"}"
                                    .formatted(i, i % 30, i, i % 3)));
        }
        return container;
    }

    private static List<String> rows(CosmosContainer container, String query, int size) {
        List<String> rows = new ArrayList<>();
        for (FeedResponse<JsonNode> page :
                container
                        .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
                        .iterableByPage(size)) {
            page.getResults().forEach(row -> rows.add(row.toString()));
        }
        return rows;
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }

    private static List<String> tens() {
        return IntStream.range(0, ITEMS).mapToObj(n -> Integer.toString(n / 10)).toList();
    }

    @OnOneAndFivePartitions
    void definitionsAreKeptAndReplaced() {
        CosmosContainer container = filled(including("/cp_tens/?"), NAME, TENS);
        CosmosContainerProperties properties = container.read().getProperties();
        assertThat(properties.getComputedProperties())
                .extracting(ComputedProperty::getName)
                .containsExactly("cp_name", "cp_tens");
        assertThat(properties.getComputedProperties())
                .extracting(ComputedProperty::getQuery)
                .containsExactly(NAME.getQuery(), TENS.getQuery());

        container.replace(
                properties.setComputedProperties(
                        List.of(
                                new ComputedProperty(
                                        "cp_tens", "SELECT VALUE FLOOR(c.n / 20) FROM c"))));
        assertThat(container.read().getProperties().getComputedProperties())
                .extracting(ComputedProperty::getName)
                .containsExactly("cp_tens");
        assertThat(rows(container, "SELECT VALUE c.n FROM c WHERE c.cp_tens = 1", 7))
                .containsExactlyInAnyOrderElementsOf(numbers(20, 40));
        assertThat(rows(container, "SELECT c.cp_name FROM c WHERE c.n = 1", 7))
                .containsExactly("{}");
        container.delete();
    }

    @OnOneAndFivePartitions
    void filtersOrdersGroupsAndDistinctResults() {
        CosmosContainer container = filled(including("/cp_name/?", "/cp_tens/?"), NAME, TENS);
        for (int size : new int[] {1, 100}) {
            assertThat(rows(container, "SELECT VALUE c.n FROM c WHERE c.cp_tens = 3", size))
                    .containsExactlyInAnyOrderElementsOf(numbers(30, 40));
            assertThat(rows(container, "SELECT VALUE c.cp_tens FROM c ORDER BY c.cp_tens", size))
                    .isEqualTo(tens());
            assertThat(
                            rows(
                                    container,
                                    "SELECT DISTINCT VALUE c.cp_name FROM c ORDER BY c.cp_name"
                                            + " DESC",
                                    size))
                    .containsExactly("\"n2\"", "\"n1\"", "\"n0\"");
        }
        assertThat(
                        rows(
                                container,
                                "SELECT c.cp_name, COUNT(1) AS n FROM c GROUP BY c.cp_name",
                                100))
                .containsExactlyInAnyOrder(
                        "{\"cp_name\":\"n0\",\"n\":20}",
                        "{\"cp_name\":\"n1\",\"n\":20}",
                        "{\"cp_name\":\"n2\",\"n\":20}");
        assertThat(rows(container, "SELECT VALUE SUM(c.cp_tens) FROM c", 100))
                .containsExactly("150.0");
        assertThat(
                        rows(
                                container,
                                "SELECT VALUE c.n FROM c ORDER BY c.cp_tens DESC OFFSET 3 LIMIT 4",
                                2))
                .hasSize(4)
                .allSatisfy(n -> assertThat(Integer.parseInt(n)).isBetween(50, 59));
        container.delete();
    }

    @OnOneAndFivePartitions
    void itemsDoNotHoldThem() {
        CosmosContainer container = filled(including(), NAME);
        assertThat(rows(container, "SELECT * FROM c WHERE c.cp_name = 'n1'", 100))
                .hasSize(20)
                .allSatisfy(row -> assertThat(row).doesNotContain("cp_name"));
        JsonNode read = container.readItem("1", new PartitionKey("k1"), JsonNode.class).getItem();
        assertThat(read.has("cp_name")).isFalse();
        container.delete();
    }

    @OnOneAndFivePartitions
    void theMetricsNameTheIndex() {
        CosmosContainer container = filled(including("/cp_tens/?"), NAME, TENS);
        CosmosQueryRequestOptions options =
                new CosmosQueryRequestOptions().setIndexMetricsEnabled(true);
        String query = "SELECT VALUE c.n FROM c WHERE c.cp_tens = 3 AND c.cp_name = 'n1'";
        for (FeedResponse<JsonNode> page :
                container.queryItems(query, options, JsonNode.class).iterableByPage(100)) {
            assertThat(page.getCosmosDiagnostics().toString())
                    .containsPattern("UtilizedSingleIndexes[^]]*/cp_tens/\\?")
                    .containsPattern("PotentialSingleIndexes[^]]*/cp_name/\\?");
        }
        // The query names one key, so that only one partition refuses.
        CosmosQueryRequestOptions ofOneKey =
                new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey("k1"));
        CosmosException refused =
                catchThrowableOfType(
                        CosmosException.class,
                        () ->
                                container
                                        .queryItems(
                                                "SELECT c.n FROM c ORDER BY c.cp_name",
                                                ofOneKey,
                                                JsonNode.class)
                                        .stream()
                                        .toList());
        assertThat(refused.getStatusCode()).isEqualTo(400);
        assertThat(refused.getMessage()).contains("order-by item is excluded");
        container.delete();
    }

    @OnOneAndFivePartitions
    void aSplitBetweenTwoPages() {
        ComputedProperty left =
                new ComputedProperty("cp_left", "SELECT VALUE " + ITEMS + " - c.n FROM c");
        CosmosContainer container = filled(including("/cp_left/?"), left);
        int partitions = KeyRange.of(container).size();
        String query = "SELECT VALUE c.cp_left FROM c WHERE c.cp_left > 5 ORDER BY c.cp_left";
        List<String> rows = new ArrayList<>();
        boolean isSplit = false;
        for (FeedResponse<JsonNode> page :
                container
                        .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
                        .iterableByPage(9)) {
            page.getResults().forEach(row -> rows.add(row.toString()));
            if (!isSplit) {
                isSplit = true;
                container.replaceThroughput(
                        ThroughputProperties.createManualThroughput((partitions + 1) * 10_000));
                KeyRange.await(container, partitions + 1);
            }
        }
        assertThat(rows).isEqualTo(numbers(6, ITEMS + 1));
        container.delete();
    }

    @OnOneAndFivePartitions
    void whatCannotBeDefined() {
        String query = "SELECT VALUE LOWER(c.name) FROM c";
        refused("cannot be used in multiple definitions", NAME, NAME);
        refused("The system property name 'id'", new ComputedProperty("id", query));
        refused("partition key path '/pk'", new ComputedProperty("pk", query));
        refused(
                "Required VALUE expression missing from computed property query",
                new ComputedProperty("cp", "SELECT LOWER(c.name) FROM c"));
        refused(
                "Computed property at index (0) has a malformed query",
                new ComputedProperty("cp", "SELECT VALUE LOWER(c.name) FROM r"));
        refused(
                "must not have a WHERE clause",
                new ComputedProperty("cp", "SELECT VALUE c.n FROM c WHERE c.n > 1"));
        refused(
                "at most 20",
                IntStream.range(0, 21)
                        .mapToObj(i -> new ComputedProperty("cp" + i, query))
                        .toArray(ComputedProperty[]::new));
    }

    private void refused(String why, ComputedProperty... computed) {
        CosmosException refused =
                catchThrowableOfType(
                        CosmosException.class, () -> filled(including(), computed).delete());
        assertThat(refused.getStatusCode()).isEqualTo(400);
        assertThat(refused.getMessage()).contains(why);
    }
}
