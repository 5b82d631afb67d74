package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.cosmos.models.ThroughputResponse;
import com.azure.cosmos.util.CosmosPagedIterable;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Splits as an application lives through them that knows nothing of them. Partitions are as small
 * as the laboratory permits, so that 16 of them are made in a moment.
 */
@Tag("client")
@Timeout(900)
final class SplitTest {
    private static final int T = SmallPartitions.THROUGHPUT;

    private static final int MEGABYTE = 1 << 20;
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    private static SmallPartitions small;
    private static RunningServer server;
    private static CosmosDatabase database;

    @BeforeAll
    static void start() {
        small = SmallPartitions.start("--partition-max-storage", "1MB");
        server = small.server();
        database = small.database();
    }

    @AfterAll
    static void stop() {
        small.close();
    }

    @Test
    void growingTo16ByThroughputAndBackUnderLoad() {
        CosmosContainer container = create("by-throughput", T);
        try (CosmosClient reader = Cosmos.newClient(server);
                SplitLoad load = new SplitLoad(container, of(reader, container), 200)) {
            load.start(SEED);
            load.awaitProgress(40);
            for (int partitions : new int[] {2, 5, 16}) {
                scale(container, partitions);
                load.awaitProgress(20);
                KeyRange.await(container, partitions);
            }
            container.replaceThroughput(manual(T));
            mergeAll(container, load);
            load.stop();
            load.verify(of(reader, container));
        } catch (AssertionError e) {
            throw new AssertionError("seed " + SEED + "\n" + server.output(), e);
        }
    }

    @Test
    void growingTo16ByStorageAndBackUnderLoad() {
        CosmosContainer container = create("by-storage", T);
        try (CosmosClient reader = Cosmos.newClient(server);
                SplitLoad load = new SplitLoad(container, of(reader, container), 24_000)) {
            load.start(SEED);
            // Partitions that hold a megabyte each have to be so many for what is there.
            while (KeyRange.of(container).size() < 16) {
                load.awaitProgress(20);
            }
            assertThat(load.bytesWritten()).isGreaterThan(8 * MEGABYTE);
            load.shrink();
            mergeAll(container, load);
            load.stop();
            load.verify(of(reader, container));
        } catch (AssertionError e) {
            throw new AssertionError("seed " + SEED + "\n" + server.output(), e);
        }
    }

    /** Every page is asked for after another split, with what the page before it said. */
    @Test
    void aFeedGoesOnWhereItWasBeforeTheSplit() {
        CosmosContainer container = create("feeds", T);
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            container.createItem(item("i" + i, "key-" + i));
            written.add("i" + i);
        }
        List<FeedRange> whole = container.getFeedRanges();

        Pages everything = new Pages(container.queryItems(all(), options(), ObjectNode.class), 5);
        Pages ofRange =
                new Pages(
                        container.queryItems(
                                all(), options().setFeedRange(whole.getFirst()), ObjectNode.class),
                        5);
        Iterator<FeedResponse<ObjectNode>> live =
                container
                        .queryItems(all(), options(), ObjectNode.class)
                        .iterableByPage(5)
                        .iterator();
        List<String> seen = new ArrayList<>();
        for (int partitions : new int[] {2, 3, 5, 8, 16}) {
            live.next().getResults().forEach(item -> seen.add(item.get("id").asText()));
            everything.next();
            ofRange.next();
            scale(container, partitions);
        }
        everything.mark();
        ofRange.mark();
        live.forEachRemaining(
                page -> page.getResults().forEach(item -> seen.add(item.get("id").asText())));

