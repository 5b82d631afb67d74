package orrery.frontend.table;

import orrery.frontend.rest.PercentText;

/** The addresses of tables and entities, relative to the account. */
final class EntityLink {
    private EntityLink() {}

    /** {@code T(PartitionKey='..',RowKey='..')}, with keys as URLs have them. */
    static String of(String table, String partitionKey, String rowKey) {
        return table
                + "(PartitionKey='"
                + encoded(partitionKey)
                + "',RowKey='"
                + encoded(rowKey)
                + "')";
    }

    /** {@code Tables('T')}. */
    static String ofTable(String table) {
        return "Tables('" + encoded(table) + "')";
    }

    /** Clients find the keys between the quotes, so those stay, and inner ones are doubled. */
    private static String encoded(String key) {
        return PercentText.encode(key).replace("%27", "''");
    }
}
