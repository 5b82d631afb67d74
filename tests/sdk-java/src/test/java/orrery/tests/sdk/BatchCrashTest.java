package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kills the server in the middle of batches. Each batch carries all items of its key from one
 * version to the next; whatever the kill leaves, they agree, and on no less than was acknowledged.
 */
final class BatchCrashTest {
    private static final int WRITERS = 6;
    private static final int ITEMS = 10;
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    private final Random random = new Random(SEED);

    @Test
    void batchesAreDoneOrNot() throws InterruptedException {
        crashes(5);
    }

    @Test
    @Tag("long")
    void batchesAreDoneOrNotForLonger() throws InterruptedException {
        crashes(60);
    }

    private void crashes(int rounds) throws InterruptedException {
        try (RunningServer server = RunningServer.start("--no-throttling")) {
            List<Writer> writers = new ArrayList<>();
            try (CosmosClient client = Cosmos.newClient(server)) {
                client.createDatabase("d");
                client.getDatabase("d")
                        .createContainer(
                                properties("c", "/pk"),
                                ThroughputProperties.createManualThroughput(Cosmos.FIVE));
                CosmosContainer container = client.getDatabase("d").getContainer("c");
                for (int number = 0; number < WRITERS; number++) {
                    Writer writer = new Writer("k" + number, random.nextLong());
                    writer.begin(container);
                    writers.add(writer);
                }
            }
            for (int round = 0; round < rounds; round++) {
                CrashRound crash = new CrashRound(server, "round " + round + ", seed " + SEED);
                writers.forEach(writer -> crash.repeat(writer::write));
                crash.await(50 + random.nextInt(100));
                crash.kill();
                server.restart();
                try (CosmosClient client = Cosmos.newClient(server)) {
                    CosmosContainer container = client.getDatabase("d").getContainer("c");
                    for (Writer writer : writers) {
                        writer.verify(container);
                    }
                }
            }
        }
    }

    /** Takes the items of its key from version to version, all at once. */
    private static final class Writer {
        private final String key;
        private final PartitionKey partitionKey;
        private final Random random;
        private long acknowledged;
        private long tried;

        Writer(String key, long seed) {
            this.key = key;
            this.partitionKey = new PartitionKey(key);
            this.random = new Random(seed);
        }

        void begin(CosmosContainer container) {
            CosmosBatch batch = CosmosBatch.createCosmosBatch(partitionKey);
            for (int i = 0; i < ITEMS; i++) {
                batch.createItemOperation(version(i, 0));
            }
            assertThat(container.executeCosmosBatch(batch).isSuccessStatusCode()).isTrue();
        }

        void write(CosmosClient client) {
            tried = acknowledged + 1;
            CosmosBatchResponse response =
                    client.getDatabase("d").getContainer("c").executeCosmosBatch(next());
            if (!response.isSuccessStatusCode()) {
                throw new IllegalStateException("answered " + response.getStatusCode());
            }
            acknowledged = tried;
        }

        private CosmosBatch next() {
            CosmosBatch batch = CosmosBatch.createCosmosBatch(partitionKey);
            for (int i = 0; i < ITEMS; i++) {
                String id = Integer.toString(i);
                switch (random.nextInt(4)) {
                    case 0 -> batch.upsertItemOperation(version(i, tried));
                    case 1 -> batch.replaceItemOperation(id, version(i, tried));
                    case 2 -> {
                        batch.deleteItemOperation(id);
                        batch.createItemOperation(version(i, tried));
                    }
                    default ->
                            batch.patchItemOperation(
                                    id, CosmosPatchOperations.create().set("/version", tried));
                }
            }
            return batch;
        }

        private ObjectNode version(int number, long version) {
            return item(Integer.toString(number), key)
                    .put("version", version)
                    .put("fill", "f".repeat(random.nextInt(3000)));
        }

        void verify(CosmosContainer container) {
            Set<Long> versions = new TreeSet<>();
            int count = 0;
            for (ObjectNode item : container.readAllItems(partitionKey, ObjectNode.class)) {
                versions.add(item.get("version").asLong());
                count++;
            }
            assertThat(count).as("items of %s, seed %s", key, SEED).isEqualTo(ITEMS);
            assertThat(versions).as("versions of %s, seed %s", key, SEED).hasSize(1);
            long found = versions.iterator().next();
            assertThat(found).as("seed %s", SEED).isIn(acknowledged, tried);
            acknowledged = found;
        }
    }
}
