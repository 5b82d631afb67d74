package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import orrery.cluster.api.AccountSettings;
import orrery.query.PlanningThreads;

/** Texts that programs make: what they cost, and that nobody else waits for them. */
@Tag("timing")
final class LongQueryTest {
    private static final String LINK = "dbs/food/colls/items";
    private static final int SOMEBODY_ELSE = 1_000_000;
    private static final String SHORT = "SELECT * FROM c WHERE c.a=1";

    /** 387 KB, and 176,006 expressions. */
    private static final String LONG = SHORT + " OR c.a=1".repeat(44_000);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ServerFixture server;

    @BeforeEach
    void start() {
        server = ServerFixture.start(AccountSettings.DEFAULT.withMetering(false, false, false));
        server.createDatabase("food");
        server.createContainer("food", "items");
        server.createItem("food", "items", "k", "1", ",\"a\":2");
    }

    @AfterEach
    void stop() {
        server.close();
        threads.close();
    }

    private HttpResponse<String> query(String text, String... more) {
        List<String> headers =
                new ArrayList<>(
                        List.of(
                                "content-type",
                                "application/query+json",
                                "x-ms-documentdb-isquery",
                                "True",
                                "x-ms-documentdb-query-enablecrosspartition",
                                "True"));
        headers.addAll(List.of(more));
        return server.sqlReply(
                "POST",
                "docs",
                LINK,
                LINK + "/docs",
                "{\"query\":\"" + text + "\"}",
                headers.toArray(String[]::new));
    }

    private static double charge(HttpResponse<String> response) {
        return Double.parseDouble(
                response.headers().firstValue("x-ms-request-charge").orElseThrow());
    }

    @Test
    void costWhatItTakesToMakeThemReady() {
        assertThat(charge(query(SHORT))).isEqualTo(2.3);

        HttpResponse<String> answer = query(LONG);
        assertThat(answer.statusCode()).isEqualTo(200);
        // 0.015 RU for each expression beyond 256, 0.05 RU for a thousand characters beyond 4 KB.
        assertThat(charge(answer)).isCloseTo(2.3 + 2636.25 + 19.6, within(0.01));
        assertThat(charge(query(LONG))).isEqualTo(charge(answer));
    }

    @Test
    void costWhatTheyComputeForAnItem() {
        // No index helps, and each item is held against all of it.
        String scan = SHORT.replace("c.a=1", "c.a+c.b=1") + " OR c.a+c.b=1".repeat(20_000);
        double one = charge(query(scan));
        for (int i = 2; i <= 11; i++) {
            server.createItem("food", "items", "k", Integer.toString(i), ",\"a\":2");
        }
        // Twenty steps for each of 20,001 operands, of which 20,000 are in the price of the item.
        double ofItem = (20 * 20_001 - 20_000) / 200_000.0 + 0.1;
        assertThat(charge(query(scan)) - one).isBetween(10 * ofItem, 10 * (ofItem + 0.1));
    }

    @Test
    void waitForEachOtherAndNobodyForThem() throws InterruptedException {
        PlanningThreads planning = PlanningThreads.ofProcess();
        CountDownLatch held = new CountDownLatch(planning.threads());
        CountDownLatch released = new CountDownLatch(1);
        for (int i = 0; i < planning.threads(); i++) {
            threads.execute(() -> planning.plan(SOMEBODY_ELSE, () -> hold(held, released)));
        }
        held.await();
        CompletableFuture<HttpResponse<String>> query = later(LONG);
        CompletableFuture<HttpResponse<String>> plan =
                later(
                        LONG,
                        "x-ms-cosmos-is-query-plan-request",
                        "True",
                        "x-ms-cosmos-supported-query-features",
                        "NonValueAggregate");

        for (int i = 0; i < 10; i++) {
            assertThat(query(SHORT).statusCode()).isEqualTo(200);
        }
        assertThat(server.readItem("food", "items", "k", "1").statusCode()).isEqualTo(200);
        assertThat(query).isNotDone();
        assertThat(plan).isNotDone();

        released.countDown();
        assertThat(query.join().statusCode()).isEqualTo(200);
        assertThat(plan.join().statusCode()).isEqualTo(200);
        assertThat(plan.join().body()).contains("partitionedQueryExecutionInfoVersion");
    }

    private static boolean hold(CountDownLatch held, CountDownLatch released) {
        held.countDown();
        try {
            released.await();
            return true;
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /** Comes again when it was told to, as SDKs do. */
    private CompletableFuture<HttpResponse<String>> later(String text, String... headers) {
        return CompletableFuture.supplyAsync(
                () -> {
                    HttpResponse<String> answer = query(text, headers);
                    while (answer.statusCode() == 429) {
                        answer = query(text, headers);
                    }
                    return answer;
                },
                threads);
    }
}
