package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.models.ThroughputProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The quotas that the service has for billing and fairness: off, and on by a flag. A rate is
 * reached by asking until it is: the window in which requests are counted may end at any of them.
 */
@Tag("client")
final class QuotaTest {
    private static final int WATCH_SECONDS = 4;

    /** Ends what would never be refused. */
    private static final int PATIENCE_SECONDS = 900;

    @Test
    @Timeout(PATIENCE_SECONDS)
    void withoutTheFlagThereAreNoQuotas() throws Exception {
        try (RunningServer server = RunningServer.start();
                CosmosClient client = impatient(server)) {
            CosmosDatabase shared = sharedDatabase(client);
            for (int i = 0; i < 30; i++) {
                shared.createContainer(properties("shared-" + i, "/pk"));
            }
            client.createDatabase("db");
            for (int i = 0; i < 75; i++) {
                client.getDatabase("db").createContainer(properties("c" + i, "/pk"));
            }
            for (int i = 0; i < 12; i++) {
                client.getDatabase("db")
                        .getContainer("c0")
                        .replaceThroughput(
                                ThroughputProperties.createManualThroughput(500 + 100 * i));
            }
            for (int i = 0; i < 500; i++) {
                client.getDatabase("db").getContainer("c0").read();
            }
            measureIdle(server);
        }
    }

    /**
     * The rate is an account's: what many clients of little effort ask for makes it too much for
     * one that alone might be too slow.
     */
    @Test
    @Timeout(PATIENCE_SECONDS)
    void metadataPerSecond() {
        try (RunningServer server = RunningServer.start("--service-quotas");
                CosmosClient client = impatient(server);
                Flood flood = new Flood(server)) {
            client.createDatabase("db");
            flood.start();

            CosmosException refusal = refusal("per second", _ -> client.getDatabase("db").read());

            assertThat(refusal.getRetryAfterDuration())
                    .isPositive()
                    .isLessThanOrEqualTo(Duration.ofSeconds(1));
        }
    }

    @Test
    @Timeout(PATIENCE_SECONDS)
    void createsPerMinute() {
        try (RunningServer server = RunningServer.start("--service-quotas");
                CosmosClient client = impatient(server)) {
            // Databases are made faster, so that a slow machine makes enough of them in a minute.
            CosmosException failure =
                    refusal("created per minute", i -> client.createDatabase("db" + i));
            assertThat(failure.getRetryAfterDuration()).isPositive();
            CosmosDatabase database = client.getDatabase("db0");
            refusal(
                    "created per minute",
                    i -> database.createContainer(properties("c" + i, "/pk")));
        }
    }

    /** Repeats a request until it is refused, and returns the refusal. */
    private static CosmosException refusal(String says, IntConsumer request) {
        CosmosException refusal =
                assertFails(
                        429,
                        3200,
                        () -> {
                            for (int i = 0; true; i++) {
                                request.accept(i);
                            }
                        });
        assertThat(refusal.getShortMessage()).contains(says);
        return refusal;
    }

    @Test
    void sharedContainersPerDatabase() {
        try (RunningServer server = RunningServer.start("--service-quotas");
                CosmosClient client = Cosmos.newClient(server)) {
            CosmosDatabase shared = sharedDatabase(client);
            for (int i = 0; i < 25; i++) {
                shared.createContainer(properties("c" + i, "/pk"));
            }

            assertFails(400, 1019, () -> shared.createContainer(properties("c25", "/pk")));
            assertThat(
                            shared.createContainer(
                                            properties("own", "/pk"),
                                            ThroughputProperties.createManualThroughput(400))
                                    .getStatusCode())
                    .isEqualTo(201);
        }
    }

    @Test
    @Timeout(PATIENCE_SECONDS)
    void throughputChangesPerMinute() {
        try (RunningServer server = RunningServer.start("--service-quotas");
                CosmosClient client = impatient(server)) {
            client.createDatabase("db");
            client.getDatabase("db").createContainer(properties("c", "/pk"));

            refusal(
                    "throughput changes",
                    i ->
                            client.getDatabase("db")
                                    .getContainer("c")
                                    .replaceThroughput(
                                            ThroughputProperties.createManualThroughput(
                                                    500 + 100 * (i % 6))));
        }
    }

