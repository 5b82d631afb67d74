package orrery.frontend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;

/** Requests are judged by their heads, and strangers keep nobody out. */
@Tag("timing")
class AdmissionTest {
    static {
        Leaks.watch();
    }

    @AfterAll
    static void nothingLeaks() {
        Leaks.assertNone();
    }

    /** Knows clients by a header, lets anybody fetch a page, and answers the length of the body. */
    private static final HttpHandler GUARDED =
            new HttpHandler() {
                @Override
                public HttpReply handle(HttpRequest request) {
                    return HttpReply.json(
                            200, Bytes.ofUtf8(Integer.toString(request.body().length())));
                }

                @Override
                public Admission admit(HttpRequest head) {
                    assertThat(head.body().isEmpty()).isTrue();
                    if (head.header("Key").isPresent()) {
                        return new Admission.Admitted(true, this);
                    }
                    return head.path().equals("/public")
                            ? new Admission.Admitted(false, this)
                            : new Admission.Refused(HttpReply.json(401, Bytes.ofUtf8("{}")));
                }
            };

    private static HttpServer start(HttpLimits.Builder limits) throws IOException {
        return HttpServer.builder(GUARDED)
                .limits(limits.lingerTimeout(Duration.ofMinutes(1)).build())
                .start();
    }

    private static int knownPost(RawClient client, int bytes) throws IOException {
        return client.sendLines(
                        "POST / HTTP/1.1",
                        "Host: a",
                        "Key: k",
                        "Content-Length: " + bytes,
                        "",
                        "x".repeat(bytes))
                .read()
                .status();
    }

