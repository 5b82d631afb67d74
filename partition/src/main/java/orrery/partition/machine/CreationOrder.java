package orrery.partition.machine;

import java.util.Arrays;
import java.util.List;
import orrery.model.Bytes;
import orrery.model.ItemKey;
import orrery.model.RowKey;
import orrery.storage.Table;
import orrery.storage.format.CreationRecord;
import orrery.storage.format.CreationRows;
import orrery.storage.format.DataSize;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/**
 * Keeps the creation order of one logical partition while a command changes its items
 * (docs/adr/0027). A key that holds little has no rows: readers sort it. Once it holds more than
 * the level says, each write also writes some of the rows that are missing, so no command pays for
 * all of them.
 */
final class CreationOrder {
    private final EntryOverlay overlay;
    private final int container;
    private final ItemKey key;
    private final CreationRows rows;

    /**
     * @param key of any item in the logical partition
     * @param counters of the logical partition before the command
     */
    CreationOrder(
            EntryOverlay overlay, int container, ItemKey key, LogicalPartitionRecord counters) {
        this.overlay = overlay;
        this.container = container;
        this.key = key;
        this.rows = counters.creationRows();
    }

    /** An item has come to a row key. */
    void put(RowKey rowKey, long docid) {
        if (rows.covers(rowKey)) {
            write(rowKey, docid);
        }
    }

    /** An item has left its row key. */
    void delete(RowKey rowKey, long docid) {
        if (rows.covers(rowKey)) {
            overlay.batch().delete(Table.META, row(docid));
        }
    }

    /**
     * Writes some of the rows that are missing, and returns the counters with what is done.
     *
     * @param counters as the command leaves them
     * @param writes of the command
     */
    LogicalPartitionRecord extended(LogicalPartitionRecord counters, int writes) {
        boolean isDone = rows instanceof CreationRows.All || counters.size().items() == 0;
        if (isDone || (rows instanceof CreationRows.None && isSmall(counters.size()))) {
            return counters;
        }
        int most = writes * overlay.level().creationRowsPerWrite();
        List<EntryOverlay.Stored> missing = missing(most);
        RowKey last = key.rowKey();
        for (EntryOverlay.Stored item : missing) {
            last = rowKey(item.key());
            write(last, item.record().docid());
        }
        return counters.with(
                missing.size() < most ? new CreationRows.All() : new CreationRows.UpTo(last));
    }

    private boolean isSmall(DataSize size) {
        return size.items() <= overlay.level().sortedKeyItems()
                && size.itemBytes() <= overlay.level().sortedKeyBytes();
    }

    private List<EntryOverlay.Stored> missing(int most) {
        byte[] first = items();
        byte[] from =
                rows instanceof CreationRows.UpTo(RowKey last)
                        ? behind(Keys.item(container, Keys.itemSuffix(key.withRowKey(last))))
                        : first;
        return overlay.itemsBetween(from, Keys.after(first), most);
    }

    private byte[] items() {
        return Keys.itemsOf(container, key.epk(), key.partitionKey());
    }

    private static byte[] behind(byte[] row) {
        return Arrays.copyOf(row, row.length + 1);
    }

    private RowKey rowKey(Bytes itemRow) {
        int at = items().length;
        return new RowKey(Bytes.copyOf(itemRow.unsafeArray(), at, itemRow.length() - at));
    }

    private void write(RowKey rowKey, long docid) {
        overlay.batch().put(Table.META, row(docid), new CreationRecord(rowKey).encode());
    }

    private byte[] row(long docid) {
        return Keys.creation(container, key.epk(), key.partitionKey(), docid);
    }
}