    /** Takes minutes: the quota of creates per minute holds at the same time. */
    @Test
    @Tag("long")
    void databasesAndContainersPerAccount() {
        ThrottlingRetryOptions patient = new ThrottlingRetryOptions();
        patient.setMaxRetryAttemptsOnThrottledRequests(1000);
        patient.setMaxRetryWaitTime(Duration.ofMinutes(2));
        try (RunningServer server = RunningServer.start("--service-quotas");
                CosmosClient client =
                        Cosmos.builder(server).throttlingRetryOptions(patient).buildClient()) {
            client.createDatabase("db");
            for (int i = 1; i < 500; i++) {
                client.getDatabase("db").createContainer(properties("c" + i, "/pk"));
            }

            assertFails(
                    403,
                    1005,
                    () -> client.getDatabase("db").createContainer(properties("more", "/pk")));
            assertFails(403, 1005, () -> client.createDatabase("more"));
        }
    }

    /**
     * Prints what a server with about a hundred containers uses while nobody asks. The target is
     * below 1 % of a core; waited for is only that it does not spin, once it has cleaned up behind
     * those who asked.
     */
    private static void measureIdle(RunningServer server) throws Exception {
        Path stat = Path.of("/proc", Long.toString(server.pid()), "stat");
        if (!Files.exists(stat)) {
            return;
        }
        while (watch(server, stat) >= 100L * WATCH_SECONDS / 2) {
            assertThat(server.isRunning()).isTrue();
        }
    }

    /** Returns the processor time that the server uses in that time, in ticks of 10 ms. */
    private static long watch(RunningServer server, Path stat) throws Exception {
        long before = cpuTicks(stat);
        // Watching it do nothing is the test; there is no event to wait for.
        assertThat(ProcessHandle.of(server.pid()).orElseThrow().onExit())
                .satisfies(
                        exit -> {
                            try {
                                exit.get(WATCH_SECONDS, TimeUnit.SECONDS);
                            } catch (TimeoutException e) {
                                // Still running, as it should.
                            }
                        });
        long ticks = cpuTicks(stat) - before;
        double percent = ticks * 1.0 / WATCH_SECONDS; // a tick is 10 ms on Linux
        System.out.printf(
                "idle with 105 containers: %d ms of CPU in %d s, %.1f %% of a core; %s%n",
                ticks * 10, WATCH_SECONDS, percent, residentMemory(server));
        return ticks;
    }

    private static long cpuTicks(Path stat) throws IOException {
        String text = Files.readString(stat);
        String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    private static String residentMemory(RunningServer server) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(server.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS"))
                .findFirst()
                .orElse("")
                .replaceAll("\\s+", " ");
    }

    private static CosmosDatabase sharedDatabase(CosmosClient client) {
        client.createDatabase("shared", ThroughputProperties.createManualThroughput(1000));
        return client.getDatabase("shared");
    }

    /** Reads the database all the time, on several connections. */
    private static final class Flood implements AutoCloseable {
        private static final int CLIENTS = 16;

        private final Rest rest;
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final List<Future<?>> clients = new ArrayList<>();
        private volatile boolean stopping;

        Flood(RunningServer server) {
            this.rest = Rest.of(server);
        }

        void start() {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(this::run));
            }
        }

        private void run() {
            Rest.Target database = new Rest.Target("dbs/db", "dbs", "dbs/db");
            while (!stopping) {
                assertThat(rest.get(database, Map.of()).statusCode()).isIn(200, 429);
            }
        }

        @Override
        public void close() {
            stopping = true;
            threads.close();
            rest.close();
            for (Future<?> client : clients) {
                if (client.state() == Future.State.FAILED) {
                    throw new AssertionError(client.exceptionNow());
                }
            }
        }
    }

    /** Does not wait when told to. */
    private static CosmosClient impatient(RunningServer server) {
        ThrottlingRetryOptions never = new ThrottlingRetryOptions();
        never.setMaxRetryAttemptsOnThrottledRequests(0);
        return Cosmos.builder(server).throttlingRetryOptions(never).buildClient();
    }
}
