package orrery.model.security;

import java.util.Base64;
import java.util.List;

/**
 * The four keys of an account, each in Base64. Two of each kind exist so that one can be replaced
 * while clients still use the other.
 */
public record AccountKeys(
        String primary, String secondary, String primaryReadOnly, String secondaryReadOnly) {
    /** Published with the Cosmos DB emulator, so it protects nothing: good on loopback only. */
    public static final String WELL_KNOWN_KEY =
            "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

    // HMAC-SHA256 gains nothing from a longer key than its block, and loses from a shorter one.
    private static final int MIN_KEY_BYTES = 16;

    public AccountKeys {
        for (String key : List.of(primary, secondary, primaryReadOnly, secondaryReadOnly)) {
            requireUsable(key);
        }
        if (primaryReadOnly.equals(primary)
                || primaryReadOnly.equals(secondary)
                || secondaryReadOnly.equals(primary)
                || secondaryReadOnly.equals(secondary)) {
            throw new IllegalArgumentException(
                    "a read-only account key must differ from the read-write keys");
        }
    }

    /** Returns true if the account is guarded, in whole or in part, by the key everybody knows. */
    public boolean includesWellKnownKey() {
        return List.of(primary, secondary, primaryReadOnly, secondaryReadOnly)
                .contains(WELL_KNOWN_KEY);
    }

    /** Keys are secrets and stay out of logs. */
    @Override
    public String toString() {
        return "AccountKeys[…]";
    }

    private static void requireUsable(String key) {
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(key);
        } catch (IllegalArgumentException notBase64) {
            throw new IllegalArgumentException("an account key must be Base64", notBase64);
        }
        if (secret.length < MIN_KEY_BYTES) {
            throw new IllegalArgumentException(
                    "an account key needs at least " + MIN_KEY_BYTES + " bytes");
        }
    }
}
