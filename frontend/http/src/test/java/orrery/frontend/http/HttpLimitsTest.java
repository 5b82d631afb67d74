package orrery.frontend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;

class HttpLimitsTest {
    static {
        Leaks.watch();
    }

    @AfterAll
    static void nothingLeaks() {
        Leaks.assertNone();
    }

    private static final Duration LONG = Duration.ofMinutes(5);

    private static final HttpHandler LENGTH =
            request -> HttpReply.json(200, Bytes.ofUtf8(Integer.toString(request.body().length())));

    private static HttpServer start(HttpHandler handler, HttpLimits.Builder limits)
            throws IOException {
        return HttpServer.builder(handler).limits(limits.build()).start();
    }

    private static void assertRefused(RawClient client, int status, String code)
            throws IOException {
        var reply = client.read();
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.header("content-type")).isEqualTo("application/json");
        assertThat(reply.header("connection")).isEqualTo("close");
        assertThat(reply.body()).startsWith("{\"code\":\"" + code + "\",\"message\":\"");
        assertThat(client.isEnded()).isTrue();
    }

    /** A request whose line and headers are exactly that long, line ends included. */
    private static String head(int bytes, boolean inTarget) {
        String frame = "GET /%s HTTP/1.1\r\nHost: a\r\nX: %s\r\n\r\n";
        String fill = "x".repeat(bytes - frame.length() + 4);
        return inTarget ? frame.formatted(fill, "") : frame.formatted("", fill);
    }

    @Test
    void takesAHeadOfTheLimitAndNotOneByteMore() throws IOException {
        for (int limit : List.of(1000, 64 << 10)) {
            try (var server = start(LENGTH, HttpLimits.builder().maxHeadBytes(limit))) {
                for (boolean inTarget : List.of(true, false)) {
                    try (var client = new RawClient(server)) {
                        for (int i = 0; i < 3; i++) {
                            String head = head(limit, inTarget);
                            assertThat(head).hasSize(limit);
                            assertThat(client.send(head).read().status()).isEqualTo(200);
                        }
                        client.send(head(limit + 1, inTarget));
                        assertRefused(client, 431, "RequestHeaderFieldsTooLarge");
                    }
                }
                // Many small headers, and a line that never ends.
                try (var client = new RawClient(server)) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n");
                    client.trySend("a: b\r\n".repeat(limit / 6).getBytes(UTF_8));
                    assertRefused(client, 431, "RequestHeaderFieldsTooLarge");
                }
                try (var client = new RawClient(server)) {
                    client.trySend("G".repeat(limit * 3).getBytes(UTF_8));
                    assertRefused(client, 431, "RequestHeaderFieldsTooLarge");
                }
                Eventually.untilQuiet(server);
            }
        }
    }

    @Test
    void takesABodyOfTheLimitAndNotOneByteMore() throws IOException {
        for (int limit : List.of(0, 10, 300_000)) {
            String whole = "b".repeat(limit);
            try (var server = start(LENGTH, quick(HttpLimits.builder().maxBodyBytes(limit)))) {
                try (var client = new RawClient(server)) {
                    client.sendLines(
                            "POST / HTTP/1.1", "Host: a", "Content-Length: " + limit, "", whole);
                    assertThat(client.read().body()).isEqualTo("" + limit);
                    String chunk =
                            limit == 0 ? "" : Integer.toHexString(limit) + "\r\n" + whole + "\r\n";
                    client.sendLines(
                            "POST / HTTP/1.1",
                            "Host: a",
                            "Transfer-Encoding: chunked",
                            "",
                            chunk + "0",
                            "",
                            "");
                    assertThat(client.read().body()).isEqualTo("" + limit);
                    // Refused before a byte of the body has been sent.
                    client.sendLines(
                            "POST / HTTP/1.1",
                            "Host: a",
                            "Expect: 100-continue",
                            "Content-Length: " + (limit + 1),
                            "",
                            "");
                    assertRefused(client, 413, "RequestEntityTooLarge");
                }
                try (var client = new RawClient(server)) {
                    client.sendLines(
                            "POST / HTTP/1.1",
                            "Host: a",
                            "Transfer-Encoding: chunked",
                            "",
                            Integer.toHexString(limit + 1),
                            whole + "b",
                            "");
                    assertRefused(client, 413, "RequestEntityTooLarge");
                }
                Eventually.untilQuiet(server);
            }
        }
    }

    /** Suits a client that announces a body and never sends it. */
    private static HttpLimits.Builder quick(HttpLimits.Builder limits) {
        return limits.lingerTimeout(Duration.ofMillis(100));
    }

    /** Suits clients that this machine may keep from reading for a while. */
    private static HttpLimits.Builder patient(HttpLimits.Builder limits) {
        return limits.lingerTimeout(Duration.ofMinutes(1));
    }

    @Test
    void lets413BeReadByAClientThatSendsOn() throws IOException {
        try (var server = start(LENGTH, patient(HttpLimits.builder().maxBodyBytes(1000)));
                var client = new RawClient(server)) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n");
            client.trySend(new byte[8_000_000]);
            assertRefused(client, 413, "RequestEntityTooLarge");
        }
    }

    @Test
    void boundsTheBytesOfAllBodies() throws IOException {
        var gate = new Semaphore(0);
        var started = new Semaphore(0);
        HttpHandler handler =
                request -> {
                    if (request.path().equals("/wait")) {
                        started.release();
                        gate.acquire();
                    }
                    return LENGTH.handle(request);
                };
        try (var server = start(handler, HttpLimits.builder().maxHeldBytes(1000));
                var first = new RawClient(server)) {
            first.sendLines(
                    "POST /wait HTTP/1.1", "Host: a", "Content-Length: 600", "", "x".repeat(600));
            started.acquireUninterruptibly();
            assertThat(server.counters().heldBytes()).isEqualTo(600);
            try (var second = new RawClient(server)) {
                second.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 401\r\n\r\n");
                var reply = second.read();
                assertThat(reply.status()).isEqualTo(503);
                assertThat(reply.header("retry-after")).isEqualTo("1");
                assertThat(second.isEnded()).isTrue();
            }
            try (var second = new RawClient(server)) {
                second.sendLines(
                        "POST / HTTP/1.1", "Host: a", "Content-Length: 400", "", "x".repeat(400));
                assertThat(second.read().body()).isEqualTo("400");
                // The size of a chunked body shows only while it arrives.
                second.sendLines(
                        "POST / HTTP/1.1",
                        "Host: a",
                        "Transfer-Encoding: chunked",
                        "",
                        "300",
                        "x".repeat(0x300),
                        "");
                assertThat(second.read().status()).isEqualTo(503);
            }
            gate.release();
            assertThat(first.read().body()).isEqualTo("600");
            Eventually.until("given back", () -> server.counters().heldBytes() == 0);
            assertThat(first.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void holdsLittleForAClientThatAnnouncesMuch() throws IOException {
        try (var server = start(LENGTH, HttpLimits.builder());
                var client = new RawClient(server)) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\nx");
            Eventually.until("receiving", () -> server.counters().heldBytes() > 0);
            assertThat(server.counters().heldBytes()).isEqualTo(Connection.BUFFER_BYTES);
            client.vanish();
            Eventually.untilQuiet(server);
        }
    }

    @Test
    void countsRepliesAgainstTheBytesHeld() throws IOException {
        HttpHandler handler = _ -> HttpReply.json(200, Bytes.wrap(new byte[20 << 20]));
        try (var server = start(handler, HttpLimits.builder().maxHeldBytes(1 << 20));
                var slow = new RawClient(server)) {
            slow.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n"); // and reads nothing
            Eventually.until("sending", () -> server.counters().heldBytes() == 20 << 20);
            try (var other = new RawClient(server)) {
                assertThat(other.get("/").status()).isEqualTo(503);
            }
            assertThat(slow.read().body()).hasSize(20 << 20);
            Eventually.until("given back", () -> server.counters().heldBytes() == 0);
        }
    }

    @Test
    void refusesConnectionsBeyondTheLimitWhileAllAreInUse() throws IOException {
        var gate = new Semaphore(0);
        var started = new Semaphore(0);
        HttpHandler handler =
                request -> {
                    started.release();
                    gate.acquire();
                    return LENGTH.handle(request);
                };
        try (var server = start(handler, HttpLimits.builder().maxConnections(3))) {
            var clients = new ArrayList<RawClient>();
            for (int i = 0; i < 3; i++) {
                clients.add(new RawClient(server).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
            }
            started.acquireUninterruptibly(3);
            try (var surplus = new RawClient(server)) {
                surplus.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertRefused(surplus, 503, "ServiceUnavailable");
            }
            gate.release(10);
            for (var client : clients) {
                assertThat(client.read().status()).isEqualTo(200);
            }
            try (var again = new RawClient(server)) {
                assertThat(again.get("/").status()).isEqualTo(200);
            }
            for (var client : clients) {
                client.close();
            }
            Eventually.untilQuiet(server);
        }
    }

    @Test
    void boundsRunningHandlers() throws Exception {
        var gate = new Semaphore(0);
        var running = new AtomicInteger();
        var two = new CountDownLatch(2);
        HttpHandler handler =
                request -> {
                    running.incrementAndGet();
                    two.countDown();
                    gate.acquire();
                    running.decrementAndGet();
                    return LENGTH.handle(request);
                };
        // The fourth waits for as long as it takes, the fifth not at all.
        var patient = HttpLimits.builder().maxRunningHandlers(2).queueTimeout(LONG);
        try (var server = start(handler, patient)) {
            var clients = new ArrayList<RawClient>();
            for (int i = 0; i < 4; i++) {
                clients.add(new RawClient(server).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
            }
            two.await();
            Eventually.until("all received", () -> server.counters().requestsInFlight() == 4);
            assertThat(running).hasValue(2);
            gate.release(4);
            for (var client : clients) {
                assertThat(client.read().status()).isEqualTo(200);
                client.close();
            }
            Eventually.untilQuiet(server);
        }
        var impatient = HttpLimits.builder().maxRunningHandlers(1).queueTimeout(Duration.ZERO);
        var block = new Semaphore(0);
        var one = new CountDownLatch(1);
        try (var server =
                        start(
                                request -> {
                                    one.countDown();
                                    block.acquire();
                                    return LENGTH.handle(request);
                                },
                                impatient);
                var first = new RawClient(server);
                var second = new RawClient(server)) {
            first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            one.await();
            var reply = second.get("/");
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.header("retry-after")).isEqualTo("1");
            block.release(2);
            assertThat(first.read().status()).isEqualTo(200);
            assertThat(second.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void endsRequestsThatDoNotArrive() throws IOException {
        var limits = HttpLimits.builder().receiveTimeout(Duration.ofMillis(50));
        try (var server = start(LENGTH, patient(limits))) {
            for (String part :
                    List.of(
                            "G",
                            "GET / HTTP/1.1\r\nHos",
                            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n1234",
                            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12")) {
                try (var client = RawClient.used(server)) {
                    client.send(part);
                    assertRefused(client, 408, "RequestTimeout");
                }
            }
            Eventually.untilQuiet(server);
        }
    }

    @Test
    void isNotImpressedByATrickle() throws IOException {
        var limits = HttpLimits.builder().receiveTimeout(Duration.ofMillis(200));
        try (var server = start(LENGTH, patient(limits));
                var client = new RawClient(server)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nX: ");
            var trickle =
                    new Thread(
                            () -> {
                                // Ends when the server does not take it any more.
                                while (!client.socket.isClosed()) {
                                    try {
                                        client.send("x");
                                        client.send("x");
                                    } catch (IOException e) {
                                        return;
                                    }
                                    java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
                                }
                            });
            trickle.start();
            assertThat(client.read().status()).isEqualTo(408);
        }
    }

    @Test
    void closesIdleConnections() throws IOException {
        try (var server = start(LENGTH, HttpLimits.builder().idleTimeout(Duration.ofMillis(50)));
                var client = new RawClient(server)) {
            assertThat(client.isEnded()).isTrue();
        }
        var limits = HttpLimits.builder().idleTimeout(Duration.ofMillis(500));
        try (var server = start(LENGTH, limits)) {
            try (var client = RawClient.used(server)) {
                client.trySend("\r\n".getBytes(UTF_8)); // no request begins with this
                assertThat(client.isEnded()).isTrue();
            }
            Eventually.untilQuiet(server);
        }
    }

    /** Others are timed out while it is at work, so its own time would have been over too. */
    @Test
    void doesNotTimeOutHandlers() throws IOException {
        var limits =
                HttpLimits.builder()
                        .receiveTimeout(Duration.ofMillis(20))
                        .writeTimeout(Duration.ofMillis(20));
        var started = new Semaphore(0);
        var gate = new Semaphore(0);
        HttpHandler handler =
                request -> {
                    started.release();
                    gate.acquire();
                    return LENGTH.handle(request);
                };
        try (var server = start(handler, patient(limits));
                var client = new RawClient(server)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            started.acquireUninterruptibly();
            for (int i = 0; i < 3; i++) {
                try (var late = new RawClient(server)) {
                    assertThat(late.send("G").read().status()).isEqualTo(408);
                }
            }
            gate.release();
            assertThat(client.read().status()).isEqualTo(200);
        }
    }

    @Test
    void dropsClientsThatDoNotRead() throws IOException {
        var started = new Semaphore(0);
        HttpHandler handler =
                _ -> {
                    started.release();
                    return HttpReply.json(200, Bytes.wrap(new byte[32 << 20]));
                };
        var limits = HttpLimits.builder().writeTimeout(Duration.ofMillis(50));
        try (var server = start(handler, limits);
                var client = new RawClient(server)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            started.acquireUninterruptibly();
            Eventually.untilQuiet(server);
        }
    }
}
