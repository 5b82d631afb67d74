package orrery.partition.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.IndexTerms;
import orrery.document.ItemLifetime;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.ChangeRecord;
import orrery.storage.format.DataSize;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

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
    private final Map<Bytes, Optional<ItemRecord>> staged = new HashMap<>(4);
    private final List<Staged> writes = new ArrayList<>(1);
    private final UniqueEntries uniques;
    private final Presence presence;
    private final VersionKeeper versions;
    private LogicalPartitionRecord logical;
    private long nextDocid;
    private DataSize change = DataSize.NONE;

    /** A change that passed its checks; {@code after} is null for a delete. */
    private record Staged(
            Bytes key,
            Bytes suffix,
            @Nullable ItemRecord before,
            IndexTerms oldTerms,
            @Nullable ItemRecord after,
            IndexTerms newTerms) {}

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
        this.uniques = new UniqueEntries(overlay, partition);
        this.presence = partition.presence(timeMillis);
        this.versions = new VersionKeeper(overlay, partition, lsn, presence);
    }

    Outcome run() {
        // A key outside this partition belongs to another since a split: the gateway looks anew.
        if (!partition.keys().contains(command.changes().getFirst().key().epk())) {
            return new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0);
        }
        if (command.lastWrite().isPresent() && command.lastWrite().getAsLong() != lastWrite()) {
            return new Outcome.Rejected(ErrorCode.RETRY_WITH, 0, 0);
        }
        List<Outcome.ItemOutcome> outcomes = new ArrayList<>(command.changes().size());
        for (int i = 0; i < command.changes().size(); i++) {
            Command.ItemChange change = command.changes().get(i);
            Bytes suffix = Keys.itemSuffix(change.key());
            Bytes key = Bytes.wrap(Keys.item(partition.id.container(), suffix));
            ItemRecord stored = current(key);
            ItemRecord before = stored == null || isGone(suffix, stored) ? null : stored;
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
                remove(change.key(), key, suffix, stored);
            }
            List<Bytes> entries =
                    change instanceof Command.ItemChange.Put put
                            ? uniques.of(put.key(), put.body())
                            : List.of();
            if (isTaken(entries, change.key())) {
                return new Outcome.Rejected(ErrorCode.UNIQUE_KEY_VIOLATION, i, 0);
            }
            Staged write = stage(change, firstOrdinal + i, key, suffix, before, entries);
            ErrorCode full = overLimit();
            if (full != null) {
                return new Outcome.Rejected(full, i, 0);
            }
            outcomes.add(outcome(write));
        }
        commit();
        return new Outcome.Written(lsn, timeMillis, logical.size().bytes(), outcomes);
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

    private @Nullable ItemRecord current(Bytes key) {
        Optional<ItemRecord> mine = staged.get(key);
        return mine != null ? mine.orElse(null) : overlay.item(key);
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
     * Returns true if another item has a combination of values that must be unique. One that is
     * gone gives them up, and its rows with them.
     */
    private boolean isTaken(List<Bytes> entries, ItemKey item) {
        for (Bytes entry : entries) {
            Optional<String> owner = uniques.owner(entry);
            if (owner.isPresent() && !owner.get().equals(item.rowKey())) {
                ItemKey other = new ItemKey(item.epk(), item.partitionKey(), owner.get());
                Bytes suffix = Keys.itemSuffix(other);
                Bytes key = Bytes.wrap(Keys.item(partition.id.container(), suffix));
                ItemRecord record = current(key);
                if (record == null || !isGone(suffix, record)) {
                    return true;
                }
                remove(other, key, suffix, record);
            }
        }
        return false;
    }

    /** Deletes what is gone, since something else takes its place. Nobody is told. */
    private void remove(ItemKey item, Bytes key, Bytes suffix, ItemRecord gone) {
        stage(
                new Command.ItemChange.Remove(item, Precondition.NONE),
                0,
                key,
                suffix,
                gone,
                List.of());
    }

    private Staged stage(
            Command.ItemChange change,
            int ordinal,
            Bytes key,
            Bytes suffix,
            @Nullable ItemRecord before,
            List<Bytes> entries) {
        IndexTerms oldTerms = before == null ? IndexTerms.EMPTY : termsOf(before);
        ItemRecord after = null;
        IndexTerms newTerms = IndexTerms.EMPTY;
        if (change instanceof Command.ItemChange.Put put) {
            after = record(put, ordinal, before);
            newTerms = newTerms(put);
        }
        Staged write = new Staged(key, suffix, before, oldTerms, after, newTerms);
        staged.put(key, Optional.ofNullable(after));
        writes.add(write);
        String rowKey = change.key().rowKey();
        if (before != null) {
            List<Bytes> held = uniques.of(change.key(), before.body());
            uniques.release(held);
            this.change = this.change.minus(size(write, before, oldTerms, held, rowKey));
        }
        if (after != null) {
            uniques.give(entries, rowKey);
            this.change = this.change.plus(size(write, after, newTerms, entries, rowKey));
        }
        return write;
    }

    private static DataSize size(
            Staged write, ItemRecord item, IndexTerms terms, List<Bytes> entries, String rowKey) {
        return new DataSize(
                1,
                write.key().length() + item.storedBytes(),
                IndexRows.bytes(item, terms, write.suffix())
                        + UniqueEntries.bytes(entries, rowKey));
    }

    private ItemRecord record(
            Command.ItemChange.Put put, int ordinal, @Nullable ItemRecord before) {
        long docid = before == null ? partition.docidAt(nextDocid++) : before.docid();
        return new ItemRecord(
                put.encoding(),
                docid,
                Etag.ofWrite(partition.id, lsn, ordinal),
                timeMillis,
                lsn,
                ordinal,
                partition.ownSegment(),
                partition.policyVersion,
                expiry(put.body()),
                put.body());
    }

    private long expiry(Bytes body) {
        int seconds = ItemLifetime.of(body);
        return switch (seconds) {
            case ItemLifetime.UNSAID -> ItemRecord.UNSAID;
            case ItemLifetime.ENDLESS -> ItemRecord.NEVER;
            default -> timeMillis + seconds * 1000L;
        };
    }

    private IndexTerms termsOf(ItemRecord record) {
        return partition
                .definition
                .planOf(record.policyVersion())
                .extract(record.body(), record.timestampMillis() / 1000);
    }

    private IndexTerms newTerms(Command.ItemChange.Put put) {
        long seconds = timeMillis / 1000;
        PreparedTerms prepared = put.prepared();
        if (prepared != null
                && prepared.policyVersion() == partition.policyVersion
                && prepared.seconds() == seconds) {
            return prepared.terms();
        }
        return partition.definition.currentPlan().extract(put.body(), seconds);
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
        for (int i = 0; i < writes.size(); i++) {
            Staged write = writes.get(i);
            writeRows(write);
            versions.keep(i, write.suffix(), write.before(), write.after());
        }
        uniques.commit();
        partition.advance(overlay.batch(), lsn, timeMillis);
        partition.nextDocid = nextDocid;
        partition.count(command.changes().getFirst().key().epk(), change);
        logical = new LogicalPartitionRecord(logical.size().plus(change), lsn);
        overlay.putLogicalPartition(logicalKey, logical);
    }

    private void writeRows(Staged write) {
        StoreBatch batch = overlay.batch();
        int container = partition.id.container();
        ItemRecord before = write.before();
        ItemRecord after = write.after();
        if (after == null) {
            if (before != null) {
                deleteRows(overlay, container, write.key(), before, write.oldTerms());
            }
            return;
        }
        if (before != null) {
            batch.delete(Table.CHANGES, change(container, before));
        }
        overlay.putItem(write.key(), after);
        batch.put(
                Table.CHANGES,
                change(container, after),
                new ChangeRecord(
                                before == null
                                        ? ChangeRecord.Operation.CREATE
                                        : ChangeRecord.Operation.REPLACE,
                                before == null ? 0 : before.lsn(),
                                write.suffix())
                        .encode());
        moveIndexRows(batch, container, write, before, after);
    }

    /** All that an item has, but for its unique-key entries and its part of the counters. */
    static void deleteRows(
            EntryOverlay overlay, int container, Bytes key, ItemRecord item, IndexTerms terms) {
        overlay.batch().delete(Table.CHANGES, change(container, item));
        overlay.deleteItem(key);
        IndexRows.deleteAll(overlay.batch(), container, item, terms);
    }

    private static byte[] change(int container, ItemRecord item) {
        return Keys.change(container, item.segment(), item.lsn(), item.ordinal());
    }

    /** Entries that stay the same are left alone; entries in an older segment come home. */
    private static void moveIndexRows(
            StoreBatch batch,
            int container,
            Staged write,
            @Nullable ItemRecord before,
            ItemRecord after) {
        Bytes suffix = write.suffix();
        if (before != null && before.segment() == after.segment()) {
            IndexTerms.Change change = write.oldTerms().changeTo(write.newTerms());
            IndexRows.delete(batch, container, before.segment(), change.removed(), before.docid());
            IndexRows.put(batch, container, after.segment(), change.added(), after.docid(), suffix);
            IndexRows.deleteExpiry(batch, container, before);
            IndexRows.putExpiry(batch, container, after, suffix);
            return;
        }
        if (before != null) {
            IndexRows.deleteAll(batch, container, before, write.oldTerms());
        }
        IndexRows.putAll(batch, container, after, write.newTerms(), suffix);
    }
}
