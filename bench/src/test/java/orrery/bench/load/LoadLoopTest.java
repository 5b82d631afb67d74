package orrery.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpServer;
import orrery.model.Bytes;

class LoadLoopTest {
    private static final Bytes BODY = Bytes.wrap(SampleItem.body(7));

    private static LoadSpec reads(int port, double perSecond) {
        return new LoadSpec(LoadSpec.Kind.READ, port, "c", 4, 0.3, perSecond, 10);
    }

    @Test
    void specsAndResultsSurviveTheLine() {
        LoadSpec spec = new LoadSpec(LoadSpec.Kind.CREATE, 8081, "c", 64, 2.5, 1000.25, 1L << 40);
        assertThat(LoadSpec.parse(spec.toLine())).isEqualTo(spec);
        LoadResult result = new LoadResult(1, 2, 3, 0.5, 1.25, 10.75, 99.5);
        assertThat(LoadResult.parse(result.toLine())).isEqualTo(result);
    }

    @Test
    void itemsAreOneKilobyteWithTheirNumberAtEveryPlace() {
        String body = new String(SampleItem.body(42), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(body).hasSize(1024).contains("\"id\":\"000000000042\",\"pk\":\"000000000042\"");
        assertThat(body).doesNotContain("#");
    }

    @Test
    void everyRequestIsCountedOnce() throws IOException {
        AtomicInteger handled = new AtomicInteger();
        try (HttpServer server =
                HttpServer.builder(
                                _ -> {
                                    handled.incrementAndGet();
                                    return HttpReply.json(200, BODY);
                                })
                        .start()) {
            LoadResult result = LoadLoop.run(reads(server.port(), 0));
            assertThat(result.sent()).isEqualTo(handled.get()).isPositive();
            assertThat(result.answered()).isBetween(result.sent() - 4, result.sent());
            assertThat(result.failed()).isZero();
        }
    }

    @Test
    void aFixedRateSendsWhatIsDueAndTimesFromWhenItWasDue() throws IOException {
        AtomicInteger handled = new AtomicInteger();
        try (HttpServer server =
                HttpServer.builder(
                                _ -> {
                                    // Four connections are busy at once, and the fifth has to wait.
                                    if (handled.incrementAndGet() <= 4) {
                                        LockSupport.parkNanos(250_000_000);
                                    }
                                    return HttpReply.json(200, BODY);
                                })
                        .start()) {
            LoadResult result = LoadLoop.run(reads(server.port(), 200));
            assertThat(result.sent()).isEqualTo(60);
            assertThat(result.answered()).isEqualTo(60);
            // 250 ms for four of them; half of all were due in its first 150 ms and had to wait.
            assertThat(result.p99Millis()).isGreaterThan(240);
            assertThat(result.p50Millis()).isGreaterThan(90);
        }
    }

    /** A client that asks for more than its budget may be refused; any other failure counts. */
    @Test
    void whoAsksForTooMuchMayBeRefused() throws IOException {
        AtomicInteger handled = new AtomicInteger();
        try (HttpServer server =
                HttpServer.builder(
                                _ ->
                                        handled.incrementAndGet() % 2 == 0
                                                ? HttpReply.json(200, BODY)
                                                : HttpReply.json(429, Bytes.ofUtf8("{}")))
                        .start()) {
            LoadResult result =
                    LoadLoop.run(
                            new LoadSpec(
                                    LoadSpec.Kind.READ_TOO_MUCH,
                                    server.port(),
                                    "c",
                                    4,
                                    0.3,
                                    200,
                                    10));
            assertThat(result.answered()).isEqualTo(60);
            assertThatThrownBy(() -> LoadLoop.run(reads(server.port(), 200)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("status=429");
        }
    }

    @Test
    void aReplyWithAnotherStatusFailsTheRun() throws IOException {
        try (HttpServer server =
                HttpServer.builder(_ -> HttpReply.json(503, Bytes.ofUtf8("{}"))).start()) {
            assertThatThrownBy(() -> LoadLoop.run(reads(server.port(), 0)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("status=503");
        }
    }
}
