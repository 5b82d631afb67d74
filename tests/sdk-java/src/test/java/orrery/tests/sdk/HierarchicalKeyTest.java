package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.JSON;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.own;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** Keys of up to three levels, with null and missing values, and by a part of them. */
@Tag("client")
final class HierarchicalKeyTest {
    private static final List<String> PATHS = List.of("tenant", "user", "session");

    private final int throughput;

    HierarchicalKeyTest(int throughput) {
        this.throughput = throughput;
    }

    private CosmosContainer container(int levels) {
        String id = uniqueName("tree");
        String[] paths = PATHS.subList(0, levels).stream().map(p -> "/" + p).toArray(String[]::new);
        Cosmos.database()
                .createContainer(
                        Cosmos.properties(id, paths),
                        ThroughputProperties.createManualThroughput(throughput));
        return Cosmos.database().getContainer(id);
    }

    /** The value of one level: a text, null in JSON, or not there. */
    private enum Level {
        TEXT,
        NULL,
        MISSING
    }

    private static List<List<Level>> keys(int levels) {
        List<List<Level>> keys = new ArrayList<>(List.of(List.of()));
        for (int i = 0; i < levels; i++) {
            List<List<Level>> longer = new ArrayList<>();
            for (List<Level> key : keys) {
                for (Level level : Level.values()) {
                    List<Level> next = new ArrayList<>(key);
                    next.add(level);
                    longer.add(next);
                }
            }
            keys = longer;
        }
        return keys;
    }

    private static ObjectNode item(List<Level> key) {
        ObjectNode item = JSON.createObjectNode().put("id", "x").put("of", key.toString());
        for (int i = 0; i < key.size(); i++) {
            switch (key.get(i)) {
                case TEXT -> item.put(PATHS.get(i), "v" + i);
                case NULL -> item.putNull(PATHS.get(i));
                case MISSING -> {}
            }
        }
        return item;
    }

    /** The builder of the SDK knows no missing value; what is no value at all means one. */
    private static PartitionKey key(List<Level> levels) {
        Object[] values = new Object[levels.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] =
                    switch (levels.get(i)) {
                        case TEXT -> "v" + i;
                        case NULL -> null;
                        case MISSING -> new Object();
                    };
        }
        return PartitionKey.fromObjectArray(values, false);
    }

    @SuppressWarnings("deprecation") // users still call it
    private static PartitionKey prefix(List<Level> levels) {
        PartitionKeyBuilder key = new PartitionKeyBuilder();
        for (int i = 0; i < levels.size(); i++) {
            if (levels.get(i) == Level.NULL) {
                key.addNullValue();
            } else {
                key.add("v" + i);
            }
        }
        return key.build();
    }

    private static List<String> query(CosmosContainer container, Optional<PartitionKey> key) {
        CosmosQueryRequestOptions options = new CosmosQueryRequestOptions();
        key.ifPresent(options::setPartitionKey);
        return container.queryItems("SELECT VALUE c.of FROM c", options, String.class).stream()
                .toList();
    }

    @OnOneAndFivePartitions
    void ofTwoLevels() {
        check(2);
    }

    @OnOneAndFivePartitions
    void ofThreeLevels() {
        check(3);
    }

    /** Every combination is a logical partition of its own; all items have the same id. */
    private void check(int levels) {
        CosmosContainer container = container(levels);
        List<List<Level>> keys = keys(levels);
        for (List<Level> key : keys) {
            container.createItem(item(key), key(key), new CosmosItemRequestOptions());
        }
        assertThat(query(container, Optional.empty()))
                .containsExactlyInAnyOrderElementsOf(keys.stream().map(List::toString).toList());
        for (List<Level> key : keys) {
            assertThat(own(container.readItem("x", key(key), ObjectNode.class).getItem()))
                    .isEqualTo(item(key));
            assertThat(query(container, Optional.of(key(key)))).containsExactly(key.toString());
            assertFails(
                    409,
                    0,
                    () ->
                            container.createItem(
                                    item(key), key(key), new CosmosItemRequestOptions()));
        }
        for (int prefix = 1; prefix < levels; prefix++) {
            for (List<Level> part : keys(prefix)) {
                if (part.contains(Level.MISSING)) {
                    continue;
                }
                List<String> under =
                        keys.stream()
                                .filter(key -> key.subList(0, part.size()).equals(part))
                                .map(List::toString)
                                .toList();
                assertThat(query(container, Optional.of(prefix(part))))
                        .as("under %s", part)
                        .containsExactlyInAnyOrderElementsOf(under);
                assertThat(changes(container, prefix(part)))
                        .as("changes under %s", part)
                        .containsExactlyInAnyOrderElementsOf(under);
            }
        }
        for (List<Level> key : keys) {
            container.deleteItem("x", key(key), new CosmosItemRequestOptions());
            assertFails(404, 0, () -> container.readItem("x", key(key), ObjectNode.class));
        }
        assertThat(query(container, Optional.empty())).isEmpty();
    }

    private static List<String> changes(CosmosContainer container, PartitionKey key) {
        return container
                .queryChangeFeed(
                        CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(
                                FeedRange.forLogicalPartition(key)),
                        ObjectNode.class)
                .stream()
                .map(item -> item.get("of").asText())
                .toList();
    }
}
