package orrery.gateway;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.PartitionKey;
import orrery.model.Precondition;

/**
 * A change to one item. Bodies are JSON text as the client sent it. Where a key is given beside a
 * body it must equal the one found in the body.
 */
public sealed interface ItemWrite {
    record Create(Bytes body, Optional<PartitionKey> key) implements ItemWrite {}

    /** The precondition counts only when the item exists. */
    record Upsert(Bytes body, Optional<PartitionKey> key, Precondition precondition)
            implements ItemWrite {}

    record Replace(ItemRef item, Optional<PartitionKey> key, Bytes body, Precondition precondition)
            implements ItemWrite {}

    /** {@code patch} is the JSON that lists the operations. */
    record Modify(ItemRef item, PartitionKey key, Bytes patch, Precondition precondition)
            implements ItemWrite {}

    record Delete(ItemRef item, PartitionKey key, Precondition precondition) implements ItemWrite {}
}
