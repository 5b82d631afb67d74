package orrery.server.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import javax.net.ssl.SSLException;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.model.security.RequestSigner;

/** Talks to the operator API of one server. What goes wrong is a {@link ClientException}. */
final class OperatorClient implements AutoCloseable {
    /** Longer than a server takes over a request, so that its own answer comes first. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** The server tells authors of clients what it would have signed; the key is what is wrong. */
    private static final String SIGNED_TEXT = "(?s) Server used the following payload.*";

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

    /** How a container lies over its partitions, with so many keys of each. */
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

    private Answer call(String verb, Place place, String what, String query, Optional<Value> body) {
        String date = RequestSigner.date(clock.instant());
        HttpRequest request =
                HttpRequest.newBuilder(
                                server.resolve("/_orrery/" + place.path() + "/" + what + query))
                        .timeout(TIMEOUT)
                        .header("x-ms-date", date)
                        .header(
                                "authorization",
                                signer.authorization(verb, what, place.link(), date))
                        .method(
                                verb,
                                body.map(JsonText::write)
                                        .map(BodyPublishers::ofString)
                                        .orElseGet(BodyPublishers::noBody))
                        .build();
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
            return answer;
        }
        String text = answer.text("message");
        throw new ClientException(
                response.statusCode() == 401
                        ? "The server refuses the key. Pass the right one with --key or in"
                                + " ORRERY_KEY. It says: "
                                + text.replaceFirst(SIGNED_TEXT, "")
                        : text);
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
