package orrery.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** A store that is closed while it is used. A fault here ends the process, not the test. */
class StoreCloseTest {
    private static final StoreOptions SMALL = new StoreOptions(1 << 20, 0, 1 << 20);
    private static final byte[] FIRST = {0};
    private static final byte[] LAST = {127};

    @Test
    void readersAndWritersLeaveBeforeItCloses(@TempDir Path directory) throws Exception {
        closeUnderLoad(directory, 15);
    }

    @Test
    @Tag("long")
    void readersAndWritersLeaveBeforeItClosesManyTimes(@TempDir Path directory) throws Exception {
        closeUnderLoad(directory, 500);
    }

    private static void closeUnderLoad(Path directory, int rounds) throws Exception {
        AtomicInteger checkpoints = new AtomicInteger();
        List<Consumer<ReplicaStore>> uses =
                List.of(
                        store -> store.get(Table.ITEMS, key(1)),
                        store -> store.getAll(Table.ITEMS, List.of(key(1), key(2), key(3))),
                        store -> walk(store, false),
                        store -> walk(store, true),
                        StoreCloseTest::readSnapshot,
                        store -> put(store, 4),
                        store ->
                                store.checkpoint(
                                        directory.resolve(
                                                "copy-" + checkpoints.incrementAndGet())));
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int round = 0; round < rounds; round++) {
                ReplicaStore store = ReplicaStore.open(directory.resolve("data"), SMALL);
                for (int i = 0; i < 10; i++) {
                    put(store, i);
                }
                CountDownLatch atWork = new CountDownLatch(uses.size());
                List<Future<?>> users = new ArrayList<>();
                for (Consumer<ReplicaStore> use : uses) {
                    users.add(threads.submit(() -> useUntilClosed(store, use, atWork)));
                }
                atWork.await();
                store.close();
                for (Future<?> user : users) {
                    user.get();
                }
            }
        }
    }

    private static void useUntilClosed(
            ReplicaStore store, Consumer<ReplicaStore> use, CountDownLatch atWork) {
        try {
            use.accept(store);
            atWork.countDown();
            while (true) {
                use.accept(store);
            }
        } catch (OrreryException closing) {
            assertThat(closing.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        }
    }

    @Test
    void waitsForWhatIsOpenAndLetsItFinish(@TempDir Path directory) throws Exception {
        ReplicaStore store = ReplicaStore.open(directory, SMALL);
        put(store, 1);
        put(store, 2);
        Cursor cursor = store.scan(Table.ITEMS, FIRST, LAST);
        StoreSnapshot snapshot = store.snapshot();
        StoreBatch batch = store.newBatch();
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<?> closing = threads.submit(() -> store.close());
            while (isOpen(store)) {
                Thread.onSpinWait();
            }

            assertThat(cursor.next()).isTrue();
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.next()).isFalse();
            cursor.close();
            assertThat(snapshot.get(Table.ITEMS, key(1))).isNotNull();
            try (Cursor inside = snapshot.scan(Table.ITEMS, FIRST, LAST)) {
                snapshot.close();
                assertThat(inside.next()).isTrue();
            }
            batch.put(Table.ITEMS, key(3), new byte[1]);
            store.write(batch, true);
            assertThat(closing.isDone()).isFalse();
            batch.close();
            closing.get();
        }
        try (ReplicaStore again = ReplicaStore.open(directory, SMALL)) {
            assertThat(again.get(Table.ITEMS, key(3))).isNotNull();
        }
    }

    @Test
    void staysOpenUnderAReaderThatDoesNotEnd(@TempDir Path directory) {
        ReplicaStore store = ReplicaStore.open(directory, SMALL);
        put(store, 1);
        Cursor cursor = store.scan(Table.ITEMS, FIRST, LAST);

        assertThatIllegalStateException()
                .isThrownBy(() -> store.close(Duration.ZERO))
                .withMessageContaining("still uses the store");
        assertThat(cursor.next()).isTrue();
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> store.get(Table.ITEMS, key(1)))
                .withMessageContaining("stopping");
        cursor.close();
        store.close();
        store.close();
    }

    private static boolean isOpen(ReplicaStore store) {
        try {
            store.get(Table.META, key(0));
            return true;
        } catch (OrreryException closing) {
            return false;
        }
    }

    private static void walk(ReplicaStore store, boolean backward) {
        try (Cursor rows =
                backward
                        ? store.scanBackward(Table.ITEMS, FIRST, LAST)
                        : store.scan(Table.ITEMS, FIRST, LAST)) {
            while (rows.next()) {
                assertThat(rows.value()).hasSize(1);
            }
        }
    }

    private static void readSnapshot(ReplicaStore store) {
        try (StoreSnapshot snapshot = store.snapshot()) {
            assertThat(snapshot.get(Table.ITEMS, key(1))).hasSize(1);
            try (Cursor rows = snapshot.scan(Table.ITEMS, FIRST, LAST)) {
                assertThat(rows.next()).isTrue();
            }
        }
    }

    private static void put(ReplicaStore store, int number) {
        try (StoreBatch batch = store.newBatch()) {
            batch.put(Table.ITEMS, key(number), new byte[1]);
            store.write(batch, false);
        }
    }

    private static byte[] key(int number) {
        return new byte[] {(byte) (number + 1)};
    }
}
