package orrery.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.Snapshot;
import orrery.storage.format.ItemRecord;

/** A snapshot of RocksDB. It keeps the store open until it is closed. */
final class RocksSnapshot implements StoreSnapshot {
    private final RocksDatabase database;
    private final RowReader reader;
    private final StoreGate gate;
    private final StoreGate.Use use;
    private final Snapshot snapshot;
    private final long sequence;
    private final ReadOptions options;

    RocksSnapshot(RocksDatabase database, RowReader reader, StoreGate gate) {
        this.database = database;
        this.reader = reader;
        this.gate = gate;
        this.use = gate.hold();
        this.snapshot = database.db().getSnapshot();
        this.sequence = snapshot.getSequenceNumber();
        this.options = new ReadOptions().setSnapshot(snapshot);
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        return reader.get(table, options, key);
    }

    @Override
    public List<byte @Nullable []> getAll(Table table, List<byte[]> keys) {
        return reader.getAll(table, options, keys);
    }

    @Override
    public @Nullable ItemRecord item(byte[] key) {
        return reader.item(key, options, sequence);
    }

    @Override
    public List<@Nullable ItemRecord> items(List<byte[]> keys) {
        return reader.items(keys, options, sequence);
    }

    @Override
    public Cursor scan(Table table, byte[] from, byte[] to) {
        return new RocksCursor(database, gate.holdInside(), table, from, to, snapshot, false);
    }

    @Override
    public Cursor scanBackward(Table table, byte[] from, byte[] to) {
        return new RocksCursor(database, gate.holdInside(), table, from, to, snapshot, true);
    }

    @Override
    public void close() {
        options.close();
        database.db().releaseSnapshot(snapshot);
        use.close();
    }
}
