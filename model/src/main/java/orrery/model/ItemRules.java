package orrery.model;

import java.util.List;

/** The limits on the size of items and partition keys. They hold for every API. */
public final class ItemRules {
    /** Clients compare it as a whole, so it says no numbers. */
    public static final String TOO_LARGE = "Request size is too large";

    private static final int MAX_KEY_BYTES = 2048;

    private ItemRules() {}

    public static void checkBody(SizeLimits limits, Bytes body) {
        if (body.length() > limits.maxItemBytes()) {
            throw new OrreryException(ErrorCode.TOO_LARGE, TOO_LARGE);
        }
    }

    /**
     * Checks a body that arrived in another encoding than the one it is kept in. What is kept may
     * be shorter, so more is let in; it is checked again as it is kept.
     */
    public static void checkArrived(SizeLimits limits, Bytes body) {
        if (body.length() > limits.maxRequestBytes()) {
            throw new OrreryException(ErrorCode.TOO_LARGE, TOO_LARGE);
        }
    }

    public static void checkKey(PartitionKey key) {
        int bytes = key.textBytes();
        if (bytes > MAX_KEY_BYTES) {
            throw bad(
                    "The partition key value may have 2048 bytes and this one has " + bytes + ".");
        }
    }

    /**
     * A container without a key, or with one that the system added, is addressed with no components
     * or with the undefined one; both mean "no key".
     */
    public static PartitionKey normalise(PartitionKeyDefinition definition, PartitionKey key) {
        boolean none = key.components().isEmpty() || key.components().equals(UNDEFINED);
        if (!none) {
            return key;
        }
        if (definition.paths().isEmpty()) {
            return PartitionKey.EMPTY;
        }
        return definition.paths().size() == 1 ? PartitionKey.of(KeyComponent.UNDEFINED) : key;
    }

    private static final List<KeyComponent> UNDEFINED = List.of(KeyComponent.UNDEFINED);

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
