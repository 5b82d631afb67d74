package orrery.frontend.sql;

import orrery.document.SqlId;
import orrery.model.ContainerKind;
import orrery.model.RowKey;

/** Row keys and the ids that clients of SQL write and see for them. */
final class ItemIds {
    private ItemIds() {}

    /**
     * The key of the item that a link or an operation of a batch names. Throws BAD_REQUEST for an
     * id that no item of the container can have.
     */
    static RowKey rowKey(ContainerKind kind, String id) {
        return switch (kind.encoding()) {
            case JSON -> kind.ids().rowKey(id);
            case BSON -> SqlId.parse(kind.encoding(), id);
        };
    }

    static String text(ContainerKind kind, RowKey key) {
        return SqlId.of(kind.encoding(), key);
    }
}
