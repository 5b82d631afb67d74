package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CompositePath;
import com.azure.cosmos.models.CompositePathSortOrder;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Orders over strings that are alike for longer than the index holds them. The SDK merges the
 * partitions by whole values, and its tokens say behind which value each goes on.
 */
@Timeout(900)
final class LongTextOrderTest {
    private static final int T = 1000;
    private static final int ITEMS = 50;

    private static RunningServer server;
    private static CosmosClient client;
    private static CosmosDatabase database;

    @BeforeAll
    static void start() {
        server =
                RunningServer.start(
                        "--partition-max-throughput", Integer.toString(T), "--no-throttling");
        client = Cosmos.newClient(server);
        client.createDatabase("db");
        database = client.getDatabase("db");
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    /** All different, in no order, and alike for 90 Chinese characters or 1,200 letters. */
    private static String text(int number) {
        String beginning = number % 2 == 0 ? "漢".repeat(90) : "l".repeat(1200);
        return beginning + (number * 37 % 101 + 100);
    }

    private static CosmosContainer filled(int partitions) {
        CosmosContainerProperties properties = Cosmos.properties(Cosmos.uniqueName("long"), "/pk");
        IndexingPolicy policy = new IndexingPolicy();
        policy.setCompositeIndexes(
                List.of(
                        List.of(
                                path("/a", CompositePathSortOrder.ASCENDING),
                                path("/n", CompositePathSortOrder.DESCENDING))));
        properties.setIndexingPolicy(policy);
        database.createContainer(
                properties, ThroughputProperties.createManualThroughput(T * partitions));
        CosmosContainer container = database.getContainer(properties.getId());
        for (int i = 0; i < ITEMS; i++) {
            ObjectNode item = Cosmos.JSON.createObjectNode();
            item.put("id", "i" + i).put("pk", "k" + i % 12).put("n", i).put("a", text(i));
            container.createItem(item);
        }
        return container;
    }

    private static CompositePath path(String path, CompositePathSortOrder order) {
        return new CompositePath().setPath(path).setOrder(order);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void rowsComeInOrderFromAnyToken(int partitions) {
        CosmosContainer container = filled(partitions);
        List<Integer> rising =
                IntStream.range(0, ITEMS)
                        .boxed()
                        .sorted(Comparator.comparing(LongTextOrderTest::text))
                        .toList();
        check(container, "SELECT VALUE c.n FROM c ORDER BY c.a", rising);
        check(container, "SELECT VALUE c.n FROM c ORDER BY c.a DESC", rising.reversed());
        check(container, "SELECT VALUE c.n FROM c ORDER BY c.a ASC, c.n DESC", rising);
        check(container, "SELECT VALUE c.n FROM c ORDER BY c.a DESC, c.n ASC", rising.reversed());
        check(container, "SELECT TOP 9 VALUE c.n FROM c ORDER BY c.a", rising.subList(0, 9));
        container.delete();
    }

    private static void check(CosmosContainer container, String query, List<Integer> expected) {
        List<Integer> rows = new ArrayList<>();
        container
                .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
                .iterableByPage(3)
                .forEach(page -> page.getResults().forEach(row -> rows.add(row.asInt())));
        assertThat(rows).as(query).isEqualTo(expected);
        List<Integer> resumed = new ArrayList<>();
        String token = null;
        do {
            FeedResponse<JsonNode> page =
                    container
                            .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
                            .iterableByPage(token, 3)
                            .iterator()
                            .next();
            page.getResults().forEach(row -> resumed.add(row.asInt()));
            token = page.getContinuationToken();
            assertThat(resumed).hasSizeLessThanOrEqualTo(expected.size());
        } while (token != null);
        assertThat(resumed).as("from tokens: " + query).isEqualTo(expected);
    }
}
