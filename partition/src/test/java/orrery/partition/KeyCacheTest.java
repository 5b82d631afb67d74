package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.Encoding;
import orrery.model.Etag;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.partition.api.BatchStep;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.query.sql.SqlStatement;
import orrery.query.write.Images;
import orrery.storage.format.DataSize;
import orrery.storage.format.Extensions;
import orrery.storage.format.LogicalPartitionRecord;

final class KeyCacheTest {
    private static final PartitionId PARTITION = new PartitionId(7, 0);
    private static final Bytes KEY = Bytes.ofUtf8("key");

    private static LogicalPartitionRecord counters(long items, long bytes, long lsn) {
        return new LogicalPartitionRecord(new DataSize(items, bytes, bytes), lsn, Extensions.NONE);
    }

    private static List<KeyCache.Row> rows(int count, int bytes) {
        List<KeyCache.Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(
                    new KeyCache.Row(
                            Bytes.ofUtf8("key" + i),
                            new Item(
                                    i,
                                    new Etag(0, i),
                                    0,
                                    1,
                                    Encoding.JSON,
                                    Bytes.wrap(new byte[bytes]))));
        }
        return rows;
    }

    @Test
    void aKeyIsFoundInTheStateInWhichItWasReadAndInNoOther() {
        KeyCache cache = new KeyCache(1 << 20);
        LogicalPartitionRecord state = counters(3, 300, 9);
        cache.add(PARTITION, KEY, state, rows(3, 100));
        assertThat(cache.find(PARTITION, KEY, counters(3, 300, 9))).hasValue(rows(3, 100));
        assertThat(cache.find(PARTITION, KEY, counters(3, 300, 10))).isEmpty();
        // Work in the background takes rows away without a write.
        assertThat(cache.find(PARTITION, KEY, counters(2, 200, 9))).isEmpty();
        assertThat(cache.find(PARTITION, Bytes.ofUtf8("other"), state)).isEmpty();
        assertThat(cache.find(new PartitionId(7, 1), KEY, state)).isEmpty();
    }

    @Test
    void whatIsReadOnceOrIsLargeIsNotKept() {
        KeyCache cache = new KeyCache(1 << 20);
        LogicalPartitionRecord state = counters(KeyCache.MAX_ITEMS, KeyCache.MAX_KEY_BYTES, 9);
        assertThat(cache.isWorthwhile(PARTITION, KEY, state)).isFalse();
        assertThat(cache.isWorthwhile(PARTITION, KEY, state)).isTrue();
        assertThat(cache.isWorthwhile(PARTITION, KEY, counters(3, 300, 10))).isFalse();
        LogicalPartitionRecord many = counters(KeyCache.MAX_ITEMS + 1, 300, 9);
        LogicalPartitionRecord large = counters(3, KeyCache.MAX_KEY_BYTES + 1, 9);
        for (int i = 0; i < 2; i++) {
            assertThat(cache.isWorthwhile(PARTITION, KEY, many)).isFalse();
            assertThat(cache.isWorthwhile(PARTITION, KEY, large)).isFalse();
        }
    }

    @Test
    void theOldestGoWhenThereIsNoRoom() {
        KeyCache cache = new KeyCache(40_000);
        for (int i = 0; i < 10; i++) {
            cache.add(PARTITION, Bytes.ofUtf8("k" + i), counters(1, 10_000, i), rows(1, 10_000));
        }
        List<Integer> kept = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            if (cache.find(PARTITION, Bytes.ofUtf8("k" + i), counters(1, 10_000, i)).isPresent()) {
                kept.add(i);
            }
        }
        assertThat(kept).containsExactly(7, 8, 9);
    }

    /** Queries that sort a small key read all of it, again and again. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void queriesSeeWhatIsThereWhateverWasKept(long seed, @TempDir Path directory) {
        Random random = new Random(seed);
        HostFixture host = new HostFixture(directory, HostFixture.ONE_PATH);
        try {
            Map<String, Integer> model = new TreeMap<>();
            for (int round = 0; round < 150; round++) {
                String id = "i" + random.nextInt(6);
                ItemKey key = host.key(id, "north");
                if (random.nextInt(3) == 0) {
                    if (model.remove(id) != null) {
                        host.write(key, new WriteAction.Delete(Images.NONE), Precondition.NONE);
                    }
                } else {
                    int n = random.nextInt(100);
                    model.put(id, n);
                    upsert(host, id, n);
                }
                for (int i = random.nextInt(4); i > 0; i--) {
                    assertThat(listed(host)).as("seed %d", seed).isEqualTo(expected(model));
                }
            }
        } finally {
            host.close();
        }
    }

    /** Items that were kept before they ended are not shown. */
    @Test
    void whatHasEndedStaysAway(@TempDir Path directory) {
        HostFixture host = new HostFixture(directory, HostFixture.ONE_PATH);
        try {
            upsert(host, "i", 1);
            for (int i = 0; i < 3; i++) {
                assertThat(listed(host)).containsExactly("i 1");
            }
            host.redefine(2, definition -> definition.withTimeToLive(new TimeToLive(10)));
            host.pass(Duration.ofSeconds(60));
            assertThat(listed(host)).isEmpty();
        } finally {
            host.close();
        }
    }

    /** Lifetimes come and go, and what they end is purged in the background. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void queriesSeeWhatReadsFindWhileLifetimesComeAndGo(long seed, @TempDir Path directory) {
        Random random = new Random(seed);
        HostFixture host = new HostFixture(directory, HostFixture.ONE_PATH);
        int version = 1;
        boolean isOn = false;
        try {
            for (int round = 0; round < 100; round++) {
                switch (random.nextInt(8)) {
                    case 0 -> {
                        isOn = !isOn;
                        TimeToLive next = isOn ? new TimeToLive(10) : TimeToLive.OFF;
                        host.redefine(++version, definition -> definition.withTimeToLive(next));
                    }
                    case 1, 2 -> host.pass(Duration.ofSeconds(random.nextInt(15)));
                    default -> upsert(host, "i" + random.nextInt(6), random.nextInt(100));
                }
                for (int i = 0; i < 3; i++) {
                    assertThat(listed(host)).as("seed %d", seed).isEqualTo(found(host));
                }
            }
        } finally {
            host.close();
        }
    }

    /** A key that was kept before a purge is not shown when nothing expires any more. */
    @Test
    void whatWasPurgedStaysAway(@TempDir Path directory) {
        HostFixture host = new HostFixture(directory, HostFixture.ONE_PATH);
        try {
            upsert(host, "a", 1);
            upsert(host, "b", 2);
            for (int i = 0; i < 3; i++) {
                assertThat(listed(host)).containsExactly("a 1", "b 2");
            }
            host.redefine(2, definition -> definition.withTimeToLive(new TimeToLive(10)));
            host.pass(Duration.ofSeconds(60));
            while (host.host().purgedItems() < 2) {
                Thread.onSpinWait();
            }
            host.redefine(3, definition -> definition.withTimeToLive(TimeToLive.OFF));
            for (int i = 0; i < 3; i++) {
                assertThat(listed(host)).isEmpty();
            }
            upsert(host, "b", 2);
            for (int i = 0; i < 3; i++) {
                assertThat(listed(host)).containsExactly("b 2");
            }
        } finally {
            host.close();
        }
    }

    /** Two items always have the same number, because one transaction gives it to both. */
    @Test
    void queriesBesideWritesSeeOneMoment(@TempDir Path directory) throws Exception {
        HostFixture host = new HostFixture(directory, HostFixture.ONE_PATH);
        AtomicBoolean isOver = new AtomicBoolean();
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            both(host, 0);
            List<Future<Integer>> reads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                reads.add(readers.submit(() -> readTillThen(host, isOver)));
            }
            try {
                for (int n = 1; n <= 200; n++) {
                    both(host, n);
                }
            } finally {
                isOver.set(true);
            }
            for (Future<Integer> read : reads) {
                assertThat(read.get()).isEqualTo(200);
            }
        } finally {
            host.close();
        }
    }

    /** Returns the number that was seen last, after the last write. */
    private static int readTillThen(HostFixture host, AtomicBoolean isOver) {
        int last = 0;
        boolean isLast;
        do {
            isLast = isOver.get();
            List<String> seen = listed(host);
            int n = Integer.parseInt(seen.getFirst().substring("a ".length()));
            assertThat(seen).containsExactly("a " + n, "b " + n);
            assertThat(n).isGreaterThanOrEqualTo(last);
            last = n;
        } while (!isLast);
        return last;
    }

    private static void both(HostFixture host, int n) {
        List<BatchStep> steps = new ArrayList<>();
        for (String id : List.of("a", "b")) {
            steps.add(new BatchStep.Write(host.key(id, "north"), put(id, n), Precondition.NONE));
        }
        assertThat(
                        host.call(
                                new WriteRequest.Batch(
                                        HostFixture.PARTITION, host.newRequest(), steps, 0)))
                .isInstanceOf(WriteResponse.Batch.class);
    }

    private static void upsert(HostFixture host, String id, int n) {
        host.write(host.key(id, "north"), put(id, n), Precondition.NONE);
    }

    private static WriteAction put(String id, int n) {
        return new WriteAction.Upsert(
                Bytes.ofUtf8("{\"id\":\"%s\",\"pk\":\"north\",\"n\":%d}".formatted(id, n)));
    }

    /** The same list, put together from reads of single items. */
    private static List<String> found(HostFixture host) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            String id = "i" + i;
            if (host.read(host.key(id, "north"), 0) instanceof ReadResponse.Found one) {
                String body = one.item().body().toUtf8();
                String n = body.substring(body.lastIndexOf(':') + 1, body.length() - 1);
                found.add(id + " " + n);
            }
        }
        return found;
    }

    private static List<String> expected(Map<String, Integer> model) {
        return model.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .sorted()
                .toList();
    }

    private static List<String> listed(HostFixture host) {
        ReadResponse.QueryPage page =
                (ReadResponse.QueryPage)
                        host.call(
                                new ReadRequest.Query(
                                        HostFixture.PARTITION,
                                        HostFixture.DATABASE,
                                        SqlStatement.parse(
                                                        "SELECT VALUE CONCAT(c.id, ' ',"
                                                                + " ToString(c.n)) FROM c ORDER BY"
                                                                + " c.n",
                                                        Map.of())
                                                .encoded(),
                                        KeyRange.FULL,
                                        Optional.of(host.key("x", "north").partitionKey()),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        100,
                                        HostFixture.MB,
                                        0,
                                        List.of()));
        return page.rows().stream().map(row -> row.toUtf8().replace("\"", "")).sorted().toList();
    }
}
