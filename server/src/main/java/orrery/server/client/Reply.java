package orrery.server.client;

import java.net.http.HttpHeaders;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.model.Bytes;

/** An answer of the server that is no refusal. */
public record Reply(HttpHeaders headers, Bytes body) {
    public Answer json() {
        return Answer.parse(body.toUtf8());
    }

    public Optional<String> header(String name) {
        return headers.firstValue(name);
    }

    public Optional<String> continuation() {
        return header("x-ms-continuation");
    }

    /** Request units; the operator API costs none. */
    public double charge() {
        return header("x-ms-request-charge").map(Double::parseDouble).orElse(0.0);
    }

    static OptionalLong retryAfterMillis(HttpHeaders headers) {
        return headers.firstValueAsLong("x-ms-retry-after-ms");
    }
}
