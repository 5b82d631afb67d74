package orrery.storage;

import java.util.ArrayList;
import java.util.List;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import orrery.model.Bytes;

/** Changes for one write of RocksDB. It remembers which items they touch, for the cache. */
final class RocksBatch implements StoreBatch {
    private final RocksDatabase database;
    private final StoreGate.Use use;
    private final WriteBatch rows = new WriteBatch(8 << 10);
    private final List<Bytes> changedItems = new ArrayList<>();
    private boolean changesAnyItem;

    RocksBatch(RocksDatabase database, StoreGate.Use use) {
        this.database = database;
        this.use = use;
    }

    WriteBatch rows() {
        return rows;
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
        noteChange(table, key);
        try {
            rows.put(database.family(table), key, value);
        } catch (RocksDBException e) {
            throw new StoreFailure("a row could not be added to the batch", e);
        }
    }

    @Override
    public void delete(Table table, byte[] key) {
        noteChange(table, key);
        try {
            rows.delete(database.family(table), key);
        } catch (RocksDBException e) {
            throw new StoreFailure("a delete could not be added to the batch", e);
        }
    }

    @Override
    public void deleteRange(Table table, byte[] from, byte[] to) {
        changesAnyItem |= table == Table.ITEMS;
        try {
            rows.deleteRange(database.family(table), from, to);
        } catch (RocksDBException e) {
            throw new StoreFailure("a range delete could not be added to the batch", e);
        }
    }

    @Override
    public void clear() {
        rows.clear();
        changedItems.clear();
        changesAnyItem = false;
    }

    @Override
    public void close() {
        rows.close();
        use.close();
    }
}
