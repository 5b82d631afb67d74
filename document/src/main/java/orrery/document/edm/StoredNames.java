package orrery.document.edm;

import java.util.Set;

/**
 * The names that properties of entities have in items. A name that means something in every item,
 * such as {@code _ts}, has a {@code $} in front there. No property of an entity begins with that
 * sign, so names can be told apart again. A property called {@code id} has two of them, because the
 * row key is stored as {@code $id}.
 */
public final class StoredNames {
    public static final String PARTITION_KEY = "PartitionKey";
    public static final String ROW_KEY = "RowKey";
    public static final String TIMESTAMP = "Timestamp";

    /** The property that holds the partition key, as a text. */
    public static final String STORED_PARTITION_KEY = "$pk";

    /** The property that holds the row key, as a text; the item's id is the same text. */
    public static final String STORED_ROW_KEY = "$id";

    /** The id of an item. */
    public static final String ID = "id";

    /** The property of the service that holds etag and time of an entity's last write. */
    public static final String ETAG = "_etag";

    /** The service's list, and the lifetime of items, which an item has in the same way. */
    private static final Set<String> RESERVED =
            Set.of("_rid", "_self", ETAG, "_attachments", "_ts", ID, "ttl");

    private static final String MARK = "$";
    private static final String STORED_ID = MARK + STORED_ROW_KEY;

    private StoredNames() {}

    /**
     * Returns the name in an item.
     *
     * @param property as clients name it; neither a key nor the timestamp
     */
    public static String stored(String property) {
        if (property.equals(ID)) {
            return STORED_ID;
        }
        return RESERVED.contains(property) ? MARK + property : property;
    }

    /**
     * Returns the name that clients see.
     *
     * @param stored one for which {@link #isProperty} holds
     */
    public static String shown(String stored) {
        if (stored.equals(STORED_ID)) {
            return ID;
        }
        return stored.startsWith(MARK) ? stored.substring(MARK.length()) : stored;
    }

    /**
     * Returns true for the name of a property that a client gave to the entity: no key, and nothing
     * that every item has.
     */
    public static boolean isProperty(String stored) {
        return stored.startsWith(MARK)
                ? stored(shown(stored)).equals(stored)
                : !RESERVED.contains(stored);
    }
}
