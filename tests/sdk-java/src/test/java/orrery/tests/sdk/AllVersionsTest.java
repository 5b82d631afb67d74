package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.models.ChangeFeedOperationType;
import com.azure.cosmos.models.ChangeFeedPolicy;
import com.azure.cosmos.models.ChangeFeedProcessorItem;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The change feed with all versions and deletes, across splits and restarts. */
@Tag("client")
@Timeout(900)
final class AllVersionsTest {
    /** Request units a second that one partition delivers. */
    private static final int T = 1000;

    private static final int PATIENCE_SECONDS = 600;

    private RunningServer server;
    private CosmosAsyncClient client;
    private CosmosAsyncDatabase database;
    private CosmosAsyncContainer feed;

    @BeforeEach
    void start() {
        server =
                RunningServer.start(
                        "--partition-max-throughput", Integer.toString(T), "--no-throttling");
        client = Cosmos.builder(server).contentResponseOnWriteEnabled(true).buildAsyncClient();
        client.createDatabase("db").block();
        database = client.getDatabase("db");
        database.createContainer(
                        properties("feed", "/pk")
                                .setChangeFeedPolicy(
                                        ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(
                                                Duration.ofMinutes(60))),
                        ThroughputProperties.createManualThroughput(T))
                .block();
        feed = database.getContainer("feed");
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private void put(int version, int count) {
        for (int i = 0; i < count; i++) {
            feed.upsertItem(item("i" + i, "k" + i).put("v", version)).block();
        }
    }

    private void delete(int number) {
        feed.deleteItem("i" + number, new PartitionKey("k" + number)).block();
    }

    private void scale(int partitions) {
        feed.replaceThroughput(ThroughputProperties.createManualThroughput(partitions * T)).block();
        while (Objects.requireNonNull(feed.readThroughput().block()).isReplacePending()) {
            Thread.onSpinWait();
        }
        // The SDK answers from a look at the ranges that is under way already, if there is one.
        while (Objects.requireNonNull(feed.getFeedRanges().block()).size() != partitions) {
            Thread.onSpinWait();
        }
    }

    /** A page that was read, and the place where reading goes on. */
    private record Read(List<String> versions, List<ChangeFeedProcessorItem> items, String next) {}

    private static CosmosChangeFeedRequestOptions fromNow() {
        return CosmosChangeFeedRequestOptions.createForProcessingFromNow(FeedRange.forFullRange())
                .allVersionsAndDeletes();
    }

    private static CosmosChangeFeedRequestOptions after(Read read) {
        return CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(read.next())
                .allVersionsAndDeletes()
                .setMaxItemCount(5);
    }

    private static Read read(
            CosmosAsyncContainer container, CosmosChangeFeedRequestOptions options) {
        List<ChangeFeedProcessorItem> items = new ArrayList<>();
        String next = "";
        for (FeedResponse<ChangeFeedProcessorItem> page :
                container
                        .queryChangeFeed(options, ChangeFeedProcessorItem.class)
                        .byPage()
                        .toIterable()) {
            items.addAll(page.getResults());
            next = page.getContinuationToken();
        }
        return new Read(items.stream().map(AllVersionsTest::text).toList(), items, next);
    }

    private static String text(ChangeFeedProcessorItem change) {
        ChangeFeedOperationType operation = change.getChangeFeedMetaData().getOperationType();
        JsonNode item =
                operation == ChangeFeedOperationType.DELETE
                        ? change.getPrevious()
                        : change.getCurrent();
        return operation + " " + item.get("id").asText() + "=" + item.get("v").asInt();
    }

    @Test
    void everyVersionAndDeleteComesWithItsMetadata() {
        put(1, 1);
        Read now = read(feed, fromNow());
        assertThat(now.items()).isEmpty();
        put(2, 2);
        put(3, 1);
        delete(0);
        put(4, 1);

        Read read = read(feed, after(now));

        assertThat(read.versions())
                .containsExactly(
                        "REPLACE i0=2",
                        "CREATE i1=2",
                        "REPLACE i0=3",
                        "DELETE i0=3",
                        "CREATE i0=4");
        ChangeFeedProcessorItem replaced = read.items().get(2);
        ChangeFeedProcessorItem deleted = read.items().get(3);
        assertThat(replaced.getPrevious().get("v"))
                .isEqualTo(read.items().getFirst().getCurrent().get("v"));
        assertThat(deleted.getCurrent()).isEmpty();
        assertThat(deleted.getChangeFeedMetaData().getPreviousLogSequenceNumber())
                .isEqualTo(replaced.getChangeFeedMetaData().getLogSequenceNumber());
        assertThat(deleted.getChangeFeedMetaData().isTimeToLiveExpired()).isFalse();
        assertThat(deleted.getChangeFeedMetaData().getConflictResolutionTimestamp())
                .isNotNull()
                .isAfterOrEqualTo(
                        replaced.getChangeFeedMetaData().getConflictResolutionTimestamp());
        assertThat(read(feed, after(read)).items()).isEmpty();
    }

    /** Nobody deletes an expired item; the feed marks its end when the rows go. */
    @Test
    void whatExpiredIsMarked() {
        feed.replace(
                        Objects.requireNonNull(feed.read().block())
                                .getProperties()
                                .setDefaultTimeToLiveInSeconds(-1))
                .block();
        Read now = read(feed, fromNow());
        feed.upsertItem(item("i0", "k0").put("v", 1).put("ttl", 3600)).block();
        put(2, 2);
        delete(0);
        feed.upsertItem(item("i2", "k2").put("v", 3).put("ttl", 1)).block();

        List<ChangeFeedProcessorItem> changes = new ArrayList<>();
        Read next = now;
        while (changes.size() < 6) {
            next = read(feed, after(next));
            changes.addAll(next.items());
        }

        assertThat(changes.stream().map(AllVersionsTest::text).toList())
                .containsExactly(
                        "CREATE i0=1",
                        "REPLACE i0=2",
                        "CREATE i1=2",
                        "DELETE i0=2",
                        "CREATE i2=3",
                        "DELETE i2=3");
        assertThat(changes.get(3).getChangeFeedMetaData().isTimeToLiveExpired()).isFalse();
        assertThat(changes.get(5).getChangeFeedMetaData().isTimeToLiveExpired()).isTrue();
    }

    @Test
    void aContinuationOutlivesSplitsAndARestart() {
        put(1, 20);
        Read now = read(feed, fromNow());
        put(2, 20);
        delete(3);
        scale(4);
        put(3, 20);
        server.kill();
        server.restart();
        delete(5);

        Read read = read(feed, after(now));

        List<String> wanted = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            wanted.add("REPLACE i%d=2".formatted(i));
            wanted.add((i == 3 ? "CREATE" : "REPLACE") + " i%d=3".formatted(i));
        }
        wanted.add("DELETE i3=2");
        wanted.add("DELETE i5=3");
        assertThat(read.versions()).containsExactlyInAnyOrderElementsOf(wanted);
        assertThat(read(feed, after(read)).items()).isEmpty();
    }

