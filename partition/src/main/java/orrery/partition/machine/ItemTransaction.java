package orrery.partition.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import orrery.document.IndexPlan;
import orrery.document.IndexTerms;
import orrery.document.ItemLifetime;
import orrery.model.Bytes;
import orrery.model.DerivedRow;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.FileTime;
import orrery.model.ItemKey;
import orrery.model.ItemVersion.Operation;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.model.SessionTransaction;
import orrery.model.Statement;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.Cause;
import orrery.storage.format.ChangeHeader;
import orrery.storage.format.ChangeRecord;
import orrery.storage.format.DataSize;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Extensions;
import orrery.storage.format.IndexEntry;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;
import orrery.storage.format.Origin;

/**
 * One {@link Command.WriteItems}: checks every change against what is there, and only when all of
 * them hold writes items, index entries, change records and counters.
 */
final class ItemTransaction {
    private final EntryOverlay overlay;
    private final PartitionDraft partition;
    private final Command.WriteItems command;
    private final Bytes logicalKey;
    private final long lsn;
    private final int firstOrdinal;
    private final long timeMillis;

    /** The last change at the key of an item, or away from it. */
    private final Map<Bytes, Staged> staged = new HashMap<>(4);

    private final List<Staged> writes = new ArrayList<>(1);
    private final UniqueEntries uniques;
    private final Presence presence;
    private final VersionKeeper versions;

    /** The memory of the session that has a name for the command. */
    private final Optional<SessionMemory> sessionMemory;

    private LogicalPartitionRecord logical;
    private long nextDocid;
    private FileTime lastMoment;
    private DataSize change = DataSize.NONE;

    /** The place of an item: the key of its row, and what entries of the index say of it. */
    private record Place(Bytes key, Bytes suffix, RowKey id) {}

    /**
     * A change that passed its checks; {@code after} is null for a delete.
     *
     * @param from where the item was
     * @param place where it is; the same unless its id changes
     * @param isUpdate whether the client said what to change of the item, and not all of it
     */
    private record Staged(
            Place from,
            Place place,
            @Nullable ItemRecord before,
            Indexed oldIndexed,
            @Nullable ItemRecord after,
            Indexed newIndexed,
            boolean isUpdate) {
        IndexTerms oldTerms() {
            return oldIndexed.terms();
        }

        IndexTerms newTerms() {
            return newIndexed.terms();
        }

        @Nullable ItemRecord itemAt(Bytes key) {
            return key.equals(place.key()) ? after : null;
        }

        boolean hasDerived() {
            return !oldIndexed.derived().isEmpty() || !newIndexed.derived().isEmpty();
        }

        boolean isMove() {
            return !from.id().equals(place.id());
        }
    }

    ItemTransaction(EntryOverlay overlay, PartitionDraft partition, Command.WriteItems command) {
        this(overlay, partition, command, partition.headLsn + 1, 0);
    }

    /**
     * @param firstOrdinal how many changes there are already at this LSN
     */
    ItemTransaction(
            EntryOverlay overlay,
            PartitionDraft partition,
            Command.WriteItems command,
            long lsn,
            int firstOrdinal) {
        ItemKey first = command.changes().getFirst().key();
        this.overlay = overlay;
        this.partition = partition;
        this.command = command;
        this.logicalKey =
                Bytes.wrap(
                        Keys.logicalPartition(
                                partition.id.container(), first.epk(), first.partitionKey()));
        this.lsn = lsn;
        this.firstOrdinal = firstOrdinal;
        this.timeMillis = Math.max(partition.timeMillis, command.stampMillis());
        this.logical = overlay.logicalPartition(logicalKey);
        this.nextDocid = partition.nextDocid;
        this.lastMoment = new FileTime(partition.lastTick);
        this.uniques = new UniqueEntries(overlay, partition);
        this.presence = partition.presence(timeMillis);
        this.versions = new VersionKeeper(overlay, partition, lsn);
        this.sessionMemory = command.stated().map(this::sessionMemory);
    }

