package orrery.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import orrery.model.security.AccountKeys;
import orrery.model.security.RequestSigner;
import orrery.server.startup.SharedEnd;
import orrery.server.tls.TrustEverything;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The training run behind the start-up cache: a server on a free port gets a few requests of each
 * kind, so that the JVM sees which classes a start needs, and ends.
 */
@Command(name = "train", hidden = true, description = "Prepares the start-up cache.")
final class TrainCommand implements Callable<Integer> {
    private static final String CONTAINER =
            "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
    private static final String ITEM = "{\"id\":\"1\",\"pk\":\"a\",\"n\":[1,2.5,\"x\",null,true]}";

    private static final String QUERY =
            """
            {"query": "SELECT * FROM c WHERE c.n > @n ORDER BY c.n",
             "parameters": [{"name": "@n", "value": 0}]}
            """;
    private static final String QUERY_HEADERS =
            """
            Content-Type: application/query+json\r
            x-ms-documentdb-isquery: True\r
            x-ms-documentdb-query-enablecrosspartition: True\r
            """;

    private static final RequestSigner SIGNER = new RequestSigner(AccountKeys.WELL_KNOWN_KEY);

    @Option(names = "--server", description = "The process of the server that trains.")
    private @Nullable Long server;

    @Override
    public Integer call() throws IOException {
        endWithServer();
        try (OrreryServer trained = OrreryServer.start(configOfStart())) {
            try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), trained.port())) {
                exercise(plain);
            }
            try (Socket secure =
                    TrustEverything.context()
                            .getSocketFactory()
                            .createSocket(InetAddress.getLoopbackAddress(), trained.port())) {
                exercise(secure);
            }
            try (Socket status =
                    new Socket(InetAddress.getLoopbackAddress(), trained.statusPort())) {
                send(status, "GET", "", "", "ready", "");
            }
        }
        return 0;
    }

    /** Reads options the way a start does, so that the cache holds those classes too. */
    private static NodeConfig configOfStart() {
        return NodeConfig.of(List.of("--ephemeral", "--port", "0", "--status-port", "0"));
    }

    /** A server that was killed leaves nobody who would put the cache into its place. */
    private void endWithServer() {
        if (server != null) {
            SharedEnd.with(server);
        }
    }

    private static void exercise(Socket socket) throws IOException {
        send(socket, "GET", "", "", "", "");
        send(socket, "POST", "dbs", "", "dbs", "{\"id\":\"d\"}");
        send(socket, "POST", "colls", "dbs/d", "dbs/d/colls", CONTAINER);
        send(socket, "GET", "colls", "dbs/d/colls/c", "dbs/d/colls/c", "");
        send(socket, "GET", "pkranges", "dbs/d/colls/c", "dbs/d/colls/c/pkranges", "");
        send(socket, "POST", "docs", "dbs/d/colls/c", "dbs/d/colls/c/docs", ITEM);
        send(socket, "GET", "docs", "dbs/d/colls/c/docs/1", "dbs/d/colls/c/docs/1", "");
        send(socket, "PUT", "docs", "dbs/d/colls/c/docs/1", "dbs/d/colls/c/docs/1", ITEM);
        send(socket, "GET", "docs", "dbs/d/colls/c", "dbs/d/colls/c/docs", "");
        send(socket, "POST", "docs", "dbs/d/colls/c", "dbs/d/colls/c/docs", QUERY, QUERY_HEADERS);
        send(socket, "DELETE", "docs", "dbs/d/colls/c/docs/1", "dbs/d/colls/c/docs/1", "");
        send(socket, "DELETE", "dbs", "dbs/d", "dbs/d", "");
    }

    private static void send(
            Socket socket, String verb, String type, String link, String path, String body)
            throws IOException {
        send(socket, verb, type, link, path, body, "");
    }

    private static void send(
            Socket socket,
            String verb,
            String type,
            String link,
            String path,
            String body,
            String headers)
            throws IOException {
        String date = RequestSigner.date(Clock.systemUTC().instant());
        String request =
                verb
                        + " /"
                        + path
                        + " HTTP/1.1\r\nHost: localhost\r\nx-ms-version: 2020-07-15\r\nx-ms-date: "
                        + date
                        + "\r\nauthorization: "
                        + SIGNER.authorization(verb, type, link, date)
                        + "\r\nx-ms-documentdb-partitionkey: [\"a\"]\r\n"
                        + headers
                        + "Content-Length: "
                        + body.length()
                        + "\r\n\r\n"
                        + body;
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        skipReply(new BufferedInputStream(socket.getInputStream(), 1));
    }

    /** Reads one reply: its head up to the empty line, then as many bytes as it announces. */
    private static void skipReply(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the server closed the connection");
            }
            head.append((char) next);
        }
        int length = 0;
        for (String line : head.toString().split("\r\n", -1)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        in.skipNBytes(length);
    }
}
