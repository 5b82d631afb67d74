package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** Items that expire, by their container's word and by their own. */
@Tag("client")
final class ExpiryTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final int throughput;
    private final String key = uniqueName("key");
    private final PartitionKey partitionKey = new PartitionKey(key);

    ExpiryTest(int throughput) {
        this.throughput = throughput;
    }

    private CosmosContainer container(@Nullable Integer defaultSeconds) {
        CosmosContainerProperties properties =
                Cosmos.properties(uniqueName("expiring"), "/pk")
                        .setDefaultTimeToLiveInSeconds(defaultSeconds);
        Cosmos.database()
                .createContainer(
                        properties, ThroughputProperties.createManualThroughput(throughput));
        return Cosmos.echoingClient().getDatabase("shared").getContainer(properties.getId());
    }

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(20_000_000);
        }
    }

    private boolean isThere(CosmosContainer container, String id) {
        try {
            container.readItem(id, partitionKey, ObjectNode.class);
            return true;
        } catch (CosmosException failure) {
            assertThat(failure.getStatusCode()).isEqualTo(404);
            return false;
        }
    }

    private static List<JsonNode> query(CosmosContainer container, String text) {
        return container.queryItems(text, new CosmosQueryRequestOptions(), JsonNode.class).stream()
                .toList();
    }

    @OnOneAndFivePartitions
    void theContainersDefaultEndsItemsForEveryReader() {
        CosmosContainer container = container(2);
        assertThat(container.read().getProperties().getDefaultTimeToLiveInSeconds()).isEqualTo(2);
        container.createItem(item("stays", key).put("ttl", -1).put("n", 1));
        container.createItem(item("longer", key).put("ttl", 3600).put("n", 2));
        long before = nowSeconds();
        container.createItem(item("goes", key).put("n", 3));
        assertThat(isThere(container, "goes") || nowSeconds() - before >= 2).isTrue();
        container.createItem(item("sooner", key).put("ttl", 1).put("n", 4));

        await(() -> !isThere(container, "goes") && !isThere(container, "sooner"));

        assertThat(container.readAllItems(partitionKey, ObjectNode.class)).hasSize(2);
        assertThat(query(container, "SELECT VALUE COUNT(1) FROM c").getFirst().asInt())
                .isEqualTo(2);
        assertThat(query(container, "SELECT VALUE c.n FROM c ORDER BY c.n DESC"))
                .extracting(JsonNode::asInt)
                .containsExactly(2, 1);
        assertThat(query(container, "SELECT VALUE MAX(c.n) FROM c").getFirst().asInt())
                .isEqualTo(2);
        CosmosChangeFeedRequestOptions changes =
                CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(
                        FeedRange.forFullRange());
        assertThat(container.queryChangeFeed(changes, ObjectNode.class).stream().toList())
                .extracting(item -> item.get("id").asText())
                .containsExactlyInAnyOrder("stays", "longer");
        assertFails(404, 0, () -> container.deleteItem("goes", partitionKey, null));
        assertFails(
                404,
                0,
                () ->
                        container.patchItem(
                                "goes",
                                partitionKey,
                                CosmosPatchOperations.create().set("/n", 5),
                                ObjectNode.class));
        assertThat(container.createItem(item("goes", key)).getStatusCode()).isEqualTo(201);
        assertThat(container.upsertItem(item("sooner", key)).getStatusCode()).isEqualTo(201);
    }

    @OnOneAndFivePartitions
    void expiredItemsAreDeletedInTheBackground() {
        CosmosContainer container = container(-1);
        double before = purged();
        for (int i = 0; i < 20; i++) {
            container.createItem(item("i" + i, key).put("ttl", 1));
        }
        container.createItem(item("stays", key));

        await(() -> purged() >= before + 20);
        assertThat(isThere(container, "stays")).isTrue();
    }

    private static double purged() {
        return Cosmos.server()
                .status("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("orrery_purged_items_total "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    @OnOneAndFivePartitions
    void aChangedDefaultCountsForWhatIsThere() {
        CosmosContainer container = container(null);
        container.createItem(item("own", key).put("ttl", 1));
        container.createItem(item("plain", key));
        await(() -> ageSeconds(container, "own") >= 3 && ageSeconds(container, "plain") >= 3);
        assertThat(isThere(container, "own")).as("ttl without defaultTtl").isTrue();

        CosmosContainerProperties properties = container.read().getProperties();
        container.replace(properties.setDefaultTimeToLiveInSeconds(-1));
        assertThat(isThere(container, "own")).isFalse();
        assertThat(isThere(container, "plain")).isTrue();
        container.replace(properties.setDefaultTimeToLiveInSeconds(1));
        assertThat(isThere(container, "plain")).isFalse();
    }

    private long ageSeconds(CosmosContainer container, String id) {
        long written =
                container
                        .readItem(id, partitionKey, ObjectNode.class)
                        .getItem()
                        .get("_ts")
                        .asLong();
        return nowSeconds() - written;
    }

    /** Returns the time in the unit of {@code _ts}. */
    private static long nowSeconds() {
        return System.currentTimeMillis() / 1000;
    }

    @OnOneAndFivePartitions
    void whatIsNoLifetimeIsRefused() {
        CosmosContainer container = container(-1);
        container.createItem(item("1", key).put("ttl", 2_147_483_647));
        for (String ttl : List.of("0", "-2", "2147483648", "1.5", "\"60\"", "null", "true")) {
            ObjectNode body =
                    Cosmos.json("{\"id\":\"2\",\"pk\":\"" + key + "\",\"ttl\":" + ttl + "}");
            CosmosException failure = assertFails(400, 0, () -> container.createItem(body));
            assertThat(failure.getMessage()).contains("The input ttl");
        }
        assertFails(
                400,
                0,
                () ->
                        container.patchItem(
                                "1",
                                partitionKey,
                                CosmosPatchOperations.create().set("/ttl", 0),
                                ObjectNode.class));
        CosmosBatch batch = CosmosBatch.createCosmosBatch(partitionKey);
        batch.createItemOperation(item("3", key));
        batch.createItemOperation(item("4", key).put("ttl", 0));
        assertThat(container.executeCosmosBatch(batch).getResults())
                .extracting(result -> result.getStatusCode())
                .containsExactly(424, 400);
        assertFails(400, 0, () -> container(0));
        assertFails(400, 0, () -> container(-2));
    }
}
