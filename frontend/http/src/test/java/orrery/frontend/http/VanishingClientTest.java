package orrery.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.OrreryException;

/** Clients that go away with a reset, with a close, or with a half-close. */
@Tag("timing")
class VanishingClientTest {
    static {
        Leaks.watch();
    }

    @AfterAll
    static void nothingLeaks() {
        Leaks.assertNone();
    }

    private enum Way {
        RESET,
        CLOSE,
        HALF_CLOSE;

        void leave(RawClient client) throws IOException {
            switch (this) {
                case RESET -> client.vanish();
                case CLOSE -> client.close();
                case HALF_CLOSE -> client.socket.shutdownOutput();
            }
        }
    }

    private static Transport transport(boolean hasNatives) {
        return Transport.open(hasNatives ? Natives.detect() : Natives.none(), 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void beforeAndInsideARequest(boolean hasNatives) throws IOException {
        try (var transport = transport(hasNatives);
                var server =
                        HttpServer.builder(_ -> HttpReply.empty(200))
                                .transport(transport)
                                .start()) {
            String post = "POST / HTTP/1.1\r\nHost: a\r\n";
            for (var way : Way.values()) {
                for (String part :
                        new String[] {
                            "",
                            "G",
                            "GET / HTTP/1.1\r\nHo",
                            post + "Content-Length: 100000\r\n\r\n" + "x".repeat(80_000),
                            post + "Transfer-Encoding: chunked\r\n\r\n5\r\n123",
                            "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HT"
                        }) {
                    try (var client = new RawClient(server)) {
                        client.send(part);
                        way.leave(client);
                        Eventually.untilQuiet(server);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whileTheHandlerRuns(boolean hasNatives) throws Exception {
        for (var way : Way.values()) {
            var started = new CountDownLatch(1);
            var gate = new Semaphore(0);
            HttpHandler handler =
                    _ -> {
                        started.countDown();
                        gate.acquire();
                        return HttpReply.json(200, Bytes.ofUtf8("{}"));
                    };
            try (var transport = transport(hasNatives);
                    var server = HttpServer.builder(handler).transport(transport).start();
                    var client = new RawClient(server)) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
                started.await();
                way.leave(client);
                // The handler is still at work, whatever the client did.
                assertThat(server.counters().requestsInFlight()).isEqualTo(1);
                gate.release();
                if (way == Way.HALF_CLOSE) {
                    assertThat(client.readFinal().status()).isEqualTo(200);
                    assertThat(client.isEnded()).isTrue();
                }
                Eventually.untilQuiet(server);
            }
        }
    }

    /** Waits as requests do: until it may go on, or nobody waits for it. */
    private static HttpReply answered(Semaphore gate) throws InterruptedException {
        try {
            return Cancellation.current()
                    .waiting(
                            () -> {
                                gate.acquire();
                                return HttpReply.empty(200);
                            });
        } catch (OrreryException cancelled) {
            return HttpReply.empty(408);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoLeavesCancelsTheRequest(boolean hasNatives) throws Exception {
        for (var way : new Way[] {Way.RESET, Way.CLOSE}) {
            var started = new CountDownLatch(1);
            HttpHandler handler =
                    _ -> {
                        started.countDown();
                        return answered(new Semaphore(0));
                    };
            try (var transport = transport(hasNatives);
                    var server = HttpServer.builder(handler).transport(transport).start();
                    var client = new RawClient(server)) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                started.await();
                way.leave(client);
                Eventually.untilQuiet(server);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoOnlySendsNoMoreIsAnswered(boolean hasNatives) throws Exception {
        var gate = new Semaphore(0);
        try (var transport = transport(hasNatives);
                var server = HttpServer.builder(_ -> answered(gate)).transport(transport).start();
                var client = new RawClient(server);
                var old = new RawClient(server)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            old.send("GET / HTTP/1.0\r\n\r\n");
            Way.HALF_CLOSE.leave(client);
            Way.HALF_CLOSE.leave(old);
            // It is asked whether it still waits, more than once.
            assertThat(client.read().status()).isEqualTo(102);
            assertThat(client.read().status()).isEqualTo(102);
            gate.release(2);
            assertThat(client.readFinal().status()).isEqualTo(200);
            // A client of HTTP/1.0 would take that for the reply.
            assertThat(old.read().status()).isEqualTo(200);
            Eventually.untilQuiet(server);
        }
    }

    /** One that has no turn yet leaves the queue. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoLeavesBeforeItsTurnDoesNotBegin(boolean hasNatives) throws Exception {
        var gate = new Semaphore(0);
        var begun = new AtomicInteger();
        HttpHandler handler =
                _ -> {
                    begun.incrementAndGet();
                    gate.acquire();
                    return HttpReply.empty(200);
                };
        HttpLimits one =
                HttpLimits.builder()
                        .maxRunningHandlers(1)
                        .queueTimeout(Duration.ofHours(1))
                        .build();
        try (var transport = transport(hasNatives);
                var server = HttpServer.builder(handler).transport(transport).limits(one).start();
                var first = new RawClient(server);
                var second = new RawClient(server)) {
            first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            Eventually.until("begun", () -> begun.get() == 1);
            second.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            Eventually.until("received", () -> server.counters().requestsInFlight() == 2);
            second.vanish();
            Eventually.until("left", () -> server.counters().requestsInFlight() == 1);
            gate.release();
            assertThat(first.read().status()).isEqualTo(200);
            assertThat(begun.get()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void insideAReply(boolean hasNatives) throws IOException {
        HttpHandler handler = _ -> HttpReply.json(200, Bytes.wrap(new byte[16 << 20]));
        for (var way : new Way[] {Way.RESET, Way.CLOSE}) {
            try (var transport = transport(hasNatives);
                    var server = HttpServer.builder(handler).transport(transport).start();
                    var client = new RawClient(server)) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.socket.getInputStream().readNBytes(100_000)).hasSize(100_000);
                way.leave(client);
                Eventually.untilQuiet(server);
            }
        }
    }
}
