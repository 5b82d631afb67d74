package orrery.partition.simulated;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.ItemKey;
import orrery.model.ItemVersion;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.RequestId;
import orrery.partition.machine.Command;
import orrery.partition.machine.DeleteKey;
import orrery.partition.machine.ForgetDeletion;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PurgeSessions;
import orrery.partition.machine.ReshapeCommand;
import orrery.storage.format.DataSize;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * The state that a set of partitions should have after a log, computed the plain way: maps in
 * memory, sums taken anew each time, and no batch, overlay, index or counter to go wrong.
 */
final class PartitionModel {
    private static final long WINDOW_MILLIS = 60_000;
    private static final int ITEM_HEADER_BYTES = 62;

    private final Map<PartitionId, Partition> partitions = new TreeMap<>();
    private final Map<RequestId, Answer> answers = new HashMap<>();
    private long timeMillis;
    private long position;

    /** Items put by the entry that is being applied, by container. */
    private final Map<Integer, Set<Bytes>> putNow = new HashMap<>();

    private record Answer(Outcome outcome, long timeMillis) {}

    private final Map<LogicalKey, Long> lastWrites = new HashMap<>();
    final ModelSessions sessions = new ModelSessions();

    private record LogicalKey(int container, PartitionKey key) {}

    /** A prepared split and what its left side was at that moment. */
    record Split(EffectiveKey at, int left, int right, long position, DataSize leftBefore) {}

    static final class Partition {
        final PartitionId id;
        final KeyRange keys;
        final TreeMap<Bytes, StoredItem> items = new TreeMap<>();
        final Map<Integer, ContainerDefinition> policies = new HashMap<>();
        DefinitionRecord.Version definition;
        int policyVersion;
        long headLsn = 1;
        long timeMillis;
        long nextDocid = 1;
        boolean reindexing;
        Bytes reindexAfter = Bytes.EMPTY;
        List<PartitionRecord.Segment> segments = new ArrayList<>();
        Optional<Split> split = Optional.empty();
        final List<KeyDeletions.Deletion> deletions = new ArrayList<>();

        /** All there ever were, kept or not; those of the ancestors too. */
        final List<ItemVersion> versions = new ArrayList<>();

        /** Position of the log at which versions were last begun or ceased to be kept. */
        long journalSince;

        /** Versions from before this time may have been forgotten. */
        long purgedMillis;

        Partition(PartitionId id, KeyRange keys, Partition parent) {
            this.id = id;
            this.keys = keys;
            definition = parent.definition;
            policyVersion = parent.policyVersion;
            policies.putAll(parent.policies);
            journalSince = parent.journalSince;
            purgedMillis = parent.purgedMillis;
            parent.versions.stream()
                    .filter(version -> keys.contains(version.key().epk()))
                    .forEach(versions::add);
            parent.items.forEach(
                    (suffix, item) -> {
                        if (keys.contains(item.key().epk())) {
                            items.put(suffix, item);
                        }
                    });
        }

        Partition(Command.OpenPartition open) {
            id = open.partition();
            keys = open.keys();
            segments.add(new PartitionRecord.Segment(open.segment(), keys));
            timeMillis = open.stampMillis();
            definition = open.definition();
            policyVersion = open.definition().version();
            policies.put(policyVersion, open.definition().definition());
        }
    }

    Map<PartitionId, Partition> partitions() {
        return partitions;
    }

    long timeMillis() {
        return timeMillis;
    }

    /** Returns the number of applied entries. */
    long position() {
        return position;
    }