        assertThat(seen).containsExactlyInAnyOrderElementsOf(written);
        // A token of this SDK names one range. It asks the siblings of that without a token, so
        // what
        // they gave before the last split comes again, and nothing else does.
        for (Pages pages : List.of(everything, ofRange)) {
            assertThat(pages.rest()).containsAll(written);
            assertThat(pages.sinceMark()).doesNotHaveDuplicates();
        }
    }

    /** The SDK's own suite does this: one token from before the split, followed to the end. */
    @Test
    void aTokenFromBeforeASplitIsExactToTheEnd() {
        CosmosContainer container = create("saved", T);
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            container.createItem(item("i" + i, "key-" + i % 20).put("n", i * 37 % 61));
            written.add("i" + i);
        }
        Pages created = new Pages(container.queryItems(all(), options(), ObjectNode.class), 11);
        Pages sorted = sortedPages(container);
        created.next();
        sorted.next();
        assertThat(created.seen).isEqualTo(written.subList(0, 11));
        scale(container, 3);
        created.follow();
        sorted.follow();

        assertThat(created.seen).containsExactlyInAnyOrderElementsOf(written);
        assertThat(sorted.seen).isEqualTo(sortedPages(container).rest()).hasSize(60);
    }

    /**
     * Each page by a request of its own: a token of a range is good for its keys in the merged one.
     * Where the rest lies in several ranges, the SDK asks for all keys of each.
     */
    @Test
    void aTokenFromBeforeAMergeIsExact() {
        CosmosContainer container = create("merged", T);
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            container.createItem(item("i" + i, "key-" + i).put("n", i * 37 % 61));
            written.add("i" + i);
        }
        scale(container, 2);
        Pages created = new Pages(container.queryItems(all(), options(), ObjectNode.class), 4);
        Pages sorted = sortedPages(container);
        created.next();
        created.next();
        sorted.next();
        container.replaceThroughput(manual(T));
        awaitReplaced(container);
        try (Operator operator = new Operator(server, database.getId(), container.getId())) {
            while (operator.partitions().size() > 1) {
                operator.merge(operator.partitions().getFirst().get("id").asInt());
            }
        }
        KeyRange.await(container, 1);

        assertThat(created.rest()).containsExactlyInAnyOrderElementsOf(written);
        assertThat(sorted.rest()).isEqualTo(sortedPages(container).rest()).hasSize(60);
    }

    private static Pages sortedPages(CosmosContainer container) {
        return new Pages(
                container.queryItems("SELECT * FROM r ORDER BY r.n", options(), ObjectNode.class),
                11);
    }

    @Test
    void aFeedOfOneKeyGoesOnInOrder() {
        CosmosContainer container = create("feed-of-key", T);
        List<String> written = new ArrayList<>();
        for (int i = 10; i < 60; i++) {
            // The ids fall while the items are created.
            container.createItem(item("i" + (99 - i), "wanted"));
            container.createItem(item("other" + i, "key-" + i));
            written.add("i" + (99 - i));
        }

        Pages pages =
                new Pages(container.readAllItems(new PartitionKey("wanted"), ObjectNode.class), 7);
        for (int partitions : new int[] {2, 4, 16}) {
            pages.next();
            scale(container, partitions);
        }

        assertThat(pages.rest()).containsExactlyElementsOf(written);
    }

    @Test
    void rangesOfTheLaboratoryHaveTheirShare() {
        try (RunningServer lab = RunningServer.start("--partition-max-throughput", "6000");
                CosmosClient inLab = Cosmos.newClient(lab)) {
            inLab.createDatabase("db");
            CosmosDatabase labDatabase = inLab.getDatabase("db");
            for (int[] expected : new int[][] {{6000, 1}, {6100, 2}, {12_000, 2}, {18_000, 3}}) {
                String id = "c" + expected[0];
                labDatabase.createContainer(properties(id, "/pk"), manual(expected[0]));
                assertThat(KeyRange.of(labDatabase.getContainer(id))).hasSize(expected[1]);
            }
            CosmosContainer grown = labDatabase.getContainer("c6000");
            grown.replaceThroughput(manual(18_000));
            awaitReplaced(grown);
            KeyRange.await(grown, 3);
            // Less throughput leaves the partitions as they are.
            grown.replaceThroughput(manual(6000));
            awaitReplaced(grown);
            assertThat(KeyRange.of(grown)).hasSize(3);
        }
    }

    private static CosmosContainer of(CosmosClient reader, CosmosContainer container) {
        return reader.getDatabase(database.getId()).getContainer(container.getId());
    }

    private static String all() {
        return "SELECT * FROM r";
    }

    private static CosmosQueryRequestOptions options() {
        return new CosmosQueryRequestOptions();
    }

    /** One page at a time, each by a request that knows only the continuation of the last. */
    private static final class Pages {
        private final CosmosPagedIterable<ObjectNode> feed;
        private final int size;
        private final List<String> seen = new ArrayList<>();
        private @Nullable String continuation;
        private int marked;

        Pages(CosmosPagedIterable<ObjectNode> feed, int size) {
            this.feed = feed;
            this.size = size;
        }

        void next() {
            see(feed.iterableByPage(continuation, size).iterator().next());
        }

        private void see(FeedResponse<ObjectNode> page) {
            page.getResults().forEach(item -> seen.add(item.get("id").asText()));
            continuation = page.getContinuationToken();
        }

        /** All pages that are left, by one query that begins with the last continuation. */
        void follow() {
            feed.iterableByPage(continuation, size).forEach(this::see);
        }

        void mark() {
            marked = seen.size();
        }

        List<String> sinceMark() {
            return seen.subList(marked, seen.size());
        }

        /** All ids from the first page on. */
        List<String> rest() {
            do {
                next();
            } while (continuation != null);
            return seen;
        }
    }

    private static void scale(CosmosContainer container, int partitions) {
        ThroughputResponse response = container.replaceThroughput(manual(partitions * T));
        assertThat(response.getProperties().getManualThroughput()).isEqualTo(partitions * T);
        awaitReplaced(container);
        KeyRange.await(container, partitions);
    }

    /** Neighbours chosen at random, until one range is left. */
    private static void mergeAll(CosmosContainer container, SplitLoad load) {
        Random random = new Random(SEED);
        try (Operator operator = new Operator(server, database.getId(), container.getId())) {
            awaitNoSplit(operator);
            load.renewRanges();
            List<JsonNode> ranges = operator.partitions();
            while (ranges.size() > 1) {
                int left = ranges.get(random.nextInt(ranges.size() - 1)).get("id").asInt();
                boolean isMerged = operator.merge(left);
                load.awaitProgress(1);
                int before = ranges.size();
                ranges = operator.partitions();
                if (!isMerged || ranges.size() >= before) {
                    // A split that had been decided on before the items were made small.
                    awaitNoSplit(operator);
                    load.renewRanges();
                    ranges = operator.partitions();
                }
            }
        }
        load.awaitProgress(20);
        KeyRange.await(container, 1);
    }

    /** Another split is refused as long as one is under way. */
    private static void awaitNoSplit(Operator operator) {
        int fullest;
        do {
            fullest =
                    operator.partitions().stream()
                            .max(Comparator.comparingInt(range -> range.get("items").asInt()))
                            .map(range -> range.get("id").asInt())
                            .orElseThrow();
        } while (!operator.split(fullest));
    }

    private static void awaitReplaced(CosmosContainer container) {
        while (container.readThroughput().isReplacePending()) {
            Thread.onSpinWait();
        }
    }

    private static CosmosContainer create(String id, int requestUnits) {
        database.createContainer(properties(id, "/pk"), manual(requestUnits));
        return database.getContainer(id);
    }

    private static ThroughputProperties manual(int requestUnits) {
        return ThroughputProperties.createManualThroughput(requestUnits);
    }
}
