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
import java.util.Collections;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The quotas that the service has for billing and fairness: off, and on by a flag. */
final class QuotaTest {
    private static final int WATCH_SECONDS = 4;

    @Test
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

    /** The rate is an account's: many clients reach it where one alone might be too slow. */
    @Test
    void metadataPerSecond() throws Exception {
        try (RunningServer server = RunningServer.start("--service-quotas");
                CosmosClient client = impatient(server);
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            client.createDatabase("db");
            AtomicReference<CosmosException> first = new AtomicReference<>();
            Callable<Void> reader =
                    () -> {
                        readUntilRefused(client.getDatabase("db"), first);
                        return null;
                    };
            for (Future<Void> done : threads.invokeAll(Collections.nCopies(8, reader))) {
                done.get();
            }

            CosmosException refusal = Objects.requireNonNull(first.get(), "no read was refused");
            assertThat(refusal.getStatusCode()).isEqualTo(429);
            assertThat(refusal.getSubStatusCode()).isEqualTo(3200);
            assertThat(refusal.getRetryAfterDuration())
                    .isPositive()
                    .isLessThanOrEqualTo(Duration.ofSeconds(1));
        }
    }

    private static void readUntilRefused(
            CosmosDatabase database, AtomicReference<CosmosException> first) {
        for (int i = 0; i < 20_000 && first.get() == null; i++) {
            try {
                database.read();
            } catch (CosmosException failure) {
                first.compareAndSet(null, failure);
            }
        }
    }

    @Test
    void createsPerMinute() {
        try (RunningServer server = RunningServer.start("--service-quotas");
                CosmosClient client = impatient(server)) {
            client.createDatabase("db");
            CosmosException failure =
                    assertFails(
                            429,
                            3200,
                            () -> {
                                for (int i = 0; i < 101; i++) {
                                    client.getDatabase("db")
                                            .createContainer(properties("c" + i, "/pk"));
                                }
                            });
            assertThat(failure.getRetryAfterDuration()).isPositive();
        }
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
    void throughputChangesPerMinute() {
        try (RunningServer server = RunningServer.start("--service-quotas");
                CosmosClient client = impatient(server)) {
            client.createDatabase("db");
            client.getDatabase("db").createContainer(properties("c", "/pk"));

            assertFails(
                    429,
                    3200,
                    () -> {
                        for (int i = 0; i < 6; i++) {
                            client.getDatabase("db")
                                    .getContainer("c")
                                    .replaceThroughput(
                                            ThroughputProperties.createManualThroughput(
                                                    500 + 100 * i));
                        }
                    });
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
     * below 1 % of a core; asserted is only that it does not spin.
     */
    private static void measureIdle(RunningServer server) throws Exception {
        Path stat = Path.of("/proc", Long.toString(server.pid()), "stat");
        if (!Files.exists(stat)) {
            return;
        }
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
        assertThat(ticks).isLessThan(100L * WATCH_SECONDS / 2);
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

    /** Does not wait when told to. */
    private static CosmosClient impatient(RunningServer server) {
        ThrottlingRetryOptions never = new ThrottlingRetryOptions();
        never.setMaxRetryAttemptsOnThrottledRequests(0);
        return Cosmos.builder(server).throttlingRetryOptions(never).buildClient();
    }
}
