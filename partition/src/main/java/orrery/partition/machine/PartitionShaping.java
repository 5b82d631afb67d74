package orrery.partition.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.codec.BinaryWriter;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.DataSize;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;
import orrery.storage.format.PartitionRecord.Journal;
import orrery.storage.format.PartitionRecord.PreparedSplit;
import orrery.storage.format.PartitionRecord.Segment;

/**
 * Opens, cuts, joins and drops partitions. Items lie in key order whoever owns them, and index
 * entries are shared through segments, so none of this costs more where there is more data.
 *
 * <pre>
 *   before   [ partition 0: segment 0                            )
 *   split    [ 1: segments 0, 1       )[ 2: segments 0, 2        )
 *   merge    [ 3: segments 0, 1, 2, 3                            )
 * </pre>
 */
final class PartitionShaping {
    private final EntryOverlay overlay;
    private final StoreBatch batch;

    PartitionShaping(EntryOverlay overlay) {
        this.overlay = overlay;
        this.batch = overlay.batch();
    }

    Outcome open(Command.OpenPartition command, OpenDefinition definition) {
        boolean isTaken =
                overlay.partitionsOf(command.partition().container()).values().stream()
                        .anyMatch(state -> isInTheWay(state.record(), command));
        if (isTaken) {
            return refused(ErrorCode.CONFLICT);
        }
        put(
                command.partition(),
                PartitionRecord.opened(
                        new Segment(command.segment(), command.keys()),
                        command.stampMillis(),
                        command.definition().version(),
                        command.definition().definition().changeRetentionMinutes() > 0),
                definition,
                KeyDeletions.NONE);
        return new Outcome.Done();
    }

    private static boolean isInTheWay(PartitionRecord other, Command.OpenPartition command) {
        return other.keys().overlaps(command.keys())
                || other.segments().stream()
                        .anyMatch(segment -> segment.number() == command.segment());
    }

    /** From now on the left side's changes are counted apart. */
    Outcome prepareSplit(ReshapeCommand.PrepareSplit command) {
        PartitionDraft parent = overlay.draft(command.partition());
        if (parent == null) {
            return isOpen(command.partition(), command.left())
                    ? new Outcome.Done()
                    : refused(ErrorCode.RANGE_GONE);
        }
        if (isPrepared(parent, command.left(), command.right())) {
            return new Outcome.Done();
        }
        boolean isInside =
                parent.keys().contains(command.at()) && !parent.keys().min().equals(command.at());
        if (!isInside) {
            return refused(ErrorCode.BAD_REQUEST);
        }
        if (parent.segments.size() >= overlay.level().maxSegments()
                || parent.journals.size() >= overlay.level().maxJournals()) {
            return refused(ErrorCode.RETRY_WITH);
        }
        parent.split =
                Optional.of(
                        new PreparedSplit(
                                command.at(),
                                command.left(),
                                command.right(),
                                overlay.position(),
                                DataSize.NONE));
        return new Outcome.Done();
    }

    /** Closes the parent and opens its children over the same rows. */
    Outcome commitSplit(ReshapeCommand.CommitSplit command) {
        PartitionDraft parent = overlay.draft(command.partition());
        if (parent == null) {
            return isOpen(command.partition(), command.left())
                    ? new Outcome.Done()
                    : refused(ErrorCode.RANGE_GONE);
        }
        Optional<PreparedSplit> found =
                parent.split.filter(split -> split.position() == command.prepared());
        if (found.isEmpty() || !isPrepared(parent, command.left(), command.right())) {
            return refused(ErrorCode.RETRY_WITH);
        }
        PreparedSplit prepared = found.get();
        DataSize left = command.leftBefore().plus(prepared.leftChange());
        DataSize right = parent.size.minus(left);
        if (left.isNegative() || right.isNegative()) {
            return refused(ErrorCode.RETRY_WITH);
        }
        close(parent);
        long time = Math.max(parent.timeMillis, command.stampMillis());
        openChild(
                parent,
                sibling(parent.id, command.left()),
                new Segment(
                        command.leftSegment(), new KeyRange(parent.keys().min(), prepared.at())),
                left,
                time);
        openChild(
                parent,
                sibling(parent.id, command.right()),
                new Segment(
                        command.rightSegment(), new KeyRange(prepared.at(), parent.keys().max())),
                right,
                time);
        releaseUnused(parent.id.container(), parent.segments);
        return new Outcome.Done();
    }

