package orrery.server.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.model.security.RequestSigner;

/**
 * Talks to the operator API of one server, and to its SQL API for queries. What goes wrong is a
 * {@link ClientException}.
 */
final class OperatorClient implements AutoCloseable {
    /** Longer than a server takes over a request, so that its own answer comes first. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** The server tells authors of clients what it would have signed; the key is what is wrong. */
    private static final String SIGNED_TEXT = "(?s) Server used the following payload.*";

    private static final Pattern REFUSED_QUERY =
            Pattern.compile("^Message: (\\{.*\\})\\R", Pattern.DOTALL);

    private final HttpClient http;
    private final URI server;
    private final RequestSigner signer;
    private final InstantSource clock;

    OperatorClient(HttpClient http, URI server, RequestSigner signer, InstantSource clock) {
        this.http = http;
        this.server = server;
        this.signer = signer;
        this.clock = clock;
    }

    Answer get(Place place, String what) {
        return call("GET", place, what, "", Optional.empty());
    }

    /** Asks for the layout of a container over its partitions, with this many keys of each. */
    Answer partitions(Place place, int keys) {
        return call("GET", place, "partitions", "?keys=" + keys, Optional.empty());
    }

    Answer put(Place place, String what, Value body) {
        return call("PUT", place, what, "", Optional.of(body));
    }

    Answer post(Place place, String what, Value body) {
        return call("POST", place, what, "", Optional.of(body));
    }

    Answer delete(Place place, String what) {
        return call("DELETE", place, what, "", Optional.empty());
    }

    /** A page of a query, or its plan: the headers say which. */
    Reply query(Place container, Value query, Map<String, String> headers) {
        HttpRequest.Builder request =
                request("POST", "/" + container.path() + "/docs", "docs", container)
                        .header("Content-Type", "application/query+json")
                        .header("x-ms-version", "2020-07-15")
                        .method("POST", BodyPublishers.ofString(JsonText.write(query)));
        headers.forEach(request::header);
        return exchange(request.build(), container);
    }

    /** An answer with its headers. */
    record Reply(Answer body, HttpHeaders headers) {}

    private Answer call(String verb, Place place, String what, String query, Optional<Value> body) {
        return exchange(
                        request(verb, "/_orrery/" + place.path() + "/" + what + query, what, place)
                                .method(
                                        verb,
                                        body.map(JsonText::write)
                                                .map(BodyPublishers::ofString)
                                                .orElseGet(BodyPublishers::noBody))
                                .build(),
                        place)
                .body();
    }

    private HttpRequest.Builder request(String verb, String path, String type, Place place) {
        String date = RequestSigner.date(clock.instant());
        return HttpRequest.newBuilder(server.resolve(path))
                .timeout(TIMEOUT)
                .header("x-ms-date", date)
                .header("authorization", signer.authorization(verb, type, place.link(), date));
    }

    private Reply exchange(HttpRequest request, Place place) {
        HttpResponse<String> response = send(request);
        Answer answer;
        try {
            answer = Answer.parse(response.body());
        } catch (OrreryException notJson) {
            throw new ClientException(
                    "What answers at " + server + " is not Orrery: " + response.statusCode() + ".",
                    notJson);
        }
        if (response.statusCode() == 200) {
            return new Reply(answer, response.headers());
        }
        String text = plain(answer.text("message"));
        if (response.statusCode() == 401) {
            throw new ClientException(
                    "The server refuses the key. Pass the right one with --key or in ORRERY_KEY. It"
                            + " says: "
                            + text.replaceFirst(SIGNED_TEXT, ""));
        }
        // The SQL API does not say what is not there.
        throw new ClientException(
                text.equals("Resource Not Found.") ? "There is no " + place + "." : text);
    }

    /** Refusals of queries come as JSON inside a text for programs; a person needs the reason. */
    private static String plain(String message) {
        Matcher refusal = REFUSED_QUERY.matcher(message);
        if (!refusal.find()) {
            return message;
        }
        try {
            Answer body = Answer.parse(refusal.group(1));
            return body.find("Errors").isPresent()
                    ? String.join(
                            "\n",
                            body.elements("Errors").stream()
                                    .map(
                                            error ->
                                                    error instanceof Value.Text(String text)
                                                            ? text
                                                            : "")
                                    .toList())
                    : String.join(
                            "\n",
                            body.objects("errors").stream().map(OperatorClient::reason).toList());
        } catch (OrreryException | ClientException notSo) {
            return message;
        }
    }

    private static String reason(Answer error) {
        String place =
                error.find("location").isPresent()
                        ? ", characters "
                                + error.object("location").integer("start")
                                + " to "
                                + error.object("location").integer("end")
                        : "";
        String code =
                error.value("code") instanceof Value.Text(String text)
                        ? text
                        : JsonText.write(error.value("code"));
        return error.text("message") + " (" + code + place + ")";
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (HttpTimeoutException e) {
            throw new ClientException(
                    "The server at " + server + " did not answer in time. It may still be at it.",
                    e);
        } catch (SSLException e) {
            throw new ClientException(
                    "The certificate of "
                            + server
                            + " is not trusted. Pass --cacert with the file that `orrery cert`"
                            + " names, or --insecure.",
                    e);
        } catch (IOException e) {
            throw new ClientException(
                    "No server answers at "
                            + server
                            + ". Start one with `orrery start`, or name another with --endpoint.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClientException("Interrupted.", e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
