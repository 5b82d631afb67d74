package orrery.frontend.table;

import orrery.document.ByteSink;
import orrery.document.JsonText;
import orrery.document.Value;

/** The keys of an entity, which an answer shows. */
interface EntityKeys {
    String partitionKey();

    String rowKey();

    /** Writes the partition key as JSON. */
    default void writePartitionKey(ByteSink out) {
        JsonText.write(Value.of(partitionKey()), out);
    }

    /** Writes the row key as JSON. */
    default void writeRowKey(ByteSink out) {
        JsonText.write(Value.of(rowKey()), out);
    }
}
