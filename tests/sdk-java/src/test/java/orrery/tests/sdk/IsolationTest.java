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
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Measures what a tenant gets while its neighbour asks for ten times its own budget. Request units
 * are counted, not answers: between two refusals of one client lies exactly what its partition
 * granted meanwhile, give or take one request, unless a second's budget was left lying. That takes
 * a pause of a second between two refusals; where there was one, the client begins again.
 */
@Tag("client")
@Timeout(900)
final class IsolationTest {
    private static final int BUDGET = 400;

    /** The time that is measured; a pause ends it sooner, but not before the shorter time. */
    private static final Duration WINDOW = Duration.ofSeconds(6);

    private static final Duration SHORT_WINDOW = Duration.ofSeconds(3);

    /**
     * The item of the tenant that is looked at: writing it costs a quarter of a second's budget, so
     * that five writes a second are more than it has.
     */
    private static final int SMALL = 64_000;

    /**
     * The size of the greedy tenant's item: reading it 40 times a second is ten times its budget.
     */
    private static final int LARGE = 1_000_000;

    /** Writing this costs seconds of the budget. */
    private static final int HUGE = 1_900_000;

    /** Less than what it takes to save a second's budget. */
    private static final Duration LONGEST = Duration.ofMillis(990);

    private static final int GREED = 10;
    private static final int GREEDY_CLIENTS = 8;

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
        double cost = fill(greedy, "a");

