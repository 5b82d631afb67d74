package orrery.partition.machine;

import orrery.model.EffectiveKey;
import orrery.model.ItemKey;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.RowKey;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/**
 * Finds the LSN at which a logical partition was last written. Whoever reads it before the items
 * can have a write refused that depends on them: {@link Command.WriteItems} carries the LSN, and
 * apply compares it with the one of that moment.
 */
public final class LastWrite {
    private LastWrite() {}

    /** Returns 0 if the logical partition has no items. */
    public static long of(
            StoreView view, PartitionId partition, EffectiveKey epk, PartitionKey key) {
        byte[] deleted = view.get(Table.META, Keys.keyDeletions(partition));
        return of(
                view,
                partition,
                epk,
                key,
                deleted == null ? KeyDeletions.NONE : KeyDeletions.decode(deleted));
    }

    /**
     * @param deletions those of the partition; a deletion of several keys is not counted with each
     */
    static long of(
            StoreView view,
            PartitionId partition,
            EffectiveKey epk,
            PartitionKey key,
            KeyDeletions deletions) {
        byte[] counters =
                view.get(Table.META, Keys.logicalPartition(partition.container(), epk, key));
        return counters == null
                ? 0
                : Math.max(
                        LogicalPartitionRecord.decode(counters).lastWriteLsn(),
                        deletions.lastOf(new ItemKey(epk, key, RowKey.ofText(""))));
    }
}
