package orrery.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import orrery.cluster.api.AccountSettings;
import orrery.model.security.AccountKeys;
import orrery.model.security.RequestSigner;
import orrery.storage.StoreOptions;
import picocli.CommandLine;

/** A server of this process on a free port, what a client asks of it, and the commands. */
final class ServerFixture implements AutoCloseable {
    private final OrreryServer server;
    private final HttpClient http = HttpClient.newHttpClient();

    /** The result of a command. */
    record Output(int exitCode, String out, String err) {
        /** Blanks, block characters and numbers of time aside. */
        String words() {
            return out.replaceAll("[█#]+", "").replaceAll(" +", " ").replaceAll("(?m) $", "");
        }
    }

    ServerFixture(NodeConfig config) {
        this.server = OrreryServer.start(config);
    }

    static ServerFixture start(AccountSettings settings) {
        return start(Optional.empty(), settings);
    }

    static ServerFixture start(Optional<java.nio.file.Path> data, AccountSettings settings) {
        return start(data, settings, NodeConfig.DEFAULT_DISK_RESERVE);
    }

    static ServerFixture start(
            Optional<java.nio.file.Path> data, AccountSettings settings, long diskReserveBytes) {
        return new ServerFixture(
                new NodeConfig(
                        data,
                        "127.0.0.1",
                        0,
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        Set.of(),
                        settings,
                        StoreOptions.DEFAULT,
                        diskReserveBytes));
    }

    AccountKeys keys() {
        return server.keys();
    }

    String endpoint() {
        return "http://localhost:" + server.port();
    }

    OrreryServer server() {
        return server;
    }

    /** Returns the page that a scraper reads. */
    String metrics() {
        URI page = URI.create("http://localhost:" + server.statusPort() + "/metrics");
        try {
            return http.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString()).body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs a command against this server. */
    Output run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--endpoint", endpoint()));
        return command(all.toArray(String[]::new));
    }

    static Output command(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        int exitCode = commandLine.execute(arguments);
        return new Output(exitCode, out.toString(), err.toString());
    }

    /** Returns the command line of a process that runs a command. */
    static List<String> processOf(String... arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                java.nio.file.Path.of(
                                                System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "orrery.server.Main"));
        command.addAll(List.of(arguments));
        return command;
    }

    /** A request of the SQL API that must succeed. */
    void sql(String verb, String type, String link, String path, String body, String... headers) {
        HttpResponse<String> response = sqlReply(verb, type, link, path, body, headers);
        if (response.statusCode() >= 300) {
            throw new AssertionError(response.statusCode() + " " + response.body());
        }
    }

    HttpResponse<String> sqlReply(
            String verb, String type, String link, String path, String body, String... headers) {
        return send(keys().primary(), verb, type, link, path, body, headers);
    }

    HttpResponse<String> operator(String key, String verb, String link, String what, String body) {
        return send(
                key,
                verb,
                what.replaceFirst("\\?.*", ""),
                link,
                "_orrery/" + link + "/" + what,
                body);
    }

    /** A request of the SQL API with a key that may be wrong. */
    HttpResponse<String> signed(String key, String verb, String type, String link, String path) {
        return send(key, verb, type, link, path, "");
    }

    /** A request of somebody who has a resource token and no key. */
    HttpResponse<String> withToken(String token, String verb, String path) {
        String header = URLEncoder.encode(token, StandardCharsets.UTF_8);
        return send("", verb, "", "", path, "", "authorization", header);
    }

    /** A request about the account itself; an empty key signs nothing. */
    HttpResponse<String> account(String key, String verb, String what, String body) {
        return send(key, verb, what, "", "_orrery/" + what, body);
    }

    /** All that comes back for the path of the account without a signature. */
    String firstPage(String host, String... headers) {
        return raw("GET", host, headers);
    }

    String raw(String verb, String host, String... headers) {
        StringBuilder request = new StringBuilder(verb + " / HTTP/1.1\r\nHost: " + host + "\r\n");
        for (int i = 0; i < headers.length; i += 2) {
            request.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        }
        request.append("Connection: close\r\n\r\n");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(300_000); // ends a test that hangs
            socket.getOutputStream()
                    .write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> send(
            String key,
            String verb,
            String type,
            String link,
            String path,
            String body,
            String... headers) {
        String date = RequestSigner.date(Instant.now());
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(endpoint() + "/" + path))
                        .header("x-ms-date", date)
                        .header("x-ms-version", "2020-07-15")
                        .method(
                                verb,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body));
        if (!key.isEmpty()) {
            request.header(
                    "authorization", new RequestSigner(key).authorization(verb, type, link, date));
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void createDatabase(String name, String... headers) {
        sql("POST", "dbs", "", "dbs", "{\"id\":\"" + name + "\"}", headers);
    }

    void createContainer(String database, String name, String... headers) {
        String link = "dbs/" + database;
        sql(
                "POST",
                "colls",
                link,
                link + "/colls",
                "{\"id\":\"%s\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}"
                        .formatted(name),
                headers);
    }

    void createItem(String database, String container, String key, String id, String more) {
        String link = "dbs/" + database + "/colls/" + container;
        sql(
                "POST",
                "docs",
                link,
                link + "/docs",
                "{\"id\":\"%s\",\"pk\":\"%s\"%s}".formatted(id, key, more),
                "x-ms-documentdb-partitionkey",
                "[\"" + key + "\"]");
    }

    /**
     * An item of one value for each leaf of the index; each leaf costs more than a third of an RU.
     */
    HttpResponse<String> createLarge(String database, String container, String key, int leaves) {
        String link = "dbs/" + database + "/colls/" + container;
        return sqlReply(
                "POST",
                "docs",
                link,
                link + "/docs",
                "{\"id\":\"large\",\"pk\":\"%s\",\"numbers\":%s}"
                        .formatted(key, IntStream.range(0, leaves).boxed().toList()),
                "x-ms-documentdb-partitionkey",
                "[\"" + key + "\"]");
    }

    HttpResponse<String> readItem(String database, String container, String key, String id) {
        String link = "dbs/" + database + "/colls/" + container + "/docs/" + id;
        return sqlReply(
                "GET", "docs", link, link, "", "x-ms-documentdb-partitionkey", "[\"" + key + "\"]");
    }

    @Override
    public void close() {
        http.close();
        server.close();
    }
}
