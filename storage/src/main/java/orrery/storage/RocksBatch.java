package orrery.storage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import orrery.model.Bytes;

/**
 * Changes for one write of RocksDB. It remembers which items they touch, for the cache.
 *
 * <p>Rows of the index are put in order first. Those of the items of an entry then follow each
 * other where their terms are equal, and RocksDB finds the place of a row that comes right behind
 * the last one without a search.
 */
final class RocksBatch implements StoreBatch {
    private final RocksDatabase database;
    private final StoreGate.Use use;
    private final WriteBatch rows = new WriteBatch(8 << 10);
    private final List<IndexRow> indexRows = new ArrayList<>();
    private final List<Bytes> changedItems = new ArrayList<>();
    private boolean changesAnyItem;

    /**
     * A row of the index that is not in the batch yet.
     *
     * @param value null for a delete
     */
    private record IndexRow(Bytes key, @Nullable Bytes value) {}

    RocksBatch(RocksDatabase database, StoreGate.Use use) {
        this.database = database;
        this.use = use;
    }

    /** Returns all that was added, for the write. */
    WriteBatch rows() {
        addIndexRows();
        return rows;
    }

    /** Sorts by key alone, and so leaves the changes of one row in the order of their arrival. */
    private void addIndexRows() {
        indexRows.sort(Comparator.comparing(IndexRow::key));
        for (IndexRow row : indexRows) {
            byte[] key = row.key.unsafeArray();
            Bytes value = row.value;
            if (value == null) {
                addDelete(Table.INDEX, key);
            } else {
                addPut(Table.INDEX, key, value.unsafeArray());
            }
        }
        indexRows.clear();
    }

    /** Keeps the cache from answering for these items until {@link #end}. */
    void begin(ItemCache cache) {
        cache.beginChange(changedItems);
        if (changesAnyItem) {
            cache.beginChangeOfAll();
        }
    }

    void end(ItemCache cache, long sequence) {
        cache.endChange(changedItems, sequence);
        if (changesAnyItem) {
            cache.endChangeOfAll(sequence);
        }
    }

    private void noteChange(Table table, byte[] key) {
        if (table == Table.ITEMS) {
            changedItems.add(Bytes.wrap(key));
        }
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        if (table == Table.INDEX) {
            indexRows.add(new IndexRow(Bytes.wrap(key), Bytes.wrap(value)));
        } else {
            noteChange(table, key);
            addPut(table, key, value);
        }
    }

    private void addPut(Table table, byte[] key, byte[] value) {
        try {
            rows.put(database.family(table), key, value);
        } catch (RocksDBException e) {
            throw new StoreFailure("a row could not be added to the batch", e);
        }
    }

    @Override
    public void delete(Table table, byte[] key) {
        if (table == Table.INDEX) {
            indexRows.add(new IndexRow(Bytes.wrap(key), null));
        } else {
            noteChange(table, key);
            addDelete(table, key);
        }
    }

    private void addDelete(Table table, byte[] key) {
        try {
            rows.delete(database.family(table), key);
        } catch (RocksDBException e) {
            throw new StoreFailure("a delete could not be added to the batch", e);
        }
    }

    @Override
    public void deleteRange(Table table, byte[] from, byte[] to) {
        changesAnyItem |= table == Table.ITEMS;
        // What was added before it is deleted with the rest, what comes later is not.
        addIndexRows();
        try {
            rows.deleteRange(database.family(table), from, to);
        } catch (RocksDBException e) {
            throw new StoreFailure("a range delete could not be added to the batch", e);
        }
    }

    @Override
    public void clear() {
        rows.clear();
        indexRows.clear();
        changedItems.clear();
        changesAnyItem = false;
    }

    @Override
    public void close() {
        rows.close();
        use.close();
    }
}
