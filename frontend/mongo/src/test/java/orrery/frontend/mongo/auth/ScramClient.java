package orrery.frontend.mongo.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** A client's side of a login, made of what the JDK has and of nothing that the server uses. */
public final class ScramClient {
    private static final String NONCE = "rOprNGfwEbeRWgbNEkqO";

    private final String mechanism;
    private final String user;
    private final String password;
    private final String bare;

    /** Holds what the last message said, to check the answer to it. */
    private String expectedSignature = "";

    public ScramClient(String mechanism, String user, String password) {
        this.mechanism = mechanism;
        this.user = user;
        this.password = password;
        this.bare = "n=" + user.replace("=", "=3D").replace(",", "=2C") + ",r=" + NONCE;
    }

    public byte[] first() {
        return utf8("n,," + bare);
    }

    /** Returns the message that follows the first one of the server. */
    public byte[] last(byte[] serverFirst) {
        String first = new String(serverFirst, StandardCharsets.UTF_8);
        String[] parts = first.split(",", -1);
        String nonce = parts[0].substring(2);
        byte[] salt = Base64.getDecoder().decode(parts[1].substring(2));
        int rounds = Integer.parseInt(parts[2].substring(2));
        if (!nonce.startsWith(NONCE) || nonce.length() < NONCE.length() + 16) {
            throw new IllegalStateException("the server has no nonce of its own: " + nonce);
        }
        try {
            byte[] salted = salted(salt, rounds);
            byte[] clientKey = hmac(salted, "Client Key");
            byte[] storedKey = MessageDigest.getInstance(digest()).digest(clientKey);
            String withoutProof = "c=biws,r=" + nonce;
            String message = bare + "," + first + "," + withoutProof;
            byte[] proof = hmac(storedKey, message);
            for (int i = 0; i < proof.length; i++) {
                proof[i] ^= clientKey[i];
            }
            expectedSignature = "v=" + base64(hmac(hmac(salted, "Server Key"), message));
            return utf8(withoutProof + ",p=" + base64(proof));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /** Returns the answer of a server that has the key too. */
    public String expectedSignature() {
        return expectedSignature;
    }

    private String digest() {
        return mechanism.substring("SCRAM-".length());
    }

    private byte[] salted(byte[] salt, int rounds) throws GeneralSecurityException {
        boolean isOld = digest().equals("SHA-1");
        byte[] md5 = MessageDigest.getInstance("MD5").digest(utf8(user + ":mongo:" + password));
        String prepared = isOld ? HexFormat.of().formatHex(md5) : password;
        PBEKeySpec spec = new PBEKeySpec(prepared.toCharArray(), salt, rounds, isOld ? 160 : 256);
        return SecretKeyFactory.getInstance("PBKDF2WithHmac" + digest().replace("-", ""))
                .generateSecret(spec)
                .getEncoded();
    }

    private byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        String name = "Hmac" + digest().replace("-", "");
        Mac mac = Mac.getInstance(name);
        mac.init(new SecretKeySpec(key, name));
        return mac.doFinal(utf8(text));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
