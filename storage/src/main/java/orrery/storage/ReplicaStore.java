package orrery.storage;

import java.io.IOException;
import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.SstFileManager;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.storage.files.PrivateFiles;
import orrery.storage.format.ItemRecord;

/**
 * The RocksDB database of one replica of a set. Reads may come from any thread; writes come from
 * the one thread that applies the log.
 */
public final class ReplicaStore implements StoreView, AutoCloseable {
    private static final Logger LOG = System.getLogger(ReplicaStore.class.getName());
    private static final long MEMTABLE_BYTES = 16L << 20;
    // A torn record at the end of the log is a write that was never acknowledged. Damage anywhere
    // else would lose acknowledged writes, so it refuses to open. RocksDB cannot tell a torn record
    // from a log that was cut short; the watermark can.
    private static final WALRecoveryMode RECOVERY = WALRecoveryMode.TolerateCorruptedTailRecords;

    /** Pages, the longest of what reads do, end after a few seconds. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(15);

    private final RocksDB db;
    private final Map<Table, ColumnFamilyHandle> families;
    private final List<ColumnFamilyHandle> handles;
    private final List<AutoCloseable> owned;
    private final ItemCache items;
    private final StoreGate gate = new StoreGate();
    private final AtomicBoolean isReleased = new AtomicBoolean();
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private final WriteOptions unsynced = new WriteOptions().setSync(false);
    private final ReadOptions pointReads = new ReadOptions().setVerifyChecksums(true);
    private @Nullable Watermark watermark;
    private volatile @Nullable String writeRefusal;

    private ReplicaStore(
            RocksDB db,
            Map<Table, ColumnFamilyHandle> families,
            List<ColumnFamilyHandle> handles,
            List<AutoCloseable> owned,
            long itemCacheBytes) {
        this.items = new ItemCache(itemCacheBytes);
        this.db = db;
        this.families = families;
        this.handles = handles;
        this.owned = owned;
    }

    /** Whether there is a database in a directory. */
    public static boolean isIn(Path directory) {
        return Files.isRegularFile(directory.resolve("CURRENT"));
    }

    /** Opens or creates the database in a directory; refuses a damaged one with the reason. */
    public static ReplicaStore open(Path directory, StoreOptions options) {
        return open(directory, options, Optional.empty());
    }

    /**
     * As {@link #open(Path, StoreOptions)}; refuses also a database that has lost acknowledged
     * writes.
     *
     * @param watermark a file outside of the directory that remembers how far they go
     */
    public static ReplicaStore open(Path directory, StoreOptions options, Path watermark) {
        return open(directory, options, Optional.of(watermark));
    }

    private static ReplicaStore open(
            Path directory, StoreOptions options, Optional<Path> watermark) {
        RocksNative.load();
        List<AutoCloseable> owned = new ArrayList<>();
        try {
            PrivateFiles.directory(directory);
            Cache cache = keep(owned, new LRUCache(options.blockCacheBytes()));
            WriteBufferManager buffers =
                    keep(owned, new WriteBufferManager(options.writeBufferBytes(), cache));
            DBOptions dbOptions =
                    keep(owned, trackingLogs())
                            .setCreateIfMissing(true)
                            .setCreateMissingColumnFamilies(true)
                            .setAtomicFlush(true)
                            .setWalRecoveryMode(RECOVERY)
                            .setParanoidChecks(true)
                            .setWriteBufferManager(buffers)
                            // Compactions that met a full disk go on when there is space again.
                            .setSstFileManager(keep(owned, new SstFileManager(Env.getDefault())))
                            .setMaxOpenFiles(512)
                            .setMaxBackgroundJobs(2)
                            .setBytesPerSync(1 << 20)
                            .setKeepLogFileNum(4)
                            .setMaxLogFileSize(4 << 20)
                            .setStatsDumpPeriodSec(0)
                            .setStatsPersistPeriodSec(0)
                            .setInfoLogLevel(InfoLogLevel.WARN_LEVEL);
            List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
            descriptors.add(
                    new ColumnFamilyDescriptor(
                            RocksDB.DEFAULT_COLUMN_FAMILY, keep(owned, new ColumnFamilyOptions())));
            for (Table table : Table.values()) {
                descriptors.add(
                        new ColumnFamilyDescriptor(
                                table.familyName().getBytes(StandardCharsets.UTF_8),
                                familyOptions(table, cache, owned)));
            }
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            RocksDB db = RocksDB.open(dbOptions, directory.toString(), descriptors, handles);
            Map<Table, ColumnFamilyHandle> families = new EnumMap<>(Table.class);
            for (Table table : Table.values()) {
                families.put(table, handles.get(table.ordinal() + 1));
            }
            ReplicaStore store =
                    new ReplicaStore(db, families, handles, owned, options.itemCacheBytes());
            if (watermark.isPresent()) {
                store.holdAgainst(watermark.get(), directory);
            }
            return store;
        } catch (RocksDBException e) {
            closeAll(owned);
            throw new StoreFailure("cannot open the store in " + directory, e);
        } catch (IOException e) {
            closeAll(owned);
            throw new StoreFailure("cannot create the directory " + directory, e);
        }
    }

