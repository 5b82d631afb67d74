package orrery.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.model.Bytes;

class TlsTest {
    static {
        Leaks.watch();
    }

    @AfterAll
    static void nothingLeaks() {
        Leaks.assertNone();
    }

    private final Properties before = (Properties) System.getProperties().clone();

    @AfterEach
    void restoreProperties() {
        System.setProperties(before);
    }

    private static final HttpHandler ECHO =
            request ->
                    HttpReply.status(200)
                            .header("x-scheme", request.scheme())
                            .header("x-authority", request.authority())
                            .body(request.body())
                            .build();

    static Stream<Natives> natives() {
        return Stream.of(Natives.detect(), Natives.none()).distinct();
    }

    private static SSLSocket connect(TestCertificates certificates, HttpServer server)
            throws Exception {
        var socket =
                (SSLSocket)
                        certificates
                                .clientContext()
                                .getSocketFactory()
                                .createSocket(server.address().getAddress(), server.port());
        socket.startHandshake();
        return socket;
    }

    @ParameterizedTest
    @MethodSource("natives")
    void servesBothOnOnePort(Natives natives) throws Exception {
        var certificates = TestCertificates.create("one");
        var context = certificates.serverContext(natives);
        try (var transport = Transport.open(natives, 1);
                var server =
                        HttpServer.builder(ECHO).transport(transport).tls(() -> context).start();
                var client =
                        HttpClient.newBuilder().sslContext(certificates.clientContext()).build()) {
            assertThat(server.natives()).isEqualTo(natives);
            for (int round = 0; round < 20; round++) {
                for (String scheme : List.of("https", "http")) {
                    String endpoint = scheme + "://localhost:" + server.port();
                    byte[] body = new byte[round * 50_000];
                    java.util.Arrays.fill(body, (byte) ('a' + round));
                    var reply =
                            client.send(
                                    java.net.http.HttpRequest.newBuilder(URI.create(endpoint + "/"))
                                            .POST(BodyPublishers.ofByteArray(body))
                                            .build(),
                                    BodyHandlers.ofByteArray());
                    assertThat(reply.statusCode()).isEqualTo(200);
                    assertThat(reply.headers().firstValue("x-scheme")).contains(scheme);
                    assertThat(reply.headers().firstValue("x-authority"))
                            .contains("localhost:" + server.port());
                    assertThat(Bytes.wrap(reply.body())).isEqualTo(Bytes.wrap(body));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("natives")
    void refusesOverTlsAsWell(Natives natives) throws Exception {
        var certificates = TestCertificates.create("one");
        var context = certificates.serverContext(natives);
        var limits = HttpLimits.builder().maxBodyBytes(10).lingerTimeout(Duration.ofMinutes(1));
        try (var transport = Transport.open(natives, 1);
                var server =
                        HttpServer.builder(ECHO)
                                .transport(transport)
                                .limits(limits.build())
                                .tls(() -> context)
                                .start()) {
            try (var client = new RawClient(connect(certificates, server))) {
                assertThat(client.get("/").status()).isEqualTo(200);
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
                client.trySend(new byte[1_000_000]);
                assertThat(client.read().status()).isEqualTo(413);
                assertThat(client.isEnded()).isTrue();
            }
            try (var client = new RawClient(connect(certificates, server))) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(200);
                assertThat(client.isEnded()).isTrue();
            }
            try (var client = new RawClient(connect(certificates, server))) {
                assertThat(client.send("nonsense\r\n\r\n").read().status()).isEqualTo(400);
            }
            Eventually.untilQuiet(server);
        }
    }

    @ParameterizedTest
    @MethodSource("natives")
    void survivesBrokenHandshakes(Natives natives) throws Exception {
        var certificates = TestCertificates.create("one");
        var context = certificates.serverContext(natives);
        var limits = HttpLimits.builder().receiveTimeout(Duration.ofMillis(200)).build();
        try (var transport = Transport.open(natives, 1);
                var server =
                        HttpServer.builder(ECHO)
                                .transport(transport)
                                .limits(limits)
                                .tls(() -> context)
                                .start()) {
            for (byte[] hello :
                    List.of(
                            new byte[] {0x16},
                            new byte[] {0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3},
                            new byte[] {0x16, 3, 1, 127, 127, 0, 0, 0, 0, 0, 0},
                            new byte[] {0x16, 'G', 'E', 'T', ' ', '/', '\r', '\n', '\r', '\n'})) {
                try (var client = new RawClient(server)) {
                    client.send(hello);
                    client.drain(); // the server gives up by itself
                }
                try (var client = new RawClient(server)) {
                    client.send(hello);
                    client.vanish();
                }
                try (var client = new RawClient(server)) {
                    client.send(hello);
                    client.endOutput();
                    client.drain();
                }
            }
            // A client that does not trust us.
            var stranger = TestCertificates.create("stranger");
            assertThatThrownBy(() -> connect(stranger, server)).isInstanceOf(IOException.class);
            Eventually.untilQuiet(server);
            RawClient.used(server).close();
        }
    }

    @Test
    void takesARenewedCertificateForTheNextConnection() throws Exception {
        var first = TestCertificates.create("first");
        var second = TestCertificates.create("second");
        var current = new AtomicReference<SslContext>(first.serverContext(Natives.detect()));
        try (var server = HttpServer.builder(ECHO).tls(current::get).start();
                var early = new RawClient(connect(first, server))) {
            current.set(second.serverContext(Natives.detect()));
            try (var late = new RawClient(connect(second, server))) {
                assertThat(late.get("/").status()).isEqualTo(200);
            }
            assertThat(early.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void closesWhenThereIsNoContext() throws Exception {
        try (var server =
                        HttpServer.builder(ECHO)
                                .tls(
                                        () -> {
                                            throw new IllegalStateException("no certificate");
                                        })
                                .start();
                var client = new RawClient(server)) {
            client.send(new byte[] {0x16, 3, 1, 0, 5});
            client.drain();
            Eventually.untilQuiet(server);
        }
    }

    private static void clearSwitches() {
        System.clearProperty("orrery.natives");
        System.clearProperty("orrery.native.epoll");
        System.clearProperty("orrery.native.boringssl");
    }

    @Test
    void switchesNativesOff() {
        clearSwitches();
        System.setProperty("orrery.natives", "off");
        assertThat(Natives.detect()).isEqualTo(Natives.none());
        assertThat(Natives.detect()).hasToString("NIO, JDK TLS");
        System.clearProperty("orrery.natives");
        System.setProperty("orrery.native.epoll", "false");
        assertThat(Natives.detect().transport()).isEqualTo(Natives.Kind.NIO);
        System.setProperty("orrery.native.boringssl", "false");
        assertThat(Natives.detect()).isEqualTo(Natives.none());
    }

    @Test
    void usesNativesOnThisMachine() {
        assumeThat(System.getProperty("os.name")).isEqualTo("Linux");
        // Netty itself was told to do without them, for good in this process.
        assumeThat(System.getProperty("io.netty.transport.noNative")).isNull();
        clearSwitches();
        assertThat(Natives.detect()).isEqualTo(new Natives(Natives.Kind.EPOLL, true));
        assertThat(Natives.detect()).hasToString("epoll, BoringSSL");
    }
}