    private void openChild(
            PartitionDraft parent, PartitionId id, Segment own, DataSize size, long time) {
        KeyRange keys = own.clip();
        boolean isEmpty = size.items() == 0;
        List<Segment> segments =
                isEmpty ? new ArrayList<>() : PartitionRecord.clipped(parent.segments, keys);
        segments.add(own);
        List<Journal> journals = new ArrayList<>();
        if (!parent.journals.isEmpty()) {
            journals.addAll(clipped(closed(parent, time), keys));
            journals.add(Journal.open(segments.getLast()));
        }
        // The child passes quickly over the items that the parent has re-indexed so far.
        boolean reindexing =
                !isEmpty && (parent.reindexing || segments.size() > overlay.level().segmentsKept());
        put(
                id,
                new PartitionRecord(
                        keys,
                        segments,
                        parent.headLsn + 1,
                        time,
                        parent.counters().inherited(size),
                        parent.definitionVersion,
                        parent.policyVersion,
                        reindexing,
                        Bytes.EMPTY,
                        Optional.empty(),
                        journals,
                        parent.standing),
                isEmpty ? parent.definition.onlyCurrent() : parent.definition,
                isEmpty ? KeyDeletions.NONE : parent.deletions.within(keys));
    }

    /** Closes two neighbours and opens one partition over the rows of both. */
    Outcome merge(ReshapeCommand.MergePartitions command) {
        PartitionDraft left = overlay.draft(command.partition());
        PartitionDraft right = overlay.draft(sibling(command.partition(), command.right()));
        if (left == null || right == null) {
            return isOpen(command.partition(), command.into())
                    ? new Outcome.Done()
                    : refused(ErrorCode.RANGE_GONE);
        }
        if (!left.keys().max().equals(right.keys().min())) {
            return refused(ErrorCode.BAD_REQUEST);
        }
        boolean isIndexedAlike =
                left.definition.current().terms().equals(right.definition.current().terms());
        if (!isIndexedAlike && left.policyVersion == right.policyVersion) {
            return refused(ErrorCode.BAD_REQUEST);
        }
        List<Segment> segments = joined(left.segments, right.segments);
        if (segments.size() >= overlay.level().maxSegments()) {
            comeHome(left);
            comeHome(right);
            return refused(ErrorCode.RETRY_WITH);
        }
        if (!isAtRest(left) || !isAtRest(right) || left.policyVersion != right.policyVersion) {
            return refused(ErrorCode.RETRY_WITH);
        }
        PartitionDraft newer = left.definitionVersion >= right.definitionVersion ? left : right;
        long time = Math.max(Math.max(left.timeMillis, right.timeMillis), command.stampMillis());
        List<Journal> journals =
                newer.retentionMinutes() == 0
                        ? new ArrayList<>()
                        : joinedJournals(left, right, time);
        if (journals.size() >= overlay.level().maxJournals()) {
            return refused(ErrorCode.RETRY_WITH);
        }
        close(left);
        close(right);
        KeyRange keys = new KeyRange(left.keys().min(), right.keys().max());
        PartitionId id = sibling(left.id, command.into());
        DataSize size = left.size.plus(right.size);
        segments.add(new Segment(command.segment(), keys));
        if (newer.retentionMinutes() > 0) {
            journals.add(Journal.open(segments.getLast()));
        }
        put(
                id,
                new PartitionRecord(
                        keys,
                        segments,
                        Math.max(left.headLsn, right.headLsn) + 1,
                        time,
                        left.counters().joined(right.counters(), size),
                        newer.definitionVersion,
                        newer.policyVersion,
                        size.items() > 0 && segments.size() > overlay.level().segmentsKept(),
                        Bytes.EMPTY,
                        Optional.empty(),
                        journals,
                        newer.standing),
                newer.definition,
                left.deletions.and(right.deletions));
        releaseJournals(id.container(), left.journals);
        releaseJournals(id.container(), right.journals);
        return new Outcome.Done();
    }

    /** The journals of both, none of which is written to any more. */
    private static List<Journal> joinedJournals(
            PartitionDraft left, PartitionDraft right, long time) {
        List<Journal> joined = new ArrayList<>(closed(left, time));
        for (Journal journal : closed(right, time)) {
            int same = 0;
            while (same < joined.size() && !isContinuedBy(joined.get(same), journal)) {
                same++;
            }
            if (same == joined.size()) {
                joined.add(journal);
            } else {
                KeyRange clip =
                        new KeyRange(
                                joined.get(same).segment().clip().min(),
                                journal.segment().clip().max());
                joined.set(same, journal.withClip(clip));
            }
        }
        return joined;
    }

