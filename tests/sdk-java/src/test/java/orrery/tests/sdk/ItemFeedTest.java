package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** Reading all items, and what is said about queries until they land. */
@Tag("client")
final class ItemFeedTest {
    private static final String ALL = "SELECT * FROM r";

    private final int throughput;
    private final CosmosContainer container;

    ItemFeedTest(int throughput) {
        this.throughput = throughput;
        String id = uniqueName("feed");
        Cosmos.database()
                .createContainer(
                        Cosmos.properties(id, "/pk"),
                        ThroughputProperties.createManualThroughput(throughput));
        this.container = Cosmos.database().getContainer(id);
    }

    @OnOneAndFivePartitions
    void allItemsOfTheContainer() {
        Set<String> written = write(60);

        assertThat(ids(container.queryItems(ALL, null, ObjectNode.class)))
                .containsExactlyInAnyOrderElementsOf(written);
    }

    @OnOneAndFivePartitions
    void pagesHoldAsManyAsAskedAndGoOn() {
        Set<String> written = write(60);
        List<String> seen = new ArrayList<>();
        String continuation = null;
        int pages = 0;
        do {
            FeedResponse<ObjectNode> page =
                    container
                            .queryItems(ALL, null, ObjectNode.class)
                            .iterableByPage(continuation, 7)
                            .iterator()
                            .next();
            assertThat(page.getResults().size()).isLessThanOrEqualTo(7);
            assertThat(page.getRequestCharge()).isPositive();
            page.getResults().forEach(item -> seen.add(item.get("id").asText()));
            continuation = page.getContinuationToken();
            pages++;
            assertThat(pages).isLessThan(100);
        } while (continuation != null);

        assertThat(seen).containsExactlyInAnyOrderElementsOf(written);
        assertThat(pages).isGreaterThanOrEqualTo(9);
    }

    @OnOneAndFivePartitions
    void emptyContainerHasNoItems() {
        assertThat(ids(container.queryItems(ALL, null, ObjectNode.class))).isEmpty();
    }

    @OnOneAndFivePartitions
    void allItemsOfOneKey() {
        write(20);
        for (int i = 0; i < 15; i++) {
            container.createItem(item("of-" + i, "wanted"));
        }

        List<String> ids = new ArrayList<>();
        for (FeedResponse<ObjectNode> page :
                container
                        .readAllItems(new PartitionKey("wanted"), ObjectNode.class)
                        .iterableByPage(4)) {
            assertThat(page.getResults().size()).isLessThanOrEqualTo(4);
            page.getResults().forEach(item -> ids.add(item.get("id").asText()));
        }

        assertThat(ids).hasSize(15).doesNotHaveDuplicates().allMatch(id -> id.startsWith("of-"));
        // The SDK fetches a plan for this one and then asks the range of the key.
        assertThat(
                        container
                                .queryItems(
                                        "SELECT * FROM c WHERE c.pk = 'wanted'",
                                        new CosmosQueryRequestOptions(),
                                        ObjectNode.class)
                                .stream())
                .hasSameSizeAs(
                        ids(container.readAllItems(new PartitionKey("wanted"), ObjectNode.class)))
                .isNotEmpty();
        assertThat(ids(container.readAllItems(new PartitionKey("nobody"), ObjectNode.class)))
                .isEmpty();
    }

    @OnOneAndFivePartitions
    void allItemsOfAHierarchicalKeyAndOfItsPrefix() {
        CosmosContainer hierarchical = Cosmos.container(throughput, "/t", "/u");
        String tenant = uniqueName("tenant");
        for (int i = 0; i < 12; i++) {
            hierarchical.createItem(item("i" + i, "-").put("t", tenant).put("u", "u" + i % 3));
        }
        hierarchical.createItem(item("other", "-").put("t", tenant + "x").put("u", "u0"));

        assertThat(
                        ids(
                                hierarchical.readAllItems(
                                        new PartitionKeyBuilder().add(tenant).add("u1").build(),
                                        ObjectNode.class)))
                .containsExactlyInAnyOrder("i1", "i4", "i7", "i10");
        assertThat(
                        ids(
                                hierarchical.readAllItems(
                                        new PartitionKeyBuilder().add(tenant).build(),
                                        ObjectNode.class)))
                .hasSize(12);
    }

    @OnOneAndFivePartitions
    void feedRangesCoverTheContainerOnce() {
        Set<String> written = write(60);
        List<FeedRange> ranges = container.getFeedRanges();
        assertThat(ranges).hasSize(throughput == Cosmos.FIVE ? 5 : 1);

        List<String> seen = new ArrayList<>();
        for (FeedRange range : ranges) {
            CosmosQueryRequestOptions options = new CosmosQueryRequestOptions().setFeedRange(range);
            seen.addAll(ids(container.queryItems(ALL, options, ObjectNode.class)));
        }

        assertThat(seen).containsExactlyInAnyOrderElementsOf(written);
    }

    @OnOneAndFivePartitions
    void bigItemsComeInSeveralPages() {
        String fill = "f".repeat(600_000);
        for (int i = 0; i < 10; i++) {
            container.createItem(item("big-" + i, "one").put("fill", fill));
        }

        int pages = 0;
        List<String> ids = new ArrayList<>();
        for (FeedResponse<ObjectNode> page :
                container
                        .readAllItems(new PartitionKey("one"), ObjectNode.class)
                        .iterableByPage(1000)) {
            pages++;
            page.getResults().forEach(item -> ids.add(item.get("id").asText()));
        }

        // A page holds 4 MB at the most.
        assertThat(pages).isGreaterThan(1);
        assertThat(ids).hasSize(10).doesNotHaveDuplicates();
    }

    @OnOneAndFivePartitions
    void readManyOfOneItemPerKeyIsAPointRead() {
        container.createItem(item("1", "a").put("v", 1));

        assertThat(
                        container
                                .readMany(
                                        List.of(new CosmosItemIdentity(new PartitionKey("a"), "1")),
                                        ObjectNode.class)
                                .getResults())
                .hasSize(1);
    }

    private Set<String> write(int count) {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < count; i++) {
            container.createItem(item("id-" + i, "key-" + i));
            ids.add("id-" + i);
        }
        return ids;
    }

    private static List<String> ids(Iterable<ObjectNode> items) {
        List<String> ids = new ArrayList<>();
        items.forEach(item -> ids.add(item.get("id").asText()));
        return ids;
    }
}
