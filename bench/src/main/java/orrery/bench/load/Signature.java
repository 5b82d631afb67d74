package orrery.bench.load;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import orrery.model.security.AccountKeys;

/** Signs requests with the well-known key. A signature is good for 15 minutes. */
final class Signature {
    private Signature() {}

    static String now() {
        return DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
                .withZone(ZoneOffset.UTC)
                .format(Instant.now());
    }

    /**
     * The value of the header {@code authorization}.
     *
     * @param link what the API signs: the resource, or its parent when one is made
     */
    static String of(String verb, String type, String link, String date) {
        String text =
                verb.toLowerCase(Locale.ROOT)
                        + "\n"
                        + type
                        + "\n"
                        + link
                        + "\n"
                        + date.toLowerCase(Locale.ROOT)
                        + "\n\n";
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(
                    new SecretKeySpec(
                            Base64.getDecoder().decode(AccountKeys.WELL_KNOWN_KEY), "HmacSHA256"));
            String signature =
                    Base64.getEncoder()
                            .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
            return "type%3dmaster%26ver%3d1.0%26sig%3d"
                    + signature.replace("+", "%2b").replace("/", "%2f").replace("=", "%3d");
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has HmacSHA256", missing);
        }
    }
}
