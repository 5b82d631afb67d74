package orrery.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import orrery.model.security.RequestSigner;

/** A client without caches and retries: what the server answers, and nothing else. */
public final class Rest implements AutoCloseable {
    static final String KEY_A = "[\"a\"]";

    private final Orrery server;
    private final HttpClient http;

    public Rest(Orrery server) {
        this(server, HttpClient.newHttpClient());
    }

    Rest(Orrery server, HttpClient http) {
        this.server = server;
        this.http = http;
    }

    HttpResponse<String> get(String link, String... headers) {
        return send("GET", type(link), link, link, "", headers);
    }

    /** Lists or reads what is under a resource: {@code list("dbs/d", "colls")}. */
    public HttpResponse<String> list(String parent, String type, String... headers) {
        return send("GET", type, parent, under(parent, type), "", headers);
    }

    HttpResponse<String> post(String parent, String type, String body, String... headers) {
        return send("POST", type, parent, under(parent, type), body, headers);
    }

    HttpResponse<String> execute(String procedure) {
        return send(
                "POST",
                "sprocs",
                procedure,
                procedure,
                "[]",
                "x-ms-documentdb-partitionkey",
                KEY_A);
    }

    /** Asks all partitions. */
    HttpResponse<String> query(String container, String text) {
        return post(
                "dbs/d/colls/" + container,
                "docs",
                "{\"query\":\"" + text + "\",\"parameters\":[]}",
                "x-ms-documentdb-isquery",
                "true",
                "x-ms-documentdb-query-enablecrosspartition",
                "true",
                "content-type",
                "application/query+json");
    }

    HttpResponse<String> patchItem(String container, String id, String patch) {
        String link = "dbs/d/colls/" + container + "/docs/" + id;
        return send(
                "PATCH",
                "docs",
                link,
                link,
                patch,
                "x-ms-documentdb-partitionkey",
                KEY_A,
                "content-type",
                "application/json_patch+json");
    }

    /** Asks the operator API. */
    HttpResponse<String> operator(String link, String what) {
        return send("GET", what, link, "_orrery/" + link + "/" + what, "");
    }

    /** Makes database {@code d} and a container in it with these further properties. */
    public void createContainer(String name, String more, String... headers) {
        HttpResponse<String> database = post("", "dbs", "{\"id\":\"d\"}");
        if (database.statusCode() != 409) {
            expect(201, database);
        }
        expect(
                201,
                post(
                        "dbs/d",
                        "colls",
                        """
                        {"id":"%s","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}%s}\
                        """
                                .formatted(name, more),
                        headers));
    }

    public HttpResponse<String> createItem(String container, String id, String more) {
        return post(
                "dbs/d/colls/" + container,
                "docs",
                "{\"id\":\"%s\",\"pk\":\"a\"%s}".formatted(id, more),
                "x-ms-documentdb-partitionkey",
                KEY_A);
    }

    HttpResponse<String> readItem(String container, String id) {
        return get(
                "dbs/d/colls/" + container + "/docs/" + id, "x-ms-documentdb-partitionkey", KEY_A);
    }

    /** Reads an item with a resource token and no key. */
    HttpResponse<String> readWith(String token, String link) {
        String date = RequestSigner.date(Instant.now());
        return send(
                request(link, date, URLEncoder.encode(token, StandardCharsets.UTF_8))
                        .header("x-ms-documentdb-partitionkey", KEY_A));
    }

    public static void expect(int status, HttpResponse<String> response) {
        if (response.statusCode() != status) {
            throw new AssertionError(
                    "not " + status + ": " + response.statusCode() + " " + response.body());
        }
    }

    /** Returns a system property of a resource. */
    public static String property(String name, HttpResponse<String> response) {
        Matcher matcher =
                Pattern.compile("\"" + name + "\":\"?([^\",}]+)").matcher(response.body());
        if (!matcher.find()) {
            throw new AssertionError("no " + name + " in " + response.body());
        }
        return matcher.group(1);
    }

    static Instant timestamp(HttpResponse<String> response) {
        return Instant.ofEpochSecond(Long.parseLong(property("_ts", response)));
    }

    private static String type(String link) {
        String[] parts = link.split("/", -1);
        return parts[parts.length - 2];
    }

    private static String under(String parent, String type) {
        return parent.isEmpty() ? type : parent + "/" + type;
    }

    private HttpResponse<String> send(
            String verb, String type, String link, String path, String body, String... headers) {
        String date = RequestSigner.date(Instant.now());
        HttpRequest.Builder request =
                request(
                                path,
                                date,
                                new RequestSigner(server.key())
                                        .authorization(verb, type, link, date))
                        .method(
                                verb,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    private HttpRequest.Builder request(String path, String date, String authorization) {
        return HttpRequest.newBuilder(URI.create(server.endpoint() + path))
                .header("x-ms-date", date)
                .header("x-ms-version", "2020-07-15")
                .header("authorization", authorization);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
