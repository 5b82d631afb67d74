package orrery.partition;

import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.PartitionKey;
import orrery.partition.machine.PartitionState;
import orrery.storage.ReplicaStore;
import orrery.storage.Table;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/** Reads the bytes that the store counts for a logical partition. */
record KeyCounters(ReplicaStore store) {
    long bytes(int container, PartitionState state, PartitionKey key) {
        EffectiveKey epk =
                EffectiveKeys.of(state.definition().current().definition().partitionKey(), key);
        return bytes(Keys.logicalPartition(container, epk, key));
    }

    /**
     * @param row the key of its row
     */
    long bytes(byte[] row) {
        byte[] value = store.get(Table.META, row);
        return value == null ? 0 : LogicalPartitionRecord.decode(value).size().bytes();
    }
}