        try (Greedy tenantA = new Greedy(greedy.getId(), "a", cost)) {
            tenantA.awaitFirstRefusal();
            Window tenantB = use(quiet, "b");
            tenantA.awaitDemand();
            tenantA.stop();

            tenantB.assertExact();
            assertThat(tenantA.used()).isPositive().isLessThanOrEqualTo(tenantA.allowed());
        }
    }

    @Test
    void asKeysOfOneRangeTheyShareTheBudget() {
        CosmosContainer both = create("both");

        Window together = use(both, "a", "b");

        together.assertExact();
        // Again where the answer was too late to know whether there still was a debt.
        while (!isRefusedForTheOther(both, "a", "b")) {
            fill(both, "b");
        }
    }

    /**
     * One tenant writes what takes seconds to pay, and the other asks for something. False where
     * the answer came so late that it may have been paid already.
     */
    private static boolean isRefusedForTheOther(
            CosmosContainer container, String spending, String asking) {
        long start = System.nanoTime();
        Answer written = write(container, spending, HUGE);
        if (written.isRefused()) {
            LockSupport.parkNanos(written.retryAfter().toNanos());
            return false;
        }
        Answer answer = write(container, asking, SMALL);
        double seconds = (answer.heardNanos() - start) / 1e9;
        // There was a second's budget at the most, and time has granted the rest.
        if (BUDGET * (1 + seconds) >= written.charge()) {
            return false;
        }
        assertThat(answer.isRefused()).isTrue();
        return true;
    }

    /** The server counts what it told its clients. */
    @Test
    void theMeterOfThePartitionSaysTheSame() {
        CosmosContainer container = create("metered");
        double used = container.createItem(item("1", "b")).getRequestCharge();
        for (int i = 0; i < 20; i++) {
            used +=
                    container
                            .readItem("1", new PartitionKey("b"), ObjectNode.class)
                            .getRequestCharge();
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

    /** Makes the tenant's large item, and returns what reading it costs when all is paid. */
    private static double fill(CosmosContainer container, String tenant) {
        persist(() -> write(container, tenant, LARGE));
        return persist(() -> read(container, tenant)).charge();
    }

    private static Answer persist(Supplier<Answer> request) {
        Answer answer = request.get();
        while (answer.isRefused()) {
            LockSupport.parkNanos(answer.retryAfter().toNanos());
            answer = request.get();
        }
        return answer;
    }

    private interface Request {
        double charge();
    }

    private record Answer(double charge, Duration retryAfter, long sentNanos, long heardNanos) {
        static final Answer NONE = new Answer(0, Duration.ZERO, 0, 0);

        boolean isRefused() {
            return !retryAfter.isZero();
        }
    }

    private static Answer read(CosmosContainer container, String tenant) {
        return ask(
                () ->
                        container
                                .readItem(
                                        Integer.toString(LARGE),
                                        new PartitionKey(tenant),
                                        ObjectNode.class)
                                .getRequestCharge());
    }

    /** Writes the tenant's item of this size. */
    private static Answer write(CosmosContainer container, String tenant, int bytes) {
        ObjectNode item = item(Integer.toString(bytes), tenant).put("fill", "f".repeat(bytes));
        return ask(() -> container.upsertItem(item).getRequestCharge());
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
     * The units that one client got between two refusals. When exactly the server looked at its
     * meter is not known, only that it was between the request and the answer.
     */
    private record Window(double used, double cost, Answer first, Answer last) {
        private static final double ROUNDING = 1;

        long nanos() {
            return last.sentNanos() - first.heardNanos();
        }

        /** Asserts that the tenant got exactly what was granted, give or take one request. */
        void assertExact() {
            double atLeast = BUDGET * (last.sentNanos() - first.heardNanos()) / 1e9;
            double atMost = BUDGET * (last.heardNanos() - first.sentNanos()) / 1e9;
            assertThat(used)
                    .isGreaterThanOrEqualTo(atLeast - cost - ROUNDING)
                    .isLessThanOrEqualTo(atMost + cost + ROUNDING);
        }
    }

    /**
     * Writes as much as these tenants may, one at a time and in turn, and waits when told to. A
     * refusal says that nothing is left. Up to the next one nothing is lost if that comes within a
     * second, because a second's budget is what a partition saves.
     */
    private static Window use(CosmosContainer container, String... tenants) {
        Window window = new Window(0, 0, Answer.NONE, Answer.NONE);
        double used = 0;
        double cost = 0;
        for (int i = 0; window.nanos() < WINDOW.toNanos(); i++) {
            Answer answer = write(container, tenants[i % tenants.length], SMALL);
            used += answer.charge();
            cost = Math.max(cost, answer.charge());
            if (answer.isRefused()) {
                boolean isLate =
                        answer.heardNanos() - window.last().sentNanos() > LONGEST.toNanos();
                if (isLate && window.nanos() >= SHORT_WINDOW.toNanos()) {
                    return window;
                }
                boolean isNew = isLate || !window.first().isRefused();
                used = isNew ? 0 : used;
                window = new Window(used, cost, isNew ? answer : window.first(), answer);
                LockSupport.parkNanos(answer.retryAfter().toNanos());
            }
        }
        return window;
    }

    /**
     * Asks for somewhat more than {@link #GREED} times the budget at an even pace, whatever it is
     * told. With less effort than an SDK makes: asking so much is not what a slow machine is good
     * at.
     */
    private static final class Greedy implements AutoCloseable {
        private final Rest rest = Rest.of(server);
        private final String container;
        private final String tenant;
        private final double cost;
        private final List<Thread> threads = new ArrayList<>();
        private final long startNanos = System.nanoTime();
        private volatile boolean stopping;
        private double used;
        private int asked;
        private boolean isRefused;
        private @Nullable Throwable failure;

        Greedy(String container, String tenant, double cost) {
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
                    count(read());
                    due += pause;
                    LockSupport.parkNanos(due - System.nanoTime());
                }
            } catch (RuntimeException | AssertionError e) {
                fail(e);
            }
        }

        private HttpResponse<String> read() {
            return rest.get(
                    Rest.Target.item("db", container, Integer.toString(LARGE)),
                    Map.of("x-ms-documentdb-partitionkey", "[\"" + tenant + "\"]"));
        }

        private synchronized void fail(Throwable e) {
            failure = e;
            notifyAll();
        }

        private synchronized void count(HttpResponse<String> answer) {
            asked++;
            if (answer.statusCode() == 429) {
                isRefused = true;
            } else {
                assertThat(answer.statusCode()).isEqualTo(200);
                used += cost;
            }
            notifyAll();
        }

        synchronized void awaitFirstRefusal() throws InterruptedException {
            while (!isRefused && failure == null) {
                wait();
            }
        }

        /** Until it has asked for so much all the time, what a pause left undone included. */
        synchronized void awaitDemand() throws InterruptedException {
            while (asked * cost < GREED * BUDGET * seconds() && failure == null) {
                wait();
            }
        }

        synchronized double used() {
            return used;
        }

        /** A second's budget to begin with, and one request of each client beyond what there is. */
        synchronized double allowed() {
            return BUDGET * (1 + seconds()) + GREEDY_CLIENTS * cost;
        }

        void stop() {
            close();
            if (failure != null) {
                throw new AssertionError(failure);
            }
        }

        private double seconds() {
            return (System.nanoTime() - startNanos) / 1e9;
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
            rest.close();
        }
    }
}
