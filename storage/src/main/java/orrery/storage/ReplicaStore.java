package orrery.storage;

import java.io.IOException;
import java.lang.System.Logger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.storage.format.ItemRecord;

/**
 * The RocksDB database of one replica of a set. Reads may come from any thread; writes come from
 * the one thread that applies the log.
 */
public final class ReplicaStore implements StoreView, AutoCloseable {
    private static final Logger LOG = System.getLogger(ReplicaStore.class.getName());

    /** Queries read longest; their pages end after a few seconds. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(15);

    private final Path directory;

    /** The store was there before it was opened, so it should have a mark. */
    private final boolean isOld;

    private final RocksDatabase database;
    private final ItemCache items;
    private final RowReader reader;
    private final StoreGate gate = new StoreGate();
    private final AtomicBoolean isReleased = new AtomicBoolean();
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private final WriteOptions unsynced = new WriteOptions().setSync(false);
    private final ReadOptions pointReads = new ReadOptions().setVerifyChecksums(true);
    private final AtomicReference<BatchBytes> spare = new AtomicReference<>();
    private @Nullable Watermark watermark;
    private boolean isMarkLost;
    private volatile @Nullable String writeRefusal;

    private ReplicaStore(
            Path directory, boolean isOld, RocksDatabase database, long itemCacheBytes) {
        this.directory = directory;
        this.isOld = isOld;
        this.database = database;
        this.items = new ItemCache(itemCacheBytes);
        this.reader = new RowReader(database, items);
    }

    /** Returns true if a directory holds a database. */
    public static boolean isIn(Path directory) {
        return Files.isRegularFile(directory.resolve("CURRENT"));
    }

    /** Opens or creates the database in a directory; refuses a damaged one with the reason. */
    public static ReplicaStore open(Path directory, StoreOptions options) {
        boolean isOld = isIn(directory);
        return new ReplicaStore(
                directory, isOld, RocksDatabase.open(directory, options), options.itemCacheBytes());
    }

    /**
     * Throws if the store has lost acknowledged writes, and remembers from now on how far they go.
     *
     * @param file remembers it, outside of the store's directory
     */
    public void holdAgainst(Path file) {
        long last = database.db().getLatestSequenceNumber();
        try {
            Watermark mark = Watermark.open(file);
            OptionalLong acknowledged = mark.read();
            if (acknowledged.isPresent() && acknowledged.getAsLong() > last) {
                mark.close();
                throw new StoreFailure(
                        "The store in "
                                + directory
                                + " has lost writes that were acknowledged: it ends at "
                                + last
                                + " and was written up to "
                                + acknowledged.getAsLong()
                                + ". A log file in it is missing or cut short, or it was put back"
                                + " from an older copy. Put back the whole data directory from one"
                                + " copy. Without a copy, delete "
                                + file
                                + " to go on without those writes.");
            }
            if (acknowledged.isPresent()) {
                mark.settle(last);
            } else if (isOld && last > 0) {
                // The first write makes a new one.
                isMarkLost = true;
                LOG.log(
                        Logger.Level.WARNING,
                        "the file {0} is missing or damaged, so nobody can tell whether the store in"
                                + " {1} has lost writes",
                        file,
                        directory);
            }
            watermark = mark;
        } catch (IOException e) {
            throw new StoreFailure("cannot use the file " + file, e);
        }
    }

    /** Returns true if nothing told, when this store was opened, how far its writes should go. */
    public boolean isMarkLost() {
        return isMarkLost;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        gate.enter();
        try {
            return reader.get(table, pointReads, key);
        } finally {
            gate.leave();
        }
    }

    @Override
    public List<byte @Nullable []> getAll(Table table, List<byte[]> keys) {
        gate.enter();
        try {
            return reader.getAll(table, pointReads, keys);
        } finally {
            gate.leave();
        }
    }

    @Override
    public @Nullable ItemRecord item(byte[] key) {
        gate.enter();
        try {
            return reader.item(key, pointReads, database.db().getLatestSequenceNumber());
        } finally {
            gate.leave();
        }
    }

    @Override
    public List<@Nullable ItemRecord> items(List<byte[]> keys) {
        gate.enter();
        try {
            return reader.items(keys, pointReads, database.db().getLatestSequenceNumber());
        } finally {
            gate.leave();
        }
    }

    @Override
    public Cursor scan(Table table, byte[] from, byte[] to) {
        return new RocksCursor(database, gate.hold(), table, from, to, null, false);
    }

    @Override
    public Cursor scanBackward(Table table, byte[] from, byte[] to) {
        return new RocksCursor(database, gate.hold(), table, from, to, null, true);
    }

    /** A view of this moment. Close it soon: {@link #close} waits for it. */
    public StoreSnapshot snapshot() {
        return new RocksSnapshot(database, reader, gate);
    }

    public StoreBatch newBatch() {
        return new RocksBatch(database, gate.hold(), spare);
    }

    /**
     * Makes a batch visible; with {@code sync} it is on disk first. Throws {@link StoreFailure},
     * and then the store must not be written to again.
     */
    public void write(StoreBatch batch, boolean sync) {
        String refusal = writeRefusal;
        if (refusal != null) {
            throw new OrreryException(ErrorCode.UNAVAILABLE, "Writing stopped: " + refusal);
        }
        RocksBatch changes = (RocksBatch) batch;
        changes.begin(items);
        try {
            database.db().write(sync ? synced : unsynced, changes.rows());
        } catch (RocksDBException e) {
            // The cache stays closed to these items: nobody knows which of their rows changed.
            throw new StoreFailure("the store could not write", e);
        }
        long sequence = database.db().getLatestSequenceNumber();
        Watermark mark = watermark;
        if (sync && mark != null) {
            mark.advance(sequence);
        }
        changes.end(items, sequence);
    }

    /**
     * Makes every later write fail; reads go on.
     *
     * @param reason the reason that the failing writes report
     */
    public void refuseWrites(String reason) {
        writeRefusal = reason;
    }

    /** Copies the data as of now into a directory that must not exist, by hard links. */
    public void checkpoint(Path directory) {
        gate.enter();
        try (Checkpoint checkpoint = Checkpoint.create(database.db())) {
            checkpoint.createCheckpoint(directory.toString());
        } catch (RocksDBException e) {
            throw new StoreFailure("the store could not make a checkpoint", e);
        } finally {
            gate.leave();
        }
    }

    /**
     * Refuses new readers, waits for present readers and for open cursors, snapshots and batches,
     * and releases everything. Native memory is never freed under a reader: if one does not end,
     * the database stays open and this throws. Nothing is lost then, because all acknowledged
     * writes are on disk.
     */
    @Override
    public void close() {
        close(CLOSE_PATIENCE);
    }

    void close(Duration patience) {
        if (!gate.shut(patience)) {
            throw new IllegalStateException(
                    "somebody still uses the store; it is left open and ends with the process");
        }
        if (!isReleased.compareAndSet(false, true)) {
            return;
        }
        Watermark mark = watermark;
        if (mark != null) {
            close(mark);
        }
        RocksDatabase.closeAll(List.of(pointReads, synced, unsynced));
        database.close();
    }

    private static void close(Watermark mark) {
        try (mark) {
            mark.sync();
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "the mark of acknowledged writes may lag behind", e);
        }
    }
}
