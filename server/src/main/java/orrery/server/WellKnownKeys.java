package orrery.server;

import java.security.SecureRandom;
import java.util.Base64;
import orrery.model.security.AccountKeys;

/**
 * The keys of a server that has none of its own: the emulator's published key, and read-only keys
 * that nobody knows, so that they open nothing.
 */
final class WellKnownKeys {
    private WellKnownKeys() {}

    static AccountKeys with(SecureRandom random) {
        return new AccountKeys(
                AccountKeys.WELL_KNOWN_KEY,
                AccountKeys.WELL_KNOWN_KEY,
                unknown(random),
                unknown(random));
    }

    private static String unknown(SecureRandom random) {
        byte[] key = new byte[64];
        random.nextBytes(key);
        return Base64.getEncoder().encodeToString(key);
    }
}
