package orrery.server.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.security.RequestSigner;

/** Signed requests to one server. What goes wrong is a {@link ClientException}. */
final class ServerConnection implements AutoCloseable {
    /** Longer than a server takes over a request, so that its own answer comes first. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final int MAX_RETRIES = 9;
    private static final long RETRY_MILLIS = 100;

    /** The version of the SQL API; older ones know containers without a key. */
    private static final String API_VERSION = "2020-07-15";

    private final HttpClient http;
    private final URI server;
    private final RequestSigner signer;
    private final InstantSource clock;

    ServerConnection(HttpClient http, URI server, RequestSigner signer, InstantSource clock) {
        this.http = http;
        this.server = server;
        this.signer = signer;
        this.clock = clock;
    }

    /**
     * A request.
     *
     * @param path with names encoded, beginning with a slash
     * @param type of the resource, and link to it or to its parent: what is signed
     * @param subject names the resource for a person
     */
    record Request(
            String verb,
            String path,
            String type,
            String link,
            String subject,
            Map<String, String> headers,
            Optional<Bytes> body) {}

    /** Waits and asks again when the server throttles, as often as SDKs do. */
    Reply send(Request request) {
        for (int retries = 0; ; retries++) {
            try {
                return sendOnce(request);
            } catch (RefusedException refused) {
                if (refused.status() != 429 || retries == MAX_RETRIES) {
                    throw refused;
                }
                Pause.millis(refused.retryAfterMillis().orElse(RETRY_MILLIS));
            }
        }
    }

    Reply sendOnce(Request request) {
        HttpResponse<byte[]> response = exchange(signed(request));
        Bytes body = Bytes.wrap(response.body());
        if (response.statusCode() < 300) {
            return new Reply(response.headers(), body);
        }
        Answer answer;
        try {
            answer = Answer.parse(body.toUtf8());
        } catch (OrreryException notJson) {
            throw new ClientException(
                    "What answers at " + server + " is not Orrery: " + response.statusCode() + ".",
                    notJson);
        }
        throw new RefusedException(
                response.statusCode(),
                (int) response.headers().firstValueAsLong("x-ms-substatus").orElse(0),
                Reply.retryAfterMillis(response.headers()),
                Refusals.explain(response.statusCode(), answer.text("message"), request.subject()));
    }

    private HttpRequest signed(Request request) {
        String date = RequestSigner.date(clock.instant());
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(server.resolve(request.path()))
                        .timeout(TIMEOUT)
                        .header("x-ms-date", date)
                        .header("x-ms-version", API_VERSION)
                        .header(
                                "authorization",
                                signer.authorization(
                                        request.verb(), request.type(), request.link(), date))
                        .method(
                                request.verb(),
                                request.body()
                                        .map(body -> BodyPublishers.ofByteArray(body.unsafeArray()))
                                        .orElseGet(BodyPublishers::noBody));
        request.headers().forEach(builder::header);
        return builder.build();
    }

    private HttpResponse<byte[]> exchange(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofByteArray());
        } catch (HttpTimeoutException e) {
            throw new ClientException(
                    "The server at " + server + " did not answer in time. It may still be at it.",
                    e);
        } catch (SSLException e) {
            throw new ClientException(
                    "The certificate of "
                            + server
                            + " is not trusted. Pass --cacert with the file that "
                            + Hint.of("cert")
                            + " names, or --insecure.",
                    e);
        } catch (IOException e) {
            throw new ClientException(
                    "No server answers at "
                            + server
                            + ". Start one with "
                            + Hint.of("start")
                            + ", or name another with --endpoint.",
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
