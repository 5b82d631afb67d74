package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Tag;

/** Etags, what they guard, and what an answer to a write holds. */
@Tag("client")
final class ItemPreconditionTest {
    private final CosmosContainer container;
    private final String key = uniqueName("key");
    private final PartitionKey partitionKey = new PartitionKey(key);

    ItemPreconditionTest(int throughput) {
        this.container = Cosmos.container(throughput, "/pk");
    }

    @OnOneAndFivePartitions
    void replaceNeedsTheCurrentEtag() {
        String first = container.createItem(item("1", key).put("v", 1)).getETag();
        String second =
                container
                        .replaceItem(item("1", key).put("v", 2), "1", partitionKey, ifMatch(first))
                        .getETag();

        assertThat(second).isNotEqualTo(first);
        assertFails(
                412,
                0,
                () ->
                        container.replaceItem(
                                item("1", key).put("v", 3), "1", partitionKey, ifMatch(first)));
        assertThat(read("1").getItem().get("v").asInt()).isEqualTo(2);
    }

    @OnOneAndFivePartitions
    void upsertNeedsTheCurrentEtag() {
        String first = container.createItem(item("1", key).put("v", 1)).getETag();
        container.upsertItem(item("1", key).put("v", 2), partitionKey, ifMatch(first));

        assertFails(
                412,
                0,
                () ->
                        container.upsertItem(
                                item("1", key).put("v", 3), partitionKey, ifMatch(first)));
        assertThat(read("1").getItem().get("v").asInt()).isEqualTo(2);
    }

    @OnOneAndFivePartitions
    void deleteNeedsTheCurrentEtag() {
        String first = container.createItem(item("1", key)).getETag();
        String second = container.upsertItem(item("1", key).put("v", 2)).getETag();

        assertFails(412, 0, () -> container.deleteItem("1", partitionKey, ifMatch(first)));
        assertThat(container.deleteItem("1", partitionKey, ifMatch(second)).getStatusCode())
                .isEqualTo(204);
    }

    @OnOneAndFivePartitions
    void patchNeedsTheCurrentEtag() {
        String first = container.createItem(item("1", key)).getETag();
        CosmosPatchItemRequestOptions options = new CosmosPatchItemRequestOptions();
        options.setIfMatchETag(first);
        CosmosPatchOperations patch = CosmosPatchOperations.create().set("/v", 1);

        assertThat(
                        container
                                .patchItem("1", partitionKey, patch, options, ObjectNode.class)
                                .getStatusCode())
                .isEqualTo(200);
        assertFails(
                412,
                0,
                () -> container.patchItem("1", partitionKey, patch, options, ObjectNode.class));
    }

    @OnOneAndFivePartitions
    void starMatchesAnyExistingItem() {
        container.createItem(item("1", key));

        assertThat(
                        container
                                .replaceItem(item("1", key), "1", partitionKey, ifMatch("*"))
                                .getStatusCode())
                .isEqualTo(200);
        assertFails(
                404,
                0,
                () -> container.replaceItem(item("2", key), "2", partitionKey, ifMatch("*")));
    }

    @OnOneAndFivePartitions
    void preconditionOnMissingItemIsNotFound() {
        assertFails(
                404,
                0,
                () -> container.replaceItem(item("1", key), "1", partitionKey, ifMatch("\"x\"")));
        assertFails(404, 0, () -> container.deleteItem("1", partitionKey, ifMatch("\"x\"")));
    }

    @OnOneAndFivePartitions
    void unchangedItemIsNotSentAgain() {
        String etag = container.createItem(item("1", key).put("v", 1)).getETag();
        CosmosItemRequestOptions unlessSame =
                new CosmosItemRequestOptions().setIfNoneMatchETag(etag);

        CosmosItemResponse<ObjectNode> unchanged =
                container.readItem("1", partitionKey, unlessSame, ObjectNode.class);
        assertThat(unchanged.getStatusCode()).isEqualTo(304);
        assertThat(unchanged.getItem()).isNull();

        container.upsertItem(item("1", key).put("v", 2));
        CosmosItemResponse<ObjectNode> changed =
                container.readItem("1", partitionKey, unlessSame, ObjectNode.class);
        assertThat(changed.getStatusCode()).isEqualTo(200);
        assertThat(changed.getItem().get("v").asInt()).isEqualTo(2);
    }

    @OnOneAndFivePartitions
    void byDefaultWritesAreAnsweredWithoutTheItem() {
        CosmosContainer plain =
                Cosmos.client()
                        .getDatabase(Cosmos.database().getId())
                        .getContainer(container.getId());

        CosmosItemResponse<ObjectNode> created = plain.createItem(item("1", key));
        CosmosItemResponse<ObjectNode> upserted = plain.upsertItem(item("1", key).put("v", 2));
        CosmosItemResponse<ObjectNode> replaced =
                plain.replaceItem(item("1", key).put("v", 3), "1", partitionKey, null);
        CosmosItemResponse<ObjectNode> patched =
                plain.patchItem(
                        "1",
                        partitionKey,
                        CosmosPatchOperations.create().set("/v", 4),
                        ObjectNode.class);

        assertThat(created.getItem()).isNull();
        assertThat(upserted.getItem()).isNull();
        assertThat(replaced.getItem()).isNull();
        assertThat(patched.getItem()).isNull();
        assertThat(created.getStatusCode()).isEqualTo(201);
        assertThat(upserted.getStatusCode()).isEqualTo(200);
        assertThat(patched.getSessionToken()).isNotEmpty();
        assertThat(patched.getRequestCharge()).isPositive();
        assertThat(read("1").getETag()).isEqualTo(patched.getETag());
        assertThat(read("1").getItem().get("v").asInt()).isEqualTo(4);
    }

    @OnOneAndFivePartitions
    void oneRequestMayAskForTheItem() {
        CosmosContainer plain =
                Cosmos.client()
                        .getDatabase(Cosmos.database().getId())
                        .getContainer(container.getId());

        CosmosItemResponse<ObjectNode> created =
                plain.createItem(
                        item("1", key),
                        partitionKey,
                        new CosmosItemRequestOptions().setContentResponseOnWriteEnabled(true));

        assertThat(created.getItem().get("_etag").asText()).isEqualTo(created.getETag());
    }

    private CosmosItemResponse<ObjectNode> read(String id) {
        return container.readItem(id, partitionKey, ObjectNode.class);
    }

    private static CosmosItemRequestOptions ifMatch(String etag) {
        return new CosmosItemRequestOptions().setIfMatchETag(etag);
    }
}
