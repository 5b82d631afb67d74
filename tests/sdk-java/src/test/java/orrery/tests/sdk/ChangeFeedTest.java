package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The pull model of the change feed. */
@Tag("client")
final class ChangeFeedTest {
    private final CosmosContainer container;

    ChangeFeedTest(int throughput) {
        String id = uniqueName("feed");
        Cosmos.database()
                .createContainer(
                        Cosmos.properties(id, "/pk"),
                        ThroughputProperties.createManualThroughput(throughput));
        this.container = Cosmos.database().getContainer(id);
    }

    /** A page that was read, and the place where reading goes on. */
    private record Feed(List<ObjectNode> items, String continuation) {
        List<String> versions() {
            return items.stream()
                    .map(item -> item.get("id").asText() + "=" + item.path("v").asInt())
                    .toList();
        }
    }

    private Feed read(CosmosChangeFeedRequestOptions options) {
        List<ObjectNode> items = new ArrayList<>();
        String continuation = "";
        for (FeedResponse<ObjectNode> page :
                container.queryChangeFeed(options, ObjectNode.class).iterableByPage()) {
            items.addAll(page.getResults());
            continuation = page.getContinuationToken();
            assertThat(page.getSessionToken()).isNotEmpty();
        }
        return new Feed(items, continuation);
    }

    private static CosmosChangeFeedRequestOptions fromBeginning() {
        return CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(
                FeedRange.forFullRange());
    }

    private static CosmosChangeFeedRequestOptions after(Feed feed) {
        return CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(
                feed.continuation());
    }

    private void put(String id, int version) {
        container.upsertItem(item(id, "key-" + id).put("v", version));
    }

    @OnOneAndFivePartitions
    void fromTheBeginningEveryItemIsSeenInItsLatestVersion() {
        for (int i = 0; i < 20; i++) {
            put("i" + i, 1);
        }
        put("i3", 2);
        container.deleteItem("i4", new PartitionKey("key-i4"), null);

        Feed feed = read(fromBeginning().setMaxItemCount(3));

        assertThat(feed.versions())
                .hasSize(19)
                .doesNotHaveDuplicates()
                .contains("i3=2", "i5=1")
                .doesNotContain("i3=1", "i4=1");
        assertThat(feed.items()).allMatch(item -> item.get("_lsn").isNumber());
    }

    @OnOneAndFivePartitions
    void aContinuationGoesOnWithWhatIsNew() {
        for (int i = 0; i < 10; i++) {
            put("i" + i, 1);
        }
        Feed first = read(fromBeginning());
        assertThat(first.items()).hasSize(10);
        put("i7", 2);
        put("new", 1);

        Feed second = read(after(first));

        assertThat(second.versions()).containsExactlyInAnyOrder("i7=2", "new=1");
        assertThat(read(after(second)).items()).isEmpty();
    }

    @OnOneAndFivePartitions
    void fromNowOnlyWhatComesLater() {
        put("before", 1);
        Feed now =
                read(
                        CosmosChangeFeedRequestOptions.createForProcessingFromNow(
                                FeedRange.forFullRange()));
        assertThat(now.items()).isEmpty();
        put("after", 1);

        assertThat(read(after(now)).versions()).containsExactly("after=1");
    }

    @OnOneAndFivePartitions
    void fromAPointInTime() {
        put("there", 1);
        Instant now = Instant.now();
        FeedRange all = FeedRange.forFullRange();

        assertThat(
                        read(CosmosChangeFeedRequestOptions.createForProcessingFromPointInTime(
                                        now.minusSeconds(3600), all))
                                .versions())
                .containsExactly("there=1");
        Feed later =
                read(
                        CosmosChangeFeedRequestOptions.createForProcessingFromPointInTime(
                                now.plusSeconds(3600), all));
        assertThat(later.items()).isEmpty();
    }

    @OnOneAndFivePartitions
    void feedRangesAndKeysDivideTheChanges() {
        for (int i = 0; i < 30; i++) {
            put("i" + i, 1);
        }
        List<String> seen = new ArrayList<>();
        for (FeedRange range : container.getFeedRanges()) {
            seen.addAll(
                    read(CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(range))
                            .versions());
        }
        assertThat(seen).hasSize(30).doesNotHaveDuplicates();
        FeedRange key = FeedRange.forLogicalPartition(new PartitionKey("key-i9"));
        assertThat(
                        read(CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(key))
                                .versions())
                .containsExactly("i9=1");
    }

    @OnOneAndFivePartitions
    void changesOfAKeyComeInOrder() {
        for (int i = 0; i < 12; i++) {
            container.upsertItem(item("i" + i, "k" + i % 3).put("v", i));
        }
        Map<String, Integer> last = new HashMap<>();
        for (ObjectNode item : read(fromBeginning().setMaxItemCount(2)).items()) {
            int version = item.get("v").asInt();
            assertThat(version).isGreaterThan(last.getOrDefault(item.get("pk").asText(), -1));
            last.put(item.get("pk").asText(), version);
        }
        assertThat(last).hasSize(3);
    }
}
