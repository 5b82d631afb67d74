package orrery.model.security;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

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

    private static final int NEW_KEY_BYTES = 64;

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

    /** Makes four keys that nobody has seen. */
    public static AccountKeys generate(SecureRandom random) {
        return new AccountKeys(newKey(random), newKey(random), newKey(random), newKey(random));
    }

    /** Returns the keys of an account that its owner made none for: the published one, to write. */
    public static AccountKeys wellKnown(SecureRandom random) {
        return new AccountKeys(WELL_KNOWN_KEY, WELL_KNOWN_KEY, newKey(random), newKey(random));
    }

    public static String newKey(SecureRandom random) {
        byte[] key = new byte[NEW_KEY_BYTES];
        random.nextBytes(key);
        return Base64.getEncoder().encodeToString(key);
    }

    public String get(KeyKind kind) {
        return switch (kind) {
            case PRIMARY -> primary;
            case SECONDARY -> secondary;
            case PRIMARY_READONLY -> primaryReadOnly;
            case SECONDARY_READONLY -> secondaryReadOnly;
        };
    }

    /** Returns four keys that were made one by one. */
    public static AccountKeys of(Map<KeyKind, String> keys) {
        if (keys.size() < KeyKind.values().length) {
            throw new IllegalArgumentException("an account needs four keys");
        }
        return new AccountKeys(
                keys.getOrDefault(KeyKind.PRIMARY, ""),
                keys.getOrDefault(KeyKind.SECONDARY, ""),
                keys.getOrDefault(KeyKind.PRIMARY_READONLY, ""),
                keys.getOrDefault(KeyKind.SECONDARY_READONLY, ""));
    }

    /** Returns the same keys with some of them replaced. */
    public AccountKeys replacing(Map<KeyKind, String> replaced) {
        return new AccountKeys(
                replaced.getOrDefault(KeyKind.PRIMARY, primary),
                replaced.getOrDefault(KeyKind.SECONDARY, secondary),
                replaced.getOrDefault(KeyKind.PRIMARY_READONLY, primaryReadOnly),
                replaced.getOrDefault(KeyKind.SECONDARY_READONLY, secondaryReadOnly));
    }

    public void write(BinaryWriter out) {
        out.string(primary).string(secondary).string(primaryReadOnly).string(secondaryReadOnly);
    }

    public static AccountKeys read(BinaryReader in) {
        return in.checked(r -> new AccountKeys(r.string(), r.string(), r.string(), r.string()));
    }

    /** Returns true if the account is guarded, in whole or in part, by the key everybody knows. */
    public boolean includesWellKnownKey() {
        return primary.equals(WELL_KNOWN_KEY)
                || secondary.equals(WELL_KNOWN_KEY)
                || primaryReadOnly.equals(WELL_KNOWN_KEY)
                || secondaryReadOnly.equals(WELL_KNOWN_KEY);
    }

    /** Returns true if the keys that write are the published one: nobody has made any. */
    public boolean isWellKnown() {
        return primary.equals(WELL_KNOWN_KEY) && secondary.equals(WELL_KNOWN_KEY);
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
