package orrery.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileManager;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBufferManager;
import orrery.storage.files.PrivateFiles;

/**
 * A RocksDB database with our settings and one column family for each table. It owns the native
 * objects that it was opened with. The caller makes sure that nobody uses them when it closes.
 */
final class RocksDatabase implements AutoCloseable {
    // All tables are flushed when one of them is full, or when together they reach the budget for
    // writes. One may take half of the budget, so that it is the budget that decides: every flush
    // less is less to merge later, which costs more than the search in a larger memtable.
    private static final int MEMTABLES_PER_BUDGET = 2;
    // So many flushed files are merged with all that lies below them. Each merge reads and writes
    // that again, which is most of the work that a write causes in the end: twice as much with the
    // four files that RocksDB would take. Look-ups pass by the filters of the files that wait, and
    // walks open each.
    private static final int FLUSHES_PER_MERGE = 8;
    // A torn record at the end of the log is a write that was never acknowledged. Damage anywhere
    // else would lose acknowledged writes, so RocksDB then refuses to open. It cannot tell a torn
    // record from a log that was cut short; the watermark can.
    private static final WALRecoveryMode RECOVERY = WALRecoveryMode.TolerateCorruptedTailRecords;

    private final RocksDB db;
    private final Map<Table, ColumnFamilyHandle> families;
    private final int[] numbers;
    private final List<ColumnFamilyHandle> handles;
    private final List<AutoCloseable> owned;

    private RocksDatabase(
            RocksDB db,
            Map<Table, ColumnFamilyHandle> families,
            List<ColumnFamilyHandle> handles,
            List<AutoCloseable> owned) {
        this.db = db;
        this.families = families;
        this.numbers =
                Arrays.stream(Table.values()).mapToInt(table -> family(table).getID()).toArray();
        this.handles = handles;
        this.owned = owned;
    }

    /** Opens or creates the database in a directory; refuses a damaged one with the reason. */
    static RocksDatabase open(Path directory, StoreOptions options) {
        RocksNative.load();
        List<AutoCloseable> owned = new ArrayList<>();
        try {
            PrivateFiles.directory(directory);
            // Memtables count as part of the cache, so it has room for them beside the blocks.
            Cache cache =
                    keep(
                            owned,
                            new LRUCache(options.blockCacheBytes() + options.writeBufferBytes()));
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
                                familyOptions(table, options, cache, owned)));
            }
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            RocksDB db = RocksDB.open(dbOptions, directory.toString(), descriptors, handles);
            Map<Table, ColumnFamilyHandle> families = new EnumMap<>(Table.class);
            for (Table table : Table.values()) {
                families.put(table, handles.get(table.ordinal() + 1));
            }
            return new RocksDatabase(db, families, handles, owned);
        } catch (RocksDBException e) {
            closeAll(owned);
            throw new StoreFailure(
                    "The store in "
                            + directory
                            + " is damaged or cannot be read. Put back the whole data directory from"
                            + " one copy, unless the reason tells you something else to do",
                    e);
        } catch (IOException e) {
            closeAll(owned);
            throw new StoreFailure("cannot create the directory " + directory, e);
        }
    }

    /**
     * Returns options that make RocksDB refuse to open when a log file before the last one is
     * missing or cut short. Java has no setter for this option.
     */
    static DBOptions trackingLogs() {
        Properties names = new Properties();
        names.setProperty("track_and_verify_wals_in_manifest", "true");
        return Objects.requireNonNull(
                DBOptions.getDBOptionsFromProps(names), "RocksDB does not track its logs");
    }

    private static ColumnFamilyOptions familyOptions(
            Table table, StoreOptions options, Cache cache, List<AutoCloseable> owned) {
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
                .setWriteBufferSize(options.writeBufferBytes() / MEMTABLES_PER_BUDGET)
                .setMaxWriteBufferNumber(3)
                .setLevel0FileNumCompactionTrigger(FLUSHES_PER_MERGE)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
                .setLevelCompactionDynamicLevelBytes(true)
                .setMemtableWholeKeyFiltering(table.hasPointLookups())
                .setMemtablePrefixBloomSizeRatio(table.hasPointLookups() ? 0.02 : 0);
    }

    RocksDB db() {
        return db;
    }

    ColumnFamilyHandle family(Table table) {
        ColumnFamilyHandle handle = families.get(table);
        if (handle == null) {
            throw new IllegalStateException("table is not open");
        }
        return handle;
    }

    /** The number that RocksDB knows a table by in this database. */
    int number(Table table) {
        return numbers[table.ordinal()];
    }

    @Override
    public void close() {
        closeAll(handles);
        db.close();
        closeAll(owned);
    }

    /** Registers a resource to be closed before those registered earlier, which it may use. */
    private static <T extends AutoCloseable> T keep(List<AutoCloseable> owned, T resource) {
        owned.add(0, resource);
        return resource;
    }

    static void closeAll(List<? extends AutoCloseable> resources) {
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception e) {
                throw new IllegalStateException("a native resource could not be released", e);
            }
        }
    }
}