    @Test
    void unfinishedBodiesOfStrangersHoldNothing() throws IOException {
        try (var server = start(HttpLimits.builder().maxHeldBytes(100_000));
                var normal = new RawClient(server)) {
            List<RawClient> strangers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                var stranger = new RawClient(server);
                strangers.add(stranger);
                stranger.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\nx");
                // At once, with the body still outstanding.
                var reply = stranger.read();
                assertThat(reply.status()).isEqualTo(401);
                assertThat(reply.header("connection")).isEqualTo("close");
                assertThat(knownPost(normal, 60_000)).isEqualTo(200);
            }
            for (var stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void aStrangerIsNotToldToContinue() throws IOException {
        try (var server = start(HttpLimits.builder())) {
            try (var client = new RawClient(server)) {
                client.sendLines(
                        "POST / HTTP/1.1",
                        "Host: a",
                        "Expect: 100-continue",
                        "Content-Length: 5",
                        "",
                        "");
                assertThat(client.drain()).startsWith("HTTP/1.1 401 ").doesNotContain(" 100 ");
            }
            try (var client = new RawClient(server)) {
                client.sendLines(
                        "POST / HTTP/1.1",
                        "Host: a",
                        "Key: k",
                        "Expect: 100-continue",
                        "Content-Length: 5",
                        "",
                        "");
                assertThat(client.read().status()).isEqualTo(100);
                assertThat(client.send("12345").read().body()).isEqualTo("5");
            }
        }
    }

    @Test
    void aRefusedRequestWithoutABodyLeavesTheConnectionOpen() throws IOException {
        try (var server = start(HttpLimits.builder());
                var client = new RawClient(server)) {
            assertThat(client.get("/").status()).isEqualTo(401);
            assertThat(client.get("/").status()).isEqualTo(401);
            assertThat(knownPost(client, 3)).isEqualTo(200);
            Eventually.until("answered", () -> server.counters().requestsInFlight() == 0);
        }
    }

    @Test
    void aRefusedClientThatSendsOnReadsItsRefusal() throws IOException {
        try (var server = start(HttpLimits.builder());
                var client = new RawClient(server)) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n");
            client.trySend(new byte[2_000_000]);
            assertThat(client.read().status()).isEqualTo(401);
            assertThat(client.isEnded()).isTrue();
        }
    }

    /**
     * A client is connected before the server has accepted it. Each of its threads accepts some
     * connections, so others may overtake it.
     */
    private static void awaitAccepted(HttpServer server, Set<Connection> met) {
        Eventually.until("accepted", () -> met.addAll(server.connections().all()));
    }

    @Test
    void idleConnectionsOfStrangersMakeRoom() throws IOException {
        try (var server = start(HttpLimits.builder().maxConnections(20));
                var normal = new RawClient(server)) {
            assertThat(knownPost(normal, 1)).isEqualTo(200);
            List<RawClient> idle = new ArrayList<>();
            Set<Connection> met = new HashSet<>(server.connections().all());
            for (int i = 0; i < 100; i++) {
                idle.add(new RawClient(server));
                awaitAccepted(server, met);
                assertThat(knownPost(normal, 1)).isEqualTo(200);
            }
            // The oldest had to go.
            assertThat(idle.getFirst().isEnded()).isTrue();
            for (int i = 0; i < 30; i++) {
                try (var newcomer = new RawClient(server)) {
                    assertThat(knownPost(newcomer, 1)).isEqualTo(200);
                }
                Eventually.until("gone", () -> server.counters().openConnections() < 20);
            }
            assertThat(knownPost(normal, 1)).isEqualTo(200);
            for (var client : idle) {
                client.close();
            }
        }
    }

    @Test
    void thousandsOfIdleConnectionsKeepNobodyOut() throws IOException {
        List<RawClient> idle = new ArrayList<>();
        try (var server = start(HttpLimits.builder().maxConnections(1500));
                var normal = new RawClient(server)) {
            assertThat(knownPost(normal, 1)).isEqualTo(200);
            for (int i = 0; i < 3000; i++) {
                idle.add(new RawClient(server));
                if (i % 100 == 0) {
                    assertThat(knownPost(normal, 1)).isEqualTo(200);
                    try (var newcomer = new RawClient(server)) {
                        assertThat(knownPost(newcomer, 1)).isEqualTo(200);
                    }
                }
            }
            assertThat(knownPost(normal, 1)).isEqualTo(200);
        } catch (SocketException e) {
            Assumptions.abort("this machine gives a process too few open files: " + e);
        } finally {
            for (var client : idle) {
                client.close();
            }
        }
    }

    @Test
    void theLongestIdleConnectionMakesRoomWhenAllAreKnown() throws IOException {
        try (var server = start(HttpLimits.builder().maxConnections(3))) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(new RawClient(server));
                assertThat(knownPost(clients.get(i), 1)).isEqualTo(200);
                Eventually.until(
                        "idle",
                        () -> server.connections().all().stream().allMatch(Connection::isIdle));
            }
            try (var newcomer = new RawClient(server)) {
                assertThat(knownPost(newcomer, 1)).isEqualTo(200);
                assertThat(clients.get(0).isEnded()).isTrue();
                assertThat(knownPost(clients.get(1), 1)).isEqualTo(200);
                assertThat(knownPost(clients.get(2), 1)).isEqualTo(200);
            }
            for (var client : clients) {
                client.close();
            }
        }
    }

    /** The reply said that the connection stays; it was told to go when that was sent. */
    @Test
    void aConnectionThatIsToldToGoWhileItIsAnsweredGoesBehindTheReply() throws IOException {
        HttpHandler handler = _ -> HttpReply.json(200, Bytes.wrap(new byte[32 << 20]));
        HttpLimits limits =
                HttpLimits.builder()
                        .idleTimeout(Duration.ofHours(1))
                        .writeTimeout(Duration.ofHours(1))
                        .build();
        try (var server = HttpServer.builder(handler).limits(limits).start();
                var client = new RawClient(server)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            // The rest of the reply does not fit between the two until the client reads.
            client.line();
            server.connections().all().forEach(Connection::evict);

            assertThat(client.drain()).endsWith("\0");
            Eventually.untilQuiet(server);
        }
    }

    @Test
    void unfinishedHeadsOfStrangersMakeRoomForOneAnother() throws IOException {
        String half = "GET /public HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(4000);
        try (var server = start(HttpLimits.builder().maxStrangerBytes(10_000))) {
            List<RawClient> strangers = new ArrayList<>();
            Set<Connection> met = new HashSet<>();
            for (int i = 0; i < 10; i++) {
                var stranger = new RawClient(server);
                strangers.add(stranger);
                stranger.send(half);
                Eventually.until(
                        "a new one holds bytes",
                        () ->
                                server.connections().all().stream()
                                        .anyMatch(each -> each.holdsAsStranger() && met.add(each)));
                assertThat(server.counters().heldBytes()).isPositive().isLessThanOrEqualTo(10_000);
            }
            assertThat(strangers.getFirst().isEnded()).isTrue();
            assertThat(strangers.getLast().send("\r\n\r\n").read().status()).isEqualTo(200);
            for (var stranger : strangers) {
                stranger.close();
            }
            Eventually.untilQuiet(server);
        }
    }

    @Test
    void bodiesOfStrangersHaveAShareOfTheirOwn() throws IOException {
        try (var server = start(HttpLimits.builder().maxStrangerBytes(1000));
                var stranger = new RawClient(server);
                var normal = new RawClient(server)) {
            stranger.send("POST /public HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n");
            assertThat(stranger.read().status()).isEqualTo(503);
            assertThat(knownPost(normal, 50_000)).isEqualTo(200);
        }
    }

    @Test
    void noStrangerGoesForABodyThatNeverFits() throws IOException {
        try (var server = start(HttpLimits.builder().maxStrangerBytes(1000));
                var small = new RawClient(server);
                var large = new RawClient(server)) {
            small.send("POST /public HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n1");
            Eventually.until("held", () -> server.counters().heldBytes() > 0);
            large.send("POST /public HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n");
            assertThat(large.read().status()).isEqualTo(503);
            assertThat(small.send("23").read().body()).isEqualTo("3");
        }
    }

    @Test
    void aHandlerThatFailsToJudgeIsAnError() throws IOException {
        HttpHandler broken =
                new HttpHandler() {
                    @Override
                    public HttpReply handle(HttpRequest request) {
                        throw new AssertionError("never admitted");
                    }

                    @Override
                    public Admission admit(HttpRequest head) {
                        throw new IllegalStateException("broken");
                    }
                };
        try (var server = HttpServer.builder(broken).start();
                var client = new RawClient(server)) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n");
            client.trySend("{}".getBytes(UTF_8));
            assertThat(client.read().status()).isEqualTo(500);
        }
    }
}