    private static boolean isContinuedBy(Journal left, Journal right) {
        return isContinuedBy(left.segment(), right.segment())
                && left.equals(right.withClip(left.segment().clip()));
    }

    /** A partition's journals at its end; one that says that nothing was kept if there is none. */
    private static List<Journal> closed(PartitionDraft partition, long time) {
        if (partition.journals.isEmpty()) {
            Segment own = new Segment(partition.ownSegment(), partition.keys());
            long head = partition.headLsn;
            return List.of(Journal.open(own, head, partition.timeMillis).closed(head, time));
        }
        return partition.journals.stream()
                .map(journal -> journal.closed(partition.headLsn, time))
                .toList();
    }

    private static List<Journal> clipped(List<Journal> journals, KeyRange keys) {
        List<Journal> clipped = new ArrayList<>();
        for (Journal journal : journals) {
            journal.segment()
                    .clip()
                    .intersect(keys)
                    .ifPresent(clip -> clipped.add(journal.withClip(clip)));
        }
        return clipped;
    }

    /** Begins or ends the journal as the definition now in force says. */
    void keepVersions(PartitionDraft partition) {
        boolean isKept = partition.retentionMinutes() > 0;
        if (isKept && partition.journals.isEmpty()) {
            Segment own = new Segment(partition.ownSegment(), partition.keys());
            partition.journals =
                    List.of(Journal.open(own, partition.headLsn, partition.timeMillis));
        } else if (!isKept) {
            List<Journal> before = partition.journals;
            partition.journals = List.of();
            releaseJournals(partition.id.container(), before);
        }
    }

    Outcome purgeJournal(Command.PurgeJournal command) {
        PartitionDraft partition = overlay.draft(command.partition());
        if (partition == null || partition.journals.isEmpty()) {
            return new Outcome.Done();
        }
        List<Journal> before = partition.journals;
        partition.journals =
                new JournalPurge(
                                overlay.store(),
                                partition.id,
                                partition.retentionMinutes(),
                                command.stampMillis())
                        .after(before);
        int container = partition.id.container();
        Journal own = partition.journals.getLast();
        int segment = own.segment().number();
        if (own.floorLsn() > before.getLast().floorLsn()) {
            batch.deleteRange(
                    Table.CHANGES,
                    Keys.journalFrom(container, segment, before.getLast().floorLsn() + 1),
                    Keys.journalFrom(container, segment, own.floorLsn() + 1));
        }
        releaseJournals(container, before);
        return new Outcome.Done();
    }

    private static boolean isAtRest(PartitionDraft partition) {
        return partition.split.isEmpty() && partition.definition.record().versions().size() == 1;
    }

    private static void comeHome(PartitionDraft partition) {
        if (partition.segments.size() > 1 && !partition.reindexing) {
            partition.reindexing = true;
            partition.reindexAfter = Bytes.EMPTY;
            partition.reindexed = 0;
        }
    }

    /**
     * Joins the segments of two partitions. If both have a piece of one segment and the pieces
     * meet, the pieces become one again.
     */
    private static List<Segment> joined(List<Segment> left, List<Segment> right) {
        List<Segment> joined = new ArrayList<>(left);
        for (Segment segment : right) {
            int same = 0;
            while (same < joined.size() && !isContinuedBy(joined.get(same), segment)) {
                same++;
            }
            if (same == joined.size()) {
                joined.add(segment);
            } else {
                KeyRange clip = new KeyRange(joined.get(same).clip().min(), segment.clip().max());
                joined.set(same, new Segment(segment.number(), clip));
            }
        }
        return joined;
    }

    private static boolean isContinuedBy(Segment left, Segment right) {
        return left.number() == right.number() && left.clip().max().equals(right.clip().min());
    }

    Outcome drop(Command.DropPartition command) {
        PartitionDraft partition = overlay.draft(command.partition());
        if (partition == null) {
            return new Outcome.Done();
        }
        int container = partition.id.container();
        KeyRange keys = partition.keys();
        close(partition);
        overlay.hideRows(container, keys);
        batch.deleteRange(
                Table.ITEMS,
                Keys.itemsFrom(container, keys.min()),
                Keys.itemsFrom(container, keys.max()));
        batch.deleteRange(
                Table.META,
                Keys.logicalPartitionsFrom(container, keys.min()),
                Keys.logicalPartitionsFrom(container, keys.max()));
        batch.deleteRange(
                Table.META,
                Keys.uniqueKeysFrom(container, keys.min()),
                Keys.uniqueKeysFrom(container, keys.max()));
        batch.deleteRange(
                Table.META,
                Keys.creationsFrom(container, keys.min()),
                Keys.creationsFrom(container, keys.max()));
        batch.deleteRange(
                Table.META,
                Keys.sessionsFrom(container, keys.min()),
                Keys.sessionsFrom(container, keys.max()));
        if (overlay.partitionsOf(container).isEmpty()) {
            // Ways to statements are in no order of keys. One that leads nowhere does no harm.
            byte[] places = Keys.sessionPlaces(container);
            batch.deleteRange(Table.META, places, Keys.after(places));
        }
        releaseUnused(container, partition.segments);
        releaseJournals(container, partition.journals);
        return new Outcome.Done();
    }

