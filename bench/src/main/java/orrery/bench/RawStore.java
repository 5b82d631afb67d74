package orrery.bench;

import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreBatch;
import orrery.storage.StoreOptions;

/**
 * The peer of the durable creates: RocksDB with the options of our store, each thread writing one
 * synced batch per item. RocksDB lets the threads that wait share a sync (group commit).
 */
final class RawStore implements Rounds.Contestant, AutoCloseable {
    private static final ThreadFactory THREADS =
            Thread.ofPlatform().daemon(true).name("raw-", 0).factory();

    private final ReplicaStore store;
    private final ItemRows rows;
    private final AtomicLong next = new AtomicLong();

    RawStore(Path directory, ItemRows rows) {
        this.store = ReplicaStore.open(directory, StoreOptions.DEFAULT);
        this.rows = rows;
    }

    @Override
    public String name() {
        return "raw RocksDB";
    }

    @Override
    public ProcessHandle process() {
        return ProcessHandle.current();
    }

    @Override
    public double run(double seconds) throws InterruptedException {
        return Clients.run(Bench.CLIENTS, THREADS, seconds, this::write);
    }

    private void write() {
        try (StoreBatch batch = store.newBatch()) {
            rows.put(batch, next.getAndIncrement());
            store.write(batch, true);
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
