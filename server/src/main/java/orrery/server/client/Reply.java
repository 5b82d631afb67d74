package orrery.server.client;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.JsonSlices;
import orrery.model.Bytes;
import orrery.model.OrreryException;

/** An answer of the server that is no refusal. */
public record Reply(HttpHeaders headers, Bytes body) {
    public Answer json() {
        try {
            return Answer.parse(body.toUtf8());
        } catch (OrreryException notJson) {
            throw unusable(notJson);
        }
    }

    /** The elements of an array in it, in the bytes in which they came. */
    public List<Bytes> elements(String member) {
        try {
            return JsonSlices.elements(body, member);
        } catch (OrreryException notJson) {
            throw unusable(notJson);
        }
    }

    /** The objects of which it is an array. */
    public List<Answer> objects() {
        try {
            return Answer.parseList(body.toUtf8());
        } catch (OrreryException notJson) {
            throw unusable(notJson);
        }
    }

    private static ClientException unusable(OrreryException reason) {
        return new ClientException(
                "The answer of the server cannot be used. Is it Orrery, and is --endpoint right? "
                        + reason.text(),
                reason);
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
