package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;

/** Unique keys, for every way to write. */
@Tag("client")
final class UniqueKeyTest {
    private final int throughput;
    private final String key = uniqueName("key");
    private final PartitionKey partitionKey = new PartitionKey(key);

    UniqueKeyTest(int throughput) {
        this.throughput = throughput;
    }

    private CosmosContainer container(List<List<String>> uniqueKeys) {
        CosmosContainerProperties properties = Cosmos.properties(uniqueName("unique"), "/pk");
        properties.setUniqueKeyPolicy(policy(uniqueKeys));
        Cosmos.database()
                .createContainer(
                        properties, ThroughputProperties.createManualThroughput(throughput));
        return Cosmos.echoingClient().getDatabase("shared").getContainer(properties.getId());
    }

    private static UniqueKeyPolicy policy(List<List<String>> uniqueKeys) {
        UniqueKeyPolicy policy = new UniqueKeyPolicy();
        policy.setUniqueKeys(uniqueKeys.stream().map(UniqueKey::new).toList());
        return policy;
    }

    @OnOneAndFivePartitions
    void everyWayToWriteObeys() {
        CosmosContainer container = container(List.of(List.of("/email"), List.of("/a", "/b/c")));
        container.createItem(item("1", key).put("email", "x").put("a", 1));
        container.createItem(item("2", key).put("email", "y").put("a", 2));
        ObjectNode taken = item("3", key).put("email", "x").put("a", 3);

        assertThat(assertFails(409, 0, () -> container.createItem(taken)).getMessage())
                .contains("Unique index constraint violation");
        assertFails(409, 0, () -> container.upsertItem(taken));
        assertFails(
                409, 0, () -> container.createItem(item("3", key).put("email", "z").put("a", 1)));
        assertFails(
                409,
                0,
                () ->
                        container.replaceItem(
                                item("2", key).put("email", "x").put("a", 2),
                                "2",
                                partitionKey,
                                null));
        assertFails(
                409,
                0,
                () ->
                        container.patchItem(
                                "2",
                                partitionKey,
                                CosmosPatchOperations.create().set("/email", "x"),
                                ObjectNode.class));
        CosmosBatch batch = CosmosBatch.createCosmosBatch(partitionKey);
        batch.createItemOperation(item("4", key).put("email", "w").put("a", 4));
        batch.createItemOperation(item("5", key).put("email", "w").put("a", 5));
        assertThat(container.executeCosmosBatch(batch).getResults())
                .extracting(result -> result.getStatusCode())
                .containsExactly(424, 409);
        List<CosmosItemOperation> bulk =
                List.of(
                        CosmosBulkOperations.getCreateItemOperation(taken, partitionKey),
                        CosmosBulkOperations.getCreateItemOperation(
                                item("6", key).put("email", "v").put("a", 6), partitionKey));
        List<Integer> codes = new ArrayList<>();
        container
                .executeBulkOperations(bulk)
                .forEach(result -> codes.add(result.getResponse().getStatusCode()));
        assertThat(codes).containsExactlyInAnyOrder(409, 201);
        assertThat(
                        container
                                .createItem(item("1", key + "-other").put("email", "x"))
                                .getStatusCode())
                .as("another logical partition")
                .isEqualTo(201);
    }

    @OnOneAndFivePartitions
    void valuesAreFreeAgainWhenTheirItemIsGone() {
        CosmosContainer container = container(List.of(List.of("/email")));
        container.createItem(item("1", key).put("email", "x"));
        container.createItem(item("2", key));
        assertFails(409, 0, () -> container.createItem(item("3", key)));

        container.deleteItem("1", partitionKey, null);

        assertThat(container.createItem(item("3", key).put("email", "x")).getStatusCode())
                .isEqualTo(201);
    }

    @OnOneAndFivePartitions
    void thePolicyHasLimitsAndStays() {
        CosmosContainer container = container(List.of(List.of("/email", "/name/first")));
        CosmosContainerProperties properties = container.read().getProperties();
        assertThat(properties.getUniqueKeyPolicy().getUniqueKeys())
                .singleElement()
                .satisfies(
                        unique ->
                                assertThat(unique.getPaths())
                                        .containsExactly("/email", "/name/first"));
        container.replace(properties);
        properties.setUniqueKeyPolicy(policy(List.of(List.of("/other"))));
        assertFails(400, 0, () -> container.replace(properties));
        properties.setUniqueKeyPolicy(policy(List.of()));
        assertFails(400, 0, () -> container.replace(properties));
        properties.setUniqueKeyPolicy(new UniqueKeyPolicy());
        container.replace(properties);
        assertThat(container.read().getProperties().getUniqueKeyPolicy().getUniqueKeys())
                .hasSize(1);

        container(IntStream.range(0, 10).mapToObj(i -> List.of("/p" + i)).toList());
        container(List.of(IntStream.range(0, 16).mapToObj(i -> "/p" + i).toList()));
        assertFails(
                400,
                0,
                () -> container(IntStream.range(0, 11).mapToObj(i -> List.of("/p" + i)).toList()));
        assertFails(
                400,
                0,
                () -> container(List.of(IntStream.range(0, 17).mapToObj(i -> "/p" + i).toList())));
    }
}
