package orrery.frontend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;

@Tag("timing")
class HttpServerTest {
    static {
        Leaks.watch();
    }

    @AfterAll
    static void nothingLeaks() {
        Leaks.assertNone();
    }

    private static final HttpHandler ECHO =
            request ->
                    HttpReply.json(
                            200,
                            Bytes.ofUtf8(
                                    request.method()
                                            + " "
                                            + request.path()
                                            + " "
                                            + request.query()
                                            + " "
                                            + request.body().toUtf8()));

    private static HttpServer start(HttpHandler handler) throws IOException {
        return HttpServer.builder(handler).start();
    }

    @Test
    void passesPathAndQueryRaw() throws IOException {
        try (var server = start(ECHO);
                var client = new RawClient(server)) {
            var reply = client.get("/dbs/a%20b+c%zz//../d?x=1+2%41?y");
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.body()).isEqualTo("GET /dbs/a%20b+c%zz//../d x=1+2%41?y ");
            assertThat(client.get("/?").body()).isEqualTo("GET /  ");
        }
    }

    /** Clients of tables have a method of their own. */
    @Test
    void passesMethodsThatHttpDoesNotKnow() throws IOException {
        try (var server = start(ECHO);
                var client = new RawClient(server)) {
            var reply =
                    client.sendLines(
                                    "MERGE /T(a='b') HTTP/1.1",
                                    "Host: x",
                                    "Content-Length: 2",
                                    "",
                                    "{}")
                            .read();
            assertThat(reply.body()).isEqualTo("MERGE /T(a='b')  {}");
        }
    }

    @Test
    void passesHeadersSchemeAuthorityAndAddresses() throws IOException {
        var seen = new CopyOnWriteArrayList<HttpRequest>();
        try (var server =
                        start(
                                request -> {
                                    seen.add(request);
                                    return HttpReply.empty(200);
                                });
                var client = new RawClient(server)) {
            client.sendLines(
                            "POST / HTTP/1.1",
                            "hOST: some.name:99",
                            "X-Empty:",
                            "X-Two: ",
                            "x-two: b ",
                            "X-TWO: c",
                            "Content-Length: 3",
                            "",
                            "abc")
                    .read();
            var request = seen.getLast();
            assertThat(request.scheme()).isEqualTo("http");
            assertThat(request.authority()).isEqualTo("some.name:99");
            assertThat(request.header("x-empty")).isEmpty();
            assertThat(request.headers().contains("x-empty")).isTrue();
            assertThat(request.header("X-two")).contains("b");
            assertThat(request.headers().all("x-two")).containsExactly("b", "c");
            assertThat(request.body()).isEqualTo(Bytes.ofUtf8("abc"));
            assertThat(request.local().getPort()).isEqualTo(server.port());
            assertThat(request.remote().getPort()).isEqualTo(client.socket.getLocalPort());

            client.send("GET http://other:1/p?q HTTP/1.1\r\nHost: x\r\n\r\n").read();
            request = seen.getLast();
            assertThat(request.authority()).isEqualTo("other:1");
            assertThat(request.path() + "?" + request.query()).isEqualTo("/p?q");
            client.send("GET https://other HTTP/1.1\r\nHost: x\r\n\r\n").read();
            assertThat(seen.getLast().path()).isEqualTo("/");
            client.send("OPTIONS * HTTP/1.1\r\nHost: \r\n\r\n").read();
            request = seen.getLast();
            assertThat(request.path()).isEqualTo("*");
            assertThat(request.authority()).isEqualTo("127.0.0.1:" + server.port());
        }
    }

    @Test
    void servesAThousandRequestsOnOneConnection() throws IOException {
        try (var server = start(ECHO);
                var client = new RawClient(server)) {
            for (int i = 0; i < 1000; i++) {
                String body = "x".repeat(i);
                client.send(
                        "POST /"
                                + i
                                + " HTTP/1.1\r\nHost: a\r\nContent-Length: "
                                + i
                                + "\r\n\r\n"
                                + body);
                assertThat(client.read().body()).isEqualTo("POST /" + i + "  " + body);
            }
            assertThat(server.counters().openConnections()).isEqualTo(1);
            Eventually.until("settled", () -> server.counters().requestsInFlight() == 0);
            assertThat(server.counters().heldBytes()).isZero();
        }
    }

    @Test
    void answersPipelinedRequestsInOrderOneAtATime() throws IOException {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var gate = new CountDownLatch(1);
        HttpHandler handler =
                request -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    gate.await(1, TimeUnit.MILLISECONDS); // time for another one to come
                    running.decrementAndGet();
                    return ECHO.handle(request);
                };
        try (var server = start(handler);
                var client = new RawClient(server)) {
            var all = new StringBuilder();
            for (int i = 0; i < 500; i++) {
                all.append("PUT /").append(i).append(" HTTP/1.1\r\nHost: a\r\n");
                all.append(
                        i % 2 == 0
                                ? "Content-Length: 2\r\n\r\nhi"
                                : "Transfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1\r\ni\r\n0\r\n\r\n");
                all.append(i % 3 == 0 ? "\r\n" : "");
            }
            client.send(all.toString());
            // No more will come, and still all are answered.
            client.socket.shutdownOutput();
            for (int i = 0; i < 500; i++) {
                assertThat(client.read().body()).isEqualTo("PUT /" + i + "  hi");
            }
            assertThat(client.isEnded()).isTrue();
            assertThat(most).hasValue(1);
            Eventually.untilQuiet(server);
        }
    }

    @Test
    void readsNothingAheadWhileAHandlerRuns() throws IOException {
        var gate = new Semaphore(0);
        HttpHandler handler =
                request -> {
                    gate.acquire();
                    return HttpReply.empty(200);
                };
        try (var server = start(handler);
                var client = new RawClient(server)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            // More than sockets buffer can only be sent if somebody reads it.
            var sender = new Thread(() -> client.trySend(new byte[64 << 20]));
            sender.start();
            Eventually.until("handling", () -> server.counters().requestsInFlight() == 1);
            assertThat(sender.isAlive()).isTrue();
            gate.release();
            assertThat(client.read().status()).isEqualTo(200);
            // Then come the zeros, which are not HTTP.
            assertThat(client.read().status()).isEqualTo(400);
            client.vanish();
            Eventually.untilQuiet(server);
        }
    }

    @Test
    void closesWhenAskedAndFollowsHttp10() throws IOException {
        try (var server = start(ECHO)) {
            try (var client = new RawClient(server)) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n");
                assertThat(client.read().header("connection")).isEqualTo("close");
                assertThat(client.isEnded()).isTrue();
            }
            try (var client = new RawClient(server)) {
                assertThat(client.send("GET / HTTP/1.0\r\n\r\n").read().header("connection"))
                        .isEqualTo("close");
                assertThat(client.isEnded()).isTrue();
            }
            try (var client = new RawClient(server)) {
                for (int i = 0; i < 2; i++) {
                    client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
                    assertThat(client.read().header("connection")).isEqualTo("keep-alive");
                }
                assertThat(client.get("/").header("connection")).isEmpty();
            }
            Eventually.untilQuiet(server);
        }
    }

    @Test
    void closesAfterTheLastRequestThoughMoreIsPipelined() throws IOException {
        try (var server = start(ECHO);
                var client = new RawClient(server)) {
            client.sendLines(
                    "GET /1 HTTP/1.1",
                    "Host: a",
                    "Connection: close",
                    "",
                    "GET /2 HTTP/1.1",
                    "Host: a",
                    "",
                    "");
            assertThat(client.read().body()).startsWith("GET /1");
            assertThat(client.isEnded()).isTrue();
        }
    }

    @Test
    void continuesWhenExpected() throws IOException {
        try (var server = start(ECHO);
                var client = new RawClient(server)) {
            client.sendLines(
                    "POST /c HTTP/1.1",
                    "Host: a",
                    "Content-Length: 4",
                    "Expect: 100-continue",
                    "",
                    "");
            assertThat(client.read().status()).isEqualTo(100);
            assertThat(client.send("body").read().body()).isEqualTo("POST /c  body");
            // Nothing to wait for.
            client.sendLines(
                    "POST /d HTTP/1.1",
                    "Host: a",
                    "Content-Length: 0",
                    "Expect: 100-continue",
                    "",
                    "");
            assertThat(client.read().status()).isEqualTo(200);
            client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: coffee\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(417);
            assertThat(client.isEnded()).isTrue();
        }
    }

    @Test
    void sendsNoBodyWhereNoneBelongs() throws IOException {
        HttpHandler handler =
                request ->
                        HttpReply.status(Integer.parseInt(request.path().substring(1)))
                                .body(Bytes.ofUtf8("12345"))
                                .build();
        try (var server = start(handler);
                var client = new RawClient(server)) {
            assertThat(client.get("/204").headers()).doesNotContainKey("content-length");
            assertThat(client.get("/304").body()).isEmpty();
            client.send("HEAD /200 HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readHead().header("content-length")).isEqualTo("5");
            assertThat(client.get("/449").body()).isEqualTo("12345");
        }
    }

    @Test
    void sendsLargeRepliesInPieces() throws IOException {
        var pieces = new ArrayList<Bytes>();
        var expected = new StringBuilder();
        for (int i = 0; i < 4096; i++) {
            String text = Integer.toString(i % 10).repeat(i % 7 == 0 ? 0 : 1000 + i % 50);
            pieces.add(Bytes.ofUtf8(text));
            expected.append(text);
        }
        try (var server = start(_ -> HttpReply.status(200).body(pieces).build());
                var client = new RawClient(server)) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/").body().contentEquals(expected)).isTrue();
            }
            Eventually.until("settled", () -> server.counters().heldBytes() == 0);
        }
    }

    @Test
    void takesLargeBodies() throws IOException {
        try (var server = start(r -> HttpReply.status(200).body(r.body()).build());
                var client = new RawClient(server)) {
            byte[] body = new byte[2_000_000];
            for (int i = 0; i < body.length; i++) {
                body[i] = (byte) ('a' + i % 26);
            }
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n");
            assertThat(client.send(body).read().body()).isEqualTo(new String(body, UTF_8));
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < body.length; i += 9999) {
                int end = Math.min(body.length, i + 9999);
                client.send(Integer.toHexString(end - i) + ";ext=1\r\n");
                client.send(Arrays.copyOfRange(body, i, end)).send("\r\n");
            }
            client.send("0\r\nTrailer: x\r\n\r\n");
            assertThat(client.read().body()).isEqualTo(new String(body, UTF_8));
        }
    }

    @Test
    void turnsHandlerFailuresInto500AndOneLogLine() throws IOException {
        var records = new CopyOnWriteArrayList<LogRecord>();
        var log = Logger.getLogger(HttpServer.class.getName());
        var recorder =
                new Handler() {
                    @Override
                    public void publish(LogRecord record) {
                        records.add(record);
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        log.addHandler(recorder);
        log.setUseParentHandlers(false);
        HttpHandler handler =
                request ->
                        switch (request.path()) {
                            case "/throw" -> throw new IllegalStateException("secret");
                            case "/error" -> throw new StackOverflowError();
                            case "/null" -> nothing();
                            default -> HttpReply.empty(200);
                        };
        try (var server = start(handler);
                var client = new RawClient(server)) {
            for (String path : List.of("/throw", "/error", "/null")) {
                var reply = client.get(path);
                assertThat(reply.status()).isEqualTo(500);
                assertThat(reply.header("content-type")).isEqualTo("application/json");
                assertThat(reply.body())
                        .startsWith("{\"code\":\"InternalServerError\"")
                        .doesNotContain("secret");
            }
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(records).hasSize(3);
        } finally {
            log.removeHandler(recorder);
            log.setUseParentHandlers(true);
        }
    }

    @SuppressWarnings("NullAway") // what a careless handler might do
    private static HttpReply nothing() {
        return null;
    }

    @Test
    void datesReplies() throws IOException {
        var clock = Clock.fixed(Instant.parse("2026-03-01T07:08:09.9Z"), ZoneOffset.UTC);
        try (var server = HttpServer.builder(ECHO).clock(clock).start();
                var client = new RawClient(server)) {
            assertThat(client.get("/").header("date")).isEqualTo("Sun, 01 Mar 2026 07:08:09 GMT");
        }
    }

    @Test
    void refusesHeadersThatBreakTheFraming() {
        var headers = Headers.builder();
        for (String bad : List.of("a\r\nb", "a\nb", "a\0b", "\u20ac")) {
            assertThatThrownBy(() -> headers.add("x", bad))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (String bad : List.of("", "a b", "a:", "\u00e4")) {
            assertThatThrownBy(() -> headers.add(bad, "x"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void rendersItsErrorsAsTheFrontEndSays() throws IOException {
        try (var server =
                        HttpServer.builder(ECHO)
                                .errors(
                                        (status, text) ->
                                                HttpReply.status(status)
                                                        .header("x-ms-own", "1")
                                                        .body(Bytes.ofUtf8("<" + text + ">"))
                                                        .build())
                                .start();
                var client = new RawClient(server)) {
            var reply = client.send("nonsense\r\n\r\n").read();
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.header("x-ms-own")).isEqualTo("1");
            assertThat(reply.body()).startsWith("<");
        }
        try (var server =
                        HttpServer.builder(ECHO)
                                .errors(
                                        (_, _) -> {
                                            throw new IllegalStateException("a bad renderer");
                                        })
                                .start();
                var client = new RawClient(server)) {
            assertThat(client.send("nonsense\r\n\r\n").read().body()).contains("\"BadRequest\"");
        }
    }

    @Test
    void finishesRequestsInProgressWhenItStops() throws Exception {
        var started = new CountDownLatch(1);
        var gate = new Semaphore(0);
        HttpHandler handler =
                request -> {
                    started.countDown();
                    gate.acquire();
                    return ECHO.handle(request);
                };
        var limits = HttpLimits.builder().stopGrace(Duration.ofMinutes(5)).build();
        var server = HttpServer.builder(handler).limits(limits).start();
        try (server;
                var busy = new RawClient(server);
                var idle = new RawClient(server)) {
            busy.send("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n");
            started.await();
            var closing = new Thread(server::close);
            closing.start();
            assertThat(idle.isEnded()).isTrue();
            assertThatThrownBy(() -> new RawClient(server).close())
                    .isInstanceOf(ConnectException.class);
            gate.release();
            var reply = busy.read();
            assertThat(reply.body()).isEqualTo("GET /busy  ");
            assertThat(reply.header("connection")).isEqualTo("close");
            closing.join();
            assertThat(server.counters()).isEqualTo(new HttpServer.Counters(0, 0, 0));
        }
    }

    @Test
    void interruptsHandlersWhenTheGraceTimeIsOver() throws Exception {
        var started = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        HttpHandler handler =
                request -> {
                    started.countDown();
                    try {
                        new Semaphore(0).acquire();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                    return HttpReply.empty(200);
                };
        var limits = HttpLimits.builder().stopGrace(Duration.ofMillis(10)).build();
        var server = HttpServer.builder(handler).limits(limits).start();
        try (server;
                var client = new RawClient(server)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            started.await();
            server.close();
            interrupted.await();
            client.drain();
            Eventually.untilQuiet(server);
        }
    }

    @Test
    void saysWhyItCannotListen() throws IOException {
        try (var server = start(ECHO)) {
            assertThatThrownBy(() -> HttpServer.builder(ECHO).port(server.port()).start())
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "Cannot listen on port %d of 127.0.0.1: another process uses it.",
                            server.port());
        }
        assertThatThrownBy(() -> HttpServer.builder(ECHO).host("no.such.host.invalid").start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no such host");
    }

    @Test
    void listensOnEveryAddressOfLocalhost() throws IOException {
        try (var server = HttpServer.builder(ECHO).host("localhost").start();
                var client = new RawClient(new java.net.Socket("localhost", server.port()))) {
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void sharesEventLoops() throws IOException {
        try (var transport = Transport.open(Natives.detect(), 1)) {
            var one = HttpServer.builder(ECHO).transport(transport).start();
            try (var two = HttpServer.builder(ECHO).transport(transport).start();
                    var first = new RawClient(one);
                    var second = new RawClient(two)) {
                assertThat(first.get("/").status()).isEqualTo(200);
                one.close();
                assertThat(second.get("/").status()).isEqualTo(200);
            }
        }
    }
}
