package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static orrery.tests.sdk.Cosmos.JSON;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.json;
import static orrery.tests.sdk.Cosmos.own;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Checks which partition keys and ids are valid. */
@Tag("client")
final class ItemKeyTest {
    private static final List<String> IDS =
            List.of(
                    "with space",
                    "100%",
                    "%20",
                    "a%2Fb",
                    "a+b",
                    "äöü",
                    "漢字",
                    "\uD83D\uDE00",
                    "a&b=c",
                    "a;b,c:d@e!$'()*",
                    "<angle>|[square]{curly}^`",
                    "quote\"",
                    "tilde~_-.",
                    "..",
                    "dbs",
                    "AQAAAA==");

    private static final List<String> KEYS =
            List.of(
                    "",
                    " ",
                    "äöüß",
                    "漢字かな",
                    "\uD83D\uDE00 smile",
                    "quote\"back\\slash/slash",
                    "tab\tnewline\n",
                    "\u0000",
                    "\u00002c507f1f77bcf86cd799439011",
                    "100% + more & #?;,:[]{}");

    private final int throughput;
    private final CosmosContainer container;

    ItemKeyTest(int throughput) {
        this.throughput = throughput;
        this.container = Cosmos.container(throughput, "/pk");
    }

    @OnOneAndFivePartitions
    void oneIdUnderTwoKeysIsTwoItems() {
        String a = uniqueName("a");
        String b = uniqueName("b");
        container.createItem(item("same", a).put("v", 1));
        container.createItem(item("same", b).put("v", 2));

        assertThat(read(container, "same", new PartitionKey(a)).get("v").asInt()).isEqualTo(1);
        container.deleteItem("same", new PartitionKey(a), null);
        assertThat(read(container, "same", new PartitionKey(b)).get("v").asInt()).isEqualTo(2);
    }

    @OnOneAndFivePartitions
    void nullKeyIsNotAnAbsentKey() {
        String id = uniqueName("id");
        ObjectNode withNull = JSON.createObjectNode().put("id", id).putNull("pk").put("v", "null");
        ObjectNode without = JSON.createObjectNode().put("id", id).put("v", "none");
        PartitionKey nullKey = new PartitionKey(null);

        container.createItem(withNull, nullKey, new CosmosItemRequestOptions());
        container.createItem(without, PartitionKey.NONE, new CosmosItemRequestOptions());

        assertThat(own(read(container, id, nullKey))).isEqualTo(withNull);
        assertThat(own(read(container, id, PartitionKey.NONE))).isEqualTo(without);
        container.replaceItem(without.put("v", "new"), id, PartitionKey.NONE, null);
        assertThat(read(container, id, PartitionKey.NONE).get("v").asText()).isEqualTo("new");
        container.deleteItem(id, PartitionKey.NONE, null);
        assertThat(own(read(container, id, nullKey))).isEqualTo(withNull);
    }

    @OnOneAndFivePartitions
    void keyIsTakenFromTheItemWhenNotGiven() {
        String id = uniqueName("id");
        container.createItem(JSON.createObjectNode().put("id", id).put("v", "none"));
        container.createItem(JSON.createObjectNode().put("id", id).putNull("pk"));

        assertThat(read(container, id, PartitionKey.NONE).get("v").asText()).isEqualTo("none");
        assertThat(read(container, id, new PartitionKey(null)).has("v")).isFalse();
    }

    @OnOneAndFivePartitions
    void numbersAndBooleansAreKeys() {
        String id = uniqueName("id");
        for (double number : new double[] {0, -1, 1.5, 1e100, 123456789012345.0, -0.1}) {
            ObjectNode written = JSON.createObjectNode().put("id", id).put("pk", number);
            container.createItem(written);
            assertThat(read(container, id, new PartitionKey(number)).get("pk").asDouble())
                    .isEqualTo(number);
        }
        for (boolean bool : new boolean[] {true, false}) {
            container.createItem(JSON.createObjectNode().put("id", id).put("pk", bool));
            assertThat(read(container, id, new PartitionKey(bool)).get("pk").asBoolean())
                    .isEqualTo(bool);
        }
        // An integer in the item and a double in the header are the same number.
        container.createItem(JSON.createObjectNode().put("id", id).put("pk", 42));
        assertThat(read(container, id, new PartitionKey(42.0)).get("pk").asInt()).isEqualTo(42);
        assertFails(404, 0, () -> read(container, id, new PartitionKey("42")));
        assertFails(404, 0, () -> read(container, id, new PartitionKey("true")));
    }

    @OnOneAndFivePartitions
    void textOfAnyKindIsAKey() {
        KEYS.forEach(this::checkKey);
    }

    private void checkKey(String key) {
        String id = uniqueName("id");
        container.createItem(item(id, key).put("v", 1));

        assertThat(read(container, id, new PartitionKey(key)).get("pk").asText()).isEqualTo(key);
        container.deleteItem(id, new PartitionKey(key), null);
        assertFails(404, 0, () -> read(container, id, new PartitionKey(key)));
    }

    @OnOneAndFivePartitions
    void idsMayHoldSpecialCharacters() {
        IDS.forEach(this::checkId);
    }

    private void checkId(String id) {
        String key = uniqueName("key");
        PartitionKey partitionKey = new PartitionKey(key);
        assertThat(container.createItem(item(id, key).put("v", 1)).getStatusCode())
                .as(id)
                .isEqualTo(201);

        assertThat(read(container, id, partitionKey).get("id").asText()).isEqualTo(id);
        container.replaceItem(item(id, key).put("v", 2), id, partitionKey, null);
        assertThat(read(container, id, partitionKey).get("v").asInt()).isEqualTo(2);
        container.deleteItem(id, partitionKey, null);
        assertFails(404, 0, () -> read(container, id, partitionKey));
    }

