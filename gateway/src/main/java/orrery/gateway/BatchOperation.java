package orrery.gateway;

import orrery.model.PartitionKey;
import orrery.model.Precondition;

/** One operation of a batch. Items are named by their id. */
public sealed interface BatchOperation {
    /**
     * @param known holds for the version the client has, which it need not be sent
     */
    record Read(String id, PartitionKey key, Precondition known) implements BatchOperation {}

    record Write(ItemWrite write) implements BatchOperation {}
}
