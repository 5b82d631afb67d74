package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.frontend.http.WebOrigin;
import orrery.model.security.RequestSigner;
import orrery.storage.StoreOptions;

/**
 * Checks which web pages can reach a server of this machine, judged by the headers that browsers
 * send.
 */
final class BrowserAccessTest {
    private static final String LOCAL = "Host: localhost:8081";
    private static final String REBOUND = "Host: evil.test:8081";
    private static final String EVIL = "Origin: http://evil.test";
    private static final String FRIEND = "Origin: https://app.example";

    @SuppressWarnings("NullAway.Init") // each test starts one of its own
    private OrreryServer server;

    private void start(Optional<Path> data) {
        server =
                OrreryServer.start(
                        new NodeConfig(
                                data,
                                "127.0.0.1",
                                0,
                                0,
                                Optional.empty(),
                                Optional.empty(),
                                Set.of(WebOrigin.parse("https://app.example").orElseThrow()),
                                AccountSettings.DEFAULT,
                                StoreOptions.DEFAULT,
                                NodeConfig.DEFAULT_DISK_RESERVE));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Everything that comes back. */
    private static String exchange(int port, String line, String... headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(300_000); // ends a test that hangs
            String request =
                    line
                            + " HTTP/1.1\r\n"
                            + String.join("\r\n", headers)
                            + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /** Signed as a page can sign that knows the key. */
    private String[] signed(String verb, String type, String link, String... headers) {
        String date = RequestSigner.date(Instant.now());
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = "x-ms-date: " + date;
        all[headers.length + 1] =
                "authorization: "
                        + new RequestSigner(server.keys().primary())
                                .authorization(verb, type, link, date);
        return all;
    }

    private String listDatabases(String... headers) throws IOException {
        return exchange(server.port(), "GET /dbs", signed("GET", "dbs", "", headers));
    }

    @Test
    void withTheWellKnownKeyPagesOfOtherOriginsGetNothing() throws IOException {
        start(Optional.empty());
        assertThat(listDatabases(LOCAL)).startsWith("HTTP/1.1 200 ");
        assertThat(listDatabases(LOCAL, EVIL)).startsWith("HTTP/1.1 403 ").doesNotContain("_rid");
        assertThat(listDatabases(REBOUND)).startsWith("HTTP/1.1 421 ").doesNotContain("_rid");
        assertThat(listDatabases(REBOUND, "Origin: http://evil.test:8081"))
                .startsWith("HTTP/1.1 421 ");
        assertThat(listDatabases(LOCAL, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(listDatabases(LOCAL, "Origin: http://localhost:3000"))
                .startsWith("HTTP/1.1 200 ")
                .contains("Access-Control-Allow-Origin: http://localhost:3000\r\n")
                .contains("x-ms-request-charge")
                .contains("Vary: Origin\r\n");
        assertThat(listDatabases(LOCAL, FRIEND))
                .contains("Access-Control-Allow-Origin: https://app.example\r\n");
    }

    @Test
    void preflightsAreAnsweredToAllowedOriginsOnly() throws IOException {
        start(Optional.empty());
        for (String path : new String[] {"/dbs", "/_orrery/dbs/d/colls/c/split"}) {
            String asks = "Access-Control-Request-Method: POST";
            assertThat(exchange(server.port(), "OPTIONS " + path, LOCAL, EVIL, asks))
                    .startsWith("HTTP/1.1 403 ")
                    .doesNotContain("Access-Control-Allow");
            assertThat(exchange(server.port(), "OPTIONS " + path, REBOUND, asks))
                    .startsWith("HTTP/1.1 421 ");
            assertThat(exchange(server.port(), "OPTIONS " + path, LOCAL, FRIEND, asks))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Access-Control-Allow-Methods: ");
        }
    }

    @Test
    void withKeysOfOnesOwnTheNameIsFreeAndForeignPagesCannotRead(@TempDir Path data)
            throws IOException {
        assertThat(Main.commandLine().execute("keys", "new", "--data", data.toString())).isZero();
        start(Optional.of(data));
        assertThat(listDatabases("Host: orrery.example")).startsWith("HTTP/1.1 200 ");
        assertThat(listDatabases("Host: orrery.example", EVIL))
                .startsWith("HTTP/1.1 200 ")
                .doesNotContain("Access-Control-Allow-Origin");
        assertThat(exchange(server.port(), "OPTIONS /dbs", LOCAL, EVIL))
                .startsWith("HTTP/1.1 403 ")
                .doesNotContain("Access-Control-Allow");
        assertThat(listDatabases("Host: orrery.example", FRIEND))
                .contains("Access-Control-Allow-Origin: https://app.example\r\n");
        assertThat(exchange(server.statusPort(), "GET /status", REBOUND, "Accept-Language: en"))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void theStatusPortAnswersProgramsAndNoForeignPage() throws IOException {
        start(Optional.empty());
        int port = server.statusPort();
        for (String page : new String[] {"/alive", "/ready", "/status", "/metrics"}) {
            assertThat(exchange(port, "GET " + page, "Host: scraped:8080", "User-Agent: curl/8"))
                    .startsWith("HTTP/1.1 200 ");
            assertThat(exchange(port, "GET " + page, LOCAL, "Sec-Fetch-Mode: navigate"))
                    .startsWith("HTTP/1.1 200 ");
            assertThat(exchange(port, "GET " + page, LOCAL, EVIL)).startsWith("HTTP/1.1 403 ");
            assertThat(exchange(port, "GET " + page, REBOUND, "User-Agent: Mozilla/5.0"))
                    .startsWith("HTTP/1.1 421 ");
            assertThat(exchange(port, "GET " + page, REBOUND, "Sec-Fetch-Site: same-origin"))
                    .startsWith("HTTP/1.1 421 ");
        }
    }

    @Test
    void theStatusPortIsForReading() throws IOException {
        start(Optional.empty());
        int port = server.statusPort();
        assertThat(exchange(port, "HEAD /status", LOCAL))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("\r\n\r\n");
        for (String method : new String[] {"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}) {
            assertThat(exchange(port, method + " /status", LOCAL))
                    .startsWith("HTTP/1.1 405 ")
                    .contains("Allow: GET, HEAD\r\n", "MethodNotAllowed");
        }
    }

    @Test
    void bodiesOfStrangersAreNotTaken() throws IOException {
        start(Optional.empty());
        for (String path : new String[] {"/dbs", "/_orrery/dbs/d/colls/c/split"}) {
            // The body never comes; the answer does.
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                socket.setSoTimeout(300_000);
                socket.getOutputStream()
                        .write(
                                ("POST " + path + " HTTP/1.1\r\n" + LOCAL)
                                        .concat("\r\nContent-Length: 2000000\r\n\r\n")
                                        .getBytes(StandardCharsets.US_ASCII));
                byte[] start = socket.getInputStream().readNBytes("HTTP/1.1 401".length());
                assertThat(new String(start, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 401");
            }
        }
    }
}
