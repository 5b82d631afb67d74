package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Tag;

/** All items of a partition key deleted at once. */
@Tag("client")
final class KeyDeletionTest {
    private final int throughput;
    private final String key = uniqueName("key");
    private final PartitionKey partitionKey = new PartitionKey(key);

    KeyDeletionTest(int throughput) {
        this.throughput = throughput;
    }

    private static int delete(CosmosContainer container, PartitionKey key) {
        return container
                .deleteAllItemsByPartitionKey(key, new CosmosItemRequestOptions())
                .getStatusCode();
    }

    private static int count(CosmosContainer container, String where) {
        return container
                .queryItems(
                        "SELECT VALUE COUNT(1) FROM c WHERE " + where,
                        new CosmosQueryRequestOptions(),
                        JsonNode.class)
                .stream()
                .mapToInt(JsonNode::asInt)
                .sum();
    }

    @OnOneAndFivePartitions
    void itemsAreGoneWithTheAnswerAndLaterOnesStay() {
        CosmosContainer container = Cosmos.container(throughput, "/pk");
        for (int i = 0; i < 30; i++) {
            container.createItem(item("i" + i, key));
        }
        container.createItem(item("other", key + "-other"));

        assertThat(delete(container, partitionKey)).isEqualTo(200);

        assertThat(container.readAllItems(partitionKey, ObjectNode.class)).isEmpty();
        assertThat(count(container, "c.pk = '" + key + "'")).isZero();
        assertFails(404, 0, () -> container.readItem("i1", partitionKey, ObjectNode.class));
        assertThat(container.createItem(item("i1", key)).getStatusCode()).isEqualTo(201);
        assertThat(container.upsertItem(item("i2", key)).getStatusCode()).isEqualTo(201);
        assertThat(container.readAllItems(partitionKey, ObjectNode.class)).hasSize(2);
        assertThat(count(container, "c.pk = '" + key + "-other'")).isEqualTo(1);
        assertThat(delete(container, new PartitionKey(uniqueName("never-there")))).isEqualTo(200);
    }

    @OnOneAndFivePartitions
    void thePrefixOfAHierarchicalKeyDeletesAllUnderIt() {
        CosmosContainer container = Cosmos.container(throughput, "/tenant", "/user");
        for (int tenant = 0; tenant < 2; tenant++) {
            for (int user = 0; user < 8; user++) {
                container.createItem(
                        item("1", "unused").put("tenant", key + tenant).put("user", "u" + user));
            }
        }
        PartitionKey one = new PartitionKeyBuilder().add(key + "0").add("u3").build();
        assertThat(delete(container, one)).isEqualTo(200);
        assertThat(count(container, "c.tenant = '" + key + "0'")).isEqualTo(7);

        assertThat(delete(container, new PartitionKeyBuilder().add(key + "0").build()))
                .isEqualTo(200);

        assertThat(count(container, "c.tenant = '" + key + "0'")).isZero();
        assertThat(count(container, "c.tenant = '" + key + "1'")).isEqualTo(8);
    }
}
