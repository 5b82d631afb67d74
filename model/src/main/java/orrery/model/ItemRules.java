package orrery.model;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The service's limits on the shape and size of items. They always hold. */
public final class ItemRules {
    /** Clients compare it as a whole, so it says no numbers. */
    public static final String TOO_LARGE = "Request size is too large";

    private static final int MAX_ID_BYTES = 1023;
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

    public static void checkId(String id) {
        int bytes = id.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > MAX_ID_BYTES) {
            throw bad(
                    "The input name is invalid. Ensure to provide a unique non-empty string less"
                            + " than '1024' characters. In UTF-8 the id of an item may have 1023"
                            + " bytes and this one has "
                            + bytes
                            + ".");
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (c == '\\') {
                throw bad("Id contains illegal chars. The id of an item has no backslash.");
            }
            if (Character.isSurrogate(c) && isLone(id, i)) {
                throw bad("The id of an item is not well-formed text.");
            }
        }
    }

    public static void checkKey(PartitionKeyDefinition definition, PartitionKey key) {
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

    private static boolean isLone(String text, int index) {
        char c = text.charAt(index);
        return Character.isHighSurrogate(c)
                ? index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1))
                : index == 0 || !Character.isHighSurrogate(text.charAt(index - 1));
    }

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