    Outcome purgeSessions(PurgeSessions command) {
        PartitionDraft partition = overlay.draft(command.partition());
        if (partition == null) {
            return refused(ErrorCode.RANGE_GONE);
        }
        int container = partition.id.container();
        long now = Math.max(partition.timeMillis, command.stampMillis());
        for (Bytes suffix : command.rows()) {
            Bytes key = Bytes.wrap(Keys.session(container, suffix));
            SessionRecord record =
                    Keys.inRange(suffix, partition.keys()) ? overlay.sessions().session(key) : null;
            if (record != null
                    && SessionMemory.isOver(
                            record.timeMillis(), now, overlay.level().sessionMillis())) {
                overlay.deleteSession(key);
                record.place(container).ifPresent(place -> batch.delete(Table.META, place));
            }
        }
        return new Outcome.Done();
    }

    /**
     * Deletes segments that no partition reads any more. While a sibling of a split still has its
     * part of one, the rest of it stays: its rows are in order of their terms, not of their items.
     */
    void releaseUnused(int container, List<Segment> segments) {
        List<Integer> used =
                overlay.partitionsOf(container).values().stream()
                        .flatMap(state -> state.record().segments().stream())
                        .map(Segment::number)
                        .toList();
        for (Segment segment : segments) {
            if (used.contains(segment.number())) {
                continue;
            }
            byte[] rows = Keys.segment(container, segment.number());
            batch.deleteRange(Table.INDEX, rows, Keys.after(rows));
            batch.deleteRange(Table.CHANGES, rows, Keys.after(rows));
            byte[] times = Keys.times(container, segment.number());
            batch.deleteRange(Table.META, times, Keys.after(times));
        }
    }

    /** Deletes journals that no partition reads any more. */
    private void releaseJournals(int container, List<Journal> journals) {
        if (journals.isEmpty()) {
            return;
        }
        Set<Integer> used =
                overlay.partitionsOf(container).values().stream()
                        .flatMap(state -> state.record().journals().stream())
                        .map(journal -> journal.segment().number())
                        .collect(Collectors.toSet());
        journals.stream()
                .map(journal -> journal.segment().number())
                .distinct()
                .filter(segment -> !used.contains(segment))
                .forEach(
                        segment -> {
                            byte[] rows = Keys.journal(container, segment);
                            batch.deleteRange(Table.CHANGES, rows, Keys.after(rows));
                        });
    }

    private void put(
            PartitionId id,
            PartitionRecord record,
            OpenDefinition definition,
            KeyDeletions deletions) {
        DefinitionRecord definitions = definition.record();
        batch.put(Table.META, Keys.definition(id), definitions.encode());
        batch.put(Table.META, Keys.partition(id), record.encode());
        batch.put(
                Table.META,
                Keys.time(id.container(), record.ownSegment(), record.timeMillis() / 60_000),
                new BinaryWriter(8).u64(record.headLsn()).toArray());
        if (!deletions.isEmpty()) {
            overlay.putKeyDeletions(id, deletions);
        }
        overlay.opened(id, new PartitionState(record, definition, deletions));
    }

    private void close(PartitionDraft partition) {
        batch.delete(Table.META, Keys.definition(partition.id));
        batch.delete(Table.META, Keys.partition(partition.id));
        batch.delete(Table.META, Keys.keyDeletions(partition.id));
        overlay.closed(partition.id);
    }

    private boolean isOpen(PartitionId sibling, int range) {
        return overlay.draft(sibling(sibling, range)) != null;
    }

    private static boolean isPrepared(PartitionDraft partition, int left, int right) {
        return partition
                .split
                .filter(split -> split.left() == left && split.right() == right)
                .isPresent();
    }

    private static PartitionId sibling(PartitionId id, int range) {
        return new PartitionId(id.container(), range);
    }

    private static Outcome refused(ErrorCode code) {
        return new Outcome.Rejected(code, 0, 0);
    }
}
