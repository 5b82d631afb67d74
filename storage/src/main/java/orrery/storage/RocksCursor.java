package orrery.storage;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/** An iterator of RocksDB over the rows between two keys. It keeps the store open until closed. */
final class RocksCursor implements Cursor {
    private final StoreGate.Use use;
    private final Slice lower;
    private final Slice upper;
    private final ReadOptions options;
    private final RocksIterator rows;
    private final boolean isBackward;
    private boolean started;

    RocksCursor(
            RocksDatabase database,
            StoreGate.Use use,
            Table table,
            byte[] from,
            byte[] to,
            @Nullable Snapshot snapshot,
            boolean isBackward) {
        this.use = use;
        this.isBackward = isBackward;
        this.lower = new Slice(from);
        this.upper = new Slice(to);
        this.options = new ReadOptions().setIterateLowerBound(lower).setIterateUpperBound(upper);
        if (snapshot != null) {
            options.setSnapshot(snapshot);
        }
        this.rows = database.db().newIterator(database.family(table), options);
    }

    @Override
    public boolean next() {
        if (!started) {
            started = true;
            if (isBackward) {
                rows.seekToLast();
            } else {
                rows.seekToFirst();
            }
        } else if (isBackward) {
            rows.prev();
        } else {
            rows.next();
        }
        return isAtRow();
    }

    @Override
    public boolean seek(byte[] key) {
        started = true;
        if (isBackward) {
            rows.seekForPrev(key);
        } else {
            rows.seek(key);
        }
        return isAtRow();
    }

    private boolean isAtRow() {
        if (rows.isValid()) {
            return true;
        }
        try {
            rows.status();
        } catch (RocksDBException e) {
            throw new StoreFailure("the store could not be scanned", e);
        }
        return false;
    }

    @Override
    public byte[] key() {
        return rows.key();
    }

    @Override
    public byte[] value() {
        return rows.value();
    }

    @Override
    public void close() {
        rows.close();
        options.close();
        lower.close();
        upper.close();
        use.close();
    }
}