    @Test
    void aContainerWithoutRetentionRefuses() {
        database.createContainer(properties("plain", "/pk")).block();
        CosmosAsyncContainer plain = database.getContainer("plain");

        assertThat(assertFails(400, 0, () -> read(plain, fromNow())))
                .hasMessageContaining("retentionDuration");
    }

    @Test
    void theProcessorMissesNothingAcrossASplitAndARestart() throws InterruptedException {
        database.createContainer(properties("leases", "/id")).block();
        ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
        Semaphore news = new Semaphore(0);
        ChangeFeedProcessor processor = processor(seen, news);
        processor.start().block();
        // Until the leases are there the feed has no "now" from which the rest is counted.
        awaitFirst(seen, news);
        put(1, 10);
        awaitCount(seen, news, 10);
        scale(4);
        put(2, 10);
        delete(7);
        awaitCount(seen, news, 21);
        processor.stop().block();
        put(3, 1);
        server.kill();
        server.restart();

        ChangeFeedProcessor again = processor(seen, news);
        again.start().block();
        delete(0);
        awaitCount(seen, news, 23);
        again.stop().block();

        List<String> wanted =
                new ArrayList<>(List.of("DELETE i7=2", "REPLACE i0=3", "DELETE i0=3"));
        for (int i = 0; i < 10; i++) {
            wanted.add("CREATE i%d=1".formatted(i));
            wanted.add("REPLACE i%d=2".formatted(i));
        }
        assertThat(distinct(seen)).containsExactlyInAnyOrderElementsOf(wanted);
    }

    private ChangeFeedProcessor processor(ConcurrentLinkedQueue<String> seen, Semaphore news) {
        return new ChangeFeedProcessorBuilder()
                .hostName("host")
                .feedContainer(feed)
                .leaseContainer(database.getContainer("leases"))
                .options(
                        new ChangeFeedProcessorOptions()
                                .setFeedPollDelay(Duration.ofMillis(100))
                                .setLeaseAcquireInterval(Duration.ofMillis(500))
                                .setLeaseRenewInterval(Duration.ofSeconds(2))
                                .setLeaseExpirationInterval(Duration.ofSeconds(6))
                                .setMaxItemCount(7))
                .handleAllVersionsAndDeletesChanges(
                        changes ->
                                changes.forEach(
                                        change -> {
                                            seen.add(text(change));
                                            news.release();
                                        }))
                .buildChangeFeedProcessor();
    }

    /** Writes until the processor sees something. */
    private void awaitFirst(ConcurrentLinkedQueue<String> seen, Semaphore news)
            throws InterruptedException {
        for (int i = 0; seen.isEmpty(); i++) {
            feed.upsertItem(item("first", "first").put("v", i)).block();
            boolean isNews = news.tryAcquire(1, TimeUnit.SECONDS);
            assertThat(isNews || i < PATIENCE_SECONDS).as("news in time").isTrue();
        }
        int last =
                Objects.requireNonNull(
                                feed.readItem("first", new PartitionKey("first"), JsonNode.class)
                                        .block())
                        .getItem()
                        .get("v")
                        .asInt();
        while (seen.stream().noneMatch(change -> change.endsWith(" first=" + last))) {
            assertThat(news.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** A processor that is stopped before it has noted where it was begins there again. */
    private static Set<String> distinct(ConcurrentLinkedQueue<String> seen) {
        return seen.stream()
                .filter(change -> !change.contains(" first="))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static void awaitCount(ConcurrentLinkedQueue<String> seen, Semaphore news, int count)
            throws InterruptedException {
        while (distinct(seen).size() < count) {
            assertThat(news.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("%s changes awaited, seen %s", count, seen)
                    .isTrue();
        }
    }
}
