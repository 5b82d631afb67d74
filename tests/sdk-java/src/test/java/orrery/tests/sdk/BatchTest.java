package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchItemRequestOptions;
import com.azure.cosmos.models.CosmosBatchOperationResult;
import com.azure.cosmos.models.CosmosBatchPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Transactional batches: all of their operations or none. */
@Tag("client")
final class BatchTest {
    private static final int KB = 1024;

    private final CosmosContainer container;
    private final String key = uniqueName("key");
    private final PartitionKey partitionKey = new PartitionKey(key);

    BatchTest(int throughput) {
        this.container = Cosmos.container(throughput, "/pk");
    }

    @OnOneAndFivePartitions
    void everyOperationSeesThoseBeforeIt() {
        container.createItem(item("old", key));
        CosmosBatch batch = batch();
        batch.createItemOperation(item("1", key).put("n", 1));
        batch.upsertItemOperation(item("2", key));
        batch.readItemOperation("1");
        batch.patchItemOperation("1", CosmosPatchOperations.create().increment("/n", 4));
        batch.readItemOperation("1");
        batch.replaceItemOperation("2", item("2", key).put("v", 2));
        batch.deleteItemOperation("old");

        CosmosBatchResponse response = container.executeCosmosBatch(batch);

        assertThat(response.isSuccessStatusCode()).isTrue();
        assertThat(statuses(response)).containsExactly(201, 201, 200, 200, 200, 200, 204);
        List<CosmosBatchOperationResult> results = response.getResults();
        assertThat(results.get(2).getItem(ObjectNode.class).get("n").asInt()).isEqualTo(1);
        assertThat(results.get(4).getItem(ObjectNode.class).get("n").asInt()).isEqualTo(5);
        assertThat(results.get(4).getETag()).isEqualTo(results.get(3).getETag());
        assertThat(response.getRequestCharge())
                .isEqualTo(
                        results.stream()
                                .mapToDouble(CosmosBatchOperationResult::getRequestCharge)
                                .sum(),
                        within(0.05));
        assertThat(response.getSessionToken()).isNotEmpty();
        var read = container.readItem("1", partitionKey, ObjectNode.class);
        assertThat(read.getETag()).isEqualTo(results.get(3).getETag());
        assertThat(read.getItem()).isEqualTo(results.get(4).getItem(ObjectNode.class));
        assertFails(404, 0, () -> container.readItem("old", partitionKey, ObjectNode.class));
    }

    @OnOneAndFivePartitions
    void aConflictUndoesTheRest() {
        container.createItem(item("there", key));
        CosmosBatch batch = batch();
        batch.createItemOperation(item("1", key));
        batch.createItemOperation(item("there", key));
        batch.upsertItemOperation(item("2", key));

        CosmosBatchResponse response = container.executeCosmosBatch(batch);

        assertThat(response.isSuccessStatusCode()).isFalse();
        assertThat(response.getStatusCode()).isEqualTo(409);
        assertThat(statuses(response)).containsExactly(424, 409, 424);
        assertThat(container.readAllItems(partitionKey, ObjectNode.class))
                .extracting(item -> item.get("id").asText())
                .containsExactly("there");
    }

    @OnOneAndFivePartitions
    void preconditionsAreOfTheirOperation() {
        String etag = container.createItem(item("1", key)).getETag();
        CosmosBatch stale = batch();
        stale.createItemOperation(item("2", key));
        stale.replaceItemOperation("1", item("1", key), ifMatch("\"0-0\""));
        assertThat(statuses(container.executeCosmosBatch(stale))).containsExactly(424, 412);

        CosmosBatch fresh = batch();
        fresh.readItemOperation("1", new CosmosBatchItemRequestOptions().setIfNoneMatchETag(etag));
        fresh.readItemOperation("1", ifMatch(etag));
        fresh.replaceItemOperation("1", item("1", key).put("v", 1), ifMatch(etag));
        fresh.deleteItemOperation("1");
        assertThat(statuses(container.executeCosmosBatch(fresh)))
                .containsExactly(304, 304, 200, 204);
    }

    @OnOneAndFivePartitions
    void aPatchMayHaveACondition() {
        container.createItem(item("1", key).put("n", 1));
        assertThat(statuses(conditional("from c where c.n = 2"))).containsExactly(424, 412);
        assertThat(statuses(conditional("from c where c.n = 1"))).containsExactly(201, 200);
    }

    private CosmosBatchResponse conditional(String condition) {
        CosmosBatch batch = batch();
        batch.createItemOperation(item("2", key));
        batch.patchItemOperation(
                "1",
                CosmosPatchOperations.create().set("/n", 3),
                new CosmosBatchPatchItemRequestOptions().setFilterPredicate(condition));
        return container.executeCosmosBatch(batch);
    }

    @OnOneAndFivePartitions
    void whatIsMissingIsNotFound() {
        CosmosBatch batch = batch();
        batch.createItemOperation(item("1", key));
        batch.readItemOperation("gone");
        assertThat(statuses(container.executeCosmosBatch(batch))).containsExactly(424, 404);
    }

    @OnOneAndFivePartitions
    void aBatchHasAHundredOperationsAtMost() {
        CosmosBatch full = batch();
        CosmosBatch over = batch();
        for (int i = 0; i < 100; i++) {
            full.upsertItemOperation(item("i" + i, key));
            over.upsertItemOperation(item("o" + i, key));
        }
        over.upsertItemOperation(item("o100", key));

        assertThat(statuses(container.executeCosmosBatch(full))).hasSize(100).containsOnly(201);
        assertFails(400, 0, () -> container.executeCosmosBatch(over));
        assertThat(container.readAllItems(partitionKey, ObjectNode.class)).hasSize(100);
    }

    @OnOneAndFivePartitions
    void aBatchHasTwoMegabytesAtMost() {
        assertThat(container.executeCosmosBatch(large(2040)).getStatusCode()).isEqualTo(200);
        assertFails(413, 0, () -> container.executeCosmosBatch(large(2048)));
    }

    private CosmosBatch large(int kilobytes) {
        CosmosBatch batch = batch();
        batch.upsertItemOperation(item("1", key).put("s", "x".repeat(kilobytes * KB / 2)));
        batch.upsertItemOperation(item("2", key).put("s", "x".repeat(kilobytes * KB / 2)));
        return batch;
    }

    @OnOneAndFivePartitions
    void anotherKeyIsRefused() {
        CosmosBatch batch = batch();
        batch.createItemOperation(item("1", key));
        batch.createItemOperation(item("2", key + "-other"));
        CosmosBatchResponse refused = container.executeCosmosBatch(batch);
        assertThat(statuses(refused)).containsExactly(424, 400);
        assertThat(refused.getRequestCharge()).isPositive();
        assertThat(refused.getSessionToken()).matches("\\d+:-?\\d+#\\d+");
        assertThat(container.readAllItems(partitionKey, ObjectNode.class)).isEmpty();
    }

    private CosmosBatch batch() {
        return CosmosBatch.createCosmosBatch(partitionKey);
    }

    private static CosmosBatchItemRequestOptions ifMatch(String etag) {
        return new CosmosBatchItemRequestOptions().setIfMatchETag(etag);
    }

    private static List<Integer> statuses(CosmosBatchResponse response) {
        return response.getResults().stream()
                .map(CosmosBatchOperationResult::getStatusCode)
                .toList();
    }
}
