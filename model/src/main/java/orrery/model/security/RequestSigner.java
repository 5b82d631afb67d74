package orrery.model.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests with one account key: what a client sends, and what the server expects. Safe for
 * many threads: each signature works on its own copy.
 */
public final class RequestSigner {
    private static final String ALGORITHM = "HmacSHA256";
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
                    .withZone(ZoneOffset.UTC);

    /** Initialised once and only ever cloned; setting up a key costs more than signing. */
    private final Mac keyed;

    /** Throws {@link IllegalArgumentException} for a key that is not Base64. */
    public RequestSigner(String base64Key) {
        try {
            keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(Base64.getDecoder().decode(base64Key), ALGORITHM));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, missing);
        }
    }

    /** The time of a request as it is signed and sent in {@code x-ms-date}. */
    public static String date(Instant instant) {
        return DATE.format(instant);
    }

    /**
     * The text that is signed.
     *
     * @param link the resource, or its parent when a feed is read or something is made in it
     * @param xDate the header {@code x-ms-date}, empty where it is not sent
     * @param date the header {@code date} where the other is not sent, otherwise empty
     */
    public static String payload(String verb, String type, String link, String xDate, String date) {
        return lower(verb)
                + '\n'
                + type
                + '\n'
                + link
                + '\n'
                + lower(xDate)
                + '\n'
                + lower(date)
                + '\n';
    }

    public byte[] sign(String payload) {
        return sign(payload.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * @param payload in UTF-8
     */
    public byte[] sign(byte[] payload) {
        try {
            return ((Mac) keyed.clone()).doFinal(payload);
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException("the JDK's HMAC can be cloned", impossible);
        }
    }

    /** The header {@code authorization} of a request that carries {@code date} in x-ms-date. */
    public String authorization(String verb, String type, String link, String date) {
        String signature =
                Base64.getEncoder().encodeToString(sign(payload(verb, type, link, date, "")));
        return "type%3dmaster%26ver%3d1.0%26sig%3d"
                + signature.replace("+", "%2b").replace("/", "%2f").replace("=", "%3d");
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
