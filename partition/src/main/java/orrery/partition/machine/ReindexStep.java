package orrery.partition.machine;

import java.util.Arrays;
import java.util.List;
import orrery.document.IndexTerms;
import orrery.model.Bytes;
import orrery.model.ItemKey;
import orrery.storage.Cursor;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/**
 * Carries a changed indexing policy to the next items in key order. Items keep their version: no
 * LSN, no etag and no change record move, only index entries and the counters that weigh them.
 */
final class ReindexStep {
    private final EntryOverlay overlay;
    private final PartitionDraft partition;
    private final int maxItems;

    ReindexStep(EntryOverlay overlay, PartitionDraft partition, int maxItems) {
        this.overlay = overlay;
        this.partition = partition;
        this.maxItems = maxItems;
    }

    Outcome run() {
        int container = partition.id.container();
        byte[] from =
                partition.reindexAfter.isEmpty()
                        ? Keys.itemsFrom(container, partition.before.keys().min())
                        : after(Keys.item(container, partition.reindexAfter));
        byte[] to = Keys.itemsFrom(container, partition.before.keys().max());
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
            DefinitionRecord onlyCurrent =
                    new DefinitionRecord(List.of(partition.definition.current()));
            partition.definition =
                    new OpenDefinition(onlyCurrent, List.of(partition.definition.currentPlan()));
            partition.definitionChanged = true;
        }
        return new Outcome.Reindexed(finished);
    }

    private void reindex(Bytes key, ItemRecord before) {
        if (before.policyVersion() == partition.policyVersion) {
            return;
        }
        StoreBatch batch = overlay.batch();
        int container = partition.id.container();
        long seconds = before.timestampMillis() / 1000;
        Bytes suffix = Keys.itemSuffix(key.unsafeArray());
        IndexTerms oldTerms =
                partition.definition.planOf(before.policyVersion()).extract(before.body(), seconds);
        IndexTerms newTerms = partition.definition.currentPlan().extract(before.body(), seconds);
        IndexTerms.Change change = oldTerms.changeTo(newTerms);
        IndexRows.delete(batch, container, before.segment(), change.removed(), before.docid());
        IndexRows.put(batch, container, before.segment(), change.added(), before.docid(), suffix);
        overlay.putItem(key, withPolicy(before));
        long delta = IndexRows.bytes(newTerms, suffix) - IndexRows.bytes(oldTerms, suffix);
        partition.indexBytes += delta;
        Bytes logicalKey = logicalKey(suffix);
        LogicalPartitionRecord logical = overlay.logicalPartition(logicalKey);
        overlay.putLogicalPartition(
                logicalKey,
                new LogicalPartitionRecord(
                        logical.items(), logical.bytes() + delta, logical.lastWriteLsn()));
    }

    private ItemRecord withPolicy(ItemRecord record) {
        return new ItemRecord(
                record.encoding(),
                record.docid(),
                record.etag(),
                record.timestampMillis(),
                record.lsn(),
                record.ordinal(),
                record.segment(),
                partition.policyVersion,
                record.expiryMillis(),
                record.body());
    }

    private Bytes logicalKey(Bytes suffix) {
        ItemKey key =
                Keys.itemKey(suffix, partition.definition.current().definition().partitionKey());
        return Bytes.wrap(
                Keys.logicalPartition(partition.id.container(), key.epk(), key.partitionKey()));
    }

    private static byte[] after(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }
}
