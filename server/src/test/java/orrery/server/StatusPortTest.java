package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import orrery.cluster.api.AccountSettings;

/** Orchestrators hear of a server whose requests compute. */
@Tag("timing")
final class StatusPortTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CARRIERS =
            Integer.getInteger(
                    "jdk.virtualThreadScheduler.parallelism",
                    Runtime.getRuntime().availableProcessors());

    private final List<Thread> spinning = new ArrayList<>();
    private volatile boolean isOver;
    private ServerFixture server;
    private HttpClient http;

    @BeforeEach
    void start() {
        server = ServerFixture.start(AccountSettings.DEFAULT);
        http = HttpClient.newHttpClient();
    }

    @AfterEach
    void stop() throws InterruptedException {
        isOver = true;
        for (Thread thread : spinning) {
            thread.join();
        }
        http.close();
        server.close();
    }

    private HttpResponse<String> get(String page) throws Exception {
        return http.send(
                HttpRequest.newBuilder(
                                URI.create(
                                        "http://localhost:"
                                                + server.server().statusPort()
                                                + "/"
                                                + page))
                        .timeout(PATIENCE)
                        .build(),
                BodyHandlers.ofString());
    }

    /** Virtual threads on all carriers, none of which ever waits for anything. */
    private void holdAllCarriers() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(CARRIERS);
        for (int i = 0; i < CARRIERS; i++) {
            spinning.add(
                    Thread.startVirtualThread(
                            () -> {
                                held.countDown();
                                while (!isOver) {
                                    Thread.onSpinWait();
                                }
                            }));
        }
        assertThat(held.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void answersWhileRequestsHoldAllCarriers() throws Exception {
        holdAllCarriers();

        assertThat(get("alive").statusCode()).isEqualTo(200);
        assertThat(get("status").statusCode()).isEqualTo(200);
        assertThat(get("metrics").statusCode()).isEqualTo(200);
        // It answers, and it tells the truth: the other port does not.
        HttpResponse<String> ready = get("ready");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).contains("no answer on the SQL port");
    }

    @Test
    void isReadyAgainWhenTheyHaveEnded() throws Exception {
        holdAllCarriers();
        assertThat(get("alive").statusCode()).isEqualTo(200);
        isOver = true;

        // The probe behind it gives up after two seconds, which a busy machine may need.
        int status = 0;
        for (int i = 0; i < 60 && status != 200; i++) {
            status = get("ready").statusCode();
        }
        assertThat(status).isEqualTo(200);
    }
}
