package orrery.partition.audit;

import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionKeyDefinition;
import orrery.model.codec.MalformedRecordException;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.CreationRecord;
import orrery.storage.format.CreationRows;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/**
 * Holds the creation orders of a partition's keys against their items. Each item that the counters
 * of its key speak of must have its row, and there may be no others.
 */
final class CreationAudit {
    private final StoreView view;
    private final int container;
    private final KeyRange keys;
    private final PartitionKeyDefinition definition;
    private final Findings findings;
    private long expected;

    CreationAudit(
            StoreView view,
            int container,
            KeyRange keys,
            PartitionKeyDefinition definition,
            Findings findings) {
        this.view = view;
        this.container = container;
        this.keys = keys;
        this.definition = definition;
        this.findings = findings;
    }

    void run() {
        try (Cursor counters =
                view.scan(
                        Table.META,
                        Keys.logicalPartitionsFrom(container, keys.min()),
                        Keys.logicalPartitionsFrom(container, keys.max()))) {
            while (counters.next()) {
                CreationRows rows = rowsOf(counters.value());
                if (rows != null && !(rows instanceof CreationRows.None)) {
                    key(Keys.itemsOf(counters.key()), rows);
                }
            }
        }
        findings.expectEqual("creation-order rows", expected, count());
    }

    /** Null if the counters cannot be read, which others find out. */
    private static @Nullable CreationRows rowsOf(byte[] counters) {
        try {
            return LogicalPartitionRecord.decode(counters).creationRows();
        } catch (MalformedRecordException unreadable) {
            return null;
        }
    }

    private void key(byte[] first, CreationRows covered) {
        try (Cursor items = view.scan(Table.ITEMS, first, Keys.after(first))) {
            while (items.next()) {
                Bytes suffix = Keys.itemSuffix(items.key());
                try {
                    item(suffix, ItemRecord.decode(items.value()).docid(), covered);
                } catch (MalformedRecordException unreadable) {
                    findings.add("the creation order of item " + suffix + " cannot be told");
                }
            }
        }
    }

    private void item(Bytes suffix, long docid, CreationRows covered) {
        ItemKey key = Keys.itemKey(suffix, definition);
        if (!covered.covers(key.rowKey())) {
            return;
        }
        expected++;
        byte[] row =
                view.get(
                        Table.META, Keys.creation(container, key.epk(), key.partitionKey(), docid));
        if (row == null || !CreationRecord.decode(row).rowKey().equals(key.rowKey())) {
            findings.add("item " + suffix + " lacks its row in the creation order");
        }
    }

    private long count() {
        long count = 0;
        try (Cursor rows =
                view.scan(
                        Table.META,
                        Keys.creationsFrom(container, keys.min()),
                        Keys.creationsFrom(container, keys.max()))) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }
}
