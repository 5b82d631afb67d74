package orrery.partition.machine;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.codec.BinaryWriter;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.Counters;
import orrery.storage.format.DataSize;
import orrery.storage.format.Docid;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/** A partition while an entry is being applied: the counters move, the rest is replaced whole. */
final class PartitionDraft {
    private static final long MILLIS_PER_MINUTE = 60_000;

    final PartitionId id;
    final PartitionRecord before;
    OpenDefinition definition;
    List<PartitionRecord.Segment> segments;
    long headLsn;
    long timeMillis;
    long nextDocid;
    long lastTick;
    DataSize size;
    int definitionVersion;
    int policyVersion;
    boolean reindexing;
    Bytes reindexAfter;
    long reindexed;
    Optional<PartitionRecord.PreparedSplit> split;
    List<PartitionRecord.Journal> journals;
    PartitionRecord.Standing standing;
    KeyDeletions deletions;
    boolean definitionChanged;
    boolean deletionsChanged;

    PartitionDraft(PartitionId id, PartitionState state) {
        PartitionRecord record = state.record();
        this.id = id;
        this.before = record;
        this.definition = state.definition();
        this.segments = record.segments();
        this.headLsn = record.headLsn();
        this.timeMillis = record.timeMillis();
        this.nextDocid = record.counters().nextDocid();
        this.lastTick = record.counters().lastTick();
        this.size = record.size();
        this.definitionVersion = record.definitionVersion();
        this.policyVersion = record.policyVersion();
        this.reindexing = record.reindexing();
        this.reindexAfter = record.reindexAfter();
        this.reindexed = record.counters().reindexed();
        this.split = record.split();
        this.journals = record.journals();
        this.standing = record.standing();
        this.deletions = state.deletions();
    }

    KeyRange keys() {
        return before.keys();
    }

    boolean isFailed() {
        return standing.failure().isPresent();
    }

    int ownSegment() {
        return segments.getLast().number();
    }

    ContainerKind.EtagScheme etags() {
        return definition.current().definition().kind().etags();
    }

    int retentionMinutes() {
        return definition.current().definition().changeRetentionMinutes();
    }

    /** Docids carry the range they were born in, so they stay unique when ranges join. */
    long docidAt(long counter) {
        return Docid.atHome(id.range(), counter);
    }

    /** Counts a change to the items of one key, also for the side of a coming split it is on. */
    void count(EffectiveKey epk, DataSize change) {
        size = size.plus(change);
        split =
                split.map(
                        prepared ->
                                epk.compareTo(prepared.at()) < 0
                                        ? prepared.plus(change)
                                        : prepared);
    }

    Presence presence(long nowMillis) {
        return Presence.of(definition, deletions, nowMillis);
    }

    /** The items have changed: the head goes on, and time with it. */
    void advance(StoreBatch batch, long lsn, long nowMillis) {
        noteMinute(batch, lsn, nowMillis);
        headLsn = lsn;
        timeMillis = nowMillis;
    }

    /** Time goes on, and nothing else. */
    void advanceTime(StoreBatch batch, long nowMillis) {
        if (nowMillis > timeMillis) {
            noteMinute(batch, headLsn + 1, nowMillis);
            timeMillis = nowMillis;
        }
    }

    /**
     * Notes the first LSN that a change of this minute can have, if it is the first that the
     * partition sees of the minute.
     */
    private void noteMinute(StoreBatch batch, long lsn, long nowMillis) {
        long minute = nowMillis / MILLIS_PER_MINUTE;
        if (minute > timeMillis / MILLIS_PER_MINUTE) {
            batch.put(
                    Table.META,
                    Keys.time(id.container(), ownSegment(), minute),
                    new BinaryWriter(8).u64(lsn).toArray());
        }
    }

    Counters counters() {
        return new Counters(size, nextDocid, reindexed, lastTick, before.counters().others());
    }

    PartitionState toState() {
        return new PartitionState(
                new PartitionRecord(
                        before.keys(),
                        segments,
                        headLsn,
                        timeMillis,
                        counters(),
                        definitionVersion,
                        policyVersion,
                        reindexing,
                        reindexAfter,
                        split,
                        journals,
                        standing),
                definition,
                deletions);
    }
}