    /**
     * Applies an entry and returns the answer that every replica must give; the leaf counts of the
     * outcomes stay zero.
     */
    List<Outcome> apply(List<Command> commands) {
        position++;
        putNow.clear();
        // A re-index step looks at what was stored before this entry.
        Map<Integer, Set<Bytes>> stored = new HashMap<>();
        partitions.forEach(
                (id, partition) ->
                        stored.computeIfAbsent(id.container(), _ -> new TreeSet<>())
                                .addAll(partition.items.keySet()));
        Map<RequestId, Outcome> thisEntry = new HashMap<>();
        List<Outcome> outcomes = new ArrayList<>();
        for (Command command : commands) {
            outcomes.add(
                    switch (command) {
                        case Command.OpenPartition open -> open(open);
                        case Command.SetDefinition set -> setDefinition(set);
                        case Command.DropPartition drop -> {
                            sessions.drop(partitions.remove(drop.partition()));
                            yield new Outcome.Done();
                        }
                        case Command.Reindex reindex ->
                                reindex(
                                        reindex,
                                        stored.getOrDefault(
                                                reindex.partition().container(), Set.of()));
                        case ReshapeCommand.PrepareSplit prepare -> prepare(prepare);
                        case ReshapeCommand.CommitSplit commit -> split(commit);
                        case ReshapeCommand.MergePartitions merge -> merge(merge);
                        case Command.PurgeJournal purge -> purge(purge);
                        case PurgeSessions purge ->
                                sessions.purge(purge, partitions.get(purge.partition()));
                        case Command.WriteItems write ->
                                once(write, write.stampMillis(), thisEntry, () -> write(write));
                        case DeleteKey delete ->
                                once(
                                        delete,
                                        delete.stampMillis(),
                                        thisEntry,
                                        () -> deleteKey(delete));
                        case ForgetDeletion forget -> {
                            Partition partition = partitions.get(forget.partition());
                            if (partition == null) {
                                yield refused(ErrorCode.RANGE_GONE);
                            }
                            partition.deletions.remove(forget.deletion());
                            yield new Outcome.Done();
                        }
                        case Command.Purge purge -> purge(purge);
                        case Command.AdvanceTime advance -> advanceTime(advance);
                        case Command.RaiseLevel _ -> new Outcome.Done();
                        case Command.RepairPartition repair ->
                                refused(
                                        partitions.containsKey(repair.partition())
                                                ? ErrorCode.PRECONDITION_FAILED
                                                : ErrorCode.RANGE_GONE);
                    });
        }
        thisEntry.forEach((id, outcome) -> answers.put(id, new Answer(outcome, timeMillis)));
        return outcomes;
    }

    private Outcome open(Command.OpenPartition open) {
        timeMillis = Math.max(timeMillis, open.stampMillis());
        if (partitions.containsKey(open.partition())) {
            return new Outcome.Done();
        }
        for (Partition other : partitions.values()) {
            if (other.id.container() == open.partition().container()
                    && other.keys.overlaps(open.keys())) {
                return refused(ErrorCode.CONFLICT);
            }
        }
        partitions.put(open.partition(), new Partition(open));
        return new Outcome.Done();
    }

    private Outcome purge(Command.PurgeJournal purge) {
        Partition partition = partitions.get(purge.partition());
        if (partition != null && retention(partition) > 0) {
            partition.purgedMillis =
                    Math.max(
                            partition.purgedMillis,
                            purge.stampMillis() - retention(partition) * 60_000L);
        }
        return new Outcome.Done();
    }

    private Outcome advanceTime(Command.AdvanceTime advance) {
        timeMillis = Math.max(timeMillis, advance.stampMillis());
        Partition partition = partitions.get(advance.partition());
        if (partition == null) {
            return refused(ErrorCode.RANGE_GONE);
        }
        partition.timeMillis = Math.max(partition.timeMillis, advance.stampMillis());
        return new Outcome.Done();
    }

    private static int retention(Partition partition) {
        return partition.definition.definition().changeRetentionMinutes();
    }

    private Outcome prepare(ReshapeCommand.PrepareSplit prepare) {
        Partition parent = partitions.get(prepare.partition());
        if (parent == null) {
            return isOpen(prepare.partition(), prepare.left());
        }
        if (parent.split
                .filter(s -> s.left() == prepare.left() && s.right() == prepare.right())
                .isPresent()) {
            return new Outcome.Done();
        }
        if (!parent.keys.contains(prepare.at()) || parent.keys.min().equals(prepare.at())) {
            return refused(ErrorCode.BAD_REQUEST);
        }
        if (parent.segments.size() >= 8) {
            return refused(ErrorCode.RETRY_WITH);
        }
        parent.split =
                Optional.of(
                        new Split(
                                prepare.at(),
                                prepare.left(),
                                prepare.right(),
                                position,
                                leftOf(parent, prepare.at())));
        return new Outcome.Done();
    }

