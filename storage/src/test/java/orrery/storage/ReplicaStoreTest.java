package orrery.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaStoreTest {
    private static final StoreOptions SMALL = new StoreOptions(4 << 20, 8 << 20);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void put(ReplicaStore store, Table table, String key, String value) {
        try (StoreBatch batch = store.newBatch()) {
            batch.put(table, bytes(key), bytes(value));
            store.write(batch, false);
        }
    }

    private static List<String> rows(StoreView view, Table table, String from, String to) {
        List<String> rows = new ArrayList<>();
        try (Cursor cursor = view.scan(table, bytes(from), bytes(to))) {
            while (cursor.next()) {
                rows.add(text(cursor.key()) + "=" + text(cursor.value()));
            }
        }
        return rows;
    }

    @Test
    void keepsItsRowsWhenReopened(@TempDir Path directory) {
        try (ReplicaStore store = ReplicaStore.open(directory, SMALL)) {
            for (Table table : Table.values()) {
                put(store, table, "key", table.name());
            }
        }
        try (ReplicaStore store = ReplicaStore.open(directory, SMALL)) {
            for (Table table : Table.values()) {
                assertThat(store.get(table, bytes("key"))).isEqualTo(bytes(table.name()));
            }
            assertThat(store.get(Table.ITEMS, bytes("other"))).isNull();
        }
    }

    @Test
    void isOpenOnlyOnce(@TempDir Path directory) {
        try (ReplicaStore store = ReplicaStore.open(directory, SMALL)) {
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> ReplicaStore.open(directory, SMALL))
                    .withMessageContaining(directory.toString());
            put(store, Table.META, "still", "works");
        }
    }

    @Test
    void aBatchIsVisibleAsAWhole(@TempDir Path directory) {
        try (ReplicaStore store = ReplicaStore.open(directory, SMALL);
                StoreBatch batch = store.newBatch()) {
            put(store, Table.ITEMS, "old", "1");
            batch.put(Table.ITEMS, bytes("a"), bytes("1"));
            batch.put(Table.INDEX, bytes("b"), bytes("2"));
            batch.delete(Table.ITEMS, bytes("old"));
            assertThat(store.get(Table.ITEMS, bytes("a"))).isNull();

            store.write(batch, true);

            assertThat(rows(store, Table.ITEMS, "", "z")).containsExactly("a=1");
            assertThat(rows(store, Table.INDEX, "", "z")).containsExactly("b=2");
        }
    }

    @ParameterizedTest
    @EnumSource(Table.class)
    void laterChangesOfABatchWin(Table table, @TempDir Path directory) {
        try (ReplicaStore store = ReplicaStore.open(directory, SMALL);
                StoreBatch batch = store.newBatch()) {
            put(store, table, "b", "old");
            batch.put(table, bytes("a"), bytes("1"));
            batch.deleteRange(table, bytes("a"), bytes("c"));
            batch.put(table, bytes("b"), bytes("new"));

            store.write(batch, true);

            assertThat(rows(store, table, "", "z")).containsExactly("b=new");
        }
    }

    /** Whatever the order in which RocksDB is given the rows, those of one key keep theirs. */
    @ParameterizedTest
    @EnumSource(Table.class)
    void changesOfOneRowKeepTheirOrder(Table table, @TempDir Path directory) {
        try (ReplicaStore store = ReplicaStore.open(directory, SMALL);
                StoreBatch batch = store.newBatch()) {
            put(store, table, "c", "old");
            batch.put(table, bytes("d"), bytes("1"));
            batch.put(table, bytes("b"), bytes("1"));
            batch.delete(table, bytes("c"));
            batch.put(table, bytes("a"), bytes("1"));
            batch.put(table, bytes("b"), bytes("2"));
            batch.delete(table, bytes("d"));
            batch.put(table, bytes("c"), bytes("2"));
            batch.delete(table, bytes("a"));

            store.write(batch, true);

            assertThat(rows(store, table, "", "z")).containsExactly("b=2", "c=2");
        }
    }

    @ParameterizedTest
    @EnumSource(Table.class)
    void nothingIsLeftOfABatchThatWasCleared(Table table, @TempDir Path directory) {
        try (ReplicaStore store = ReplicaStore.open(directory, SMALL);
                StoreBatch batch = store.newBatch()) {
            batch.put(table, bytes("a"), bytes("1"));
            batch.clear();
            batch.put(table, bytes("b"), bytes("1"));

            store.write(batch, true);

            assertThat(rows(store, table, "", "z")).containsExactly("b=1");
        }
    }

    @Test
    void aSnapshotStaysAsItWas(@TempDir Path directory) {
        try (ReplicaStore store = ReplicaStore.open(directory, SMALL)) {
            put(store, Table.ITEMS, "a", "1");
            put(store, Table.ITEMS, "b", "1");
            try (StoreSnapshot snapshot = store.snapshot()) {
                put(store, Table.ITEMS, "a", "2");
                put(store, Table.ITEMS, "c", "2");
                try (StoreBatch batch = store.newBatch()) {
                    batch.deleteRange(Table.ITEMS, bytes("b"), bytes("c"));
                    store.write(batch, false);
                }

                assertThat(rows(snapshot, Table.ITEMS, "", "z")).containsExactly("a=1", "b=1");
                assertThat(snapshot.get(Table.ITEMS, bytes("a"))).isEqualTo(bytes("1"));
                assertThat(
                                snapshot.getAll(
                                        Table.ITEMS, List.of(bytes("b"), bytes("c"), bytes("a"))))
                        .containsExactly(bytes("1"), null, bytes("1"));
                assertThat(snapshot.getAll(Table.ITEMS, List.of())).isEmpty();
            }
            assertThat(rows(store, Table.ITEMS, "", "z")).containsExactly("a=2", "c=2");
        }
    }

    @Test
    void scansAndRangeDeletesAreHalfOpen(@TempDir Path directory) {
        try (ReplicaStore store = ReplicaStore.open(directory, SMALL)) {
            for (String key : List.of("a", "b", "ba", "c", "d")) {
                put(store, Table.META, key, "");
            }
            assertThat(rows(store, Table.META, "b", "d")).containsExactly("b=", "ba=", "c=");
            assertThat(rows(store, Table.META, "d", "b")).isEmpty();
            try (StoreBatch batch = store.newBatch()) {
                batch.deleteRange(Table.META, bytes("b"), bytes("c"));
                store.write(batch, false);
            }
            assertThat(rows(store, Table.META, "", "z")).containsExactly("a=", "c=", "d=");
        }
    }

    @Test
    void keysSortAsUnsignedBytes(@TempDir Path directory) {
        try (ReplicaStore store = ReplicaStore.open(directory, SMALL);
                StoreBatch batch = store.newBatch()) {
            batch.put(Table.CHANGES, new byte[] {(byte) 0x80}, bytes("high"));
            batch.put(Table.CHANGES, new byte[] {0x7F}, bytes("low"));
            store.write(batch, false);
            try (Cursor rows = store.scan(Table.CHANGES, new byte[0], new byte[] {-1})) {
                assertThat(rows.next()).isTrue();
                assertThat(text(rows.value())).isEqualTo("low");
                assertThat(rows.next()).isTrue();
                assertThat(text(rows.value())).isEqualTo("high");
                assertThat(rows.next()).isFalse();
            }
        }
    }

    @Test
    void aCheckpointIsAStoreOfItsOwn(@TempDir Path directory) {
        Path copy = directory.resolve("copy");
        try (ReplicaStore store = ReplicaStore.open(directory.resolve("data"), SMALL)) {
            put(store, Table.ITEMS, "a", "1");
            store.checkpoint(copy);
            put(store, Table.ITEMS, "a", "2");
            assertThatExceptionOfType(StoreFailure.class).isThrownBy(() -> store.checkpoint(copy));
        }
        try (ReplicaStore store = ReplicaStore.open(copy, SMALL)) {
            assertThat(rows(store, Table.ITEMS, "", "z")).containsExactly("a=1");
            put(store, Table.ITEMS, "b", "1");
        }
        try (ReplicaStore store = ReplicaStore.open(directory.resolve("data"), SMALL)) {
            assertThat(rows(store, Table.ITEMS, "", "z")).containsExactly("a=2");
        }
    }

    /** Whatever was cut off: what remains is every batch up to some point, each one whole. */
    @Test
    void aTornTailLosesOnlyWholeBatches(@TempDir Path directory) throws IOException {
        Path data = directory.resolve("data");
        try (ReplicaStore store = ReplicaStore.open(data, SMALL)) {
            for (int i = 0; i < 20; i++) {
                try (StoreBatch batch = store.newBatch()) {
                    batch.put(Table.ITEMS, bytes("key%02d".formatted(i)), new byte[500]);
                    batch.put(Table.INDEX, bytes("key%02d".formatted(i)), new byte[0]);
                    store.write(batch, true);
                }
            }
        }
        for (int cut : List.of(0, 1, 7, 100, 600, 1500, 5000)) {
            Path copy = directory.resolve("cut-" + cut);
            copy(data, copy);
            Path log = newestLog(copy);
            try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() - cut);
            }
            try (ReplicaStore store = ReplicaStore.open(copy, SMALL)) {
                int found = 0;
                while (store.get(Table.ITEMS, bytes("key%02d".formatted(found))) != null) {
                    found++;
                }
                assertThat(rows(store, Table.INDEX, "", "z")).hasSize(found);
                assertThat(rows(store, Table.ITEMS, "", "z")).hasSize(found);
                int lost = 20 - found;
                assertThat(lost).isBetween(cut == 0 ? 0 : 1, cut / 500 + 1).isLessThan(20);
                assertThat(cut > 0 || lost == 0).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 5400, 40_000, 70_000})
    void damageInTheMiddleOfTheLogIsRefused(int offset, @TempDir Path directory)
            throws IOException {
        try (ReplicaStore store = ReplicaStore.open(directory, SMALL)) {
            for (int i = 0; i < 200; i++) {
                try (StoreBatch batch = store.newBatch()) {
                    batch.put(Table.ITEMS, bytes("key%03d".formatted(i)), new byte[500]);
                    store.write(batch, true);
                }
            }
        }
        try (FileChannel channel =
                FileChannel.open(newestLog(directory), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes("damage")), offset);
        }

        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> ReplicaStore.open(directory, SMALL))
                .withMessageContaining("The store in " + directory);
    }

    @Test
    void aFailedOpenLeavesTheDirectoryUsable(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "not a directory");

        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> ReplicaStore.open(file, SMALL));
        try (ReplicaStore store = ReplicaStore.open(directory.resolve("data"), SMALL)) {
            put(store, Table.META, "a", "1");
        }
    }

    private static Path newestLog(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
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