    /**
     * A log file that is followed by another one must be there and be whole. Java has no setter for
     * this option.
     */
    static DBOptions trackingLogs() {
        Properties names = new Properties();
        names.setProperty("track_and_verify_wals_in_manifest", "true");
        return Objects.requireNonNull(
                DBOptions.getDBOptionsFromProps(names), "RocksDB does not track its logs");
    }

    /** The last log file is held against what was acknowledged; closes the store if it is short. */
    private void holdAgainst(Path file, Path directory) {
        long last = db.getLatestSequenceNumber();
        try {
            Watermark mark = Watermark.open(file);
            OptionalLong acknowledged = mark.read();
            if (acknowledged.isPresent() && acknowledged.getAsLong() > last) {
                mark.close();
                close();
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
            mark.settle(last);
            watermark = mark;
        } catch (IOException e) {
            close();
            throw new StoreFailure("cannot use the file " + file, e);
        }
    }

    private static ColumnFamilyOptions familyOptions(
            Table table, Cache cache, List<AutoCloseable> owned) {
        BlockBasedTableConfig blocks =
                new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setBlockSize(8 << 10)
                        .setFormatVersion(6)
                        .setCacheIndexAndFilterBlocks(true)
                        .setCacheIndexAndFilterBlocksWithHighPriority(true)
                        .setPinTopLevelIndexAndFilter(true)
                        // Every look-up passes by all files of the first level, which are few.
                        .setPinL0FilterAndIndexBlocksInCache(true)
                        .setIndexType(IndexType.kTwoLevelIndexSearch)
                        .setPartitionFilters(table.hasPointLookups());
        if (table.hasPointLookups()) {
            blocks.setFilterPolicy(keep(owned, new BloomFilter(10)));
        }
        return keep(owned, new ColumnFamilyOptions())
                .setTableFormatConfig(blocks)
                .setWriteBufferSize(MEMTABLE_BYTES)
                .setMaxWriteBufferNumber(3)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
                .setLevelCompactionDynamicLevelBytes(true)
                .setMemtableWholeKeyFiltering(table.hasPointLookups())
                .setMemtablePrefixBloomSizeRatio(table.hasPointLookups() ? 0.02 : 0);
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        gate.enter();
        try {
            return get(table, pointReads, key);
        } finally {
            gate.leave();
        }
    }

    @Override
    public List<byte @Nullable []> getAll(Table table, List<byte[]> keys) {
        gate.enter();
        try {
            return getAll(table, pointReads, keys);
        } finally {
            gate.leave();
        }
    }

    @Override
    public @Nullable ItemRecord item(byte[] key) {
        gate.enter();
        try {
            return item(key, pointReads, db.getLatestSequenceNumber());
        } finally {
            gate.leave();
        }
    }

    @Override
    public List<@Nullable ItemRecord> items(List<byte[]> keys) {
        gate.enter();
        try {
            return items(keys, pointReads, db.getLatestSequenceNumber());
        } finally {
            gate.leave();
        }
    }

    @Override
    public Cursor scan(Table table, byte[] from, byte[] to) {
        return new RocksCursor(gate.hold(), table, from, to, null, false);
    }

    @Override
    public Cursor scanBackward(Table table, byte[] from, byte[] to) {
        return new RocksCursor(gate.hold(), table, from, to, null, true);
    }

    /** A view of this moment. Close it soon: {@link #close} waits for it. */
    public StoreSnapshot snapshot() {
        return new RocksSnapshot(gate.hold());
    }

    public StoreBatch newBatch() {
        return new RocksBatch(gate.hold());
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
            db.write(sync ? synced : unsynced, changes.rows);
        } catch (RocksDBException e) {
            // What may or may not have changed is not cached again.
            throw new StoreFailure("the store could not write", e);
        }
        long sequence = db.getLatestSequenceNumber();
        Watermark mark = watermark;
        if (sync && mark != null) {
            mark.advance(sequence);
        }
        changes.end(items, sequence);
    }

