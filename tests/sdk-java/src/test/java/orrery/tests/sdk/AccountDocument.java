package orrery.tests.sdk;

import com.fasterxml.jackson.databind.JsonNode;
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
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** {@code GET /}, signed by hand, to see what the SDKs are told about endpoints. */
final class AccountDocument {
    private AccountDocument() {}

    static HttpResponse<String> get(String endpoint, String key) {
        String date =
                DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
                        .format(Instant.now().atZone(ZoneOffset.UTC));
        try (HttpClient client = HttpClient.newBuilder().sslContext(Trust.context()).build()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(endpoint))
                            .header("x-ms-date", date)
                            .header("x-ms-version", "2020-07-15")
                            .header("authorization", authorization(key, date))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
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

    private static String authorization(String key, String date) {
        String text = "get\n\n\n" + date.toLowerCase(Locale.ROOT) + "\n\n";
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
}
