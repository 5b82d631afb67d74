package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a tenant gets whose neighbour asks for ten times what it has paid for. Request units are
 * counted, not answers: between two refusals of one client that asks without a pause lies exactly
 * what its partition granted meanwhile, give or take one request, however slow the machine is.
 */
@Timeout(200)
final class IsolationTest {
    private static final int BUDGET = 1000;

    /** So much longer than any request that one more or less does not matter. */
    private static final Duration WINDOW = Duration.ofSeconds(5);

    /** The item of the tenant that is looked at: reading it costs 2 % of a second's budget. */
    private static final int SMALL = 200_000;

    /** That of the greedy one: few requests a second are ten times its budget. */
    private static final int LARGE = 1_000_000;

    private static final int GREED = 10;
    private static final int GREEDY_CLIENTS = 4;

    private static RunningServer server;
    private static CosmosClient client;

    @BeforeAll
    static void start() {
        server = RunningServer.start();
        client =
                Cosmos.builder(server)
                        .throttlingRetryOptions(
                                new ThrottlingRetryOptions()
                                        .setMaxRetryAttemptsOnThrottledRequests(0))
                        .buildClient();
        client.createDatabase("db");
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void aGreedyTenantInItsOwnContainerTakesNothingFromAnother() throws InterruptedException {
        CosmosContainer greedy = create("greedy");
        CosmosContainer quiet = create("quiet");
        double cost = fill(greedy, "a", LARGE);
        fill(quiet, "b", SMALL);

        try (Greedy tenantA = new Greedy(greedy, "a", cost)) {
            tenantA.awaitFirstRefusal();
            Window tenantB = use(quiet, "b");
            tenantA.stop();

            assertThat(tenantB.shareAtLeast()).isGreaterThanOrEqualTo(0.98);
            assertThat(tenantB.shareAtMost()).isLessThanOrEqualTo(1.02);
            assertThat(tenantA.demand()).isGreaterThanOrEqualTo(GREED);
            assertThat(tenantA.share()).isBetween(0.9, 1.1);
        }
    }

    @Test
    void asKeysOfOneRangeTheyShareTheBudget() throws InterruptedException {
        CosmosContainer both = create("both");
        double cost = fill(both, "a", LARGE);
        fill(both, "b", SMALL);

        try (Greedy tenantA = new Greedy(both, "a", cost)) {
            tenantA.awaitFirstRefusal();
            double before = tenantA.used();
            Window tenantB = use(both, "b");
            double together = tenantA.used() - before + tenantB.used();
            tenantA.stop();

            assertThat(together / BUDGET / tenantB.seconds()).isBetween(0.9, 1.1);
            assertThat(tenantB.shareAtMost()).as("of B alone").isLessThan(0.9);
        }
    }

    /** What the server has counted is what clients were told. */
    @Test
    void theMeterOfThePartitionSaysTheSame() {
        CosmosContainer container = create("metered");
        double used = container.createItem(item("large", "b")).getRequestCharge();
        for (int i = 0; i < 20; i++) {
            used += read(container, "b").charge();
        }

        try (Operator operator = new Operator(server, "db", "metered")) {
            // Whole seconds are shown, so the last requests come a little later.
            JsonNode shown = operator.partitions().getFirst();
            while (shown.at("/lastHour/requests").asInt() < 21) {
                shown = operator.partitions().getFirst();
            }
            assertThat(shown.at("/lastHour/ru").asDouble()).isCloseTo(used, within(0.01));
        }
    }

    private static CosmosContainer create(String id) {
        client.getDatabase("db")
                .createContainer(
                        properties(id, "/pk"), ThroughputProperties.createManualThroughput(BUDGET));
        return client.getDatabase("db").getContainer(id);
    }

    /** Makes the tenant's item and returns what reading it costs. */
    private static double fill(CosmosContainer container, String tenant, int bytes) {
        ObjectNode large = item("large", tenant).put("fill", "f".repeat(bytes));
        Answer answer = ask(() -> container.upsertItem(large).getRequestCharge());
        while (answer.isRefused()) {
            LockSupport.parkNanos(answer.retryAfter().toNanos());
            answer = ask(() -> container.upsertItem(large).getRequestCharge());
        }
        answer = read(container, tenant);
        while (answer.isRefused()) {
            LockSupport.parkNanos(answer.retryAfter().toNanos());
            answer = read(container, tenant);
        }
        return answer.charge();
    }

    private interface Request {
        double charge();
    }

    private record Answer(double charge, Duration retryAfter, long sentNanos, long heardNanos) {
        boolean isRefused() {
            return !retryAfter.isZero();
        }
    }

    private static Answer read(CosmosContainer container, String tenant) {
        return ask(
                () ->
                        container
                                .readItem("large", new PartitionKey(tenant), ObjectNode.class)
                                .getRequestCharge());
    }

    private static Answer ask(Request request) {
        long sent = System.nanoTime();
        try {
            double charge = request.charge();
            return new Answer(charge, Duration.ZERO, sent, System.nanoTime());
        } catch (CosmosException e) {
            assertThat(e.getStatusCode()).as(e.getShortMessage()).isEqualTo(429);
            return new Answer(0, e.getRetryAfterDuration(), sent, System.nanoTime());
        }
    }

    /**
     * What one client got between two refusals. When exactly the server looked at its meter is not
     * known, only that it was between the request and the answer.
     */
    private record Window(double used, Answer first, Answer last) {
        double seconds() {
            return (last.heardNanos() - first.heardNanos()) / 1e9;
        }

        double shareAtLeast() {
            return used / BUDGET / ((last.sentNanos() - first.heardNanos()) / 1e9);
        }

        double shareAtMost() {
            return used / BUDGET / ((last.heardNanos() - first.sentNanos()) / 1e9);
        }
    }

    /** Reads as much as the tenant may, one at a time, and waits when told to. */
    private static Window use(CosmosContainer container, String tenant) {
        Answer answer = read(container, tenant);
        while (!answer.isRefused()) {
            answer = read(container, tenant);
        }
        Answer first = answer;
        double used = 0;
        while (!answer.isRefused() || answer.sentNanos() - first.heardNanos() < WINDOW.toNanos()) {
            LockSupport.parkNanos(answer.retryAfter().toNanos());
            answer = read(container, tenant);
            used += answer.charge();
        }
        return new Window(used, first, answer);
    }

    /**
     * @param used what had been used until then
     */
    private record Refusal(long nanos, double used) {
        static final Refusal NONE = new Refusal(0, -1);

        boolean isNone() {
            return used < 0;
        }
    }

    /**
     * Asks for somewhat more than {@link #GREED} times the budget at an even pace, whatever it is
     * told.
     */
    private static final class Greedy implements AutoCloseable {
        private final CosmosContainer container;
        private final String tenant;
        private final double cost;
        private final List<Thread> threads = new ArrayList<>();
        private final long startNanos = System.nanoTime();
        private volatile boolean stopping;
        private long endNanos;
        private double used;
        private int asked;
        private Refusal first = Refusal.NONE;
        private Refusal last = Refusal.NONE;
        private @Nullable Throwable failure;

        Greedy(CosmosContainer container, String tenant, double cost) {
            this.container = container;
            this.tenant = tenant;
            this.cost = cost;
            for (int i = 0; i < GREEDY_CLIENTS; i++) {
                threads.add(Thread.ofPlatform().start(this::run));
            }
        }

        private void run() {
            long pause = (long) (1e9 * GREEDY_CLIENTS * cost / (1.3 * GREED * BUDGET));
            long due = System.nanoTime();
            try {
                while (!stopping) {
                    count(read(container, tenant));
                    due += pause;
                    LockSupport.parkNanos(due - System.nanoTime());
                }
            } catch (RuntimeException | AssertionError e) {
                fail(e);
            }
        }

        private synchronized void fail(Throwable e) {
            failure = e;
            notifyAll();
        }

        private synchronized void count(Answer answer) {
            used += answer.charge();
            asked++;
            if (answer.isRefused()) {
                last = new Refusal(answer.heardNanos(), used);
                first = first.isNone() ? last : first;
            }
            notifyAll();
        }

        synchronized void awaitFirstRefusal() throws InterruptedException {
            while (first.isNone() && failure == null) {
                wait();
            }
        }

        synchronized double used() {
            return used;
        }

        void stop() {
            close();
            if (failure != null) {
                throw new AssertionError(failure);
            }
        }

        private double seconds() {
            return (endNanos - startNanos) / 1e9;
        }

        /** What it asked for, as a multiple of the budget. */
        synchronized double demand() {
            return asked * cost / BUDGET / seconds();
        }

        /** What it got between two refusals. */
        synchronized double share() {
            return (last.used() - first.used()) / BUDGET / ((last.nanos() - first.nanos()) / 1e9);
        }

        @Override
        public void close() {
            stopping = true;
            for (Thread thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            if (endNanos == 0) {
                endNanos = System.nanoTime();
            }
        }
    }
}
