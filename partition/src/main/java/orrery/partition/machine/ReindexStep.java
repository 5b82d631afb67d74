package orrery.partition.machine;

import java.util.Arrays;
import java.util.List;
import orrery.document.IndexTerms;
import orrery.model.Bytes;
import orrery.model.ItemKey;
import orrery.storage.Cursor;
import orrery.storage.Table;
import orrery.storage.format.DataSize;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;
import orrery.storage.format.PartitionRecord;

/**
 * Carries the index entries of the next items, in key order, to the present policy and to the
 * partition's own segment. Items keep their version: no LSN and no etag change.
 */
final class ReindexStep {
    private final EntryOverlay overlay;
    private final PartitionDraft partition;
    private final int maxItems;
    private final int container;
    private final int own;

    ReindexStep(EntryOverlay overlay, PartitionDraft partition, int maxItems) {
        this.overlay = overlay;
        this.partition = partition;
        this.maxItems = maxItems;
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
        // meet.
        for (Bytes key : overlay.putBetween(from, to)) {
            ItemRecord record = overlay.item(key);
            if (record != null) {
                reindex(key, record);
            }
        }
        int seen = 0;
        try (Cursor rows = overlay.store().scan(Table.ITEMS, from, to)) {
            while (seen < maxItems && rows.next()) {
                Bytes key = Bytes.wrap(rows.key());
                ItemRecord record =
                        overlay.isAsStored(key)
                                ? ItemRecord.decode(rows.value())
                                : overlay.item(key);
                if (record != null) {
                    reindex(key, record);
                }
                partition.reindexAfter = Keys.itemSuffix(key.unsafeArray());
                partition.reindexed++;
                seen++;
            }
        }
        boolean finished = seen < maxItems;
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

    private void reindex(Bytes key, ItemRecord before) {
        boolean isHome = before.segment() == own;
        if (isHome && before.policyVersion() == partition.policyVersion) {
            return;
        }
        long seconds = before.timestampMillis() / 1000;
        Bytes suffix = Keys.itemSuffix(key.unsafeArray());
        IndexTerms oldTerms =
                partition
                        .definition
                        .planOf(before.policyVersion())
                        .extract(before.encoding(), before.body(), seconds);
        IndexTerms newTerms =
                partition
                        .definition
                        .currentPlan()
                        .extract(before.encoding(), before.body(), seconds);
        ItemRecord after = isHome ? before : before.movedTo(own);
        if (isHome) {
            IndexTerms.Change change = oldTerms.changeTo(newTerms);
            IndexRows.delete(overlay.batch(), container, own, change.removed(), before.docid());
            IndexRows.put(overlay.batch(), container, own, change.added(), before.docid(), suffix);
        } else {
            IndexRows.deleteAll(overlay.batch(), container, before, oldTerms);
            IndexRows.putAll(overlay.batch(), container, after, newTerms, suffix);
            moveChange(before, after);
        }
        overlay.putItem(key, after.withPolicy(partition.policyVersion));
        count(
                suffix,
                new DataSize(
                        0,
                        0,
                        IndexRows.bytes(before, newTerms, suffix)
                                - IndexRows.bytes(before, oldTerms, suffix)));
    }

    private void moveChange(ItemRecord before, ItemRecord after) {
        byte[] from = change(before);
        byte[] record = overlay.store().get(Table.CHANGES, from);
        if (record == null) {
            throw new IllegalStateException("an item has no change record");
        }
        overlay.batch().delete(Table.CHANGES, from);
        overlay.batch().put(Table.CHANGES, change(after), record);
    }

    private byte[] change(ItemRecord item) {
        return Keys.change(container, item.segment(), item.lsn(), item.ordinal());
    }

    private void count(Bytes suffix, DataSize change) {
        ItemKey key =
                Keys.itemKey(suffix, partition.definition.current().definition().partitionKey());
        Bytes logicalKey =
                Bytes.wrap(Keys.logicalPartition(container, key.epk(), key.partitionKey()));
        LogicalPartitionRecord logical = overlay.logicalPartition(logicalKey);
        overlay.putLogicalPartition(
                logicalKey,
                new LogicalPartitionRecord(logical.size().plus(change), logical.lastWriteLsn()));
        partition.count(key.epk(), change);
    }

    private static byte[] after(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }
}
