package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The certificate that the server makes, and one that a team brings. */
@Tag("client")
final class CertificateTest {
    @Test
    void caStaysOverRestarts() throws Exception {
        try (RunningServer server = RunningServer.start()) {
            byte[] before = Files.readAllBytes(server.certificate());

            server.stop();
            server.restart();

            assertThat(Files.readAllBytes(server.certificate())).isEqualTo(before);
            X509Certificate[] chain = chain(server.port());
            X509Certificate authority = parse(new String(before, StandardCharsets.UTF_8));
            chain[0].verify(authority.getPublicKey());
            assertThat(authority.getBasicConstraints()).isNotNegative();
            assertThat(
                            authority
                                    .getNotBefore()
                                    .toInstant()
                                    .until(authority.getNotAfter().toInstant(), ChronoUnit.DAYS))
                    .isBetween(3600L, 3700L);
        }
    }

    @Test
    void everyServerHasItsOwnCa() throws IOException {
        try (RunningServer other = RunningServer.start()) {
            assertThat(Files.readAllBytes(other.certificate()))
                    .isNotEqualTo(Files.readAllBytes(Cosmos.server().certificate()));
        }
    }

    @Test
    void leafNamesTheHostsThatClientsUse() throws Exception {
        X509Certificate leaf = chain(Cosmos.server().port())[0];

        assertThat(leaf.getSubjectAlternativeNames())
                .extracting(name -> String.valueOf(name.get(1)))
                .contains("localhost", "127.0.0.1");
        leaf.checkValidity();
    }

    @Test
    void caIsDownloadedFromTheServer() throws Exception {
        RunningServer server = Cosmos.server();
        String expected = Files.readString(server.certificate());
        for (String path : List.of("/_explorer/emulator.pem", "/_orrery/ca.crt")) {
            HttpResponse<String> page =
                    HttpClient.newHttpClient()
                            .send(
                                    HttpRequest.newBuilder(
                                                    URI.create(
                                                            "http://localhost:"
                                                                    + server.port()
                                                                    + path))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString());
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(parse(page.body())).isEqualTo(parse(expected));
        }
    }

    @Test
    void certCommandPrintsItWithImportLines() throws Exception {
        RunningServer server = Cosmos.server();

        Distribution.Output cert = Distribution.run("cert", "--data", server.data().toString());

        assertThat(cert.exitCode()).as(cert.all()).isEqualTo(0);
        assertThat(cert.all())
                .contains(
                        "BEGIN CERTIFICATE",
                        "keytool",
                        "NODE_EXTRA_CA_CERTS",
                        "update-ca-certificates",
                        "security add-trusted-cert",
                        "certutil");
        assertThat(parse(cert.out())).isEqualTo(parse(Files.readString(server.certificate())));
    }

    @Test
    void teamBringsItsOwn() throws Exception {
        Path directory = RunningServer.temporaryDirectory();
        Path certificate = directory.resolve("own.pem");
        Path key = directory.resolve("own.key");
        makeOwn(directory, certificate, key);

        try (RunningServer server =
                        RunningServer.start(
                                "--tls-cert", certificate.toString(), "--tls-key", key.toString());
                CosmosClient client = Cosmos.newClient(server)) {
            assertThat(server.certificate()).isEqualTo(certificate);
            assertThat(chain(server.port())[0]).isEqualTo(parse(Files.readString(certificate)));
            assertThat(client.createDatabase("db").getStatusCode()).isEqualTo(201);
        }
    }

    @Test
    void ownCertificateThatCannotBeReadIsExplained() {
        Distribution.Output refused =
                Distribution.run(
                        "start",
                        "--data",
                        RunningServer.temporaryDirectory().toString(),
                        "--port",
                        "0",
                        "--status-port",
                        "0",
                        "--tls-cert",
                        "missing.pem",
                        "--tls-key",
                        "missing.key");

        assertThat(refused.exitCode()).isNotEqualTo(0);
        assertThat(refused.err()).contains("missing.pem").doesNotContain("\tat ");
    }

    /** Uses the JDK's own keytool, because openssl is not everywhere. */
    private static void makeOwn(Path directory, Path certificate, Path key) throws Exception {
        Path store = directory.resolve("own.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "own",
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost,ip:127.0.0.1",
                                "-validity",
                                "30",
                                "-storetype",
                                "PKCS12",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                "changeit")
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("keytool.log").toFile())
                        .start();
        assertThat(keytool.waitFor(300, TimeUnit.SECONDS)).isTrue();
        KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate("own").getEncoded()));
        Files.writeString(
                key, pem("PRIVATE KEY", keys.getKey("own", "changeit".toCharArray()).getEncoded()));
    }

    private static String pem(String type, byte[] der) {
        return "-----BEGIN "
                + type
                + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END "
                + type
                + "-----\n";
    }

    private static X509Certificate parse(String text) throws Exception {
        String pem = text.substring(text.indexOf("-----BEGIN CERTIFICATE-----"));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
    }

    private static X509Certificate[] chain(int port) throws Exception {
        try (SSLSocket socket =
                (SSLSocket) Trust.context().getSocketFactory().createSocket("localhost", port)) {
            socket.startHandshake();
            return (X509Certificate[]) socket.getSession().getPeerCertificates();
        }
    }
}