    Outcome run() {
        // A key outside this partition belongs to another since a split: the gateway looks anew.
        if (!partition.keys().contains(command.changes().getFirst().key().epk())) {
            return new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0);
        }
        Optional<ErrorCode> known = refusalOfStatement();
        if (known.isPresent()) {
            return new Outcome.Rejected(known.get(), 0, 0);
        }
        if (command.lastWrite().isPresent() && command.lastWrite().getAsLong() != lastWrite()) {
            return new Outcome.Rejected(ErrorCode.RETRY_WITH, 0, 0);
        }
        if (!isDerivedForNow()) {
            return new Outcome.Stale();
        }
        List<Outcome.ItemOutcome> outcomes = new ArrayList<>(command.changes().size());
        for (int i = 0; i < command.changes().size(); i++) {
            Command.ItemChange change = command.changes().get(i);
            Place from = place(change.key());
            ItemRecord stored = current(from.key());
            ItemRecord before = stored == null || isGone(from.suffix(), stored) ? null : stored;
            ErrorCode refusal = refusal(change, before);
            if (refusal != null) {
                return new Outcome.Rejected(
                        refusal, i, before == null ? 0 : before.body().length());
            }
            if (change instanceof Command.ItemChange.Check && before != null) {
                outcomes.add(seen(before));
                continue;
            }
            if (stored != null && before == null) {
                remove(change.key(), from, stored);
            }
            if (change instanceof Command.ItemChange.Rename rename) {
                OptionalInt inTheWay = clear(rename.target());
                if (inTheWay.isPresent()) {
                    return new Outcome.Rejected(ErrorCode.CONFLICT, i, inTheWay.getAsInt());
                }
            }
            List<UniqueEntries.Entry> entries =
                    change instanceof Command.ItemChange.Storing put ? entries(put) : List.of();
            Optional<UniqueEntries.Entry> taken = freeUniqueValues(entries, change.key());
            if (taken.isPresent()) {
                return new Outcome.Rejected(
                        ErrorCode.UNIQUE_KEY_VIOLATION, i, 0, taken.get().taken());
            }
            Staged write =
                    stage(change, firstOrdinal + i, from, before, UniqueEntries.rows(entries));
            ErrorCode full = overLimit();
            if (full != null) {
                return new Outcome.Rejected(full, i, 0);
            }
            outcomes.add(outcome(write));
        }
        commit();
        Outcome.Written written =
                new Outcome.Written(lsn, timeMillis, logical.size().bytes(), outcomes);
        sessionMemory.ifPresent(
                memory -> remember(memory, command.stated().orElseThrow(), written));
        return written;
    }

    private SessionMemory sessionMemory(Command.Stated stated) {
        return SessionMemory.of(
                overlay,
                partition.id.container(),
                command.changes().getFirst().key().epk(),
                stated.statement().session());
    }

    /** A statement that was carried out is not carried out again, nor one that came too late. */
    private Optional<ErrorCode> refusalOfStatement() {
        if (sessionMemory.isEmpty()) {
            return Optional.empty();
        }
        Statement statement = command.stated().orElseThrow().statement();
        return switch (sessionMemory.get().find(statement, timeMillis)) {
            case SessionMemory.Known.Nothing _ -> Optional.empty();
            case SessionMemory.Known.TooOld _ -> Optional.of(ErrorCode.TRANSACTION_TOO_OLD);
            case SessionMemory.Known.Done _ -> Optional.of(ErrorCode.STATEMENT_DONE);
        };
    }

    private void remember(SessionMemory memory, Command.Stated stated, Outcome.Written written) {
        Staged first = writes.getFirst();
        Bytes image =
                SessionRecord.image(
                        stated.keepsBefore() ? first.before() : null,
                        stated.keepsAfter() ? first.after() : null);
        memory.keep(
                overlay,
                stated.statement(),
                SessionRecord.of(timeMillis, stated.statement(), written, image, command.answer()));
    }

    /**
     * Returns false if the leader derived rows under another definition, or for another time, than
     * those that hold now. Nothing is derived here, so it has to do it again.
     */
    private boolean isDerivedForNow() {
        if (!partition.definition.currentPlan().needsDerived()) {
            return true;
        }
        for (Command.ItemChange change : command.changes()) {
            if (change instanceof Command.ItemChange.Storing put
                    && !put.derived().isFor(partition.policyVersion, timeMillis / 1000)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The counters go with the last item, but those of an entry that is still on its way to the
     * store are there a while longer: an empty logical partition was never written. A deletion of
     * several keys is not counted with each.
     */
    private long lastWrite() {
        ItemKey key = command.changes().getFirst().key();
        return logical.size().items() == 0
                ? 0
                : Math.max(logical.lastWriteLsn(), partition.deletions.lastOf(key));
    }

    private Place place(ItemKey item) {
        Bytes suffix = Keys.itemSuffix(item);
        return new Place(
                Bytes.wrap(Keys.item(partition.id.container(), suffix)), suffix, item.rowKey());
    }

    /**
     * Makes room where an item is to go. One that is gone gives up its place; one that is not stays
     * there, and the size of its body is returned.
     */
    private OptionalInt clear(ItemKey target) {
        Place place = place(target);
        ItemRecord there = current(place.key());
        if (there == null) {
            return OptionalInt.empty();
        }
        if (!isGone(place.suffix(), there)) {
            return OptionalInt.of(there.body().length());
        }
        remove(target, place, there);
        return OptionalInt.empty();
    }

    private @Nullable ItemRecord current(Bytes key) {
        Staged mine = staged.get(key);
        return mine == null ? overlay.item(key) : mine.itemAt(key);
    }

    private static @Nullable ErrorCode refusal(
            Command.ItemChange change, @Nullable ItemRecord before) {
        boolean mustBeAbsent =
                change instanceof Command.ItemChange.Put put
                        && put.expect() == Command.Expect.ABSENT;
        boolean mayBeAbsent =
                change instanceof Command.ItemChange.Put put
                        && put.expect() != Command.Expect.PRESENT;
        if (before == null) {
            return mayBeAbsent ? null : ErrorCode.NOT_FOUND;
        }
        if (mustBeAbsent) {
            return ErrorCode.CONFLICT;
        }
        return Precondition.holds(change.precondition(), before.etag())
                ? null
                : ErrorCode.PRECONDITION_FAILED;
    }

    private boolean isGone(Bytes suffix, ItemRecord item) {
        return presence.isGone(suffix, item);
    }

    /**
     * Deletes items that are gone and still hold values that must be unique. Returns the entry that
     * an item which is there holds.
     */
    private Optional<UniqueEntries.Entry> freeUniqueValues(
            List<UniqueEntries.Entry> entries, ItemKey item) {
        for (UniqueEntries.Entry entry : entries) {
            Optional<RowKey> owner = uniques.owner(entry.row());
            if (owner.isPresent() && !owner.get().equals(item.rowKey())) {
                ItemKey other = item.withRowKey(owner.get());
                Place place = place(other);
                ItemRecord record = current(place.key());
                if (record == null || !isGone(place.suffix(), record)) {
                    return Optional.of(entry);
                }
                remove(other, place, record);
            }
        }
        return Optional.empty();
    }

    private List<UniqueEntries.Entry> entries(Command.ItemChange.Storing put) {
        IndexPlan plan = partition.definition.currentPlan();
        return uniques.of(put.key(), put.encoding(), put.body(), plan, put.derived().rows());
    }

    /** The entries of an item that is there, by the definition that it was indexed under. */
    private List<Bytes> held(ItemKey key, ItemRecord item, Indexed indexed) {
        IndexPlan plan = partition.definition.planOf(item.policyVersion());
        return UniqueEntries.rows(
                uniques.of(key, item.encoding(), item.body(), plan, indexed.derived()));
    }

    /** Deletes what is gone, since something else takes its place. Nobody is told. */
    private void remove(ItemKey item, Place place, ItemRecord gone) {
        stage(new Command.ItemChange.Remove(item, Precondition.NONE), 0, place, gone, List.of());
    }

    private Staged stage(
            Command.ItemChange change,
            int ordinal,
            Place from,
            @Nullable ItemRecord before,
            List<Bytes> entries) {
        Indexed oldIndexed = before == null ? Indexed.NOTHING : indexed(from, before);
        Place to = from;
        ItemRecord after = null;
        Indexed newIndexed = Indexed.NOTHING;
        boolean isUpdate = false;
        if (change instanceof Command.ItemChange.Storing put) {
            to = change instanceof Command.ItemChange.Rename ? place(put.target()) : from;
            after = record(put, ordinal, before);
            newIndexed = newIndexed(put);
            isUpdate = put.isUpdate() && before != null;
        }
        Staged write = new Staged(from, to, before, oldIndexed, after, newIndexed, isUpdate);
        staged.put(to.key(), write);
        if (write.isMove()) {
            staged.put(from.key(), write);
        }
        writes.add(write);
        if (before != null) {
            List<Bytes> held = held(change.key(), before, oldIndexed);
            uniques.release(held);
            this.change = this.change.minus(size(from, before, oldIndexed, held));
        }
        if (after != null) {
            uniques.give(entries, to.id());
            this.change = this.change.plus(size(to, after, newIndexed, entries));
        }
        return write;
    }

    private static DataSize size(
            Place place, ItemRecord item, Indexed indexed, List<Bytes> entries) {
        return new DataSize(
                1,
                place.key().length() + item.storedBytes(),
                IndexRows.bytes(item, indexed, place.suffix())
                        + UniqueEntries.bytes(entries, place.id()));
    }

    private ItemRecord record(
            Command.ItemChange.Storing put, int ordinal, @Nullable ItemRecord before) {
        int segment = partition.ownSegment();
        return new ItemRecord(
                put.encoding(),
                before == null ? partition.docidAt(nextDocid++) : before.docid(),
                etag(ordinal),
                timeMillis,
                lsn,
                before == null ? lsn : before.creationLsn(),
                ordinal,
                segment,
                segment,
                partition.policyVersion,
                ItemLifetime.of(put.encoding(), put.body()),
                Origin.HERE,
                Extensions.NONE,
                put.body());
    }

    private Etag etag(int ordinal) {
        return switch (partition.etags()) {
            case WRITE -> Etag.ofWrite(partition.id, lsn, ordinal);
            case FILE_TIME -> {
                lastMoment = lastMoment.next(timeMillis);
                yield lastMoment.toEtag();
            }
        };
    }

    /** An item that this very command has put is in no other place yet. */
    private Indexed indexed(Place place, ItemRecord record) {
        Staged mine = staged.get(place.key());
        return mine == null ? Indexed.of(overlay, partition, record) : mine.newIndexed();
    }

    private Indexed newIndexed(Command.ItemChange.Storing put) {
        IndexPlan plan = partition.definition.currentPlan();
        List<DerivedRow> derived = plan.needsDerived() ? put.derived().rows() : List.of();
        return new Indexed(newTerms(put, plan, derived), plan.needsDerived(), derived);
    }

    private IndexTerms newTerms(
            Command.ItemChange.Storing put, IndexPlan plan, List<DerivedRow> derived) {
        long seconds = timeMillis / 1000;
        PreparedTerms prepared = put.prepared();
        if (prepared != null
                && prepared.policyVersion() == partition.policyVersion
                && prepared.seconds() == seconds) {
            return prepared.terms();
        }
        return plan.extract(put.encoding(), put.body(), seconds, derived);
    }

    /** Allows changes that do not grow the data, so that a full partition can be tidied up. */
    private @Nullable ErrorCode overLimit() {
        if (change.bytes() <= 0) {
            return null;
        }
        DefinitionRecord.Version limits = partition.definition.current();
        boolean partitionFull =
                limits.partitionMaxBytes() != 0
                        && partition.size.bytes() + change.bytes() > limits.partitionMaxBytes();
        if (partitionFull) {
            return ErrorCode.FIXED_CONTAINER_FULL;
        }
        return logical.size().bytes() + change.bytes() > limits.logicalPartitionMaxBytes()
                ? ErrorCode.LOGICAL_PARTITION_FULL
                : null;
    }

    private static Outcome.ItemOutcome seen(ItemRecord item) {
        int bytes = item.body().length();
        return new Outcome.ItemOutcome(
                Outcome.Kind.SEEN, item.docid(), item.etag(), bytes, bytes, 0, 0);
    }

    private Outcome.ItemOutcome outcome(Staged write) {
        ItemRecord before = write.before();
        ItemRecord after = write.after();
        if (after == null && before != null) {
            return new Outcome.ItemOutcome(
                    Outcome.Kind.DELETED,
                    before.docid(),
                    before.etag(),
                    before.body().length(),
                    0,
                    write.oldTerms().leafCount(),
                    0);
        }
        if (after == null) {
            throw new IllegalStateException("a delete of nothing passed its checks");
        }
        IndexTerms.Change change = write.oldTerms().changeTo(write.newTerms());
        return new Outcome.ItemOutcome(
                before == null ? Outcome.Kind.CREATED : Outcome.Kind.REPLACED,
                after.docid(),
                after.etag(),
                before == null ? 0 : before.body().length(),
                after.body().length(),
                change.removed().leafCount(),
                before == null ? write.newTerms().leafCount() : change.added().leafCount());
    }

    private void commit() {
        ItemKey first = command.changes().getFirst().key();
        CreationOrder order = new CreationOrder(overlay, partition.id.container(), first, logical);
        for (int i = 0; i < writes.size(); i++) {
            Staged write = writes.get(i);
            ChangeHeader header = header(write, i);
            writeRows(write, header);
            keepOrder(order, write);
            versions.keep(
                    i,
                    write.place().suffix(),
                    marked(header, write),
                    write.before(),
                    write.after());
        }
        uniques.commit();
        partition.advance(overlay.batch(), lsn, timeMillis);
        partition.nextDocid = nextDocid;
        partition.lastTick = lastMoment.ticks();
        partition.count(first.epk(), change);
        logical = order.extended(logical.after(change, lsn), writes.size());
        overlay.putLogicalPartition(logicalKey, logical);
    }

    /** A replaced item keeps its docid, and with it its place in the order. */
    private static void keepOrder(CreationOrder order, Staged write) {
        ItemRecord before = write.before();
        ItemRecord after = write.after();
        if (before != null && (after == null || write.isMove())) {
            order.delete(write.from().id(), before.docid());
        }
        if (after != null && (before == null || write.isMove())) {
            order.put(write.place().id(), after.docid());
        }
    }

    private ChangeHeader header(Staged write, int index) {
        ItemRecord before = write.before();
        return ChangeHeader.of(
                operation(before, write.after()),
                cause(write),
                (index == 0 ? ChangeHeader.FIRST : 0)
                        | (index == writes.size() - 1 ? ChangeHeader.LAST : 0),
                timeMillis,
                before == null ? 0 : before.lsn());
    }

    /** Only journals say how a change came, because only who reads all versions asks. */
    private ChangeHeader marked(ChangeHeader header, Staged write) {
        ChangeHeader told = write.isUpdate() ? header.withFlags(ChangeHeader.UPDATE) : header;
        return command.stated()
                .filter(Command.Stated::isTransaction)
                .map(Command.Stated::statement)
                .map(part -> new SessionTransaction(part.session(), part.transaction()))
                .map(told::within)
                .orElse(told);
    }

    private static Operation operation(@Nullable ItemRecord before, @Nullable ItemRecord after) {
        if (after == null) {
            return Operation.DELETE;
        }
        return before == null ? Operation.CREATE : Operation.REPLACE;
    }

    private Cause cause(Staged write) {
        if (write.isMove()) {
            return Cause.RENAME;
        }
        return write.after() == null && write.before() != null
                ? presence.causeOfEnd(write.before())
                : Cause.USER;
    }

    private void writeRows(Staged write, ChangeHeader header) {
        StoreBatch batch = overlay.batch();
        int container = partition.id.container();
        ItemRecord before = write.before();
        ItemRecord after = write.after();
        if (after == null) {
            if (before != null) {
                deleteRows(overlay, container, write.from().key(), before, write.oldTerms());
            }
            return;
        }
        if (before != null) {
            batch.delete(Table.CHANGES, Keys.change(container, before));
        }
        if (write.isMove()) {
            overlay.deleteItem(write.from().key());
        }
        overlay.putItem(write.place().key(), after);
        batch.put(
                Table.CHANGES,
                Keys.change(container, after),
                new ChangeRecord(header, write.place().suffix()).encode());
        moveIndexRows(container, write, before, after);
    }

    /** All that an item has, but for its unique-key entries and its part of the counters. */
    static void deleteRows(
            EntryOverlay overlay, int container, Bytes key, ItemRecord item, IndexTerms terms) {
        overlay.batch().delete(Table.CHANGES, Keys.change(container, item));
        overlay.deleteItem(key);
        IndexRows.deleteAll(overlay.batch(), container, item, terms);
    }

    /**
     * Entries that stay the same are left alone; entries in an older segment come home. All of them
     * say where the item is, so a move writes them all.
     */
    private void moveIndexRows(
            int container, Staged write, @Nullable ItemRecord before, ItemRecord after) {
        StoreBatch batch = overlay.batch();
        Bytes suffix = write.place().suffix();
        if (before != null && before.segment() == after.segment() && !write.isMove()) {
            IndexTerms.Change change = write.oldTerms().changeTo(write.newTerms());
            IndexRows.delete(batch, container, before.segment(), change.removed(), before.docid());
            byte[] entry = IndexEntry.encode(suffix);
            IndexRows.put(batch, container, after.segment(), change.added(), after.docid(), entry);
            IndexRows.deleteExpiry(batch, container, before);
            IndexRows.putExpiry(batch, container, after, entry);
            if (write.hasDerived()) {
                IndexRows.putDocid(overlay, container, after, write.newIndexed(), suffix);
            }
            return;
        }
        if (before != null) {
            IndexRows.deleteAll(batch, container, before, write.oldTerms());
        }
        IndexRows.putAll(overlay, container, after, write.newIndexed(), suffix);
    }
}
