package orrery.frontend.mongo.auth;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;

/** The server's side of one login. Used by one thread at a time. */
public final class ScramConversation {
    private final ScramMechanism mechanism;
    private final List<ScramKeys.Key> keys;
    private final String firstMessages;
    private final String nonce;
    private final String header;
    private final byte[] serverFirst;

    private ScramConversation(
            ScramMechanism mechanism,
            List<ScramKeys.Key> keys,
            String header,
            String clientFirstBare,
            String nonce,
            byte[] salt) {
        this.mechanism = mechanism;
        this.keys = keys;
        this.header = header;
        this.nonce = nonce;
        String first =
                "r="
                        + nonce
                        + ",s="
                        + Base64.getEncoder().encodeToString(salt)
                        + ",i="
                        + mechanism.iterations();
        this.firstMessages = clientFirstBare + "," + first;
        this.serverFirst = ScramMechanism.utf8(first);
    }

    /** A first message of a client. */
    record ClientFirst(String header, String bare, String user, String nonce) {
        /** Empty if it is none. */
        static Optional<ClientFirst> parse(byte[] payload) {
            String text = new String(payload, StandardCharsets.UTF_8);
            // No channel binding: neither "y" nor "n" names one, and "p=" would.
            if (!text.startsWith("n,") && !text.startsWith("y,")) {
                return Optional.empty();
            }
            int end = text.indexOf(',', 2);
            if (end < 0) {
                return Optional.empty();
            }
            String bare = text.substring(end + 1);
            String[] parts = bare.split(",", -1);
            if (parts.length < 2 || !parts[0].startsWith("n=") || !parts[1].startsWith("r=")) {
                return Optional.empty();
            }
            String nonce = parts[1].substring(2);
            return nonce.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            new ClientFirst(
                                    text.substring(0, end + 1),
                                    bare,
                                    parts[0].substring(2).replace("=2C", ",").replace("=3D", "="),
                                    nonce));
        }
    }

    /**
     * @param keys those that may log in; none for a user that nobody knows, whose login goes on and
     *     fails at its end
     */
    static ScramConversation begin(
            ScramMechanism mechanism,
            ClientFirst first,
            List<ScramKeys.Key> keys,
            String serverNonce,
            byte[] salt) {
        return new ScramConversation(
                mechanism, keys, first.header(), first.bare(), first.nonce() + serverNonce, salt);
    }

    public byte[] serverFirst() {
        return serverFirst.clone();
    }

    /**
     * The end of a login that has succeeded.
     *
     * @param signature the server's proof that it knows the key
     */
    public record Proven(Login login, Bytes signature) {}

    /** Checks the last message of the client. Empty if it does not prove that it has a key. */
    public Optional<Proven> finish(byte[] payload) {
        String text;
        try {
            text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(java.nio.ByteBuffer.wrap(payload))
                            .toString();
        } catch (CharacterCodingException notText) {
            return Optional.empty();
        }
        int at = text.lastIndexOf(",p=");
        if (at < 0) {
            return Optional.empty();
        }
        String withoutProof = text.substring(0, at);
        String binding =
                "c=" + Base64.getEncoder().encodeToString(ScramMechanism.utf8(header)) + ",r=";
        Optional<byte[]> proof = decoded(text.substring(at + 3));
        if (proof.isEmpty() || !withoutProof.equals(binding + nonce)) {
            return Optional.empty();
        }
        byte[] message = ScramMechanism.utf8(firstMessages + "," + withoutProof);
        Optional<Proven> proven = Optional.empty();
        // All keys are tried, so that the time tells nothing about which one it was.
        for (ScramKeys.Key key : keys) {
            if (isProof(key, message, proof.get())) {
                byte[] signature = mechanism.hmac(key.serverKey().unsafeArray(), message);
                proven =
                        Optional.of(
                                new Proven(
                                        new Login(key.kind(), key.text()),
                                        Bytes.ofUtf8(
                                                "v="
                                                        + Base64.getEncoder()
                                                                .encodeToString(signature))));
            }
        }
        return proven;
    }

    private static Optional<byte[]> decoded(String base64) {
        try {
            return Optional.of(Base64.getDecoder().decode(base64));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    private boolean isProof(ScramKeys.Key key, byte[] message, byte[] proof) {
        byte[] signature = mechanism.hmac(key.storedKey().unsafeArray(), message);
        if (proof.length != signature.length) {
            return false;
        }
        byte[] clientKey = new byte[proof.length];
        for (int i = 0; i < proof.length; i++) {
            clientKey[i] = (byte) (proof[i] ^ signature[i]);
        }
        return MessageDigest.isEqual(mechanism.hash(clientKey), key.storedKey().unsafeArray());
    }
}
