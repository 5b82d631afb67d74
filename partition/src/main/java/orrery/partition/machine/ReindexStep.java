package orrery.partition.machine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.document.IndexPlan;
import orrery.document.IndexTerms;
import orrery.model.Bytes;
import orrery.model.ItemKey;
import orrery.storage.Cursor;
import orrery.storage.Table;
import orrery.storage.format.DataSize;
import orrery.storage.format.IndexEntry;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;
import orrery.storage.format.UniqueKeyRecord;

/**
 * Carries the index entries of the next items, in key order, to the present policy and to the
 * partition's own segment. Items keep their version: no LSN and no etag change.
 */
final class ReindexStep {
    private final EntryOverlay overlay;
    private final PartitionDraft partition;
    private final int maxItems;
    private final Map<Bytes, Command.Reindex.Evaluated> evaluated = new HashMap<>();
    private final int container;
    private final int own;

    ReindexStep(EntryOverlay overlay, PartitionDraft partition, Command.Reindex command) {
        this.overlay = overlay;
        this.partition = partition;
        this.maxItems = command.maxItems();
        command.derived().forEach(item -> evaluated.put(item.suffix(), item));
        this.container = partition.id.container();
        this.own = partition.ownSegment();
    }

    Outcome run() {
        byte[] from =
                partition.reindexAfter.isEmpty()
                        ? Keys.itemsFrom(container, partition.keys().min())
                        : after(Keys.item(container, partition.reindexAfter));
        byte[] to = Keys.itemsFrom(container, partition.keys().max());
        // Items this very entry wrote under the old policy are not in the store for the scan to
        // meet. If one of them has to wait for its derived rows, the step waits with it: a later
        // one meets it in the store.
        List<Bytes> justPut = overlay.putBetween(from, to);
        for (Bytes key : justPut) {
            ItemRecord record = overlay.item(key);
            if (record != null && lacksDerived(key, record)) {
                return new Outcome.Reindexed(false);
            }
        }
        for (Bytes key : justPut) {
            ItemRecord record = overlay.item(key);
            if (record != null) {
                Optional<Outcome.Blocked> blocked = reindex(key, record);
                if (blocked.isPresent()) {
                    return blocked.get();
                }
            }
        }
        int seen = 0;
        boolean isWaiting = false;
        try (Cursor rows = overlay.store().scan(Table.ITEMS, from, to)) {
            while (seen < maxItems && rows.next()) {
                Bytes key = Bytes.wrap(rows.key());
                ItemRecord record =
                        overlay.isAsStored(key)
                                ? ItemRecord.decode(rows.value())
                                : overlay.item(key);
                if (record != null && lacksDerived(key, record)) {
                    isWaiting = true;
                    break;
                }
                Optional<Outcome.Blocked> blocked =
                        record == null ? Optional.empty() : reindex(key, record);
                if (blocked.isPresent()) {
                    return blocked.get();
                }
                partition.reindexAfter = Keys.itemSuffix(key.unsafeArray());
                partition.reindexed++;
                seen++;
            }
        }
        boolean finished = !isWaiting && seen < maxItems;
        if (finished) {
            partition.reindexing = false;
            partition.reindexAfter = Bytes.EMPTY;
            partition.definition = partition.definition.onlyCurrent();
            partition.definitionChanged = true;
            List<PartitionRecord.Segment> before = partition.segments;
            partition.segments = List.of(new PartitionRecord.Segment(own, partition.keys()));
            new PartitionShaping(overlay).releaseUnused(container, before);
        }
        return new Outcome.Reindexed(finished);
    }

    /** Returns true if the present policy needs rows of an item that the leader has not derived. */
    private boolean lacksDerived(Bytes key, ItemRecord item) {
        if (item.policyVersion() == partition.policyVersion
                || !partition.definition.currentPlan().needsDerived()) {
            return false;
        }
        Command.Reindex.Evaluated rows = evaluated.get(Keys.itemSuffix(key.unsafeArray()));
        return rows == null || !rows.etag().equals(item.etag());
    }

    /** Returns what the index shall have: an item of the present policy keeps its derived rows. */
    private Indexed renewed(Bytes suffix, ItemRecord item, Indexed old) {
        if (item.policyVersion() == partition.policyVersion) {
            return old;
        }
        Command.Reindex.Evaluated rows = evaluated.get(suffix);
        IndexPlan plan = partition.definition.currentPlan();
        return Indexed.of(
                plan, item, plan.needsDerived() && rows != null ? rows.rows() : List.of());
    }

