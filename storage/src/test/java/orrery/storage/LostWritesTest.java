package orrery.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** Stores that lack writes which somebody was told are on disk. */
class LostWritesTest {
    private static final StoreOptions SMALL = new StoreOptions(4 << 20, 8 << 20);
    private static final int WRITES = 20;

    @TempDir private Path directory;

    private Path data() {
        return directory.resolve("data");
    }

    private Path mark() {
        return directory.resolve("marks").resolve("data");
    }

    private ReplicaStore open() {
        ReplicaStore store = ReplicaStore.open(data(), SMALL);
        try {
            store.holdAgainst(mark());
            return store;
        } catch (StoreFailure refused) {
            store.close();
            throw refused;
        }
    }

    private static byte[] key(int number) {
        return "key%05d".formatted(number).getBytes(StandardCharsets.US_ASCII);
    }

    private static void write(ReplicaStore store, int from, int to) {
        for (int i = from; i < to; i++) {
            try (StoreBatch batch = store.newBatch()) {
                batch.put(Table.ITEMS, key(i), new byte[500]);
                store.write(batch, true);
            }
        }
    }

    private static int count(ReplicaStore store) {
        int found = 0;
        while (store.get(Table.ITEMS, key(found)) != null) {
            found++;
        }
        return found;
    }

    private void writeAll() {
        try (ReplicaStore store = open()) {
            write(store, 0, WRITES);
        }
    }

    private void assertRefused() {
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> open().close())
                .withMessageContaining(data().toString())
                .withMessageContaining("Put back the whole data directory");
    }

    @Test
    void opensWhatIsWhole() {
        for (int round = 1; round <= 3; round++) {
            try (ReplicaStore store = open()) {
                assertThat(count(store)).isEqualTo((round - 1) * WRITES);
                write(store, (round - 1) * WRITES, round * WRITES);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 5000})
    void aLogThatWasCutShortIsRefused(int cut) throws IOException {
        writeAll();
        truncate(logs(data()).getLast(), cut);

        assertRefused();
        assertRefused();
    }

    @Test
    void aMissingLogIsRefused() throws IOException {
        writeAll();
        Files.delete(logs(data()).getLast());

        assertRefused();
    }

    @Test
    void aStorePutBackFromAnOlderCopyIsRefused() throws IOException {
        Path copy = directory.resolve("copy");
        try (ReplicaStore store = open()) {
            write(store, 0, 10);
            store.checkpoint(copy);
            write(store, 10, 11);
        }
        replace(data(), copy);

        assertRefused();
    }

    /** A kill leaves this: the last write is neither whole nor acknowledged. */
    @Test
    void aTornWriteThatWasNotAcknowledgedIsAccepted() throws IOException {
        Path killed = directory.resolve("killed");
        Path markBefore = directory.resolve("mark");
        try (ReplicaStore store = open()) {
            write(store, 0, WRITES);
            Files.copy(mark(), markBefore);
            write(store, WRITES, WRITES + 1);
            copy(data(), killed);
        }
        truncate(logs(killed).getLast(), 7);
        replace(data(), killed);
        Files.copy(markBefore, mark(), StandardCopyOption.REPLACE_EXISTING);

        try (ReplicaStore store = open()) {
            assertThat(count(store)).isEqualTo(WRITES);
            write(store, WRITES, WRITES + 1);
        }
        assertThatNoException().isThrownBy(() -> open().close());
    }

    /** A kill between the two writes leaves this, and so does a power failure. */
    @Test
    void aMarkThatLagsBehindIsAccepted() throws IOException {
        Path markBefore = directory.resolve("mark");
        try (ReplicaStore store = open()) {
            write(store, 0, 3);
            Files.copy(mark(), markBefore);
            write(store, 3, WRITES);
        }
        Files.copy(markBefore, mark(), StandardCopyOption.REPLACE_EXISTING);

        try (ReplicaStore store = open()) {
            assertThat(count(store)).isEqualTo(WRITES);
        }
        assertThat(mark())
                .as("caught up")
                .content(StandardCharsets.ISO_8859_1)
                .isNotEqualTo(Files.readString(markBefore, StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "thirteen bytes and more"})
    void aMarkThatCannotBeReadSaysNothing(String content) throws IOException {
        writeAll();
        Files.writeString(mark(), content);
        try (ReplicaStore store = open()) {
            assertThat(count(store)).isEqualTo(WRITES);
            write(store, WRITES, WRITES + 1);
        }
        truncate(logs(data()).getLast(), 1);

        assertRefused();
    }

    @Test
    void theBytesOfAMarkAreUnchanged() throws IOException {
        try (Watermark written = Watermark.open(mark())) {
            written.settle(42);
            assertThat(written.read()).hasValue(42);
        }

        assertThat(HexFormat.of().withUpperCase().formatHex(Files.readAllBytes(mark())))
                .isEqualTo("01000000000000002A2AC9C93B");
    }

    private enum Damage {
        MISSING,
        CUT_SHORT
    }

    /** With the last log whole, the store ends where it should; what is lost lies before. */
    @ParameterizedTest
    @EnumSource(Damage.class)
    void aLossInALogThatIsNotTheLastIsRefused(Damage damage) throws Exception {
        writeSeveralLogs();
        Path log = logs(data()).get(1);
        switch (damage) {
            case MISSING -> Files.delete(log);
            case CUT_SHORT -> truncate(log, 1000);
        }

        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> ReplicaStore.open(data(), SMALL).close())
                .withMessageContaining("WAL");
    }

    /**
     * Flushing is held back, so that logs pile up, and the files are copied as a kill leaves them.
     */
    private void writeSeveralLogs() throws IOException, RocksDBException {
        RocksNative.load();
        Path live = Files.createDirectory(directory.resolve("live"));
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (ColumnFamilyOptions family =
                        new ColumnFamilyOptions()
                                .setWriteBufferSize(64 << 10)
                                .setMaxWriteBufferNumber(1000);
                DBOptions options =
                        RocksDatabase.trackingLogs()
                                .setCreateIfMissing(true)
                                .setCreateMissingColumnFamilies(true);
                WriteOptions synced = new WriteOptions().setSync(true)) {
            families.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family));
            for (Table table : Table.values()) {
                families.add(
                        new ColumnFamilyDescriptor(
                                table.familyName().getBytes(StandardCharsets.UTF_8), family));
            }
            try (RocksDB db = RocksDB.open(options, live.toString(), families, handles)) {
                db.pauseBackgroundWork();
                for (int i = 0; logs(live).size() < 4; i++) {
                    db.put(handles.get(1), synced, key(i), new byte[1000]);
                }
                copy(live, data());
                db.continueBackgroundWork();
                handles.forEach(ColumnFamilyHandle::close);
            }
        }
    }

    private static List<Path> logs(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store)) {
            return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
        }
    }

    private static void truncate(Path file, int cut) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - cut);
        }
    }

    private static void replace(Path store, Path by) throws IOException {
        try (Stream<Path> files = Files.list(store)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(store);
        Files.move(by, store);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }
}
