package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.JSON;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.own;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/**
 * Containers that were fixed once: their key was added later, so that what is in them has none, and
 * new items may have one.
 */
@Tag("client")
final class SystemKeyTest {
    private final CosmosContainer container;

    SystemKeyTest(int throughput) {
        String id = uniqueName("migrated");
        Cosmos.database();
        assertThat(
                        Rest.of(Cosmos.server())
                                .post(
                                        Rest.Target.containers("shared"),
                                        Map.of(
                                                "x-ms-offer-throughput",
                                                Integer.toString(throughput)),
                                        ("{\"id\":\"%s\",\"partitionKey\":{\"kind\":\"Hash\","
                                                        + "\"paths\":[\"/_partitionKey\"],"
                                                        + "\"systemKey\":true}}")
                                                .formatted(id))
                                .statusCode())
                .isEqualTo(201);
        this.container = Cosmos.database().getContainer(id);
    }

    private static ObjectNode item(String id) {
        return JSON.createObjectNode().put("id", id).put("v", 1);
    }

    private List<String> query(PartitionKey key) {
        return container
                .queryItems(
                        "SELECT VALUE c.id FROM c ORDER BY c.id",
                        new CosmosQueryRequestOptions().setPartitionKey(key),
                        String.class)
                .stream()
                .toList();
    }

    @OnOneAndFivePartitions
    void theDefinitionSaysThatTheKeyWasAdded() {
        assertThat(container.read().getProperties().getPartitionKeyDefinition().getPaths())
                .containsExactly("/_partitionKey");
    }

    @OnOneAndFivePartitions
    void oldItemsHaveNoKeyAndNewOnesMay() {
        PartitionKey a = new PartitionKey("a");
        container.createItem(item("1"), PartitionKey.NONE, new CosmosItemRequestOptions());
        container.createItem(item("2"), PartitionKey.NONE, new CosmosItemRequestOptions());
        container.createItem(
                item("1").put("_partitionKey", "a"), a, new CosmosItemRequestOptions());

        assertThat(own(read("1", PartitionKey.NONE))).isEqualTo(item("1"));
        assertThat(read("1", a).get("_partitionKey").asText()).isEqualTo("a");
        assertThat(query(a)).containsExactly("1");
        assertThat(
                        container
                                .queryItems(
                                        "SELECT VALUE c.id FROM c",
                                        new CosmosQueryRequestOptions(),
                                        String.class)
                                .stream()
                                .toList())
                .containsExactlyInAnyOrder("1", "1", "2");

        container.replaceItem(item("2").put("v", 2), "2", PartitionKey.NONE, null);
        assertThat(read("2", PartitionKey.NONE).get("v").asInt()).isEqualTo(2);
        container.deleteItem("1", PartitionKey.NONE, new CosmosItemRequestOptions());
        assertFails(404, 0, () -> read("1", PartitionKey.NONE));
        assertThat(read("1", a).get("v").asInt()).isEqualTo(1);
    }

    private ObjectNode read(String id, PartitionKey key) {
        return container.readItem(id, key, ObjectNode.class).getItem();
    }
}
