package orrery.document.edm;

import java.util.Map;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * The limits of a whole entity. The front-end checks what a client sends; what a merge makes of it
 * is known in the partition only.
 */
public final class EntityLimits {
    /** Besides the two keys and the timestamp. */
    public static final int MAX_PROPERTIES = 252;

    public static final int MAX_BYTES = 1 << 20;

    /** Tells this refusal from the one of the size, which has the same code. */
    public static final String TOO_MANY_PROPERTIES =
            "The entity contains more properties than allowed. Each entity can include up to 252"
                    + " properties to store data. Each entity also has 3 system properties.";

    private static final String TOO_LARGE =
            "The entity is larger than the maximum allowed size (1MB).";

    private EntityLimits() {}

    /**
     * Checks an entity.
     *
     * @throws OrreryException TOO_LARGE
     */
    public static void check(String partitionKey, String rowKey, Map<String, EdmValue> properties) {
        long bytes = bytes(partitionKey, rowKey);
        for (Map.Entry<String, EdmValue> property : properties.entrySet()) {
            bytes += bytes(property.getKey()) + bytes(property.getValue());
        }
        check(properties.size(), bytes);
    }

    /**
     * Checks an item that a table is to hold.
     *
     * @throws OrreryException TOO_LARGE
     */
    public static void check(Map<String, Value> stored) {
        long bytes =
                bytes(
                        text(stored, StoredNames.STORED_PARTITION_KEY),
                        text(stored, StoredNames.STORED_ROW_KEY));
        int count = 0;
        for (Map.Entry<String, Value> member : stored.entrySet()) {
            if (StoredNames.isProperty(member.getKey())) {
                count++;
                bytes += bytes(StoredNames.shown(member.getKey()));
                bytes +=
                        EdmValue.ofStored(member.getValue())
                                .map(EntityLimits::bytes)
                                .orElseGet(() -> textBytes(JsonText.write(member.getValue())));
            }
        }
        check(count, bytes);
    }

    private static String text(Map<String, Value> stored, String name) {
        return stored.get(name) instanceof Value.Text(String text) ? text : "";
    }

    private static void check(int properties, long bytes) {
        if (properties > MAX_PROPERTIES) {
            throw new OrreryException(ErrorCode.TOO_LARGE, TOO_MANY_PROPERTIES);
        }
        if (bytes > MAX_BYTES) {
            throw new OrreryException(ErrorCode.TOO_LARGE, TOO_LARGE);
        }
    }

    // The sum is the one that the service documents: texts in UTF-16, and a few bytes for each
    // part.

    private static long bytes(String partitionKey, String rowKey) {
        return 4 + 2L * (partitionKey.length() + rowKey.length());
    }

    private static long bytes(String name) {
        return 8 + 2L * name.length();
    }

    private static long bytes(EdmValue value) {
        return switch (value) {
            case EdmValue.Text(String text) -> textBytes(text);
            case EdmValue.Binary(var bytes) -> bytes.length() + 4L;
            case EdmValue.Int64 _, EdmValue.Real _, EdmValue.Moment _ -> 8L;
            case EdmValue.Guid _ -> 16L;
            case EdmValue.Int32 _ -> 4L;
            case EdmValue.Bool _ -> 1L;
        };
    }

    private static long textBytes(String text) {
        return 2L * text.length() + 4;
    }
}
