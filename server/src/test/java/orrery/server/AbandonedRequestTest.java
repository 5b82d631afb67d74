package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.cluster.api.AccountSettings;
import orrery.model.security.RequestSigner;

/** Clients that leave while the server works for them: it stops, and nothing is left of it. */
@Tag("timing")
final class AbandonedRequestTest {
    private static final String LINK = "dbs/d/colls/c";
    private static final String JOINS = " JOIN x IN c.a JOIN y IN c.a JOIN z IN c.a";

    private ServerFixture server;

    @BeforeEach
    void start() {
        server = ServerFixture.start(AccountSettings.DEFAULT.withMetering(false, false, false));
        server.createDatabase("d");
        // Two ranges, so that some answers are merged.
        server.createContainer("d", "c", "x-ms-offer-throughput", "20000");
        String list = IntStream.range(0, 1000).boxed().toList().toString();
        for (int i = 0; i < 8; i++) {
            server.createItem("d", "c", "k" + i, "i" + i, ",\"n\":" + i + ",\"a\":" + list);
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Sends a request and leaves with a reset as soon as the server is at it. */
    private void abandon(String type, String link, String path, String body, String... headers)
            throws IOException {
        String date = RequestSigner.date(Instant.now());
        StringBuilder head =
                new StringBuilder("POST /" + path + " HTTP/1.1\r\nHost: localhost\r\n")
                        .append("x-ms-date: " + date + "\r\nx-ms-version: 2020-07-15\r\n")
                        .append("content-length: " + body.length() + "\r\n")
                        .append("authorization: ")
                        .append(
                                new RequestSigner(server.keys().primary())
                                        .authorization("POST", type, link, date))
                        .append("\r\n");
        for (int i = 0; i < headers.length; i += 2) {
            head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream()
                    .write((head + "\r\n" + body).getBytes(StandardCharsets.ISO_8859_1));
            Waiting.until(() -> running() == 1);
        }
        Waiting.until(() -> running() == 0);
    }

    private double running() {
        return metric("orrery_requests_in_flight");
    }

    private double answered(int status) {
        return metric("orrery_requests_total{api=\"sql\",status=\"" + status + "\"}");
    }

    /** Zero where there is no such line yet. */
    private double metric(String series) {
        return server.metrics()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // a scan
                "SELECT VALUE COUNT(1) FROM c" + JOINS + " WHERE x + y + z < 0",
                // a sort
                "SELECT c.id FROM c WHERE EXISTS(SELECT VALUE x FROM x IN c.a JOIN y IN c.a JOIN z"
                        + " IN c.a WHERE x + y + z < 0) ORDER BY c.n",
                // a merge
                "SELECT c.n, COUNT(1) AS k FROM c" + JOINS + " GROUP BY c.n"
            })
    void aQueryEnds(String query) throws IOException {
        abandon(
                "docs",
                LINK,
                LINK + "/docs",
                "{\"query\":\"" + query + "\"}",
                "content-type",
                "application/query+json",
                "x-ms-documentdb-isquery",
                "True",
                "x-ms-documentdb-query-enablecrosspartition",
                "True");

        assertThat(answered(408)).isEqualTo(1);
        assertThat(answered(200)).isZero();
    }

    @Test
    void aScriptEndsAndWritesNothing() throws IOException {
        server.sql(
                "POST",
                "sprocs",
                LINK,
                LINK + "/sprocs",
                "{\"id\":\"endless\",\"body\":\"function () { __.createDocument(__.getSelfLink(), {pk:"
                        + " 'k0', id: 'made'}); while (true) {} }\"}");
        abandon(
                "sprocs",
                LINK + "/sprocs/endless",
                LINK + "/sprocs/endless",
                "[]",
                "x-ms-documentdb-partitionkey",
                "[\"k0\"]");

        assertThat(answered(408)).isEqualTo(1);
        assertThat(server.readItem("d", "c", "k0", "made").statusCode()).isEqualTo(404);
    }
}