    /**
     * From now on every write fails; reads go on.
     *
     * @param reason told to whoever writes
     */
    public void refuseWrites(String reason) {
        writeRefusal = reason;
    }

    /** Copies the data as of now into a directory that must not exist, by hard links. */
    public void checkpoint(Path directory) {
        gate.enter();
        try (Checkpoint checkpoint = Checkpoint.create(db)) {
            checkpoint.createCheckpoint(directory.toString());
        } catch (RocksDBException e) {
            throw new StoreFailure("the store could not make a checkpoint", e);
        } finally {
            gate.leave();
        }
    }

    /**
     * Lets nobody in any more, waits for those inside and for the cursors, snapshots and batches
     * that are open, and releases everything. Native memory is never freed under a reader: if one
     * does not end, the database stays open and this throws. Nothing is lost then, as all that was
     * acknowledged is on disk.
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
        closeAll(List.of(pointReads, synced, unsynced));
        closeAll(handles);
        db.close();
        closeAll(owned);
    }

    private static void close(Watermark mark) {
        try (mark) {
            mark.sync();
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "the mark of acknowledged writes may lag behind", e);
        }
    }

    private byte @Nullable [] get(Table table, ReadOptions options, byte[] key) {
        try {
            return db.get(family(table), options, key);
        } catch (RocksDBException e) {
            throw new StoreFailure("the store could not read", e);
        }
    }

    private List<byte @Nullable []> getAll(Table table, ReadOptions options, List<byte[]> keys) {
        // In key order, so that a block is fetched once for all its rows. One by one: RocksDB's own
        // multi-get takes an unreadable row for a missing one.
        Integer[] order = new Integer[keys.size()];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Arrays.compareUnsigned(keys.get(a), keys.get(b)));
        byte @Nullable [][] values = new byte[order.length][];
        for (int place : order) {
            values[place] = get(table, options, keys.get(place));
        }
        return Arrays.asList(values);
    }

    private @Nullable ItemRecord item(byte[] key, ReadOptions options, long sequence) {
        Bytes cached = Bytes.wrap(key);
        ItemRecord known = items.find(cached, sequence);
        return known != null ? known : read(cached, options, sequence);
    }

    private List<@Nullable ItemRecord> items(
            List<byte[]> keys, ReadOptions options, long sequence) {
        @Nullable ItemRecord[] found = new ItemRecord[keys.size()];
        List<Integer> missing = new ArrayList<>();
        for (int i = 0; i < found.length; i++) {
            found[i] = items.find(Bytes.wrap(keys.get(i)), sequence);
            if (found[i] == null) {
                missing.add(i);
            }
        }
        // In key order, so that a block is fetched once for all its rows.
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

    private ColumnFamilyHandle family(Table table) {
        ColumnFamilyHandle handle = families.get(table);
        if (handle == null) {
            throw new IllegalStateException("table is not open");
        }
        return handle;
    }

    private static <T extends AutoCloseable> T keep(List<AutoCloseable> owned, T resource) {
        owned.add(0, resource);
        return resource;
    }

    private static void closeAll(List<? extends AutoCloseable> resources) {
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception e) {
                throw new IllegalStateException("a native resource could not be released", e);
            }
        }
    }

    private final class RocksBatch implements StoreBatch {
        private final StoreGate.Use use;
        private final WriteBatch rows = new WriteBatch(8 << 10);
        private final List<Bytes> changedItems = new ArrayList<>();
        private boolean changesAnyItem;

        RocksBatch(StoreGate.Use use) {
            this.use = use;
        }

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

        private void changes(Table table, byte[] key) {
            if (table == Table.ITEMS) {
                changedItems.add(Bytes.wrap(key));
            }
        }

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            changes(table, key);
            try {
                rows.put(family(table), key, value);
            } catch (RocksDBException e) {
                throw new StoreFailure("a row could not be added to the batch", e);
            }
        }

        @Override
        public void delete(Table table, byte[] key) {
            changes(table, key);
            try {
                rows.delete(family(table), key);
            } catch (RocksDBException e) {
                throw new StoreFailure("a delete could not be added to the batch", e);
            }
        }

        @Override
        public void deleteRange(Table table, byte[] from, byte[] to) {
            changesAnyItem |= table == Table.ITEMS;
            try {
                rows.deleteRange(family(table), from, to);
            } catch (RocksDBException e) {
                throw new StoreFailure("a range delete could not be added to the batch", e);
            }
        }

        @Override
        public void close() {
            rows.close();
            use.close();
        }
    }

    private final class RocksSnapshot implements StoreSnapshot {
        private final StoreGate.Use use;
        private final Snapshot snapshot;
        private final long sequence;
        private final ReadOptions options;

        RocksSnapshot(StoreGate.Use use) {
            this.use = use;
            this.snapshot = db.getSnapshot();
            this.sequence = snapshot.getSequenceNumber();
            this.options = new ReadOptions().setSnapshot(snapshot);
        }

        @Override
        public byte @Nullable [] get(Table table, byte[] key) {
            return ReplicaStore.this.get(table, options, key);
        }

        @Override
        public List<byte @Nullable []> getAll(Table table, List<byte[]> keys) {
            return ReplicaStore.this.getAll(table, options, keys);
        }

        @Override
        public @Nullable ItemRecord item(byte[] key) {
            return ReplicaStore.this.item(key, options, sequence);
        }

        @Override
        public List<@Nullable ItemRecord> items(List<byte[]> keys) {
            return ReplicaStore.this.items(keys, options, sequence);
        }

        @Override
        public Cursor scan(Table table, byte[] from, byte[] to) {
            return new RocksCursor(gate.holdInside(), table, from, to, snapshot, false);
        }

        @Override
        public Cursor scanBackward(Table table, byte[] from, byte[] to) {
            return new RocksCursor(gate.holdInside(), table, from, to, snapshot, true);
        }

        @Override
        public void close() {
            options.close();
            db.releaseSnapshot(snapshot);
            use.close();
        }
    }

    private final class RocksCursor implements Cursor {
        private final StoreGate.Use use;
        private final Slice lower;
        private final Slice upper;
        private final ReadOptions options;
        private final RocksIterator rows;
        private final boolean isBackward;
        private boolean started;

        RocksCursor(
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
            this.options =
                    new ReadOptions().setIterateLowerBound(lower).setIterateUpperBound(upper);
            if (snapshot != null) {
                options.setSnapshot(snapshot);
            }
            this.rows = db.newIterator(family(table), options);
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
}
