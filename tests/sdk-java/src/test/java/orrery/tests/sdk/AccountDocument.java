package orrery.tests.sdk;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.Map;

/** {@code GET /}, signed by hand, to see what the SDKs are told about endpoints. */
final class AccountDocument {
    private AccountDocument() {}

    static HttpResponse<String> get(String endpoint, String key) {
        try (Rest rest = new Rest(endpoint, key)) {
            return rest.get(Rest.Target.ACCOUNT, Map.of());
        }
    }

    /** The endpoint that SDKs go on to use. */
    static String writableEndpoint(String endpoint, String key) {
        HttpResponse<String> reply = get(endpoint, key);
        if (reply.statusCode() != 200) {
            throw new AssertionError(reply.statusCode() + " " + reply.body());
        }
        JsonNode document = Cosmos.json(reply.body());
        return document.at("/writableLocations/0/databaseAccountEndpoint").asText();
    }
}
