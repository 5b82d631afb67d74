package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The change feed processor with its leases in a container, across splits and a restart. */
@Tag("client")
@Timeout(900)
final class ChangeFeedProcessorTest {
    /** Request units a second that one partition delivers. */
    private static final int T = 1000;

    private static final int PATIENCE_SECONDS = 600;

    private final Map<String, Integer> seen = new ConcurrentHashMap<>();
    private final Semaphore news = new Semaphore(0);
    private RunningServer server;
    private CosmosAsyncClient client;
    private CosmosAsyncContainer feed;
    private CosmosAsyncContainer leases;

    @BeforeEach
    void start() {
        server =
                RunningServer.start(
                        "--partition-max-throughput", Integer.toString(T), "--no-throttling");
        client = Cosmos.builder(server).contentResponseOnWriteEnabled(true).buildAsyncClient();
        client.createDatabase("db").block();
        CosmosAsyncDatabase database = client.getDatabase("db");
        database.createContainer(
                        properties("feed", "/pk"), ThroughputProperties.createManualThroughput(T))
                .block();
        database.createContainer(properties("leases", "/id")).block();
        feed = database.getContainer("feed");
        leases = database.getContainer("leases");
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private static ChangeFeedProcessorOptions options() {
        return new ChangeFeedProcessorOptions()
                .setStartFromBeginning(true)
                .setFeedPollDelay(Duration.ofMillis(100))
                .setLeaseAcquireInterval(Duration.ofMillis(500))
                .setLeaseRenewInterval(Duration.ofSeconds(2))
                .setLeaseExpirationInterval(Duration.ofSeconds(6))
                .setMaxItemCount(7);
    }

    /** Shows the metadata of each change beside the item. */
    private ChangeFeedProcessor latestVersions() {
        return new ChangeFeedProcessorBuilder()
                .hostName("host")
                .feedContainer(feed)
                .leaseContainer(leases)
                .options(options())
                .handleLatestVersionChanges(
                        changes ->
                                changes.forEach(
                                        change -> {
                                            assertThat(
                                                            change.getChangeFeedMetaData()
                                                                    .getLogSequenceNumber())
                                                    .isPositive();
                                            see(change.getCurrent());
                                        }))
                .buildChangeFeedProcessor();
    }

    /** Makes a processor of the earlier kind, which sees items and nothing else. */
    private ChangeFeedProcessor itemsOnly() {
        return new ChangeFeedProcessorBuilder()
                .hostName("host")
                .feedContainer(feed)
                .leaseContainer(leases)
                .options(options())
                .handleChanges(changes -> changes.forEach(this::see))
                .buildChangeFeedProcessor();
    }

    private void see(JsonNode item) {
        seen.merge(item.get("id").asText(), item.get("v").asInt(), Math::max);
        news.release();
    }

    private void put(int version, int count) {
        for (int i = 0; i < count; i++) {
            feed.upsertItem(item("i" + i, "k" + i).put("v", version)).block();
        }
    }

    private void awaitVersion(int version, int count) throws InterruptedException {
        while (seen.values().stream().filter(v -> v >= version).count() < count) {
            assertThat(news.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("news; version %s of %s items awaited, seen %s", version, count, seen)
                    .isTrue();
        }
    }

    private void scale(int partitions) {
        feed.replaceThroughput(ThroughputProperties.createManualThroughput(partitions * T)).block();
        while (Objects.requireNonNull(feed.readThroughput().block()).isReplacePending()) {
            Thread.onSpinWait();
        }
        while (Objects.requireNonNull(feed.getFeedRanges().block()).size() != partitions) {
            Thread.onSpinWait();
        }
    }

    /** Until then a handled page may be handled again: its place is written after the handler. */
    private static void awaitCheckpoints(ChangeFeedProcessor processor) {
        while (Objects.requireNonNull(processor.getCurrentState().block()).stream()
                .anyMatch(lease -> lease.getEstimatedLag() != 0)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void latestVersionsAcrossASplit() throws InterruptedException {
        acrossASplit(latestVersions());
    }

    @Test
    void itemsOnlyAcrossASplit() throws InterruptedException {
        acrossASplit(itemsOnly());
    }

    private void acrossASplit(ChangeFeedProcessor processor) throws InterruptedException {
        put(1, 30);
        processor.start().block();
        awaitVersion(1, 30);
        scale(4);
        put(2, 30);
        awaitVersion(2, 30);
        processor.stop().block();
    }

    /** Changes that were handled before are not handled again; changes that came meanwhile are. */
    @Test
    void aProcessorGoesOnAfterARestartOfTheServer() throws InterruptedException {
        put(1, 20);
        ChangeFeedProcessor processor = latestVersions();
        processor.start().block();
        awaitVersion(1, 20);
        awaitCheckpoints(processor);
        processor.stop().block();
        seen.clear();
        put(2, 5);
        server.kill();
        server.restart();

        ChangeFeedProcessor again = latestVersions();
        again.start().block();
        awaitVersion(2, 5);
        put(3, 1);
        awaitVersion(3, 1);
        again.stop().block();
        assertThat(seen).hasSize(5);
    }

    /** A continuation of the pull model, taken before a split, is good behind it. */
    @Test
    void aContinuationOutlivesASplit() {
        put(1, 30);
        String continuation = "";
        for (FeedResponse<ObjectNode> page :
                feed.queryChangeFeed(
                                CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(
                                                FeedRange.forFullRange())
                                        .setMaxItemCount(10),
                                ObjectNode.class)
                        .byPage()
                        .take(1)
                        .toIterable()) {
            page.getResults().forEach(this::see);
            continuation = page.getContinuationToken();
        }
        assertThat(seen).hasSize(10);
        scale(4);
        int before = seen.size();
        int rest = 0;
        for (FeedResponse<ObjectNode> page :
                feed.queryChangeFeed(
                                CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(
                                        continuation),
                                ObjectNode.class)
                        .byPage()
                        .toIterable()) {
            rest += page.getResults().size();
            page.getResults().forEach(this::see);
        }
        assertThat(before + rest).isEqualTo(30);
        assertThat(seen).hasSize(30);
    }
}