    private DataSize leftOf(Partition partition, EffectiveKey at) {
        DataSize left = DataSize.NONE;
        for (Map.Entry<Bytes, StoredItem> entry : partition.items.entrySet()) {
            if (entry.getValue().key().epk().compareTo(at) < 0) {
                left = left.plus(sizeOf(partition, entry.getKey(), entry.getValue()));
            }
        }
        return left;
    }

    private Outcome split(ReshapeCommand.CommitSplit commit) {
        timeMillis = Math.max(timeMillis, commit.stampMillis());
        Partition parent = partitions.get(commit.partition());
        if (parent == null) {
            return isOpen(commit.partition(), commit.left());
        }
        Split split = parent.split.filter(s -> s.position() == commit.prepared()).orElse(null);
        if (split == null || split.left() != commit.left() || split.right() != commit.right()) {
            return refused(ErrorCode.RETRY_WITH);
        }
        partitions.remove(parent.id);
        long time = Math.max(parent.timeMillis, commit.stampMillis());
        KeyRange left = new KeyRange(parent.keys.min(), split.at());
        KeyRange right = new KeyRange(split.at(), parent.keys.max());
        child(parent, commit.left(), commit.leftSegment(), left, time);
        child(parent, commit.right(), commit.rightSegment(), right, time);
        return new Outcome.Done();
    }

    private void child(Partition parent, int range, int segment, KeyRange keys, long time) {
        PartitionId id = new PartitionId(parent.id.container(), range);
        Partition child = new Partition(id, keys, parent);
        child.headLsn = parent.headLsn + 1;
        child.timeMillis = time;
        for (PartitionRecord.Segment piece : parent.segments) {
            if (!child.items.isEmpty() && piece.clip().overlaps(keys)) {
                child.segments.add(
                        new PartitionRecord.Segment(
                                piece.number(), piece.clip().intersect(keys).orElseThrow()));
            }
        }
        child.segments.add(new PartitionRecord.Segment(segment, keys));
        for (KeyDeletions.Deletion d : parent.deletions) {
            if (!child.items.isEmpty() && d.keys().overlaps(keys)) {
                child.deletions.add(
                        new KeyDeletions.Deletion(
                                d.key(), d.keys().intersect(keys).orElseThrow(), d.lsn()));
            }
        }
        if (child.items.isEmpty()) {
            child.policies.keySet().removeIf(version -> version != child.policyVersion);
        }
        child.reindexing =
                !child.items.isEmpty() && (parent.reindexing || child.segments.size() > 4);
        partitions.put(id, child);
    }

    private Outcome merge(ReshapeCommand.MergePartitions merge) {
        timeMillis = Math.max(timeMillis, merge.stampMillis());
        int container = merge.partition().container();
        Partition left = partitions.get(merge.partition());
        Partition right = partitions.get(new PartitionId(container, merge.right()));
        if (left == null || right == null) {
            return isOpen(merge.partition(), merge.into());
        }
        if (!left.keys.max().equals(right.keys.min())) {
            return refused(ErrorCode.BAD_REQUEST);
        }
        List<PartitionRecord.Segment> segments = new ArrayList<>(left.segments);
        for (PartitionRecord.Segment segment : right.segments) {
            Optional<PartitionRecord.Segment> piece =
                    segments.stream()
                            .filter(s -> s.number() == segment.number())
                            .filter(s -> s.clip().max().equals(segment.clip().min()))
                            .findFirst();
            if (piece.isPresent()) {
                KeyRange both = new KeyRange(piece.get().clip().min(), segment.clip().max());
                segments.set(
                        segments.indexOf(piece.get()),
                        new PartitionRecord.Segment(segment.number(), both));
            } else {
                segments.add(segment);
            }
        }
        if (segments.size() >= 8) {
            for (Partition partition : List.of(left, right)) {
                if (partition.segments.size() > 1 && !partition.reindexing) {
                    partition.reindexing = true;
                    partition.reindexAfter = Bytes.EMPTY;
                }
            }
            return refused(ErrorCode.RETRY_WITH);
        }
        boolean isAtRest =
                Stream.of(left, right).allMatch(p -> p.split.isEmpty() && p.policies.size() == 1);
        if (!isAtRest || left.policyVersion != right.policyVersion) {
            return refused(ErrorCode.RETRY_WITH);
        }
        partitions.remove(left.id);
        partitions.remove(right.id);
        PartitionId id = new PartitionId(container, merge.into());
        Partition newer = left.definition.version() >= right.definition.version() ? left : right;
        Partition merged =
                new Partition(id, new KeyRange(left.keys.min(), right.keys.max()), newer);
        merged.items.putAll(left.items);
        merged.items.putAll(right.items);
        merged.versions.clear();
        merged.versions.addAll(left.versions);
        merged.versions.addAll(right.versions);
        merged.purgedMillis = Math.max(left.purgedMillis, right.purgedMillis);
        merged.journalSince =
                (retention(left) == 0) == (retention(right) == 0)
                        ? Math.max(left.journalSince, right.journalSince)
                        : position;
        merged.deletions.addAll(left.deletions);
        merged.deletions.addAll(right.deletions);
        merged.headLsn = Math.max(left.headLsn, right.headLsn) + 1;
        merged.timeMillis =
                Math.max(merge.stampMillis(), Math.max(left.timeMillis, right.timeMillis));
        merged.segments = segments;
        segments.add(new PartitionRecord.Segment(merge.segment(), merged.keys));
        merged.reindexing = !merged.items.isEmpty() && segments.size() > 4;
        partitions.put(id, merged);
        return new Outcome.Done();
    }

