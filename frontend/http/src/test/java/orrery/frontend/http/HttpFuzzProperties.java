package orrery.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import orrery.model.Bytes;

/**
 * Whatever bytes arrive, in whatever pieces: every answer is a whole HTTP reply, the server serves
 * the next client, and nothing is left behind.
 */
class HttpFuzzProperties {
    static {
        Leaks.watch();
    }

    private static final List<String> GOOD =
            List.of(
                    "GET /dbs/a?x=1 HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n",
                    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
                    String.join(
                            "\r\n",
                            "PUT /x HTTP/1.1",
                            "Host: a",
                            "Transfer-Encoding: chunked",
                            "",
                            "3;e=\"v\"",
                            "abc",
                            "A",
                            "0123456789",
                            "0",
                            "T: v",
                            "",
                            ""),
                    "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi",
                    "HEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
                    "DELETE http://b:1/c HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a\r\nFolded: b\r\n c\r\n\r\n");

    private static final List<String> SPICES =
            List.of(
                    "\r\n",
                    "\n",
                    "\r",
                    "\0",
                    " ",
                    ":",
                    "\r\n\r\n",
                    "Content-Length: 7\r\n",
                    "Content-Length: -7\r\n",
                    "Content-Length: 999999999999\r\n",
                    "Transfer-Encoding: chunked\r\n",
                    "Host: b\r\n",
                    "HTTP/1.1",
                    "0\r\n\r\n",
                    "ffffffff\r\n",
                    "\u00ff\u00fe",
                    "x".repeat(5000));

    @SuppressWarnings("NullAway.Init")
    private static HttpServer server;

    @BeforeContainer
    static void start() throws IOException {
        server =
                HttpServer.builder(
                                request -> {
                                    if (request.body().length() == 7) {
                                        throw new IllegalArgumentException("a bug, now and then");
                                    }
                                    return HttpReply.json(200, Bytes.ofUtf8("{}"));
                                })
                        .limits(
                                HttpLimits.builder()
                                        .maxHeadBytes(4096)
                                        .maxBodyBytes(10_000)
                                        .receiveTimeout(Duration.ofSeconds(5))
                                        .build())
                        .start();
    }

    @AfterContainer
    static void stop() {
        server.close();
        Eventually.untilQuiet(server);
        Leaks.assertNone();
    }

    @Provide
    Arbitrary<byte[]> noise() {
        return Arbitraries.bytes().array(byte[].class).ofMaxSize(3000);
    }

    @Provide
    Arbitrary<byte[]> mutants() {
        var requests = Arbitraries.of(GOOD).list().ofMinSize(1).ofMaxSize(4);
        return Combinators.combine(requests, Arbitraries.longs()).as(HttpFuzzProperties::mutate);
    }

    private static byte[] mutate(List<String> requests, long seed) {
        var random = new Random(seed);
        var text = new StringBuilder(String.join("", requests));
        for (int changes = random.nextInt(4); changes >= 0; changes--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(5)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(256));
                case 1 -> text.deleteCharAt(at);
                case 2 -> text.insert(at, SPICES.get(random.nextInt(SPICES.size())));
                case 3 -> text.delete(at, Math.min(text.length(), at + random.nextInt(60)));
                default -> text.insert(at, text.substring(at));
            }
            if (text.isEmpty()) {
                text.append('G');
            }
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Property(tries = 300)
    void survivesNoise(@ForAll("noise") byte[] bytes, @ForAll Random random) throws IOException {
        throwAtServer(bytes, random);
    }

    @Property(tries = 1500)
    void survivesMutants(@ForAll("mutants") byte[] bytes, @ForAll Random random)
            throws IOException {
        throwAtServer(bytes, random);
    }

    private static void throwAtServer(byte[] bytes, Random random) throws IOException {
        try (var client = new RawClient(server)) {
            int from = 0;
            while (from < bytes.length) {
                int to = Math.min(bytes.length, from + 1 + random.nextInt(bytes.length));
                var piece = new ByteArrayOutputStream();
                piece.write(bytes, from, to - from);
                client.trySend(piece.toByteArray());
                from = to;
            }
            if (random.nextInt(5) == 0) {
                client.vanish();
            } else {
                client.endOutput();
                assertWhole(client.drain());
            }
        }
        Eventually.untilQuiet(server);
        try (var client = new RawClient(server)) {
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    /** Asserts that the answer is a row of replies, the last of which may be cut short. */
    private static void assertWhole(String replies) {
        String rest = replies;
        while (!rest.isEmpty()) {
            assertThat(rest).startsWith("HTTP/1.1 ");
            int end = rest.indexOf("\r\n\r\n");
            assertThat(end).isPositive();
            String head = rest.substring(0, end + 2);
            rest = rest.substring(end + 4);
            int at = head.indexOf("Content-Length: ");
            if (at >= 0) {
                int length = Integer.parseInt(head.substring(at + 16, head.indexOf("\r\n", at)));
                // A reply to HEAD has the length without the bytes.
                if (!rest.startsWith("HTTP/1.1 ") && !rest.isEmpty()) {
                    assertThat(rest.length()).isGreaterThanOrEqualTo(length);
                    rest = rest.substring(length);
                }
            } else {
                assertThat(head).startsWith("HTTP/1.1 100 ");
            }
        }
    }
}
