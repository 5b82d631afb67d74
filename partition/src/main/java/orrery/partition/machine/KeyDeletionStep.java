package orrery.partition.machine;

import java.util.List;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.PartitionKeyDefinition;
import orrery.storage.format.DataSize;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/** Deletes all items of a key by taking note of it: their rows go later. */
final class KeyDeletionStep {
    private final EntryOverlay overlay;
    private final PartitionDraft partition;
    private final DeleteKey command;

    KeyDeletionStep(EntryOverlay overlay, PartitionDraft partition, DeleteKey command) {
        this.overlay = overlay;
        this.partition = partition;
        this.command = command;
    }

    Outcome run() {
        KeyRange keys = command.keys();
        // Outside lies another partition since a split: the gateway looks anew.
        boolean isHere =
                partition.keys().contains(keys.min())
                        && keys.max().compareTo(partition.keys().max()) <= 0;
        if (!isHere) {
            return new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0);
        }
        PartitionKeyDefinition definition =
                partition.definition.current().definition().partitionKey();
        long timeMillis = Math.max(partition.timeMillis, command.stampMillis());
        boolean isWhole = command.key().components().size() == definition.paths().size();
        Bytes logicalKey =
                Bytes.wrap(
                        Keys.logicalPartition(partition.id.container(), keys.min(), command.key()));
        LogicalPartitionRecord logical = overlay.logicalPartition(logicalKey);
        boolean isEmpty = isWhole ? logical.size().items() == 0 : partition.size.items() == 0;
        if (isEmpty) {
            return new Outcome.Written(partition.headLsn, timeMillis, 0, List.of());
        }
        long lsn = partition.headLsn + 1;
        KeyDeletions next =
                partition.deletions.with(new KeyDeletions.Deletion(command.key(), keys, lsn));
        if (next.deletions().size() > overlay.level().maxDeletions()
                && next.deletions().size() > partition.deletions.deletions().size()) {
            return new Outcome.Rejected(ErrorCode.TOO_MANY_REQUESTS, 0, 0);
        }
        partition.deletions = next;
        partition.deletionsChanged = true;
        if (isWhole) {
            overlay.putLogicalPartition(logicalKey, logical.after(DataSize.NONE, lsn));
        }
        partition.advance(overlay.batch(), lsn, timeMillis);
        return new Outcome.Written(lsn, timeMillis, 0, List.of());
    }
}