    private Outcome isOpen(PartitionId sibling, int range) {
        return partitions.containsKey(new PartitionId(sibling.container(), range))
                ? new Outcome.Done()
                : refused(ErrorCode.RANGE_GONE);
    }

    private static Outcome refused(ErrorCode code) {
        return new Outcome.Rejected(code, 0, 0);
    }

    private Outcome setDefinition(Command.SetDefinition set) {
        Partition partition = partitions.get(set.partition());
        if (partition == null) {
            return new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0);
        }
        if (set.definition().version() <= partition.definition.version()) {
            return new Outcome.Done();
        }
        ContainerDefinition next = set.definition().definition();
        ContainerDefinition present = partition.definition.definition();
        if (!next.indexingPolicy().equals(present.indexingPolicy())
                || !next.computedProperties().equals(present.computedProperties())) {
            partition.policyVersion = set.definition().version();
            partition.policies.put(partition.policyVersion, next);
            partition.reindexing = !partition.items.isEmpty();
            partition.reindexAfter = Bytes.EMPTY;
            if (!partition.reindexing) {
                partition.policies.keySet().removeIf(v -> v != partition.policyVersion);
            }
        }
        boolean wasKept = retention(partition) > 0;
        partition.definition = set.definition();
        if (wasKept != retention(partition) > 0) {
            partition.journalSince = position;
        }
        return new Outcome.Done();
    }

    private Outcome reindex(Command.Reindex reindex, Set<Bytes> stored) {
        Partition partition = partitions.get(reindex.partition());
        if (partition == null
                || !partition.reindexing
                || partition.policyVersion != reindex.policyVersion()) {
            return new Outcome.Reindexed(true);
        }
        Set<Bytes> touched = new HashSet<>();
        int seen = 0;
        boolean isWaiting = false;
        Bytes from = partition.reindexAfter;
        List<Bytes> justPut =
                putNow.getOrDefault(reindex.partition().container(), Set.of()).stream()
                        .filter(key -> from.isEmpty() || key.compareTo(from) > 0)
                        .toList();
        if (justPut.stream().anyMatch(key -> ModelIndex.isWaiting(partition, reindex, key))) {
            return new Outcome.Reindexed(false);
        }
        for (Bytes key : stored) {
            if (!Keys.inRange(key, partition.keys)) {
                continue;
            }
            if (!from.isEmpty() && key.compareTo(from) <= 0) {
                continue;
            }
            if (seen == reindex.maxItems()) {
                break;
            }
            if (ModelIndex.isWaiting(partition, reindex, key)) {
                isWaiting = true;
                break;
            }
            touched.add(key);
            partition.reindexAfter = key;
            seen++;
        }
        // Items that this entry has put further on are brought up to date as well.
        touched.addAll(justPut);
        touched.forEach(key -> bringUpToDate(partition, key));
        if (!isWaiting && seen < reindex.maxItems()) {
            partition.reindexing = false;
            partition.reindexAfter = Bytes.EMPTY;
            partition.policies.keySet().removeIf(version -> version != partition.policyVersion);
            int own = partition.segments.getLast().number();
            partition.segments =
                    new ArrayList<>(List.of(new PartitionRecord.Segment(own, partition.keys)));
            return new Outcome.Reindexed(true);
        }
        return new Outcome.Reindexed(false);
    }

    private static void bringUpToDate(Partition partition, Bytes key) {
        partition.items.computeIfPresent(
                key,
                (_, item) ->
                        new StoredItem(
                                item.key(),
                                item.docid(),
                                item.etag(),
                                item.timeMillis(),
                                item.lsn(),
                                partition.policyVersion,
                                item.body()));
    }

    private Outcome once(
            Command.Requested command,
            long stampMillis,
            Map<RequestId, Outcome> thisEntry,
            Supplier<Outcome> run) {
        RequestId id = command.requestId();
        timeMillis = Math.max(timeMillis, stampMillis);
        Outcome sameEntry = thisEntry.get(id);
        if (sameEntry != null) {
            return sameEntry;
        }
        Answer earlier = answers.get(id);
        if (earlier != null && earlier.timeMillis() + WINDOW_MILLIS > timeMillis) {
            return earlier.outcome();
        }
        Outcome outcome = run.get();
        boolean isSentAgain =
                outcome instanceof Outcome.Stale
                        || (outcome instanceof Outcome.Written
                                && command instanceof Command.WriteItems write
                                && write.stated().isPresent())
                        || (outcome instanceof Outcome.Rejected rejected
                                && rejected.code() == ErrorCode.RANGE_GONE);
        if (!isSentAgain) {
            thisEntry.put(id, outcome);
        }
        return outcome;
    }

    /** When a logical partition was last written; 0 if it has no items. */
    long lastWrite(Partition partition, ItemKey key) {
        boolean isEmpty =
                partition.items.values().stream()
                        .noneMatch(item -> item.key().partitionKey().equals(key.partitionKey()));
        LogicalKey logical = new LogicalKey(partition.id.container(), key.partitionKey());
        long deleted =
                partition.deletions.stream()
                        .filter(deletion -> deletion.covers(key))
                        .mapToLong(KeyDeletions.Deletion::lsn)
                        .max()
                        .orElse(0);
        return isEmpty ? 0 : Math.max(deleted, lastWrites.getOrDefault(logical, 0L));
    }

    private Outcome write(Command.WriteItems write) {
        Partition partition = partitions.get(write.partition());
        ItemKey first = write.changes().getFirst().key();
        if (partition == null || !partition.keys.contains(first.epk())) {
            return new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0);
        }
        long time = Math.max(partition.timeMillis, write.stampMillis());
        Optional<ErrorCode> known = sessions.refusal(write, time);
        if (known.isPresent()) {
            return refused(known.get());
        }
        if (write.lastWrite().isPresent()
                && write.lastWrite().getAsLong() != lastWrite(partition, first)) {
            return new Outcome.Rejected(ErrorCode.RETRY_WITH, 0, 0);
        }
        if (ModelIndex.isStale(partition, write, time)) {
            return new Outcome.Stale();
        }
        TreeMap<Bytes, StoredItem> after = new TreeMap<>(partition.items);
        long lsn = partition.headLsn + 1;
        long nextDocid = partition.nextDocid;
        long bytesBefore = bytesOf(partition, partition.items, first);
        List<Outcome.ItemOutcome> items = new ArrayList<>();
        List<ItemVersion> versions = new ArrayList<>();
        for (int i = 0; i < write.changes().size(); i++) {
            Command.ItemChange change = write.changes().get(i);
            Bytes suffix = Keys.itemSuffix(change.key());
            Optional<StoredItem> before =
                    Optional.ofNullable(after.get(suffix))
                            .filter(item -> !isGone(partition, item, time));
            Optional<ErrorCode> refusal = ModelConditions.refusal(change, before);
            if (refusal.isPresent()) {
                return new Outcome.Rejected(
                        refusal.get(), i, before.map(item -> item.body().length()).orElse(0));
            }
            switch (change) {
                case Command.ItemChange.Remove remove -> {
                    StoredItem gone = after.remove(suffix);
                    versions.add(ModelVersions.ending(partition, lsn, time, gone));
                    items.add(
                            outcome(
                                    Outcome.Kind.DELETED,
                                    gone.docid(),
                                    gone.etag(),
                                    gone.body(),
                                    Bytes.EMPTY));
                }
                case Command.ItemChange.Check _ -> {
                    StoredItem seen = before.orElseThrow();
                    items.add(
                            outcome(
                                    Outcome.Kind.SEEN,
                                    seen.docid(),
                                    seen.etag(),
                                    seen.body(),
                                    seen.body()));
                    continue;
                }
                case Command.ItemChange.Storing put -> {
                    Bytes target = Keys.itemSuffix(put.target());
                    StoredItem gone = before.isEmpty() ? after.remove(suffix) : null;
                    if (gone != null) {
                        versions.add(ModelVersions.ending(partition, lsn, time, gone));
                    }
                    if (!target.equals(suffix)) {
                        StoredItem there = after.get(target);
                        if (there != null && !isGone(partition, there, time)) {
                            return new Outcome.Rejected(
                                    ErrorCode.CONFLICT, i, there.body().length());
                        }
                        if (there != null) {
                            after.remove(target);
                            versions.add(ModelVersions.ending(partition, lsn, time, there));
                        }
                    }
                    for (Optional<StoredItem> other =
                                    ModelUniqueKeys.sharing(
                                            partition, after, put.key(), put.body());
                            other.isPresent();
                            other =
                                    ModelUniqueKeys.sharing(
                                            partition, after, put.key(), put.body())) {
                        if (!isGone(partition, other.get(), time)) {
                            return new Outcome.Rejected(ErrorCode.UNIQUE_KEY_VIOLATION, i, 0);
                        }
                        after.remove(Keys.itemSuffix(other.get().key()));
                        versions.add(ModelVersions.ending(partition, lsn, time, other.get()));
                    }
                    long docid =
                            before.isPresent()
                                    ? before.get().docid()
                                    : ((long) partition.id.range() << 40) + nextDocid++;
                    Etag etag = Etag.ofWrite(partition.id, lsn, i);
                    after.remove(suffix);
                    after.put(
                            target,
                            new StoredItem(
                                    put.target(),
                                    docid,
                                    etag,
                                    time,
                                    lsn,
                                    partition.policyVersion,
                                    put.body()));
                    versions.add(
                            ModelVersions.version(
                                    before.isPresent()
                                            ? ItemVersion.Operation.REPLACE
                                            : ItemVersion.Operation.CREATE,
                                    false,
                                    lsn,
                                    time,
                                    before.orElse(null),
                                    after.get(target)));
                    items.add(
                            outcome(
                                    before.isPresent()
                                            ? Outcome.Kind.REPLACED
                                            : Outcome.Kind.CREATED,
                                    docid,
                                    etag,
                                    before.map(StoredItem::body).orElse(Bytes.EMPTY),
                                    put.body()));
                }
            }
            long bytesAfter = bytesOf(partition, after, first);
            if (bytesAfter > bytesBefore
                    && bytesAfter > partition.definition.logicalPartitionMaxBytes()) {
                return new Outcome.Rejected(ErrorCode.LOGICAL_PARTITION_FULL, i, 0);
            }
        }
        for (Command.ItemChange change : write.changes()) {
            if (change instanceof Command.ItemChange.Storing put) {
                putNow.computeIfAbsent(partition.id.container(), _ -> new HashSet<>())
                        .add(Keys.itemSuffix(put.target()));
            }
        }
        partition.versions.addAll(versions);
        partition.items.clear();
        partition.items.putAll(after);
        partition.headLsn = lsn;
        partition.timeMillis = time;
        partition.nextDocid = nextDocid;
        lastWrites.put(new LogicalKey(partition.id.container(), first.partitionKey()), lsn);
        sessions.keep(write, time);
        return new Outcome.Written(lsn, time, bytesOf(partition, partition.items, first), items);
    }

    private Outcome purge(Command.Purge purge) {
        timeMillis = Math.max(timeMillis, purge.stampMillis());
        Partition partition = partitions.get(purge.partition());
        if (partition == null) {
            return refused(ErrorCode.RANGE_GONE);
        }
        long time = Math.max(partition.timeMillis, purge.stampMillis());
        List<Outcome.ItemOutcome> deleted = new ArrayList<>();
        for (Command.Purge.Target target : purge.targets()) {
            StoredItem item = partition.items.get(target.suffix());
            if (item != null
                    && item.etag().equals(target.etag())
                    && isGone(partition, item, time)) {
                partition.items.remove(target.suffix());
                partition.versions.add(
                        ModelVersions.ending(partition, partition.headLsn + 1, time, item));
                lastWrites.put(
                        new LogicalKey(partition.id.container(), item.key().partitionKey()),
                        partition.headLsn + 1);
                deleted.add(
                        outcome(
                                Outcome.Kind.DELETED,
                                item.docid(),
                                item.etag(),
                                item.body(),
                                Bytes.EMPTY));
            }
        }
        if (deleted.isEmpty()) {
            return new Outcome.Done();
        }
        partition.headLsn++;
        partition.timeMillis = time;
        return new Outcome.Written(partition.headLsn, time, 0, deleted);
    }

    private Outcome deleteKeyIn(Partition partition, DeleteKey delete) {
        long time = Math.max(partition.timeMillis, delete.stampMillis());
        boolean isWhole =
                delete.key().components().size()
                        == partition.definition.definition().partitionKey().paths().size();
        boolean isEmpty =
                partition.items.values().stream()
                        .noneMatch(
                                item -> !isWhole || item.key().partitionKey().equals(delete.key()));
        if (isEmpty) {
            return new Outcome.Written(partition.headLsn, time, 0, List.of());
        }
        partition.headLsn++;
        partition.timeMillis = time;
        partition.deletions.removeIf(
                d -> d.key().equals(delete.key()) && d.keys().equals(delete.keys()));
        partition.deletions.add(
                new KeyDeletions.Deletion(delete.key(), delete.keys(), partition.headLsn));
        if (isWhole) {
            lastWrites.put(
                    new LogicalKey(partition.id.container(), delete.key()), partition.headLsn);
        }
        return new Outcome.Written(partition.headLsn, time, 0, List.of());
    }

    private Outcome deleteKey(DeleteKey delete) {
        Partition partition = partitions.get(delete.partition());
        if (partition == null
                || !partition.keys.contains(delete.keys().min())
                || delete.keys().max().compareTo(partition.keys.max()) > 0) {
            return refused(ErrorCode.RANGE_GONE);
        }
        return deleteKeyIn(partition, delete);
    }

    static boolean isGone(Partition partition, StoredItem item, long nowMillis) {
        return isExpired(partition, item, nowMillis)
                || partition.deletions.stream()
                        .anyMatch(d -> item.lsn() <= d.lsn() && d.covers(item.key()));
    }

    static boolean isExpired(Partition partition, StoredItem item, long nowMillis) {
        int byDefault = partition.definition.definition().timeToLive().seconds();
        int own = Workload.lifetime(item.body());
        int seconds = own == 0 ? byDefault : own;
        return byDefault != 0 && seconds != -1 && item.timeMillis() + seconds * 1000L <= nowMillis;
    }

    private static Outcome.ItemOutcome outcome(
            Outcome.Kind kind, long docid, Etag etag, Bytes before, Bytes after) {
        return new Outcome.ItemOutcome(kind, docid, etag, before.length(), after.length(), 0, 0);
    }

    private long bytesOf(Partition partition, Map<Bytes, StoredItem> items, ItemKey one) {
        long total = 0;
        for (Map.Entry<Bytes, StoredItem> entry : items.entrySet()) {
            StoredItem item = entry.getValue();
            if (item.key().partitionKey().equals(one.partitionKey())) {
                total += sizeOf(partition, entry.getKey(), item).bytes();
            }
        }
        return total;
    }

    private static DataSize sizeOf(Partition partition, Bytes suffix, StoredItem item) {
        ContainerDefinition policy =
                Objects.requireNonNull(partition.policies.get(item.policyVersion()));
        long index = ModelIndex.of(policy).bytes(suffix, item);
        int uniqueKeys = partition.definition.definition().uniqueKeys().size();
        int rowKeyBytes = item.key().rowKey().bytes().length();
        // The suffix up to the kind of its row, the digest, and a record with the row key.
        index +=
                uniqueKeys
                        * (1L + 4 + (suffix.length() - 1 - rowKeyBytes) + 1 + 32 + 3 + rowKeyBytes);
        return new DataSize(
                1, 4L + suffix.length() + ITEM_HEADER_BYTES + item.body().length(), index);
    }
}
