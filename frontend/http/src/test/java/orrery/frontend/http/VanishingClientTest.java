package orrery.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;

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
                    assertThat(client.read().status()).isEqualTo(200);
                    assertThat(client.isEnded()).isTrue();
                }
                Eventually.untilQuiet(server);
            }
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
