package orrery.storage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
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
    /** A larger one is rare, and not kept. */
    private static final int MAX_SPARE = 4 << 20;

    private final RocksDatabase database;
    private final StoreGate.Use use;
    private final AtomicReference<BatchBytes> spare;
    private BatchBytes rows;
    private final List<IndexRow> indexRows = new ArrayList<>();
    private final List<Bytes> changedItems = new ArrayList<>();
    private boolean changesAnyItem;
    private @Nullable WriteBatch sealed;

    /**
     * A row of the index that is not in the batch yet.
     *
     * @param value null for a delete
     */
    private record IndexRow(Bytes key, @Nullable Bytes value) {}

    /**
     * @param spare what the batch before was made in, if nobody has it; entries of batches would
     *     else be twice as much garbage
     */
    RocksBatch(RocksDatabase database, StoreGate.Use use, AtomicReference<BatchBytes> spare) {
        BatchBytes used = spare.getAndSet(null);
        this.database = database;
        this.use = use;
        this.spare = spare;
        this.rows = used == null ? new BatchBytes(16 << 10) : used;
    }

    @Override
    public void seal() {
        if (sealed == null) {
            addIndexRows();
            sealed = new WriteBatch(rows.toArray());
            // RocksDB has its own copy.
            rows.clear();
            if (rows.capacity() <= MAX_SPARE) {
                spare.set(rows);
            }
            rows = new BatchBytes(0);
        }
    }

    /** Returns all that was added, for the write. */
    WriteBatch rows() {
        seal();
        return Objects.requireNonNull(sealed);
    }

    /** Sorts by key alone, and so leaves the changes of one row in the order of their arrival. */
    private void addIndexRows() {
        indexRows.sort(Comparator.comparing(IndexRow::key));
        for (IndexRow row : indexRows) {
            byte[] key = row.key.unsafeArray();
            Bytes value = row.value;
            if (value == null) {
                rows.delete(database.number(Table.INDEX), key);
            } else {
                rows.put(database.number(Table.INDEX), key, value.unsafeArray());
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
        requireOpen();
        if (table == Table.INDEX) {
            indexRows.add(new IndexRow(Bytes.wrap(key), Bytes.wrap(value)));
        } else {
            noteChange(table, key);
            rows.put(database.number(table), key, value);
        }
    }

    @Override
    public void delete(Table table, byte[] key) {
        requireOpen();
        if (table == Table.INDEX) {
            indexRows.add(new IndexRow(Bytes.wrap(key), null));
        } else {
            noteChange(table, key);
            rows.delete(database.number(table), key);
        }
    }

    @Override
    public void deleteRange(Table table, byte[] from, byte[] to) {
        requireOpen();
        changesAnyItem |= table == Table.ITEMS;
        // What was added before it is deleted with the rest, what comes later is not.
        addIndexRows();
        rows.deleteRange(database.number(table), from, to);
    }

    @Override
    public void clear() {
        requireOpen();
        rows.clear();
        indexRows.clear();
        changedItems.clear();
        changesAnyItem = false;
    }

    private void requireOpen() {
        if (sealed != null) {
            throw new IllegalStateException("a sealed batch takes no more changes");
        }
    }

    @Override
    public void close() {
        WriteBatch batch = sealed;
        if (batch != null) {
            batch.close();
        }
        use.close();
    }
}
