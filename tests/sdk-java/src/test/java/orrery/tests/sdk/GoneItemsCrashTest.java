package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Expiry, deleted keys and unique keys when the server is killed. */
final class GoneItemsCrashTest {
    private static int count(CosmosContainer container) {
        return container
                .queryItems(
                        "SELECT VALUE COUNT(1) FROM c",
                        new CosmosQueryRequestOptions(),
                        JsonNode.class)
                .stream()
                .mapToInt(JsonNode::asInt)
                .sum();
    }

    /** Expired and deleted items stay gone when the server is killed right after. */
    @Test
    void killedServersForgetNothing() {
        try (RunningServer server = RunningServer.start()) {
            try (CosmosClient client = Cosmos.newClient(server)) {
                client.createDatabase("d");
                UniqueKeyPolicy unique = new UniqueKeyPolicy();
                unique.setUniqueKeys(List.of(new UniqueKey(List.of("/u"))));
                client.getDatabase("d")
                        .createContainer(
                                properties("c", "/pk")
                                        .setDefaultTimeToLiveInSeconds(-1)
                                        .setUniqueKeyPolicy(unique),
                                ThroughputProperties.createManualThroughput(400));
                CosmosContainer container = client.getDatabase("d").getContainer("c");
                for (int i = 0; i < 40; i++) {
                    container.createItem(item("i" + i, "gone").put("u", i));
                }
                container.createItem(item("short", "kept").put("ttl", 1).put("u", 1));
                container.createItem(item("stays", "kept"));
                container.deleteAllItemsByPartitionKey(
                        new PartitionKey("gone"), new CosmosItemRequestOptions());
                container.createItem(item("new", "gone").put("u", 7));
            }
            server.kill();
            assertThat(Distribution.run("check", "--data", server.data().toString()).exitCode())
                    .isZero();
            server.restart();
            try (CosmosClient client = Cosmos.newClient(server)) {
                CosmosContainer container = client.getDatabase("d").getContainer("c");
                assertThat(container.readAllItems(new PartitionKey("gone"), ObjectNode.class))
                        .extracting(item -> item.get("id").asText())
                        .containsExactly("new");
                ExpiryTest.await(() -> count(container) == 2);
                Cosmos.assertFails(
                        409, 0, () -> container.createItem(item("late", "gone").put("u", 7)));
                // The rows go, at a tenth of the throughput.
                ExpiryTest.await(() -> stored(server) == 2);
                assertThat(count(container)).isEqualTo(2);
            }
        }
    }

    private static double stored(RunningServer server) {
        return server.status("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("orrery_partition_items{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
