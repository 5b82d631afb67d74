package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.JSON;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;

/** Each limit of shape and size, at it and one past it. */
@Tag("client")
final class ItemLimitTest {
    private static final int MAX_ITEM_BYTES = 2 * 1024 * 1024;

    private final CosmosContainer container;
    private final String key = uniqueName("key");
    private final PartitionKey partitionKey = new PartitionKey(key);

    ItemLimitTest(int throughput) {
        this.container = Cosmos.container(throughput, "/pk");
    }

    @OnOneAndFivePartitions
    void itemOfTwoMegabytes() {
        container.createItem(itemOfSize(MAX_ITEM_BYTES));

        ObjectNode read = container.readItem("1", partitionKey, ObjectNode.class).getItem();
        assertThat(read.get("fill").asText())
                .isEqualTo(itemOfSize(MAX_ITEM_BYTES).get("fill").asText());
    }

    @OnOneAndFivePartitions
    void itemOfOneByteMoreIsTooLarge() {
        assertFails(413, 0, () -> container.createItem(itemOfSize(MAX_ITEM_BYTES + 1)));
        assertFails(404, 0, () -> container.readItem("1", partitionKey, ObjectNode.class));
    }

    @OnOneAndFivePartitions
    void muchTooLargeItemLeavesTheConnectionUsable() {
        assertFails(413, 0, () -> container.createItem(itemOfSize(3 * MAX_ITEM_BYTES)));
        assertThat(container.createItem(item("1", key)).getStatusCode()).isEqualTo(201);
    }

    @OnOneAndFivePartitions
    void idOf1023Bytes() {
        for (String id : new String[] {"i".repeat(1023), "漢".repeat(341)}) {
            assertThat(id.getBytes(StandardCharsets.UTF_8)).hasSize(1023);
            container.createItem(item(id, key));
            assertThat(
                            container
                                    .readItem(id, partitionKey, ObjectNode.class)
                                    .getItem()
                                    .get("id")
                                    .asText())
                    .isEqualTo(id);
        }
    }

    @OnOneAndFivePartitions
    void idOf1024BytesIsRefused() {
        assertFails(400, 0, () -> container.createItem(item("i".repeat(1024), key)));
        assertFails(400, 0, () -> container.createItem(item("i" + "漢".repeat(341), key)));
    }

    @OnOneAndFivePartitions
    void keyOf2048Bytes() {
        String longKey = key + "k".repeat(2048 - key.length());
        container.createItem(item("1", longKey));

        assertThat(
                        container
                                .readItem("1", new PartitionKey(longKey), ObjectNode.class)
                                .getItem()
                                .get("pk")
                                .asText())
                .isEqualTo(longKey);
    }

    @OnOneAndFivePartitions
    void keyOf2049BytesIsRefused() {
        String tooLong = key + "k".repeat(2049 - key.length());

        assertFails(400, 0, () -> container.createItem(item("1", tooLong)));
    }

    @OnOneAndFivePartitions
    void nestingOf128Levels() {
        container.createItem(nested(128));

        JsonNode node = container.readItem("1", partitionKey, ObjectNode.class).getItem();
        int levels = 0;
        while (node.isObject()) {
            levels++;
            node = node.path("o");
        }
        assertThat(levels).isEqualTo(128);
    }

    @OnOneAndFivePartitions
    void nestingOf129LevelsIsRefused() {
        assertFails(400, 0, () -> container.createItem(nested(129)));
    }

    @OnOneAndFivePartitions
    void numbersAreDoubles() {
        ObjectNode written =
                item("1", key)
                        .put("max", Double.MAX_VALUE)
                        .put("min", Double.MIN_VALUE)
                        .put("whole", 9007199254740991L)
                        .put("negative", -9007199254740991L)
                        .put("third", 1.0 / 3);
        container.createItem(written);

        ObjectNode read = container.readItem("1", partitionKey, ObjectNode.class).getItem();
        for (String name : new String[] {"max", "min", "whole", "negative", "third"}) {
            assertThat(read.get(name).asDouble()).as(name).isEqualTo(written.get(name).asDouble());
        }
    }

    /** The whole item counts as the first level. */
    private ObjectNode nested(int levels) {
        ObjectNode root = item("1", key);
        ObjectNode node = root;
        for (int i = 1; i < levels; i++) {
            node = node.putObject("o");
        }
        return root;
    }

    private ObjectNode itemOfSize(int bytes) {
        ObjectNode empty = item("1", key).put("fill", "");
        int overhead = text(empty).length;
        ObjectNode item = empty.put("fill", "f".repeat(bytes - overhead));
        assertThat(text(item)).hasSize(bytes);
        return item;
    }

    private static byte[] text(ObjectNode item) {
        try {
            return JSON.writeValueAsBytes(item);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
