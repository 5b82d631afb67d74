package orrery.gateway;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import orrery.model.Bytes;

/**
 * Seals what clients carry for us, with a key of the account that is none of its account keys. Safe
 * for many threads.
 */
final class Seals {
    static final int MAX_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    Seals(Bytes sealingKey) {
        this.key = new SecretKeySpec(sealingKey.unsafeArray(), ALGORITHM);
    }

    /**
     * Returns the seal of a content, {@link #MAX_BYTES} long.
     *
     * @param use without U+0000: a seal for one use is none for another
     */
    byte[] of(String use, byte[] content) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(use.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return mac.doFinal(content);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
