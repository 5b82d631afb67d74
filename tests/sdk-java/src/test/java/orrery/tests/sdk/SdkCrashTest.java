package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kills the server in the middle of concurrent writes, starts it again and looks at every item.
 *
 * <p>Each writer owns its keys, so what each of them has to hold is known: the last acknowledged
 * state, or, where a request was cut off by the kill, either that or what the request wanted.
 */
final class SdkCrashTest {
    private static final int WRITERS = 8;
    private static final int IDS_PER_WRITER = 20;
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    private static RunningServer server;

    private final Random random = new Random(SEED);
    private final List<Writer> writers = new ArrayList<>();
    private final Set<String> containersMade = new HashSet<>();

    @BeforeAll
    static void start() {
        // At 400 RU/s the one partition would hardly be written to.
        server = RunningServer.start("--no-throttling");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void acknowledgedWritesSurviveSigkill() throws InterruptedException {
        crashes("ci", 6);
    }

    @Test
    @Tag("long")
    void acknowledgedWritesSurviveManySigkills() throws InterruptedException {
        crashes("long", 100);
    }

    private void crashes(String database, int rounds) throws InterruptedException {
        try (CosmosClient client = Cosmos.newClient(server)) {
            client.createDatabase(database);
            for (int throughput : new int[] {Cosmos.ONE, Cosmos.FIVE}) {
                client.getDatabase(database)
                        .createContainer(
                                properties("c" + throughput, "/pk"),
                                ThroughputProperties.createManualThroughput(throughput));
                containersMade.add("c" + throughput);
            }
        }
        for (int number = 0; number < WRITERS; number++) {
            String container = "c" + (number % 2 == 0 ? Cosmos.ONE : Cosmos.FIVE);
            writers.add(new Writer(database, container, number, random.nextLong()));
        }
        for (int round = 0; round < rounds; round++) {
            writeAndKill(database, round);
            server.restart();
            try (CosmosClient client = Cosmos.newClient(server)) {
                for (Writer writer : writers) {
                    writer.verify(client, "round " + round + ", seed " + SEED);
                }
                verifyNothingElseIsThere(client, database);
                verifyContainers(client, database);
            }
        }
    }

    private void writeAndKill(String database, int round) throws InterruptedException {
        CrashRound crash = new CrashRound(server, "round " + round + ", seed " + SEED);
        writers.forEach(writer -> crash.repeat(writer::write));
        crash.once(() -> makeContainers(crash.client(), database, "r" + round + "-"));
        crash.await(200 + random.nextInt(800));
        crash.kill();
    }

    /**
     * Acknowledged creates of containers have to survive too; whether the last one does is open.
     */
    private void makeContainers(CosmosClient client, String database, String prefix) {
        for (int i = 0; i < 10; i++) {
            client.getDatabase(database).createContainer(properties(prefix + i, "/pk"));
            synchronized (containersMade) {
                containersMade.add(prefix + i);
            }
        }
    }

    private void verifyContainers(CosmosClient client, String database) {
        Set<String> present = new HashSet<>();
        client.getDatabase(database)
                .readAllContainers()
                .forEach(container -> present.add(container.getId()));
        assertThat(present).as("seed %s", SEED).containsAll(containersMade);
        for (String id : present) {
            CosmosContainer container = client.getDatabase(database).getContainer(id);
            assertThat(container.readThroughput().getProperties().getManualThroughput())
                    .isEqualTo(id.equals("c" + Cosmos.FIVE) ? Cosmos.FIVE : Cosmos.ONE);
            if (!containersMade.contains(id)) {
                container.delete();
            }
        }
        // Usable, not only listed; and gone again, so that rounds stay equally long.
        for (String id : List.copyOf(containersMade)) {
            if (id.startsWith("r")) {
                CosmosContainer container = client.getDatabase(database).getContainer(id);
                container.createItem(item("1", "k"));
                container.delete();
                containersMade.remove(id);
            }
        }
    }

    private void verifyNothingElseIsThere(CosmosClient client, String database) {
        for (int throughput : new int[] {Cosmos.ONE, Cosmos.FIVE}) {
            String id = "c" + throughput;
            Map<String, String> expected = new HashMap<>();
            for (Writer writer : writers) {
                if (writer.container.equals(id)) {
                    expected.putAll(writer.contents());
                }
            }
            Map<String, String> found = new HashMap<>();
            client.getDatabase(database)
                    .getContainer(id)
                    .queryItems("SELECT * FROM r", null, ObjectNode.class)
                    .forEach(
                            item ->
                                    found.put(
                                            item.get("pk").asText() + "/" + item.get("id").asText(),
                                            item.get("_etag").asText()));
            assertThat(found).as("seed %s", SEED).isEqualTo(expected);
        }
    }

    /**
     * Returns the contents of one key. Empty: no item. The etag is unknown where the answer never
     * came.
     */
    private record State(Optional<String> content, Optional<String> etag) {
        static final State ABSENT = new State(Optional.empty(), Optional.empty());
    }

    /** Writes to its own keys, one request at a time, and remembers what was acknowledged. */
    private static final class Writer {
        private final String database;
        private final String container;
        private final int number;
        private final Random random;
        private final Map<String, State> acknowledged = new HashMap<>();
        private Optional<String> openId = Optional.empty();
        private State openWish = State.ABSENT;
        private long version;

        Writer(String database, String container, int number, long seed) {
            this.database = database;
            this.container = container;
            this.number = number;
            this.random = new Random(seed);
            for (int i = 0; i < IDS_PER_WRITER; i++) {
                acknowledged.put("w" + number + "-" + i, State.ABSENT);
            }
        }

        /** When the kill cuts it off, openId says which key is in doubt. */
        void write(CosmosClient client) {
            CosmosContainer target = client.getDatabase(database).getContainer(container);
            String id = "w" + number + "-" + random.nextInt(IDS_PER_WRITER);
            PartitionKey key = new PartitionKey(key(id));
            State before = acknowledged.getOrDefault(id, State.ABSENT);
            ObjectNode next = next(id);
            State wish = new State(Optional.of(next.toString()), Optional.empty());
            if (before.content().isEmpty()) {
                begin(id, wish);
                acknowledge(
                        id,
                        next,
                        random.nextBoolean()
                                ? target.createItem(next, key, null)
                                : target.upsertItem(next, key, null));
                return;
            }
            switch (random.nextInt(4)) {
                case 0 -> {
                    begin(id, State.ABSENT);
                    target.deleteItem(id, key, null);
                    acknowledged.put(id, State.ABSENT);
                    openId = Optional.empty();
                }
                case 1 -> {
                    begin(id, wish);
                    acknowledge(id, next, target.upsertItem(next, key, null));
                }
                case 2 -> {
                    begin(id, wish);
                    acknowledge(id, next, target.replaceItem(next, id, key, null));
                }
                default -> {
                    ObjectNode patched = Cosmos.json(before.content().get());
                    patched.put("version", version);
                    begin(id, new State(Optional.of(patched.toString()), Optional.empty()));
                    acknowledge(
                            id,
                            patched,
                            target.patchItem(
                                    id,
                                    key,
                                    CosmosPatchOperations.create().set("/version", version),
                                    ObjectNode.class));
                }
            }
        }

        private ObjectNode next(String id) {
            version++;
            int size = random.nextInt(20) == 0 ? 50_000 : random.nextInt(500);
            ObjectNode next = item(id, key(id)).put("version", version);
            next.put("fill", Long.toString(random.nextLong()).repeat(1 + size / 20));
            next.putObject("indexed").put("n", random.nextInt()).putArray("list").add(version);
            return next;
        }

        private String key(String id) {
            return "k" + Math.floorMod(id.hashCode(), 7) + "-" + number;
        }

        private void begin(String id, State wish) {
            openId = Optional.of(id);
            openWish = wish;
        }

        private void acknowledge(String id, ObjectNode content, CosmosItemResponse<?> response) {
            acknowledged.put(
                    id,
                    new State(Optional.of(content.toString()), Optional.of(response.getETag())));
            openId = Optional.empty();
        }

        void verify(CosmosClient client, String description) {
            CosmosContainer source = client.getDatabase(database).getContainer(container);
            for (Map.Entry<String, State> entry : acknowledged.entrySet()) {
                String id = entry.getKey();
                State found = read(source, id);
                boolean inDoubt = openId.isPresent() && openId.get().equals(id);
                if (inDoubt && found.content().equals(openWish.content())) {
                    entry.setValue(found);
                    continue;
                }
                assertThat(found)
                        .as("%s: %s of %s, in doubt: %s", description, id, container, inDoubt)
                        .isEqualTo(entry.getValue());
            }
            openId = Optional.empty();
        }

        private State read(CosmosContainer source, String id) {
            try {
                CosmosItemResponse<ObjectNode> response =
                        source.readItem(id, new PartitionKey(key(id)), ObjectNode.class);
                return new State(
                        Optional.of(Cosmos.own(response.getItem()).toString()),
                        Optional.of(response.getETag()));
            } catch (CosmosException e) {
                assertThat(e.getStatusCode()).as(e.getShortMessage()).isEqualTo(404);
                return State.ABSENT;
            }
        }

        /** Etag by key and id. */
        Map<String, String> contents() {
            Map<String, String> contents = new HashMap<>();
            acknowledged.forEach(
                    (id, state) ->
                            state.etag().ifPresent(etag -> contents.put(key(id) + "/" + id, etag)));
            return contents;
        }
    }
}
