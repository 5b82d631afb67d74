package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.cosmos.util.CosmosPagedIterable;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** A query that says no order gives items in that of their creation, in each range and key. */
@Tag("client")
final class CreationOrderTest {
    /** The largest key that is sorted when it is read. */
    private static final int SORTED = 1000;

    /** The operations that a batch may have. */
    private static final int BATCH = 100;

    /** Enough for a thousand creates a second. */
    private static final int FAST = 10_000;

    private final int throughput;

    CreationOrderTest(int throughput) {
        this.throughput = throughput;
    }

    /** Ids that do not follow the order of creation. */
    private static String id(int number) {
        return "i%04d".formatted(number * 7919 % 9973);
    }

    private static List<String> ids(CosmosPagedIterable<ObjectNode> items, int pageSize) {
        List<String> ids = new ArrayList<>();
        for (FeedResponse<ObjectNode> page : items.iterableByPage(pageSize)) {
            page.getResults().forEach(each -> ids.add(each.get("id").asText()));
        }
        return ids;
    }

    @OnOneAndFivePartitions
    void ofARange() {
        String name = Cosmos.uniqueName("created");
        Cosmos.database()
                .createContainer(
                        Cosmos.properties(name, "/pk"),
                        ThroughputProperties.createManualThroughput(throughput));
        CosmosContainer container = Cosmos.database().getContainer(name);
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            container.createItem(item(id(i), "key-" + i % 17).put("n", 100 - i));
            written.add(id(i));
        }
        for (String text :
                List.of(
                        "SELECT * FROM c",
                        "SELECT * FROM c WHERE c.n > 50",
                        "SELECT * FROM c WHERE c.n IN (41, 99, 70, 55) OR c.id < 'i5'")) {
            List<String> all = new ArrayList<>();
            for (FeedRange range : container.getFeedRanges()) {
                CosmosQueryRequestOptions options =
                        new CosmosQueryRequestOptions().setFeedRange(range);
                List<String> found = ids(container.queryItems(text, options, ObjectNode.class), 4);
                assertThat(found)
                        .as(text)
                        .isEqualTo(written.stream().filter(found::contains).toList());
                all.addAll(found);
            }
            assertThat(all).isNotEmpty().doesNotHaveDuplicates();
            if (!text.contains("WHERE")) {
                assertThat(all).hasSameSizeAs(written);
            }
        }
    }

    @OnOneAndFivePartitions
    void ofAKeyAtAndPastWhatIsSorted() {
        CosmosContainer container = Cosmos.container(Math.max(throughput, FAST), "/pk");
        PartitionKey key = new PartitionKey("wanted");
        for (int i = 0; i < 20; i++) {
            container.createItem(item(id(i), "other"));
        }
        List<String> written = new ArrayList<>();
        for (int size : new int[] {SORTED, SORTED + 1, SORTED + 40, SORTED + 300}) {
            create(container, key, written, size);
            assertThat(ids(container.readAllItems(key, ObjectNode.class), 150))
                    .as("of %d items", size)
                    .isEqualTo(written);
            CosmosQueryRequestOptions options =
                    new CosmosQueryRequestOptions().setPartitionKey(key);
            assertThat(
                            ids(
                                    container.queryItems(
                                            "SELECT TOP 30 c.id FROM c", options, ObjectNode.class),
                                    7))
                    .as("of %d items", size)
                    .isEqualTo(written.subList(0, 30));
        }
    }

    private static void create(
            CosmosContainer container, PartitionKey key, List<String> written, int size) {
        while (written.size() < size) {
            CosmosBatch batch = CosmosBatch.createCosmosBatch(key);
            for (int i = 0; i < BATCH && written.size() < size; i++) {
                String id = id(written.size());
                batch.createItemOperation(item(id, "wanted"));
                written.add(id);
            }
            assertThat(container.executeCosmosBatch(batch).isSuccessStatusCode()).isTrue();
        }
    }
}
