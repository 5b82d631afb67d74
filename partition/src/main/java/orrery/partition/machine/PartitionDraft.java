package orrery.partition.machine;

import orrery.model.Bytes;
import orrery.model.PartitionId;
import orrery.storage.format.PartitionRecord;

/** A partition while an entry is being applied: the counters move, the rest is replaced whole. */
final class PartitionDraft {
    final PartitionId id;
    final PartitionRecord before;
    OpenDefinition definition;
    long headLsn;
    long timeMillis;
    long nextDocid;
    long items;
    long itemBytes;
    long indexBytes;
    int definitionVersion;
    int policyVersion;
    boolean reindexing;
    Bytes reindexAfter;
    long reindexed;
    boolean definitionChanged;

    PartitionDraft(PartitionId id, PartitionState state) {
        PartitionRecord record = state.record();
        this.id = id;
        this.before = record;
        this.definition = state.definition();
        this.headLsn = record.headLsn();
        this.timeMillis = record.timeMillis();
        this.nextDocid = record.nextDocid();
        this.items = record.items();
        this.itemBytes = record.itemBytes();
        this.indexBytes = record.indexBytes();
        this.definitionVersion = record.definitionVersion();
        this.policyVersion = record.policyVersion();
        this.reindexing = record.reindexing();
        this.reindexAfter = record.reindexAfter();
        this.reindexed = record.reindexed();
    }

    int ownSegment() {
        return before.ownSegment();
    }

    /** Docids carry the range they were born in, so they stay unique when ranges join. */
    long docidAt(long counter) {
        return (long) id.range() << 40 | counter;
    }

    PartitionState toState() {
        return new PartitionState(
                new PartitionRecord(
                        before.keys(),
                        before.segments(),
                        headLsn,
                        timeMillis,
                        nextDocid,
                        items,
                        itemBytes,
                        indexBytes,
                        definitionVersion,
                        policyVersion,
                        reindexing,
                        reindexAfter,
                        reindexed),
                definition);
    }
}
