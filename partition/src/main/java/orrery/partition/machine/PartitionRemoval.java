package orrery.partition.machine;

import orrery.model.EffectiveKey;
import orrery.model.PartitionId;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/** Deletes everything a partition holds, by ranges: the cost does not depend on how much it is. */
final class PartitionRemoval {
    private final StoreBatch batch;
    private final PartitionId id;
    private final PartitionRecord record;

    PartitionRemoval(StoreBatch batch, PartitionId id, PartitionRecord record) {
        this.batch = batch;
        this.id = id;
        this.record = record;
    }

    void run() {
        int container = id.container();
        EffectiveKey min = record.keys().min();
        EffectiveKey max = record.keys().max();
        batch.deleteRange(
                Table.ITEMS, Keys.itemsFrom(container, min), Keys.itemsFrom(container, max));
        batch.deleteRange(
                Table.META,
                Keys.logicalPartitionsFrom(container, min),
                Keys.logicalPartitionsFrom(container, max));
        // Only its own segment: older ones may be shared with siblings of a split.
        byte[] segment = Keys.segment(container, record.ownSegment());
        batch.deleteRange(Table.INDEX, segment, Keys.after(segment));
        batch.deleteRange(Table.CHANGES, segment, Keys.after(segment));
        byte[] times = Keys.times(container, record.ownSegment());
        batch.deleteRange(Table.META, times, Keys.after(times));
        batch.delete(Table.META, Keys.definition(id));
        batch.delete(Table.META, Keys.partition(id));
    }
}
