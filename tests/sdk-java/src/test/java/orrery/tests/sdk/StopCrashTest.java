package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Stops the server by SIGTERM in the middle of reads, queries and writes. It has to end by itself:
 * a database that is closed under a reader brings the whole process down from below.
 */
final class StopCrashTest {
    private static final String DATABASE = "d";
    private static final String CONTAINER = "c";

    /** The exit code of a JVM that has carried out a SIGTERM. */
    private static final int TERMINATED = 143;

    private static final int WORKERS = 4;

    @Test
    void endsCleanlyUnderLoad() throws Exception {
        stops(3);
    }

    @Test
    @Tag("long")
    void endsCleanlyUnderLoadManyTimes() throws Exception {
        stops(40);
    }

    private static void stops(int rounds) throws Exception {
        try (RunningServer server = RunningServer.start("--no-throttling")) {
            try (CosmosClient client = Cosmos.newClient(server)) {
                client.createDatabase(DATABASE);
                client.getDatabase(DATABASE)
                        .createContainer(
                                properties(CONTAINER, "/pk"),
                                ThroughputProperties.createManualThroughput(Cosmos.FIVE));
                container(client).createItem(item("read", "k"));
            }
            for (int round = 0; round < rounds; round++) {
                int number = round;
                AtomicInteger written = new AtomicInteger();
                CrashRound load = new CrashRound(server, "round " + round);
                for (int i = 0; i < WORKERS; i++) {
                    load.repeat(StopCrashTest::read);
                    load.repeat(StopCrashTest::query);
                    load.repeat(
                            client ->
                                    container(client)
                                            .createItem(
                                                    item(
                                                            number
                                                                    + "-"
                                                                    + written.getAndIncrement(),
                                                            "k" + written.get() % 50)));
                }
                load.await(300);

                int exitCode = load.stop();

                assertThat(server.output())
                        .doesNotContain("pthread", "A fatal error", "SIGSEGV", "not stop cleanly");
                assertThat(exitCode).as(server.output()).isEqualTo(TERMINATED);
                assertThat(crashReports(server.data())).isZero();
                server.restart();
            }
        }
    }

    private static void read(CosmosClient client) {
        container(client).readItem("read", new PartitionKey("k"), ObjectNode.class);
    }

    private static void query(CosmosClient client) {
        container(client)
                .queryItems(
                        "SELECT TOP 100 * FROM c ORDER BY c.id",
                        new CosmosQueryRequestOptions(),
                        ObjectNode.class)
                .forEach(found -> assertThat(found.has("id")).isTrue());
    }

    private static CosmosContainer container(CosmosClient client) {
        return client.getDatabase(DATABASE).getContainer(CONTAINER);
    }

    /**
     * The JVM writes them into the directory in which it was started, which is that of the data.
     */
    private static long crashReports(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("hs_err")).count();
        }
    }
}
