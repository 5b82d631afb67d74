package orrery.gateway.api;

import java.util.Optional;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.model.Statement;

/** One operation of a batch. Items are named by their row key. */
public sealed interface BatchOperation {
    /**
     * @param known holds for the version the client has, which it need not be sent
     */
    record Read(RowKey item, PartitionKey key, Precondition known) implements BatchOperation {
        /** Names an item whose key is a text, in an API where any text may be one. */
        public Read(String text, PartitionKey key, Precondition known) {
            this(RowKey.ofText(text), key, known);
        }
    }

    /**
     * @param statement of a bulk, the name that a session has for the write; an atomic batch names
     *     all of its writes at once
     */
    record Write(ItemWrite write, Optional<Statement> statement) implements BatchOperation {
        /** A write that no session has a name for. */
        public Write(ItemWrite write) {
            this(write, Optional.empty());
        }
    }

    /** One that the front-end cannot ask for. It is refused in its turn, as one of many. */
    record Refused(OrreryException reason) implements BatchOperation {}
}
