package orrery.server.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpServer;
import orrery.frontend.http.Natives;
import orrery.model.Bytes;

class ServerCertificateTest {
    /** Starts at the real time, because clients check certificates against it. */
    private static final class FakeClock extends Clock {
        private Instant now = InstantSource.system().instant();

        void advance(Duration duration) {
            now = now.plus(duration);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private final FakeClock clock = new FakeClock();

    static Stream<Natives> natives() {
        return Stream.of(Natives.detect(), Natives.none()).distinct();
    }

    private ServerCertificate issue(String... names) {
        var authority = CertificateAuthority.loadOrCreate(directory, clock);
        return ServerCertificate.issue(authority, List.of(names), Natives.none(), clock);
    }

    private static HttpServer serve(ServerCertificate certificate) throws IOException {
        return HttpServer.builder(_ -> HttpReply.json(200, Bytes.ofUtf8("{\"ok\":true}")))
                .tls(certificate)
                .start();
    }

    private SSLContext clientContext() throws Exception {
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry(
                "ca", CertificateAuthority.loadOrCreate(directory, clock).certificate());
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private X509Certificate presentedBy(HttpServer server) throws Exception {
        try (var socket =
                (SSLSocket)
                        clientContext()
                                .getSocketFactory()
                                .createSocket(server.address().getAddress(), server.port())) {
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    @Test
    void namesWhatClientsCallUs() throws Exception {
        try (var certificate =
                issue("Db.Example.COM", "10.1.2.3", "0.0.0.0", "::", "[fd00::1]", "", "*.x.org")) {
            var leaf = certificate.material().leaf();
            var names =
                    leaf.getSubjectAlternativeNames().stream()
                            .map(n -> String.valueOf(n.get(1)))
                            .toList();
            assertThat(names)
                    .contains(
                            "localhost",
                            "127.0.0.1",
                            "0:0:0:0:0:0:0:1",
                            "db.example.com",
                            "10.1.2.3",
                            "fd00:0:0:0:0:0:0:1",
                            "*.x.org")
                    .doesNotContain("0.0.0.0", "0:0:0:0:0:0:0:0", "");
            assertThat(certificate.names())
                    .contains(InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT));
            assertThat(leaf.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
            assertThat(leaf.getBasicConstraints()).isEqualTo(-1);
            var validity =
                    Duration.between(
                            leaf.getNotBefore().toInstant(), leaf.getNotAfter().toInstant());
            assertThat(validity).isLessThanOrEqualTo(Duration.ofDays(397));
            assertThat(certificate.material().chain()).hasSize(2);
        }
        assertThatThrownBy(() -> issue("not a name"))
                .isInstanceOf(TlsException.class)
                .hasMessage("\"not a name\" cannot be a name in a certificate.");
    }

    @ParameterizedTest
    @MethodSource("natives")
    void isAcceptedByJavaWhenTheAuthorityIsTrusted(Natives natives) throws Exception {
        var authority = CertificateAuthority.loadOrCreate(directory, clock);
        try (var certificate = ServerCertificate.issue(authority, List.of(), natives, clock);
                var server = serve(certificate);
                var client = HttpClient.newBuilder().sslContext(clientContext()).build()) {
            for (String host : List.of("localhost", "127.0.0.1")) {
                var uri = URI.create("https://" + host + ":" + server.port() + "/");
                var reply =
                        client.send(
                                java.net.http.HttpRequest.newBuilder(uri).build(),
                                BodyHandlers.ofString());
                assertThat(reply.body()).isEqualTo("{\"ok\":true}");
            }
        }
    }

    @Test
    void isAcceptedByCurlNodeAndOpenssl() throws Exception {
        try (var certificate = issue();
                var server = serve(certificate)) {
            String ca = directory.resolve("ca.crt").toString();
            String endpoint = "https://localhost:" + server.port() + "/";
            int ran = 0;
            if (exists("curl")) {
                assertThat(run(List.of("curl", "-sS", "--cacert", ca, endpoint)))
                        .isEqualTo("{\"ok\":true}");
                ran++;
            }
            if (exists("node")) {
                String script =
                        "require('https').get({host:'127.0.0.1',servername:'localhost',port:"
                                + server.port()
                                + ",ca:require('fs').readFileSync(process.argv[1])},"
                                + "r=>r.on('data',d=>process.stdout.write(d)))"
                                + ".on('error',e=>{console.error(e);process.exit(1)})";
                assertThat(run(List.of("node", "-e", script, ca))).isEqualTo("{\"ok\":true}");
                ran++;
            }
            if (exists("openssl")) {
                Path leaf = directory.resolve("leaf.crt");
                Files.writeString(leaf, PemFiles.toPem(certificate.material().leaf()));
                assertThat(
                                run(
                                        List.of(
                                                "openssl",
                                                "verify",
                                                "-x509_strict",
                                                "-purpose",
                                                "sslserver",
                                                "-verify_hostname",
                                                "localhost",
                                                "-CAfile",
                                                ca,
                                                leaf.toString())))
                        .endsWith("OK");
                ran++;
            }
            assumeThat(ran).as("tools on this machine").isPositive();
        }
    }

    private static boolean exists(String tool) {
        try {
            run(List.of(tool, tool.equals("openssl") ? "version" : "--version"));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String run(List<String> command) throws IOException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    }

    @Test
    void isKeptOverRestartsWhileItIsGood() {
        var first = leafOf("a");
        assertThat(leafOf("a")).isEqualTo(first);
        clock.advance(Duration.ofDays(300));
        assertThat(leafOf("A")).isEqualTo(first);
        // Other names, then the old ones again.
        var second = leafOf("b");
        assertThat(second).isNotEqualTo(first);
        assertThat(leafOf("a")).isNotEqualTo(first).isNotEqualTo(second);
    }

    private X509Certificate leafOf(String... names) {
        try (var certificate = issue(names)) {
            return certificate.material().leaf();
        }
    }

    @Test
    void isReplacedAtAStartNearItsEndOrWhenDamaged() throws IOException {
        var authority = CertificateAuthority.loadOrCreate(directory, clock).certificate();
        var first = leafOf();
        clock.advance(Duration.ofDays(370));
        var second = leafOf();
        assertThat(second).isNotEqualTo(first);
        Path file = directory.resolve("server.pem");
        String text = Files.readString(file);
        for (String damaged : List.of("", "nonsense", text.substring(0, 300))) {
            Files.writeString(file, damaged);
            var made = leafOf();
            assertThat(made).isNotEqualTo(second);
            assertThat(leafOf()).isEqualTo(made);
        }
        assertThat(CertificateAuthority.loadOrCreate(directory, clock).certificate())
                .isEqualTo(authority);
    }

    @Test
    void isReplacedUnderAnotherAuthority() throws Exception {
        leafOf();
        Files.delete(directory.resolve("ca.crt"));
        Files.delete(directory.resolve("ca.key"));
        var authority = CertificateAuthority.loadOrCreate(directory, clock);
        leafOf().verify(authority.certificate().getPublicKey());
    }

    @Test
    void renewsItselfWithoutARestart() throws Exception {
        try (var certificate = issue();
                var server = serve(certificate)) {
            var authority = CertificateAuthority.loadOrCreate(directory, clock).certificate();
            var first = presentedBy(server);
            clock.advance(Duration.ofDays(365));
            certificate.renewIfDue();
            assertThat(presentedBy(server)).isEqualTo(first);
            clock.advance(Duration.ofDays(2));
            certificate.renewIfDue();
            // The new one begins in the future of this machine, so only its bytes are compared.
            var second = certificate.material().leaf();
            assertThat(second).isNotEqualTo(first);
            assertThat(second.getNotAfter()).isAfter(first.getNotAfter());
            second.verify(authority.getPublicKey());
            assertThatThrownBy(() -> presentedBy(server)).hasStackTraceContaining("NotBefore");
            // And it is what the next start finds.
            assertThat(leafOf()).isEqualTo(second);
        }
    }

    @Test
    void presentsTheRenewedCertificate() throws Exception {
        // A leaf issued a year ago, renewed now.
        clock.advance(Duration.ofDays(-390));
        try (var certificate = issue();
                var server = serve(certificate)) {
            var first = presentedBy(server);
            clock.advance(Duration.ofDays(390));
            certificate.renewIfDue();
            var second = presentedBy(server);
            assertThat(second).isNotEqualTo(first).isEqualTo(certificate.material().leaf());
        }
    }

    @Test
    void neverOutlivesItsAuthority() {
        var authority = CertificateAuthority.loadOrCreate(directory, clock);
        clock.advance(Duration.ofDays(3600));
        try (var certificate =
                ServerCertificate.issue(authority, List.of(), Natives.none(), clock)) {
            assertThat(certificate.material().leaf().getNotAfter())
                    .isBeforeOrEqualTo(authority.certificate().getNotAfter());
        }
    }
}