    @OnOneAndFivePartitions
    void aBackslashInAnIdIsRefused() {
        assertThatThrownBy(() -> container.createItem(item("a\\b", "k")))
                .isInstanceOf(RuntimeException.class);
    }

    @OnOneAndFivePartitions
    void keyOfTheRequestHasToBeTheKeyOfTheItem() {
        assertFails(
                400,
                1001,
                () ->
                        container.createItem(
                                item(uniqueName("id"), "one"),
                                new PartitionKey("two"),
                                new CosmosItemRequestOptions()));
    }

    @OnOneAndFivePartitions
    void replaceCannotChangeTheKey() {
        String key = uniqueName("key");
        container.createItem(item("1", key));

        assertFails(
                400,
                1001,
                () -> container.replaceItem(item("1", "other"), "1", new PartitionKey(key), null));
    }

    @OnOneAndFivePartitions
    void idIsAPartitionKey() {
        CosmosContainer byId = Cosmos.container(throughput, "/id");
        String id = uniqueName("id");
        byId.createItem(JSON.createObjectNode().put("id", id).put("v", 1));

        assertThat(read(byId, id, new PartitionKey(id)).get("v").asInt()).isEqualTo(1);
        byId.upsertItem(JSON.createObjectNode().put("id", id).put("v", 2));
        assertThat(read(byId, id, new PartitionKey(id)).get("v").asInt()).isEqualTo(2);
        byId.deleteItem(id, new PartitionKey(id), null);
        assertFails(404, 0, () -> read(byId, id, new PartitionKey(id)));
    }

    @OnOneAndFivePartitions
    void keyMayLieDeepInTheItem() {
        CosmosContainer nested = Cosmos.container(throughput, "/a/b");
        String id = uniqueName("id");
        nested.createItem(json("{\"a\":{\"b\":\"deep\"}}").put("id", id));
        nested.createItem(json("{\"a\":{\"b\":{\"object\":1}}}").put("id", id));

        assertThat(read(nested, id, new PartitionKey("deep")).at("/a/b").asText())
                .isEqualTo("deep");
        // An object is no key, so the item is one without a key.
        assertThat(read(nested, id, PartitionKey.NONE).at("/a/b/object").asInt()).isEqualTo(1);
    }

    @OnOneAndFivePartitions
    void hierarchicalKeys() {
        CosmosContainer hierarchical = Cosmos.container(throughput, "/tenant", "/user", "/session");
        String id = uniqueName("id");
        ObjectNode written =
                JSON.createObjectNode()
                        .put("id", id)
                        .put("tenant", "t")
                        .put("user", 7)
                        .put("session", true);
        PartitionKey key = new PartitionKeyBuilder().add("t").add(7.0).add(true).build();

        hierarchical.createItem(written);

        assertThat(own(read(hierarchical, id, key))).isEqualTo(written);
        hierarchical.upsertItem(written.put("v", 2), key, new CosmosItemRequestOptions());
        assertThat(read(hierarchical, id, key).get("v").asInt()).isEqualTo(2);
        PartitionKey other = new PartitionKeyBuilder().add("t").add(7.0).add(false).build();
        assertFails(404, 0, () -> read(hierarchical, id, other));
        hierarchical.deleteItem(id, key, null);
        assertFails(404, 0, () -> read(hierarchical, id, key));
    }

    @OnOneAndFivePartitions
    @SuppressWarnings("deprecation") // users still call it
    void hierarchicalKeysWithNull() {
        CosmosContainer hierarchical = Cosmos.container(throughput, "/tenant", "/user", "/session");
        String id = uniqueName("id");
        ObjectNode written =
                JSON.createObjectNode()
                        .put("id", id)
                        .put("tenant", "t")
                        .putNull("user")
                        .put("session", "s");
        PartitionKey key = new PartitionKeyBuilder().add("t").addNullValue().add("s").build();

        hierarchical.createItem(written, key, new CosmosItemRequestOptions());

        assertThat(own(read(hierarchical, id, key))).isEqualTo(written);
    }

    @OnOneAndFivePartitions
    void readOfAPartOfAHierarchicalKeyIsRefused() {
        CosmosContainer hierarchical = Cosmos.container(throughput, "/tenant", "/user", "/session");

        assertThatThrownBy(
                        () ->
                                read(
                                        hierarchical,
                                        "1",
                                        new PartitionKeyBuilder().add("t").add("u").build()))
                .isInstanceOf(RuntimeException.class);
    }

    @OnOneAndFivePartitions
    void keysOfTheFirstHashVersion() {
        CosmosContainer old = firstVersion();
        for (String key : List.of("a", "XMS-0001", "x".repeat(150))) {
            old.createItem(item("1", key).put("v", key.length()));
            assertThat(read(old, "1", new PartitionKey(key)).get("v").asInt())
                    .isEqualTo(key.length());
        }
        // The first hundred characters decide the place, the whole value decides the item.
        old.createItem(item("1", "x".repeat(151)));
        assertThat(read(old, "1", new PartitionKey("x".repeat(150))).get("v").asInt())
                .isEqualTo(150);
    }

    private CosmosContainer firstVersion() {
        String id = uniqueName("v1");
        Cosmos.database()
                .createContainer(
                        new CosmosContainerProperties(id, "/pk"),
                        ThroughputProperties.createManualThroughput(throughput));
        return Cosmos.database().getContainer(id);
    }

    private static ObjectNode read(CosmosContainer container, String id, PartitionKey key) {
        return container.readItem(id, key, ObjectNode.class).getItem();
    }
}
