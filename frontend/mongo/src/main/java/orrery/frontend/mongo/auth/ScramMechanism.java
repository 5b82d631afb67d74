package orrery.frontend.mongo.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The two forms of SCRAM that drivers speak, with the numbers of rounds that servers use. */
public enum ScramMechanism {
    SHA_1("SCRAM-SHA-1", "SHA-1", "HmacSHA1", 10_000, 16),
    SHA_256("SCRAM-SHA-256", "SHA-256", "HmacSHA256", 15_000, 28);

    private final String text;
    private final String digest;
    private final String mac;
    private final int iterations;
    private final int saltBytes;

    ScramMechanism(String text, String digest, String mac, int iterations, int saltBytes) {
        this.text = text;
        this.digest = digest;
        this.mac = mac;
        this.iterations = iterations;
        this.saltBytes = saltBytes;
    }

    public String text() {
        return text;
    }

    int iterations() {
        return iterations;
    }

    int saltBytes() {
        return saltBytes;
    }

    public static Optional<ScramMechanism> named(String name) {
        return Arrays.stream(values()).filter(each -> each.text.equals(name)).findFirst();
    }

    byte[] hash(byte[] data) {
        return digest(digest, data);
    }

    byte[] hmac(byte[] key, byte[] data) {
        try {
            Mac keyed = Mac.getInstance(mac);
            keyed.init(new SecretKeySpec(key, mac));
            return keyed.doFinal(data);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has " + mac, missing);
        }
    }

    /** Hi() of RFC 5802 over the password as this mechanism prepares it. */
    byte[] saltedPassword(String user, String password, byte[] salt) {
        byte[] prepared =
                switch (this) {
                    // The texts of keys are ASCII, which SASLprep leaves as it is.
                    case SHA_256 -> utf8(password);
                    case SHA_1 ->
                            utf8(
                                    HexFormat.of()
                                            .formatHex(
                                                    digest(
                                                            "MD5",
                                                            utf8(user + ":mongo:" + password))));
                };
        byte[] first = Arrays.copyOf(salt, salt.length + Integer.BYTES);
        first[first.length - 1] = 1;
        try {
            Mac keyed = Mac.getInstance(mac);
            keyed.init(new SecretKeySpec(prepared, mac));
            byte[] last = keyed.doFinal(first);
            byte[] sum = last.clone();
            for (int i = 1; i < iterations; i++) {
                last = keyed.doFinal(last);
                for (int k = 0; k < sum.length; k++) {
                    sum[k] ^= last[k];
                }
            }
            return sum;
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has " + mac, missing);
        }
    }

    private static byte[] digest(String algorithm, byte[] data) {
        try {
            return MessageDigest.getInstance(algorithm).digest(data);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has " + algorithm, missing);
        }
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
