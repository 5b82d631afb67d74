package orrery.partition.machine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.RequestId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.MalformedRecordException;
import orrery.storage.Cursor;
import orrery.storage.StoreBatch;
import orrery.storage.StoreFailure;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.AppliedRecord;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * The partitions of one replica as a function of the log. {@link #apply} fills a batch and takes
 * its effects for granted: the machine may be one entry ahead of its store. Used by one thread at a
 * time.
 */
public final class PartitionMachine {
    /** The feature level that this release raises sets to when it leads them. */
    public static final int NEWEST_LEVEL = Level.NEWEST.number();

    private final StoreView store;
    private final Levels levels;
    private final PlanCache plans;
    private final Map<PartitionId, PartitionState> open = new HashMap<>();
    private final RequestIndex requests;
    private final Deque<Remembered> remembered = new ArrayDeque<>();
    private Level level;
    private AppliedRecord applied;

    // The rows of the entry that was last applied here. They may not have reached the store.
    private EntryRows lastRows = new EntryRows();
    private final RecentSessions recentSessions = new RecentSessions();
    private Optional<DeduplicationRecord> lastAnswers = Optional.empty();

    /** An entry whose deduplication record is in the store. */
    private record Remembered(long position, long timeMillis) {}

    /** The index of a command that cannot be applied, and why not. */
    private record Poison(int index, String reason) {}

    /**
     * The effects of an entry.
     *
     * @param partitions those it changed; empty inside for one that was dropped
     * @param timeMillis the highest stamp so far
     * @param level of the entry behind it
     */
    public record Effects(
            List<Outcome> outcomes,
            Map<PartitionId, Optional<PartitionState>> partitions,
            long timeMillis,
            int level) {}

    /** Takes up where the store stands. */
    public PartitionMachine(StoreView store) {
        this(store, Levels.RELEASED);
    }

    /**
     * @param levels the same on all replicas of the set
     */
    public PartitionMachine(StoreView store, Levels levels) {
        this.store = store;
        this.levels = levels;
        byte[] position = store.get(Table.META, Keys.applied());
        this.applied = position == null ? AppliedRecord.NOTHING : AppliedRecord.decode(position);
        this.level = levels.of(applied.level());
        this.plans = new PlanCache();
        this.requests = new RequestIndex(Level.longestDeduplicationMillis());
        loadPartitions();
        loadRequests();
    }

    public long appliedPosition() {
        return applied.position();
    }

    /** The level of the next entry. */
    public int level() {
        return level.number();
    }

    /** The highest stamp so far. */
    public long timeMillis() {
        return applied.timeMillis();
    }

    public Map<PartitionId, PartitionState> partitions() {
        return Map.copyOf(open);
    }

    /**
     * Returns true if the commands scan the store, which must then have all that was applied
     * before.
     */
    public static boolean scans(List<Command> commands) {
        for (Command command : commands) {
            if (command instanceof Command.Reindex || command instanceof Command.PurgeJournal) {
                return true;
            }
        }
        return false;
    }

    /** Adds the effects of one entry to a batch, which must be written before the next but one. */
    public Effects apply(long position, List<Command> commands, StoreBatch batch) {
        if (position != applied.position() + 1) {
            throw new IllegalStateException("log entries must be applied in order, each once");
        }
        if (commands.size() > RequestIndex.MAX_PER_ENTRY) {
            throw new IllegalStateException("a log entry holds too many commands");
        }
        EntryOverlay overlay = overlay(batch, position);
        List<Outcome> outcomes = new ArrayList<>(commands.size());
        Map<RequestId, DeduplicationRecord.Answered> byRequest = new LinkedHashMap<>();
        Map<Integer, String> poisoned = Map.of();
        Optional<Poison> found = carryOut(commands, overlay, outcomes, byRequest, poisoned);
        while (found.isPresent()) {
            // A command was half applied when it failed. The entry is applied anew without it.
            poisoned = new HashMap<>(poisoned);
            poisoned.put(found.get().index(), found.get().reason());
            batch.clear();
            outcomes.clear();
            byRequest.clear();
            overlay = overlay(batch, position);
            found = carryOut(commands, overlay, outcomes, byRequest, poisoned);
        }
        long timeMillis = applied.timeMillis();
        for (Command command : commands) {
            timeMillis = Math.max(timeMillis, stamp(command));
        }
        forget(purge(batch, timeMillis));
        Map<PartitionId, Optional<PartitionState>> changed = overlay.finish();
        lastRows = overlay.rows();
        recentSessions.add(lastRows);
        DeduplicationRecord answers =
                new DeduplicationRecord(timeMillis, List.copyOf(byRequest.values()));
        lastAnswers = Optional.of(answers);
        if (!answers.requests().isEmpty()) {
            batch.put(Table.META, Keys.deduplication(position), answers.encode());
            remember(position, answers);
        }
        long oldest = remembered.isEmpty() ? position : remembered.getFirst().position();
        applied = applied.next(position, timeMillis, oldest);
        if (overlay.nextLevel().number() > level.number()) {
            level = overlay.nextLevel();
            applied = applied.withLevel(level.number());
        }
        batch.put(Table.META, Keys.applied(), applied.encode());
        changed.forEach(
                (id, state) ->
                        state.ifPresentOrElse(
                                present -> open.put(id, present), () -> open.remove(id)));
        return new Effects(outcomes, changed, timeMillis, level.number());
    }

    private EntryOverlay overlay(StoreBatch batch, long position) {
        return new EntryOverlay(store, batch, open, lastRows, recentSessions, position, level);
    }

    /**
     * Applies the commands of an entry one after the other. Returns the first that fails: a failure
     * of the store is one of this replica and ends it, but any other is the same on all replicas,
     * and only the partition of the command has to end. A level that this release does not know
     * ends the replica too.
     *
     * @param poisoned reasons by the index of commands that are known to fail
     */
    private Optional<Poison> carryOut(
            List<Command> commands,
            EntryOverlay overlay,
            List<Outcome> outcomes,
            Map<RequestId, DeduplicationRecord.Answered> byRequest,
            Map<Integer, String> poisoned) {
        long timeMillis = applied.timeMillis();
        for (int i = 0; i < commands.size(); i++) {
            Command command = commands.get(i);
            timeMillis = Math.max(timeMillis, stamp(command));
            Command.OfPartition about;
            switch (command) {
                case Command.OfPartition of -> about = of;
                case Command.RaiseLevel raise -> {
                    overlay.raiseTo(levels.of(raise.level()));
                    outcomes.add(new Outcome.Done());
                    continue;
                }
            }
            String reason = poisoned.isEmpty() ? null : poisoned.get(i);
            if (reason != null) {
                outcomes.add(PartitionFailure.fail(overlay, about, reason));
                if (about instanceof Command.Requested requested) {
                    // Sent again after a repair, it would only fail the partition once more.
                    keep(requested, PartitionFailure.REFUSED, byRequest);
                }
                continue;
            }
            try {
                outcomes.add(
                        about instanceof Command.Requested requested
                                ? once(overlay, requested, byRequest, timeMillis)
                                : reshape(overlay, about));
            } catch (StoreFailure | MalformedRecordException failure) {
                throw failure;
            } catch (RuntimeException failure) {
                return Optional.of(new Poison(i, PartitionFailure.reason(command, failure, level)));
            }
        }
        return Optional.empty();
    }

    private Outcome once(
            EntryOverlay overlay,
            Command.Requested command,
            Map<RequestId, DeduplicationRecord.Answered> answered,
            long timeMillis) {
        DeduplicationRecord.Answered first = first(command.requestId(), answered, timeMillis);
        if (first != null) {
            return new Outcome.Repeated(first.outcome(), first.answer());
        }
        PartitionDraft draft = overlay.draft(command.partition());
        if (draft != null && draft.isFailed()) {
            return PartitionFailure.REFUSED;
        }
        Outcome outcome =
                draft == null
                        ? new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0)
                        : switch (command) {
                            case Command.WriteItems write ->
                                    new ItemTransaction(overlay, draft, write).run();
                            case DeleteKey delete ->
                                    new KeyDeletionStep(overlay, draft, delete).run();
                        };
        if (isKept(command, outcome)) {
            keep(command, outcome, answered);
        }
        return outcome;
    }

    private static void keep(
            Command.Requested command,
            Outcome outcome,
            Map<RequestId, DeduplicationRecord.Answered> answered) {
        answered.put(
                command.requestId(),
                new DeduplicationRecord.Answered(
                        command.requestId(),
                        command.partition().container(),
                        command.anyKey(),
                        outcome,
                        outcome instanceof Outcome.Written ? command.answer() : Bytes.EMPTY));
    }

    /**
     * A client that is told that the range is gone sends the same request to another partition,
     * which may well be in this set. A leader that is told that it must derive again sends it again
     * to this one. What became of a statement of a session is remembered with its items.
     */
    private static boolean isKept(Command.Requested command, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Stale _ -> false;
            case Outcome.Written _
                    when command instanceof Command.WriteItems write
                            && write.stated().isPresent() ->
                    false;
            case Outcome.Rejected rejected -> rejected.code() != ErrorCode.RANGE_GONE;
            case Outcome.Done _,
                    Outcome.Written _,
                    Outcome.Reindexed _,
                    Outcome.Blocked _,
                    Outcome.Repeated _ ->
                    true;
        };
    }

    private DeduplicationRecord.@Nullable Answered first(
            RequestId id, Map<RequestId, DeduplicationRecord.Answered> thisEntry, long timeMillis) {
        DeduplicationRecord.Answered earlier = thisEntry.get(id);
        if (earlier != null) {
            return earlier;
        }
        long place = requests.find(id);
        if (place == RequestIndex.NOT_FOUND) {
            return null;
        }
        DeduplicationRecord record = answersAt(RequestIndex.position(place));
        return record == null || record.timeMillis() + level.deduplicationMillis() <= timeMillis
                ? null
                : record.requests().get(RequestIndex.ordinal(place));
    }

    /**
     * Looks for the outcome of a request in the store. Any thread may ask; a request that is on its
     * way is not found, so only applying it can tell for sure.
     */
    public Optional<Outcome.Repeated> findCarriedOut(RequestId id) {
        long place = requests.find(id);
        if (place == RequestIndex.NOT_FOUND) {
            return Optional.empty();
        }
        byte[] row = store.get(Table.META, Keys.deduplication(RequestIndex.position(place)));
        if (row == null) {
            return Optional.empty();
        }
        DeduplicationRecord.Answered first =
                DeduplicationRecord.decode(row).requests().get(RequestIndex.ordinal(place));
        return Optional.of(new Outcome.Repeated(first.outcome(), first.answer()));
    }

    private @Nullable DeduplicationRecord answersAt(long position) {
        if (position == applied.position() && lastAnswers.isPresent()) {
            return lastAnswers.get();
        }
        byte[] row = store.get(Table.META, Keys.deduplication(position));
        return row == null ? null : DeduplicationRecord.decode(row);
    }

    private Outcome reshape(EntryOverlay overlay, Command.OfPartition command) {
        if (PartitionFailure.isRefused(overlay, command)) {
            return PartitionFailure.REFUSED;
        }
        PartitionShaping shaping = new PartitionShaping(overlay);
        return switch (command) {
            case Command.OpenPartition open -> open(overlay, shaping, open);
            case Command.SetDefinition set -> setDefinition(overlay, shaping, set);
            case Command.DropPartition drop -> shaping.drop(drop);
            case Command.RepairPartition repair -> PartitionFailure.repair(overlay, repair);
            case Command.Reindex reindex -> reindex(overlay, reindex);
            case ReshapeCommand.PrepareSplit prepare -> shaping.prepareSplit(prepare);
            case ReshapeCommand.CommitSplit commit -> shaping.commitSplit(commit);
            case ReshapeCommand.MergePartitions merge -> shaping.merge(merge);
            case Command.Purge purge -> purge(overlay, purge);
            case Command.PurgeJournal purge -> shaping.purgeJournal(purge);
            case PurgeSessions purge -> shaping.purgeSessions(purge);
            case ForgetDeletion forget -> forget(overlay, forget);
            case Command.AdvanceTime advance -> advanceTime(overlay, advance);
            case Command.Requested _ ->
                    throw new IllegalStateException("requests take the other way");
        };
    }

    private Outcome open(
            EntryOverlay overlay, PartitionShaping shaping, Command.OpenPartition command) {
        if (overlay.draft(command.partition()) != null) {
            return new Outcome.Done();
        }
        if (!isUsable(command.definition())) {
            return new Outcome.Rejected(ErrorCode.BAD_REQUEST, 0, 0);
        }
        DefinitionRecord definition =
                new DefinitionRecord(command.definition().withTerms(level.terms()));
        return shaping.open(command, OpenDefinition.of(definition, plans));
    }

    private Outcome setDefinition(
            EntryOverlay overlay, PartitionShaping shaping, Command.SetDefinition command) {
        PartitionDraft draft = overlay.draft(command.partition());
        if (draft == null) {
            return new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0);
        }
        if (command.definition().version() <= draft.definitionVersion) {
            return new Outcome.Done();
        }
        if (!isUsable(command.definition())) {
            return new Outcome.Rejected(ErrorCode.BAD_REQUEST, 0, 0);
        }
        List<DefinitionRecord.Version> versions =
                new ArrayList<>(draft.definition.record().versions());
        boolean sameIndex =
                versions.getLast().definition().indexesLike(command.definition().definition());
        if (sameIndex) {
            // Items keep pointing at the policy's own version, so the old number stays findable.
            versions.set(
                    versions.size() - 1,
                    new DefinitionRecord.Version(
                            versions.getLast().version(),
                            command.definition().definition(),
                            command.definition().logicalPartitionMaxBytes(),
                            command.definition().partitionMaxBytes(),
                            versions.getLast().terms()));
        } else {
            versions.add(command.definition().withTerms(level.terms()));
            draft.policyVersion = command.definition().version();
            draft.reindexing = draft.size.items() > 0;
            draft.reindexAfter = Bytes.EMPTY;
            draft.reindexed = 0;
            if (!draft.reindexing) {
                versions.subList(0, versions.size() - 1).clear();
            }
        }
        draft.definitionVersion = command.definition().version();
        draft.definition = OpenDefinition.of(draft.definition.record().with(versions), plans);
        draft.definitionChanged = true;
        shaping.keepVersions(draft);
        return new Outcome.Done();
    }

    /** A policy that cannot be compiled must not stop the log: the command is refused instead. */
    private boolean isUsable(DefinitionRecord.Version version) {
        try {
            plans.get(version.withTerms(level.terms()));
            return true;
        } catch (OrreryException invalid) {
            return false;
        }
    }

    private static Outcome reindex(EntryOverlay overlay, Command.Reindex command) {
        PartitionDraft draft = overlay.draft(command.partition());
        if (draft == null || !draft.reindexing || draft.policyVersion != command.policyVersion()) {
            return new Outcome.Reindexed(true);
        }
        return new ReindexStep(overlay, draft, command).run();
    }

    private static Outcome forget(EntryOverlay overlay, ForgetDeletion command) {
        PartitionDraft draft = overlay.draft(command.partition());
        if (draft == null) {
            return new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0);
        }
        draft.deletions = draft.deletions.without(command.deletion());
        draft.deletionsChanged = true;
        return new Outcome.Done();
    }

    private static Outcome purge(EntryOverlay overlay, Command.Purge command) {
        PartitionDraft draft = overlay.draft(command.partition());
        return draft == null
                ? new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0)
                : new PurgeStep(overlay, draft, command).run();
    }

    private static Outcome advanceTime(EntryOverlay overlay, Command.AdvanceTime command) {
        PartitionDraft draft = overlay.draft(command.partition());
        if (draft == null) {
            return new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0);
        }
        draft.advanceTime(overlay.batch(), command.stampMillis());
        return new Outcome.Done();
    }

    private int purge(StoreBatch batch, long timeMillis) {
        int purged = 0;
        for (Remembered entry : remembered) {
            if (purged == level.purgedPerEntry()
                    || entry.timeMillis() + level.deduplicationMillis() > timeMillis) {
                break;
            }
            batch.delete(Table.META, Keys.deduplication(entry.position()));
            purged++;
        }
        return purged;
    }

    private void forget(int entries) {
        for (int i = 0; i < entries; i++) {
            remembered.removeFirst();
        }
    }

    private void remember(long position, DeduplicationRecord record) {
        remembered.addLast(new Remembered(position, record.timeMillis()));
        for (int i = 0; i < record.requests().size(); i++) {
            requests.add(record.requests().get(i).id(), position, i, record.timeMillis());
        }
    }

    private void loadPartitions() {
        byte[] prefix = Keys.allPartitions();
        try (Cursor rows = store.scan(Table.META, prefix, Keys.after(prefix))) {
            while (rows.next()) {
                byte[] key = rows.key();
                PartitionId id = PartitionId.read(new BinaryReader(key, 1, key.length - 1));
                byte[] definition = store.get(Table.META, Keys.definition(id));
                if (definition == null) {
                    throw new IllegalStateException("a partition has lost its definition: " + id);
                }
                open.put(
                        id,
                        new PartitionState(
                                PartitionRecord.decode(rows.value()),
                                OpenDefinition.of(DefinitionRecord.decode(definition), plans),
                                loadDeletions(id)));
            }
        }
    }

    private KeyDeletions loadDeletions(PartitionId id) {
        byte[] row = store.get(Table.META, Keys.keyDeletions(id));
        return row == null ? KeyDeletions.NONE : KeyDeletions.decode(row);
    }

    private void loadRequests() {
        byte[] from = Keys.deduplication(applied.oldestDeduplication());
        byte[] to = Keys.deduplication(applied.position() + 1);
        try (Cursor rows = store.scan(Table.META, from, to)) {
            while (rows.next()) {
                byte[] key = rows.key();
                remember(
                        new BinaryReader(key, 1, key.length - 1).u64(),
                        DeduplicationRecord.decode(rows.value()));
            }
        }
    }

    private static long stamp(Command command) {
        return switch (command) {
            case Command.WriteItems write -> write.stampMillis();
            case Command.OpenPartition open -> open.stampMillis();
            case ReshapeCommand.CommitSplit split -> split.stampMillis();
            case ReshapeCommand.MergePartitions merge -> merge.stampMillis();
            case Command.Purge purge -> purge.stampMillis();
            case DeleteKey delete -> delete.stampMillis();
            case Command.AdvanceTime advance -> advance.stampMillis();
            case Command.SetDefinition _,
                    Command.DropPartition _,
                    Command.RepairPartition _,
                    Command.RaiseLevel _,
                    ForgetDeletion _,
                    Command.Reindex _,
                    Command.PurgeJournal _,
                    PurgeSessions _,
                    ReshapeCommand.PrepareSplit _ ->
                    0;
        };
    }
}
