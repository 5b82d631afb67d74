package orrery.gateway;

import java.util.HashSet;
import java.util.Set;
import orrery.model.ClientEncryptionPolicy;
import orrery.model.ClientEncryptionPolicy.IncludedPath;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * Checks which properties a container lets clients encrypt. The server must be able to find items,
 * so their ids and keys are encrypted in a way that gives one value always the same text.
 */
final class EncryptionRules {
    static final String ALGORITHM = "AEAD_AES_256_CBC_HMAC_SHA256";

    private static final String DETERMINISTIC = "Deterministic";
    private static final String RANDOMIZED = "Randomized";
    private static final int FIRST_VERSION = 1;
    private static final int VERSION_WITH_KEYS = 2;

    private EncryptionRules() {}

    static void check(ContainerDefinition definition) {
        definition.encryption().ifPresent(policy -> check(policy, definition));
    }

    private static void check(ClientEncryptionPolicy policy, ContainerDefinition definition) {
        int version = policy.formatVersion();
        if (version != FIRST_VERSION && version != VERSION_WITH_KEYS) {
            throw bad("Supported versions of client encryption policy are 1 and 2.");
        }
        Set<String> seen = new HashSet<>();
        for (IncludedPath included : policy.includedPaths()) {
            check(included);
            if (!seen.add(included.path())) {
                throw bad(
                        "Duplicate path found: "
                                + included.path()
                                + " in client encryption policy.");
            }
            if (isKey(included, definition)) {
                checkKey(included, version);
            }
        }
    }

    private static void check(IncludedPath included) {
        String path = included.path();
        if (path.length() < 2 || path.charAt(0) != '/' || path.indexOf('/', 1) >= 0) {
            throw bad(
                    "The path '"
                            + path
                            + "' of the client encryption policy must name a property at the top of"
                            + " an item, such as /ssn.");
        }
        if (!included.type().equals(DETERMINISTIC) && !included.type().equals(RANDOMIZED)) {
            throw bad("EncryptionType should be either 'Deterministic' or 'Randomized'.");
        }
        if (!included.algorithm().equals(ALGORITHM)) {
            throw bad("EncryptionAlgorithm should be '" + ALGORITHM + "'.");
        }
    }

    private static boolean isKey(IncludedPath included, ContainerDefinition definition) {
        String name = included.path().substring(1);
        return name.equals("id")
                || definition.partitionKey().paths().stream()
                        .anyMatch(path -> path.segments().getFirst().equals(name));
    }

    private static void checkKey(IncludedPath included, int version) {
        if (version < VERSION_WITH_KEYS) {
            throw bad(
                    "Encryption of partition key or id is only supported with policy format"
                            + " version 2.");
        }
        if (!included.type().equals(DETERMINISTIC)) {
            throw bad(
                    "The path '"
                            + included.path()
                            + "' is the id or part of the partition key, so it has to be encrypted"
                            + " with the type Deterministic.");
        }
    }

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