    /** Returns the key of a unique index that another item has, and then nothing was changed. */
    private Optional<Outcome.Blocked> reindex(Bytes key, ItemRecord before) {
        boolean isHome = before.segment() == own;
        if (isHome && before.policyVersion() == partition.policyVersion) {
            return Optional.empty();
        }
        Bytes suffix = Keys.itemSuffix(key.unsafeArray());
        Indexed old = Indexed.of(overlay, partition, before);
        Indexed next = renewed(suffix, before, old);
        UniqueMove uniques = new UniqueMove(suffix, before, old, next);
        Optional<Outcome.Blocked> blocked = uniques.blocked();
        if (blocked.isPresent()) {
            return blocked;
        }
        uniques.carryOut();
        ItemRecord after =
                (isHome ? before : before.movedTo(own)).withPolicy(partition.policyVersion);
        if (isHome) {
            IndexTerms.Change change = old.terms().changeTo(next.terms());
            byte[] entry = IndexEntry.encode(suffix);
            IndexRows.delete(overlay.batch(), container, own, change.removed(), before.docid());
            IndexRows.put(overlay.batch(), container, own, change.added(), before.docid(), entry);
            if (!old.derived().isEmpty() || !next.derived().isEmpty()) {
                IndexRows.putDocid(overlay, container, after, next, suffix);
            }
        } else {
            IndexRows.deleteAll(overlay.batch(), container, before, old.terms());
            IndexRows.putAll(overlay, container, after, next, suffix);
            moveChange(before, after);
        }
        overlay.putItem(key, after);
        count(
                suffix,
                new DataSize(
                        0,
                        0,
                        IndexRows.bytes(before, next, suffix)
                                - IndexRows.bytes(before, old, suffix)
                                + uniques.moreBytes()));
        return Optional.empty();
    }

    /** Carries the entries of an item in unique indexes from one definition to the next. */
    private final class UniqueMove {
        private final Bytes suffix;
        private final ItemKey item;
        private final List<UniqueEntries.Entry> after;
        private final List<Bytes> removed;
        private final List<Bytes> added;

        UniqueMove(Bytes suffix, ItemRecord record, Indexed old, Indexed next) {
            IndexPlan oldPlan = partition.definition.planOf(record.policyVersion());
            IndexPlan plan = partition.definition.currentPlan();
            UniqueEntries uniques = new UniqueEntries(overlay, partition);
            this.suffix = suffix;
            this.item = key(suffix);
            if (oldPlan.uniques().isEmpty() && plan.uniques().isEmpty()) {
                // Entries of unique keys never change, as the keys do not.
                this.after = List.of();
                this.removed = List.of();
                this.added = List.of();
                return;
            }
            this.after = uniques.of(item, record.encoding(), record.body(), plan, next.derived());
            List<Bytes> before =
                    UniqueEntries.rows(
                            uniques.of(
                                    item,
                                    record.encoding(),
                                    record.body(),
                                    oldPlan,
                                    old.derived()));
            List<Bytes> rows = UniqueEntries.rows(after);
            Set<Bytes> kept = new HashSet<>(rows);
            this.removed = before.stream().filter(row -> !kept.contains(row)).toList();
            Set<Bytes> known = new HashSet<>(before);
            this.added = rows.stream().filter(row -> !known.contains(row)).toList();
        }

        Optional<Outcome.Blocked> blocked() {
            Set<Bytes> wanted = new HashSet<>(added);
            for (UniqueEntries.Entry entry : after) {
                UniqueKeyRecord there =
                        wanted.contains(entry.row()) ? overlay.uniqueKey(entry.row()) : null;
                if (there != null && !there.rowKey().equals(item.rowKey())) {
                    return Optional.of(
                            new Outcome.Blocked(
                                    suffix, there.rowKey(), entry.taken().orElseThrow()));
                }
            }
            return Optional.empty();
        }

        void carryOut() {
            removed.forEach(overlay::deleteUniqueKey);
            added.forEach(row -> overlay.putUniqueKey(row, new UniqueKeyRecord(item.rowKey())));
        }

        long moreBytes() {
            return UniqueEntries.bytes(added, item.rowKey())
                    - UniqueEntries.bytes(removed, item.rowKey());
        }
    }

    private ItemKey key(Bytes suffix) {
        return Keys.itemKey(suffix, partition.definition.current().definition().partitionKey());
    }

    private void moveChange(ItemRecord before, ItemRecord after) {
        byte[] from = Keys.change(container, before);
        byte[] record = overlay.store().get(Table.CHANGES, from);
        if (record == null) {
            throw new IllegalStateException("an item has no change record");
        }
        overlay.batch().delete(Table.CHANGES, from);
        overlay.batch().put(Table.CHANGES, Keys.change(container, after), record);
    }

    private void count(Bytes suffix, DataSize change) {
        ItemKey key = key(suffix);
        Bytes logicalKey =
                Bytes.wrap(Keys.logicalPartition(container, key.epk(), key.partitionKey()));
        overlay.putLogicalPartition(logicalKey, overlay.logicalPartition(logicalKey).plus(change));
        partition.count(key.epk(), change);
    }

    private static byte[] after(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }
}
