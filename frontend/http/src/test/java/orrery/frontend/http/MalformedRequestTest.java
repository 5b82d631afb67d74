package orrery.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;

class MalformedRequestTest {
    static {
        Leaks.watch();
    }

    private static final AtomicInteger HANDLED = new AtomicInteger();

    @SuppressWarnings("NullAway.Init")
    private static HttpServer server;

    @BeforeAll
    static void start() throws IOException {
        server =
                HttpServer.builder(
                                request -> {
                                    HANDLED.incrementAndGet();
                                    return HttpReply.json(200, Bytes.ofUtf8("{}"));
                                })
                        .start();
    }

    @AfterAll
    static void stop() {
        Eventually.untilQuiet(server);
        server.close();
        Leaks.assertNone();
    }

    static Stream<String> malformed() {
        String ok = "GET / HTTP/1.1\r\nHost: a\r\n";
        String post = "POST / HTTP/1.1\r\nHost: a\r\n";
        String chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
        return Stream.of(
                // request line
                "nonsense\r\n\r\n",
                "GET\r\n\r\n",
                "GET /\r\n\r\n",
                "GET  HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1 x\r\nHost: a\r\n\r\n",
                "GET / HTTP/one\r\nHost: a\r\n\r\n",
                "GET / HTTPS/1.1\r\nHost: a\r\n\r\n",
                "G\0T / HTTP/1.1\r\nHost: a\r\n\r\n",
                "G{}T / HTTP/1.1\r\nHost: a\r\n\r\n",
                "\0\0\0\0\r\n\r\n",
                "GET nothing HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET http://a b/ HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET http://\"/ HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /\u00e4 HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\nHost: a\n\n",
                "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
                // headers
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\"b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: user@a\r\n\r\n",
                ok + "no colon\r\n\r\n",
                ok + ": no name\r\n\r\n",
                ok + "Space : x\r\n\r\n",
                ok + "N\0l: x\r\n\r\n",
                ok + "Nul: a\0b\r\n\r\n",
                ok + "Vt: a\u000bb\r\n\r\n",
                ok + "Cr: a\rb\r\n\r\n",
                ok + "(): x\r\n\r\n",
                ok + "Folded: a\r\n b\r\n\r\n",
                ok + "Folded: a\r\n\tb\r\n\r\n",
                ok + "Folded: a\r\n \r\n\r\n",
                "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
                // lengths
                post + "Content-Length: -1\r\n\r\n",
                post + "Content-Length: +1\r\n\r\na",
                post + "Content-Length: x\r\n\r\n",
                post + "Content-Length: 1 2\r\n\r\n",
                post + "Content-Length: 0x1\r\n\r\n",
                post + "Content-Length: 99999999999999999999\r\n\r\n",
                post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                post + "Content-Length: 1, 2\r\n\r\nab",
                post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                post + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
                post + "Transfer-Encoding: gzip\r\n\r\n",
                post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
                post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                // chunks
                chunked + "x\r\n\r\n",
                chunked + "-1\r\n\r\n",
                chunked + "\r\n\r\n",
                chunked + "1\r\nab\r\n0\r\n\r\n",
                chunked + "1\r\na0\r\n\r\n",
                chunked + "ffffffffffffffff\r\na",
                chunked + "80000000\r\na",
                chunked + "1\na\r\n0\r\n\r\n",
                chunked + "0\r\nbad trailer\r\n\r\n");
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void isRefused(String request) throws IOException {
        int before = HANDLED.get();
        try (var client = new RawClient(server)) {
            var reply = client.send(request).read();
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.header("content-type")).isEqualTo("application/json");
            assertThat(reply.header("connection")).isEqualTo("close");
            assertThat(reply.body()).startsWith("{\"code\":\"BadRequest\",\"message\":\"The ");
            assertThat(client.isEnded()).isTrue();
        }
        assertThat(HANDLED).hasValue(before);
        try (var client = new RawClient(server)) {
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void refusesAFoldThatComesInPieces() throws IOException {
        try (var client = new RawClient(server)) {
            assertThat(client.get("/").status()).isEqualTo(200);
            for (String piece :
                    new String[] {
                        "GET / HTTP/1.1\r\nHost: a\r\n", "X: 1\r", "\n", " 2", "\r\n\r\n"
                    }) {
                client.send(piece);
            }
            assertThat(client.read().status()).isEqualTo(400);
            assertThat(client.isEnded()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "GET / HTTP/3.0\r\nHost: a\r\n\r\n",
                "GET / HTTP/0.9\r\n\r\n",
                "GET / HTTP/1.2\r\nHost: a\r\n\r\n"
            })
    void refusesOtherVersions(String request) throws IOException {
        try (var client = new RawClient(server)) {
            assertThat(client.send(request).read().status()).isEqualTo(505);
            assertThat(client.isEnded()).isTrue();
        }
    }

    @Test
    void refusesOtherTransferEncodings() throws IOException {
        try (var client = new RawClient(server)) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(501);
            assertThat(client.isEnded()).isTrue();
        }
    }

    @Test
    void refusesTlsWhenItHasNone() throws IOException {
        try (var client = new RawClient(server)) {
            client.send(new byte[] {0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3});
            client.socket.shutdownOutput();
            client.drain();
        }
    }

    @Test
    void answersWhatCameBeforeTheNonsense() throws IOException {
        try (var client = new RawClient(server)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\nGET / HTTP/1.1\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(200);
            assertThat(client.read().status()).isEqualTo(400);
            assertThat(client.isEnded()).isTrue();
        }
    }
}
