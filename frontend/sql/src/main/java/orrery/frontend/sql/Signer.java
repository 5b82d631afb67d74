package orrery.frontend.sql;

import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs with one account key. Safe for many threads: each signature works on its own copy. */
final class Signer {
    private static final String ALGORITHM = "HmacSHA256";

    /** Initialised once and only ever cloned; setting up a key costs more than signing. */
    private final Mac keyed;

    Signer(String base64Key) {
        try {
            keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(Base64.getDecoder().decode(base64Key), ALGORITHM));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, missing);
        }
    }

    byte[] sign(byte[] text) {
        try {
            return ((Mac) keyed.clone()).doFinal(text);
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException("the JDK's HMAC can be cloned", impossible);
        }
    }
}
