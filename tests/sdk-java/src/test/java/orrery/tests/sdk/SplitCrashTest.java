package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kills the server while it splits under writes, starts it again, and looks at what there is: every
 * acknowledged write, ranges that tile the key space, and in the end as many as were asked for.
 */
final class SplitCrashTest {
    /** Request units a second that one partition delivers. */
    private static final int T = 1000;

    private static final int WRITERS = 4;

    /** A container gets more partitions in each of so many rounds; then comes another one. */
    private static final int ROUNDS_OF_CONTAINER = 4;

    private static final int MORE_PARTITIONS = 5;

    /** Four of these fill a partition of a megabyte. */
    private static final int LARGE = 250_000;

    private static final Pattern CHECKED = Pattern.compile("(\\d+) physical partitions?");
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    private static RunningServer server;

    private final Random random = new Random(SEED);
    private List<Writer> writers = new ArrayList<>();
    private int interrupted;

    @BeforeAll
    static void start() {
        server =
                RunningServer.start(
                        "--partition-max-throughput",
                        Integer.toString(T),
                        "--partition-max-storage",
                        "1MB",
                        "--no-throttling");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    @Timeout(900)
    void splitsSurviveSigkill() throws InterruptedException {
        crashes("ci", 6);
    }

    @Test
    @Tag("long")
    void splitsSurviveManySigkills() throws InterruptedException {
        crashes("long", 50);
        assertThat(interrupted).as("kills between two splits, seed %s", SEED).isPositive();
    }

    /** Few kills may all miss the time between two splits. */
    private void crashes(String database, int rounds) throws InterruptedException {
        try (CosmosClient client = Cosmos.newClient(server)) {
            client.createDatabase(database);
        }
        for (int round = 0; round < rounds; round++) {
            String description = "round " + round + ", seed " + SEED;
            String container = "c" + round / ROUNDS_OF_CONTAINER;
            if (round % ROUNDS_OF_CONTAINER == 0) {
                create(database, container);
            }
            int partitions = 1 + (round % ROUNDS_OF_CONTAINER + 1) * MORE_PARTITIONS;
            // The first kill comes with the answer, while there is certainly something to split.
            int writes = round == 0 ? 0 : random.nextInt(150);
            writeAndKill(database, container, partitions, writes, description);
            server.restart();
            try (CosmosClient client = Cosmos.newClient(server)) {
                verify(
                        client.getDatabase(database).getContainer(container),
                        partitions,
                        description);
            }
        }
    }

    private void create(String database, String id) {
        try (CosmosClient client = Cosmos.newClient(server)) {
            client.getDatabase(database)
                    .readAllContainers()
                    .forEach(
                            old -> client.getDatabase(database).getContainer(old.getId()).delete());
            client.getDatabase(database).createContainer(properties(id, "/pk"), manual(1));
        }
        writers = new ArrayList<>();
        for (int number = 0; number < WRITERS; number++) {
            writers.add(new Writer(number, random.nextLong()));
        }
    }

    private void writeAndKill(
            String database, String id, int partitions, int writes, String description)
            throws InterruptedException {
        CrashRound crash = new CrashRound(server, description);
        CosmosContainer container = crash.client().getDatabase(database).getContainer(id);
        writers.forEach(writer -> crash.repeat(_ -> writer.write(container)));
        crash.await(60);
        container.replaceThroughput(manual(partitions));
        crash.await(writes);
        String check = crash.kill();
        Matcher found = CHECKED.matcher(check);
        assertThat(found.find()).as(check).isTrue();
        if (Integer.parseInt(found.group(1)) < partitions) {
            interrupted++;
        }
    }

    private void verify(CosmosContainer container, int partitions, String description) {
        for (Writer writer : writers) {
            writer.verify(container, description);
        }
        assertThat(KeyRange.of(container).size()).as(description).isPositive();
        assertThat(container.readThroughput().getProperties().getManualThroughput())
                .as(description)
                .isEqualTo(partitions * T);
        // The split that was under way and those that were still to come.
        while (container.readThroughput().isReplacePending()) {
            Thread.onSpinWait();
        }
        KeyRange.awaitAtLeast(container, partitions);

        Map<String, Integer> expected = new TreeMap<>();
        writers.forEach(writer -> expected.putAll(writer.acknowledged));
        Map<String, Integer> found = new TreeMap<>();
        for (FeedRange range : container.getFeedRanges()) {
            container
                    .queryItems(
                            "SELECT * FROM r",
                            new CosmosQueryRequestOptions().setFeedRange(range),
                            ObjectNode.class)
                    .forEach(
                            item ->
                                    assertThat(
                                                    found.put(
                                                            item.get("id").asText(),
                                                            item.get("version").asInt()))
                                            .as("%s: %s came twice", description, item.get("id"))
                                            .isNull());
        }
        assertThat(found).as(description).isEqualTo(expected);
    }

    private static ThroughputProperties manual(int partitions) {
        return ThroughputProperties.createManualThroughput(partitions * T);
    }

    /**
     * Upserts its own items, one request at a time, and remembers what was acknowledged. The
     * request that a kill cut off may have been carried out or not.
     */
    private static final class Writer {
        private final int number;
        private final Random random;
        final Map<String, Integer> acknowledged = new TreeMap<>();
        private String openId = "";
        private int version;

        Writer(int number, long seed) {
            this.number = number;
            this.random = new Random(seed);
        }

        void write(CosmosContainer container) {
            version++;
            // Old ones and new ones; some large, so that partitions also outgrow their storage.
            String id = number + "-" + random.nextInt(20 + version / 2);
            String fill = "f".repeat(random.nextInt(25) == 0 ? LARGE : random.nextInt(500));
            openId = id;
            container.upsertItem(item(id, id).put("version", version).put("fill", fill));
            acknowledged.put(id, version);
            openId = "";
        }

        void verify(CosmosContainer container, String description) {
            if (!openId.isEmpty()) {
                int found = read(container, openId);
                if (found == version) {
                    acknowledged.put(openId, found);
                }
                openId = "";
            }
            acknowledged.forEach(
                    (id, expected) ->
                            assertThat(read(container, id))
                                    .as("%s: %s", description, id)
                                    .isEqualTo(expected));
        }

        /** The version of an item, 0 where there is none. */
        private static int read(CosmosContainer container, String id) {
            try {
                return container
                        .readItem(id, new PartitionKey(id), ObjectNode.class)
                        .getItem()
                        .get("version")
                        .asInt();
            } catch (CosmosException e) {
                assertThat(e.getStatusCode()).as(e.getShortMessage()).isEqualTo(404);
                return 0;
            }
        }
    }
}
