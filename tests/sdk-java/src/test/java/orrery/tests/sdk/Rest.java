package orrery.tests.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Requests signed by hand, for what no SDK sends. Safe for many threads. */
final class Rest implements AutoCloseable {
    private final String endpoint;
    private final String key;
    private final HttpClient client;

    Rest(String endpoint, String key) {
        this.endpoint = endpoint.endsWith("/") ? endpoint : endpoint + "/";
        this.key = key;
        this.client = HttpClient.newBuilder().sslContext(Trust.context()).build();
    }

    static Rest of(RunningServer server) {
        return new Rest(server.endpoint(), server.key());
    }

    /** The target of a signature: the type of the resource and its link, or that of its parent. */
    record Target(String path, String type, String link) {
        static final Target ACCOUNT = new Target("", "", "");

        /** Something that operators ask of a container. */
        static Target ofOperator(String database, String container, String what) {
            String link = "dbs/" + database + "/colls/" + container;
            return new Target("_orrery/" + link + "/" + what, what, link);
        }

        static Target item(String database, String container, String id) {
            String link = "dbs/" + database + "/colls/" + container + "/docs/" + id;
            return new Target(link, "docs", link);
        }

        static Target items(String database, String container) {
            String link = "dbs/" + database + "/colls/" + container;
            return new Target(link + "/docs", "docs", link);
        }

        static Target databases() {
            return new Target("dbs", "dbs", "");
        }

        static Target containers(String database) {
            String link = "dbs/" + database;
            return new Target(link + "/colls", "colls", link);
        }
    }

    HttpResponse<String> get(Target target, Map<String, String> headers) {
        return send("GET", target, headers, "");
    }

    HttpResponse<String> post(Target target, Map<String, String> headers, String body) {
        return send("POST", target, headers, body);
    }

    /** The status of the answer, whose body is read and forgotten. */
    int status(String method, Target target, Map<String, String> headers, String body)
            throws IOException {
        try {
            return client.send(
                            request(method, target, headers, body),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The request as it goes over the wire. */
    String text(String method, Target target, Map<String, String> headers, String body) {
        StringBuilder text = new StringBuilder();
        text.append(method + " /" + target.path() + " HTTP/1.1\r\nHost: localhost\r\n");
        request(method, target, headers, "")
                .headers()
                .map()
                .forEach((name, values) -> text.append(name + ": " + values.getFirst() + "\r\n"));
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        return text.append("Content-Length: " + length + "\r\n\r\n").append(body).toString();
    }

    private HttpRequest request(
            String method, Target target, Map<String, String> headers, String body) {
        String date =
                DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
                        .format(Instant.now().atZone(ZoneOffset.UTC));
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(endpoint + target.path()))
                        .header("x-ms-date", date)
                        .header("x-ms-version", "2020-07-15")
                        .header("authorization", authorization(method, target, date))
                        .method(method, HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return request.build();
    }

    private HttpResponse<String> send(
            String method, Target target, Map<String, String> headers, String body) {
        try {
            return client.send(
                    request(method, target, headers, body), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String authorization(String method, Target target, String date) {
        String text =
                method.toLowerCase(Locale.ROOT)
                        + "\n"
                        + target.type()
                        + "\n"
                        + target.link()
                        + "\n"
                        + date.toLowerCase(Locale.ROOT)
                        + "\n\n";
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            String signature =
                    Base64.getEncoder()
                            .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
            return URLEncoder.encode(
                    "type=master&ver=1.0&sig=" + signature, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
