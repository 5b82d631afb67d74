package orrery.storage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import orrery.model.Bytes;
import orrery.storage.format.ItemRecord;

/**
 * Reads rows by their keys, and items through the cache of decoded items. The caller says as of
 * which moment: the options name the snapshot, and the sequence number is that of the snapshot.
 */
final class RowReader {
    private final RocksDatabase database;
    private final ItemCache items;

    RowReader(RocksDatabase database, ItemCache items) {
        this.database = database;
        this.items = items;
    }

    byte @Nullable [] get(Table table, ReadOptions options, byte[] key) {
        try {
            return database.db().get(database.family(table), options, key);
        } catch (RocksDBException e) {
            throw new StoreFailure("the store could not read", e);
        }
    }

    List<byte @Nullable []> getAll(Table table, ReadOptions options, List<byte[]> keys) {
        // Reading in key order fetches each block once for all its rows. Keys are read one by one
        // because RocksDB's own multi-get takes an unreadable row for a missing one.
        Integer[] order = new Integer[keys.size()];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Arrays.compareUnsigned(keys.get(a), keys.get(b)));
        byte @Nullable [][] values = new byte[order.length][];
        for (int place : order) {
            values[place] = get(table, options, keys.get(place));
        }
        return Arrays.asList(values);
    }

    @Nullable ItemRecord item(byte[] key, ReadOptions options, long sequence) {
        Bytes cached = Bytes.wrap(key);
        ItemRecord known = items.find(cached, sequence);
        return known != null ? known : read(cached, options, sequence);
    }

    List<@Nullable ItemRecord> items(List<byte[]> keys, ReadOptions options, long sequence) {
        @Nullable ItemRecord[] found = new ItemRecord[keys.size()];
        List<Integer> missing = new ArrayList<>();
        for (int i = 0; i < found.length; i++) {
            found[i] = items.find(Bytes.wrap(keys.get(i)), sequence);
            if (found[i] == null) {
                missing.add(i);
            }
        }
        // Reading in key order fetches each block once for all its rows.
        missing.sort((a, b) -> Arrays.compareUnsigned(keys.get(a), keys.get(b)));
        for (int place : missing) {
            found[place] = read(Bytes.wrap(keys.get(place)), options, sequence);
        }
        return Arrays.asList(found);
    }

    private @Nullable ItemRecord read(Bytes key, ReadOptions options, long sequence) {
        byte[] row = get(Table.ITEMS, options, key.unsafeArray());
        if (row == null) {
            return null;
        }
        ItemRecord item = ItemRecord.decode(row);
        items.add(key, item, sequence);
        return item;
    }
}
