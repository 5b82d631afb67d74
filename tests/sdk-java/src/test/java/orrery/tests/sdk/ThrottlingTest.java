package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Partitions that are asked for more than they have. Items are so large that a few writes a second
 * are too many for the partition, on any machine.
 */
@Tag("client")
@Timeout(900)
final class ThrottlingTest {
    /** A write of such an item over another one costs about a thousand request units. */
    private static final String FILL = "f".repeat(1_000_000);

    /** One such write in a second is as much as this allows. */
    private static final int T = 1000;

    private static final int ENOUGH_REFUSALS = 5;
    private static final Pattern REFUSED = Pattern.compile("\"statusCode\":429\\b");

    @Test
    void aHotLoopIsToldToWaitAndHowLong() {
        String id = create(Cosmos.client(), Cosmos.database().getId(), 400);
        try (CosmosClient impatient = impatient(Cosmos.server())) {
            CosmosContainer container = impatient.getDatabase("shared").getContainer(id);
            double used = 0;
            @Nullable CosmosException refusal = null;
            while (refusal == null) {
                assertThat(used).as("used, and never refused").isLessThan(200_000);
                try {
                    used += container.upsertItem(large("hot")).getRequestCharge();
                } catch (CosmosException e) {
                    refusal = e;
                }
            }

            assertRefused(refusal);
            assertThat(used).isGreaterThan(400);
            // Whatever time has passed, the debt is not more than what was used.
            assertThat(refusal.getRetryAfterDuration().toMillis())
                    .isPositive()
                    .isLessThanOrEqualTo((long) (used / 400 * 1000));
            assertThat(refusal.getResponseHeaders())
                    .containsEntry(
                            "x-ms-retry-after-ms",
                            Long.toString(refusal.getRetryAfterDuration().toMillis()));
            assertThat(refusal.getRequestCharge()).isZero();
        }
    }

    /** An SDK that waits as long as it is told does not wait often, if it is told the truth. */
    @Test
    void theRetriesOfTheSdkSucceed() {
        String id = create(Cosmos.client(), Cosmos.database().getId(), 400);
        CosmosContainer container = Cosmos.database().getContainer(id);

        int refusals = 0;
        for (int i = 0; i < 4; i++) {
            String diagnostics = container.upsertItem(large("hot")).getDiagnostics().toString();
            long refused = REFUSED.matcher(diagnostics).results().count();
            assertThat(refused).as("write %s: %s", i, diagnostics).isLessThanOrEqualTo(2);
            refusals += (int) refused;
        }

        assertThat(refusals).isPositive();
    }

    @Test
    void rangesHaveBudgetsOfTheirOwn() throws InterruptedException {
        try (RunningServer server =
                        RunningServer.start("--partition-max-throughput", Integer.toString(T));
                CosmosClient client = impatient(server)) {
            client.createDatabase("db");
            for (int[] example : new int[][] {{2, 1}, {3, 3}}) {
                CosmosContainer container =
                        client.getDatabase("db").getContainer(create(client, "db", example[0] * T));
                assertThat(KeyRange.of(container)).hasSize(example[0]);
                hotKeysDoNotDisturbOtherRanges(container, example[1]);
            }
            // Ranges made by splits have budgets as those have that a container begins with.
            CosmosContainer grown = client.getDatabase("db").getContainer(create(client, "db", T));
            grown.replaceThroughput(ThroughputProperties.createManualThroughput(2 * T));
            while (grown.readThroughput().isReplacePending()) {
                Thread.onSpinWait();
            }
            KeyRange.await(grown, 2);
            hotKeysDoNotDisturbOtherRanges(grown, 1);
        }
    }

    private static void hotKeysDoNotDisturbOtherRanges(CosmosContainer container, int hotKeys)
            throws InterruptedException {
        Map<String, List<String>> keysByRange = new TreeMap<>();
        for (int i = 0; i < 24; i++) {
            String token = container.createItem(item("1", "key-" + i)).getSessionToken();
            keysByRange
                    .computeIfAbsent(token.substring(0, token.indexOf(':')), _ -> new ArrayList<>())
                    .add("key-" + i);
        }
        List<List<String>> ranges =
                keysByRange.values().stream().filter(keys -> keys.size() >= hotKeys).toList();
        assertThat(ranges).as("%s", keysByRange).hasSizeGreaterThanOrEqualTo(2);
        List<String> hot = ranges.getFirst().subList(0, hotKeys);
        String cold = ranges.getLast().getFirst();

        AtomicBoolean stopping = new AtomicBoolean();
        Map<String, AtomicInteger> refusals = new TreeMap<>();
        hot.forEach(key -> refusals.put(key, new AtomicInteger()));
        List<Future<?>> work = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            refusals.forEach(
                    (key, count) ->
                            work.add(
                                    threads.submit(
                                            () -> {
                                                while (!stopping.get()
                                                        || count.get() < ENOUGH_REFUSALS) {
                                                    hit(container, key, count);
                                                }
                                            })));
            // With what was written above, all that is read here is less than half a second's
            // budget, which is what a range made by a split begins with: enough at any speed.
            double used = 0;
            int reads = 0;
            while (reads < 200 || (!allRefused(refusals) && used < 0.4 * T)) {
                CosmosItemResponse<ObjectNode> read =
                        container.readItem("1", new PartitionKey(cold), ObjectNode.class);
                used += read.getRequestCharge();
                reads++;
            }
            stopping.set(true);
            for (Future<?> done : work) {
                try {
                    done.get();
                } catch (ExecutionException e) {
                    throw new AssertionError(e.getCause());
                }
            }
        }
        assertThat(allRefused(refusals)).as("%s", refusals).isTrue();
    }

    private static boolean allRefused(Map<String, AtomicInteger> refusals) {
        return refusals.values().stream().allMatch(count -> count.get() >= ENOUGH_REFUSALS);
    }

    private static void hit(CosmosContainer container, String key, AtomicInteger refusals) {
        try {
            container.upsertItem(large(key));
        } catch (CosmosException e) {
            assertRefused(e);
            refusals.incrementAndGet();
        }
    }

    @Test
    void withoutThrottlingNothingIsRefused() {
        try (RunningServer server = RunningServer.start("--no-throttling");
                CosmosClient client = impatient(server)) {
            client.createDatabase("db");
            CosmosContainer container =
                    client.getDatabase("db").getContainer(create(client, "db", 400));
            double used = 0;
            for (int i = 0; i < 40; i++) {
                used += container.upsertItem(large("hot")).getRequestCharge();
            }
            // A hundred seconds of the budget, and still charged.
            assertThat(used).isGreaterThan(40_000 * 0.9);
        }
    }

    private static void assertRefused(CosmosException refusal) {
        assertThat(refusal.getStatusCode()).as(refusal.getShortMessage()).isEqualTo(429);
        assertThat(refusal.getSubStatusCode()).isEqualTo(3200);
    }

    private static ObjectNode large(String key) {
        return item("large", key).put("fill", FILL);
    }

    /** Hears of every refusal. */
    private static CosmosClient impatient(RunningServer server) {
        return Cosmos.builder(server)
                .throttlingRetryOptions(
                        new ThrottlingRetryOptions().setMaxRetryAttemptsOnThrottledRequests(0))
                .buildClient();
    }

    private static String create(CosmosClient client, String database, int requestUnits) {
        String id = uniqueName("throttled");
        client.getDatabase(database)
                .createContainer(
                        properties(id, "/pk"),
                        ThroughputProperties.createManualThroughput(requestUnits));
        return id;
    }
}
