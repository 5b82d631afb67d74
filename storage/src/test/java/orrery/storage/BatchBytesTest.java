package orrery.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** RocksDB's own batches are what ours are held against. */
class BatchBytesTest {
    /** Around the ends of one, two and three bytes of a length, and of the first array. */
    private static final int[] LENGTHS = {0, 1, 127, 128, 16_383, 16_384, 2_097_152};

    private RocksDatabase database;

    @BeforeEach
    void open(@TempDir Path directory) {
        database = RocksDatabase.open(directory, StoreOptions.DEFAULT);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static byte[] bytes(int length, int first) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) first);
        return bytes;
    }

    @Test
    void theyAreWhatRocksDbMakes() throws RocksDBException {
        BatchBytes ours = new BatchBytes(16);
        try (WriteBatch theirs = new WriteBatch()) {
            for (Table table : Table.values()) {
                int number = database.number(table);
                for (int length : LENGTHS) {
                    byte[] key = bytes(length, 200);
                    byte[] value = bytes(length, 17);
                    ours.put(number, key, value);
                    theirs.put(database.family(table), key, value);
                    ours.delete(number, key);
                    theirs.delete(database.family(table), key);
                    ours.deleteRange(number, value, key);
                    theirs.deleteRange(database.family(table), value, key);
                }
            }

            assertThat(Arrays.equals(ours.toArray(), theirs.data())).isTrue();
            assertThat(theirs.count()).isEqualTo(3 * LENGTHS.length * Table.values().length);
        }
    }

    @Test
    void nothingIsLeftOfWhatWasTakenBack() throws RocksDBException {
        BatchBytes ours = new BatchBytes(16);
        ours.put(database.number(Table.ITEMS), bytes(100, 1), bytes(1000, 2));

        ours.clear();

        try (WriteBatch none = new WriteBatch()) {
            assertThat(ours.toArray()).isEqualTo(none.data());
        }
    }

    @Test
    void aSealedBatchIsWrittenAsItIs(@TempDir Path directory) {
        byte[] key = "key".getBytes(StandardCharsets.UTF_8);
        byte[] other = "other".getBytes(StandardCharsets.UTF_8);
        try (ReplicaStore store = ReplicaStore.open(directory, StoreOptions.DEFAULT);
                StoreBatch batch = store.newBatch()) {
            batch.put(Table.INDEX, key, other);
            batch.put(Table.META, key, key);
            batch.seal();

            assertThatIllegalStateException().isThrownBy(() -> batch.put(Table.META, other, key));
            assertThatIllegalStateException().isThrownBy(() -> batch.delete(Table.INDEX, key));
            assertThatIllegalStateException()
                    .isThrownBy(() -> batch.deleteRange(Table.META, key, other));
            assertThatIllegalStateException().isThrownBy(batch::clear);
            store.write(batch, true);

            assertThat(store.get(Table.INDEX, key)).isEqualTo(other);
            assertThat(store.get(Table.META, key)).isEqualTo(key);
            assertThat(store.get(Table.META, other)).isNull();
        }
    }

    @Test
    void batchesThatAreMadeAtATimeAreApart(@TempDir Path directory) {
        byte[] first = "first".getBytes(StandardCharsets.UTF_8);
        byte[] second = "second".getBytes(StandardCharsets.UTF_8);
        byte[] third = "third".getBytes(StandardCharsets.UTF_8);
        try (ReplicaStore store = ReplicaStore.open(directory, StoreOptions.DEFAULT);
                StoreBatch one = store.newBatch()) {
            one.put(Table.META, first, first);
            one.seal();
            try (StoreBatch two = store.newBatch();
                    StoreBatch three = store.newBatch()) {
                two.put(Table.META, second, second);
                three.put(Table.META, third, third);
                store.write(one, false);
                assertThat(store.get(Table.META, second)).isNull();
                store.write(three, false);
                assertThat(store.get(Table.META, second)).isNull();
                store.write(two, false);
            }

            assertThat(store.get(Table.META, first)).isEqualTo(first);
            assertThat(store.get(Table.META, second)).isEqualTo(second);
            assertThat(store.get(Table.META, third)).isEqualTo(third);
        }
    }
}
