package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.own;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Create, read, upsert, replace and delete of items. */
@Tag("client")
final class ItemTest {
    private final CosmosContainer container;
    private final String key = uniqueName("key");
    private final PartitionKey partitionKey = new PartitionKey(key);

    ItemTest(int throughput) {
        this.container = Cosmos.container(throughput, "/pk");
    }

    @OnOneAndFivePartitions
    void createdItemIsReadBack() {
        ObjectNode written = item("1", key).put("n", 1.5).put("text", "äöü 漢字 \uD83D\uDE00 \"\\\n");
        written.putObject("nested").putArray("list").add(1).addNull().add(true).add("x");

        CosmosItemResponse<ObjectNode> created =
                container.createItem(written, partitionKey, new CosmosItemRequestOptions());

        assertThat(created.getStatusCode()).isEqualTo(201);
        assertThat(own(created.getItem())).isEqualTo(written);
        assertThat(created.getItem().get("_etag").asText()).isEqualTo(created.getETag());
        assertThat(created.getItem().get("_self").asText()).startsWith("dbs/").endsWith("/");
        assertThat(created.getItem().get("_ts").isIntegralNumber()).isTrue();
        assertThat(created.getItem().get("_attachments").asText()).isEqualTo("attachments/");
        assertThat(created.getRequestCharge()).isPositive();
        assertThat(created.getActivityId()).isNotEmpty();
        assertThat(created.getSessionToken()).matches("\\d+:-?\\d+#\\d+");

        CosmosItemResponse<ObjectNode> read =
                container.readItem("1", partitionKey, ObjectNode.class);
        assertThat(read.getStatusCode()).isEqualTo(200);
        assertThat(read.getItem()).isEqualTo(created.getItem());
        assertThat(read.getETag()).isEqualTo(created.getETag());
        assertThat(read.getRequestCharge()).isPositive();
    }

    @OnOneAndFivePartitions
    void createWithTakenIdConflicts() {
        container.createItem(item("1", key));

        assertFails(409, 0, () -> container.createItem(item("1", key).put("other", true)));
        assertThat(container.readItem("1", partitionKey, ObjectNode.class).getItem().has("other"))
                .isFalse();
    }

    @OnOneAndFivePartitions
    void missingItemIsNotFound() {
        assertFails(404, 0, () -> container.readItem("1", partitionKey, ObjectNode.class));
        assertFails(404, 0, () -> container.deleteItem("1", partitionKey, null));
        assertFails(404, 0, () -> container.replaceItem(item("1", key), "1", partitionKey, null));
    }

    @OnOneAndFivePartitions
    void upsertCreatesThenReplaces() {
        CosmosItemResponse<ObjectNode> first = container.upsertItem(item("1", key).put("v", 1));
        CosmosItemResponse<ObjectNode> second = container.upsertItem(item("1", key).put("v", 2));

        assertThat(first.getStatusCode()).isEqualTo(201);
        assertThat(second.getStatusCode()).isEqualTo(200);
        assertThat(second.getETag()).isNotEqualTo(first.getETag());
        assertThat(second.getItem().get("_rid")).isEqualTo(first.getItem().get("_rid"));
        assertThat(container.readItem("1", partitionKey, ObjectNode.class).getItem())
                .isEqualTo(second.getItem());
    }

    @OnOneAndFivePartitions
    void replaceTakesTheWholeItem() {
        ObjectNode created = container.createItem(item("1", key).put("old", 1)).getItem();

        CosmosItemResponse<ObjectNode> replaced =
                container.replaceItem(item("1", key).put("new", 2), "1", partitionKey, null);

        assertThat(replaced.getStatusCode()).isEqualTo(200);
        assertThat(own(replaced.getItem())).isEqualTo(item("1", key).put("new", 2));
        assertThat(replaced.getItem().get("_rid")).isEqualTo(created.get("_rid"));
        assertThat(replaced.getETag()).isNotEqualTo(created.get("_etag").asText());
    }

    @OnOneAndFivePartitions
    void replaceWithAnotherIdRenames() {
        ObjectNode created = container.createItem(item("1", key)).getItem();

        CosmosItemResponse<ObjectNode> renamed =
                container.replaceItem(item("2", key), "1", partitionKey, null);

        assertThat(renamed.getStatusCode()).isEqualTo(200);
        assertThat(renamed.getItem().get("_rid")).isEqualTo(created.get("_rid"));
        assertFails(404, 0, () -> container.readItem("1", partitionKey, ObjectNode.class));
        assertThat(container.readItem("2", partitionKey, ObjectNode.class).getItem())
                .isEqualTo(renamed.getItem());
    }

    /** The SDK does not encode a slash or a number sign, so those can only be queried. */
    @OnOneAndFivePartitions
    void idsMayHoldAlmostAnything() {
        for (String id : List.of("a?b", "ends with a space ", "a%20b", "漢")) {
            container.createItem(item(id, key));
            assertThat(container.readItem(id, partitionKey, ObjectNode.class).getStatusCode())
                    .isEqualTo(200);
            assertThat(
                            container
                                    .replaceItem(item(id, key).put("n", 1), id, partitionKey, null)
                                    .getStatusCode())
                    .isEqualTo(200);
            assertThat(container.deleteItem(id, partitionKey, null).getStatusCode()).isEqualTo(204);
        }
        container.createItem(item("a/b", key));
        container.createItem(item("a#b", key));
        assertThat(container.readAllItems(partitionKey, ObjectNode.class))
                .extracting(found -> found.get("id").asText())
                .containsExactlyInAnyOrder("a/b", "a#b");
        assertFails(400, 0, () -> container.createItem(item("a\\b", key)));
    }

    @OnOneAndFivePartitions
    void deletedItemIsGone() {
        container.createItem(item("1", key));

        assertThat(container.deleteItem("1", partitionKey, null).getStatusCode()).isEqualTo(204);

        assertFails(404, 0, () -> container.readItem("1", partitionKey, ObjectNode.class));
        assertThat(container.createItem(item("1", key)).getStatusCode()).isEqualTo(201);
    }
}
