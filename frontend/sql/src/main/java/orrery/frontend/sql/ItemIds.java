package orrery.frontend.sql;

import orrery.document.SqlId;
import orrery.model.ContainerKind;
import orrery.model.RowKey;

/** Row keys and the ids that clients of SQL write and see for them. */
final class ItemIds {
    private ItemIds() {}

    static String text(ContainerKind kind, RowKey key) {
        return SqlId.of(kind.encoding(), key);
    }
}
