package orrery.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.Etag;
import orrery.storage.format.Extensions;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Origin;

class ItemCacheTest {
    private static final Bytes KEY = key(0);

    private static Bytes key(int number) {
        return Bytes.ofUtf8("item-" + number);
    }

    private static ItemRecord item(long version) {
        return item(version, 20);
    }

    private static ItemRecord item(long version, int bytes) {
        return new ItemRecord(
                Encoding.JSON,
                7,
                new Etag(0, version),
                1,
                version,
                version,
                0,
                1,
                1,
                1,
                ItemRecord.UNSAID,
                Origin.HERE,
                Extensions.NONE,
                Bytes.wrap(new byte[bytes]));
    }

    @Test
    void anItemIsKnownSinceItWasRead() {
        ItemCache cache = new ItemCache(1 << 20);
        cache.add(KEY, item(1), 10);
        assertThat(cache.find(KEY, 10)).isEqualTo(item(1));
        assertThat(cache.find(KEY, 11)).isEqualTo(item(1));
        assertThat(cache.find(KEY, 9)).isNull();
        cache.add(KEY, item(1), 8);
        assertThat(cache.find(KEY, 9)).isEqualTo(item(1));
    }

    @Test
    void whoReadBeforeAChangeAddsNothing() {
        ItemCache cache = new ItemCache(1 << 20);
        cache.add(KEY, item(1), 10);
        cache.beginChange(List.of(KEY));
        assertThat(cache.find(KEY, 10)).isNull();
        cache.add(KEY, item(1), 10);
        assertThat(cache.find(KEY, 10)).isNull();
        cache.endChange(List.of(KEY), 12);
        cache.add(KEY, item(1), 11);
        assertThat(cache.find(KEY, 12)).isNull();
        cache.add(KEY, item(2), 12);
        assertThat(cache.find(KEY, 12)).isEqualTo(item(2));
    }

    @Test
    void aChangeOfAllTakesEverythingOut() {
        ItemCache cache = new ItemCache(1 << 20);
        for (int i = 0; i < 100; i++) {
            cache.add(key(i), item(1), 10);
        }
        cache.beginChangeOfAll();
        cache.endChangeOfAll(11);
        for (int i = 0; i < 100; i++) {
            assertThat(cache.find(key(i), 20)).isNull();
        }
        cache.add(KEY, item(2), 11);
        assertThat(cache.find(KEY, 11)).isEqualTo(item(2));
    }

    @Test
    void keepsWhatIsUsedAndNoMoreThanItMay() {
        int kilobyte = 1024;
        ItemCache cache = new ItemCache(4 << 20);
        cache.add(KEY, item(1, kilobyte), 1);
        int count = 20_000;
        for (int i = 1; i < count; i++) {
            cache.add(key(i), item(1, kilobyte), 1);
            assertThat(cache.find(KEY, 1)).isNotNull();
        }
        long kept = 0;
        for (int i = 0; i < count; i++) {
            kept += cache.find(key(i), 1) == null ? 0 : 1;
        }
        assertThat(kept * kilobyte).isBetween(2L << 20, 4L << 20);
    }

    @Test
    void itemsThatChangeAgainAndAgainDoNotPileUp() {
        ItemCache cache = new ItemCache(1 << 20);
        for (int i = 0; i < 100_000; i++) {
            cache.add(KEY, item(i), 2L * i);
            cache.beginChange(List.of(KEY));
            cache.endChange(List.of(KEY), 2L * i + 1);
        }
        assertThat(cache.queued()).isLessThan(100);
    }

    @Test
    void oneItemDoesNotDriveOutAllOthers() {
        ItemCache cache = new ItemCache(1 << 20);
        cache.add(KEY, item(1, 512 << 10), 1);
        assertThat(cache.find(KEY, 1)).isNull();
    }

    @Test
    void snapshotsSeeTheirOwnVersion(@TempDir Path directory) {
        try (ReplicaStore store = ReplicaStore.open(directory, StoreOptions.DEFAULT)) {
            byte[] key = KEY.unsafeArray();
            put(store, KEY, item(1));
            try (StoreSnapshot first = store.snapshot()) {
                assertThat(store.item(key)).isEqualTo(item(1));
                put(store, KEY, item(2));
                assertThat(store.item(key)).isEqualTo(item(2));
                assertThat(first.item(key)).isEqualTo(item(1));
                assertThat(first.items(List.of(key, key(9).unsafeArray())))
                        .containsExactly(item(1), null);
                try (StoreBatch batch = store.newBatch()) {
                    batch.delete(Table.ITEMS, key);
                    store.write(batch, false);
                }
                assertThat(store.item(key)).isNull();
                assertThat(first.item(key)).isEqualTo(item(1));
            }
            put(store, KEY, item(3));
            assertThat(store.items(List.of(key))).containsExactly(item(3));
            try (StoreBatch batch = store.newBatch()) {
                batch.deleteRange(Table.ITEMS, key, key(1).unsafeArray());
                store.write(batch, false);
            }
            assertThat(store.item(key)).isNull();
        }
    }

    @Test
    void isTheStoreWhateverIsWrittenMeanwhile(@TempDir Path directory) throws Exception {
        int keys = 8;
        AtomicBoolean isDone = new AtomicBoolean();
        try (ReplicaStore store = ReplicaStore.open(directory, StoreOptions.DEFAULT);
                ExecutorService readers = Executors.newFixedThreadPool(3)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                running.add(
                        readers.submit(
                                () -> {
                                    while (!isDone.get()) {
                                        compare(store, keys);
                                    }
                                }));
            }
            for (int version = 1; version < 3000; version++) {
                Bytes key = key(version % keys);
                if (version % 7 == 0) {
                    try (StoreBatch batch = store.newBatch()) {
                        batch.delete(Table.ITEMS, key.unsafeArray());
                        store.write(batch, false);
                    }
                } else {
                    put(store, key, item(version));
                    assertThat(store.item(key.unsafeArray())).isEqualTo(item(version));
                }
            }
            isDone.set(true);
            for (Future<?> reader : running) {
                reader.get();
            }
        }
    }

    private static void compare(ReplicaStore store, int keys) {
        try (StoreSnapshot snapshot = store.snapshot()) {
            for (int i = 0; i < keys; i++) {
                byte[] key = key(ThreadLocalRandom.current().nextInt(keys)).unsafeArray();
                byte[] row = snapshot.get(Table.ITEMS, key);
                @Nullable ItemRecord stored = row == null ? null : ItemRecord.decode(row);
                assertThat(snapshot.item(key)).isEqualTo(stored);
            }
        }
    }

    private static void put(ReplicaStore store, Bytes key, ItemRecord item) {
        try (StoreBatch batch = store.newBatch()) {
            batch.put(Table.ITEMS, key.unsafeArray(), item.encode());
            store.write(batch, false);
        }
    }
}
