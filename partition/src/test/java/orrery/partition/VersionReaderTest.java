package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.HostFixture.PARTITION;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.ItemVersion;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.VersionPlace;
import orrery.partition.api.BatchStep;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.SplitAim;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.JournalRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/** All versions and deletes: what is kept, for how long, and what happens to it in splits. */
@Timeout(900)
class VersionReaderTest {
    private static final int MANY = 1000;
    private static final long FROM_NOW = Long.MAX_VALUE;

    /** The clock of the fixture's host, which stamps what is written. */
    private static final long WRITTEN = 1_800_000_000_000L;

    private static final int RETENTION_MINUTES = 10;

    @TempDir Path directory;
    private HostFixture fixture;

    @BeforeEach
    void open() {
        fixture = new HostFixture(directory, HostFixture.ONE_PATH);
        keep(2, RETENTION_MINUTES);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void keep(int version, int minutes) {
        fixture.redefine(version, definition -> definition.withChangeRetention(minutes));
    }

    private static ReadRequest.ReadVersions request(
            PartitionId partition, KeyRange keys, long after, int maxItems) {
        return new ReadRequest.ReadVersions(
                partition, keys, Optional.empty(), VersionPlace.after(after), maxItems, 4 << 20, 0);
    }

    private ReadResponse.Versions read(long after, int maxItems) {
        return (ReadResponse.Versions)
                fixture.call(request(PARTITION, KeyRange.FULL, after, maxItems));
    }

    private static List<String> told(ReadResponse.Versions page) {
        return page.versions().stream()
                .map(
                        version ->
                                version.operation()
                                        + " "
                                        + version.key().rowKey()
                                        + " "
                                        + version.item().body().toUtf8())
                .toList();
    }

    private void upsert(String id, int value) {
        fixture.write(
                fixture.key(id, id),
                new WriteAction.Upsert(Bytes.ofUtf8("{\"v\":%d}".formatted(value))),
                Precondition.NONE);
    }

    private void delete(String id) {
        fixture.write(fixture.key(id, id), new WriteAction.Delete(), Precondition.NONE);
    }

    private void writeAt(long millis, ItemKey key, String body) {
        fixture.replica()
                .submit(
                        new Command.WriteItems(
                                PARTITION,
                                fixture.newRequest(),
                                millis,
                                List.of(
                                        new Command.ItemChange.Put(
                                                key,
                                                Command.Expect.ANY,
                                                Precondition.NONE,
                                                Encoding.JSON,
                                                Bytes.ofUtf8(body)))),
                        Duration.ofSeconds(10));
    }

    private void purge(long nowMillis) {
        fixture.replica()
                .submit(new Command.PurgeJournal(PARTITION, nowMillis), Duration.ofSeconds(10));
    }

    private long journalRows() {
        long count = 0;
        byte[] prefix = Keys.journal(PARTITION.container(), PARTITION.range());
        try (Cursor rows =
                fixture.replica().store().scan(Table.CHANGES, prefix, Keys.after(prefix))) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }

    @Test
    void everyVersionAndEveryDeleteIsThere() {
        long start = read(FROM_NOW, MANY).next().wholeLsn();
        upsert("a", 1);
        upsert("a", 2);
        delete("a");
        upsert("a", 3);

        ReadResponse.Versions page = read(start, MANY);

        assertThat(told(page))
                .containsExactly(
                        "CREATE a {\"v\":1}",
                        "REPLACE a {\"v\":2}",
                        "DELETE a {\"v\":2}",
                        "CREATE a {\"v\":3}");
        assertThat(page.versions().stream().map(ItemVersion::lsn).toList())
                .containsExactly(start + 1, start + 2, start + 3, start + 4);
        assertThat(page.versions().stream().map(ItemVersion::previousLsn).toList())
                .containsExactly(0L, start + 1, start + 2, 0L);
        assertThat(previous(page))
                .containsExactly(
                        Optional.empty(),
                        Optional.of("{\"v\":1}"),
                        Optional.empty(),
                        Optional.empty());
        assertThat(page.versions()).noneMatch(ItemVersion::expired);
        assertThat(page.next().wholeLsn()).isEqualTo(page.headLsn());
    }

    private static List<Optional<String>> previous(ReadResponse.Versions page) {
        return page.versions().stream()
                .map(version -> version.previous().map(item -> item.body().toUtf8()))
                .toList();
    }

    @Test
    void aTransactionThatWritesAnItemTwiceShowsBothSteps() {
        long start = read(FROM_NOW, MANY).next().wholeLsn();
        upsert("a", 1);
        fixture.call(
                new WriteRequest.Batch(
                        PARTITION, new RequestId(7, 7), List.of(step("a", 2), step("a", 3)), 0));
        upsert("a", 4);

        assertThat(previous(read(start, MANY)))
                .containsExactly(
                        Optional.empty(),
                        Optional.of("{\"v\":1}"),
                        Optional.of("{\"v\":2}"),
                        Optional.of("{\"v\":3}"));
    }

    /** Otherwise a feed of large transactions takes the square of their size. */
    @Test
    void anLsnIsScannedOnceForAllThatWasReplacedOfIt() {
        int count = 50;
        writeAll(count, 1);
        long lsn = writeAll(count, 2);
        CountedStore store = new CountedStore(fixture.replica().store());
        EarlierVersions earlier =
                new EarlierVersions(
                        store,
                        PARTITION.container(),
                        PartitionRecord.decode(
                                        Objects.requireNonNull(
                                                store.get(Table.META, Keys.partition(PARTITION))))
                                .journals());

        List<String> found = new ArrayList<>();
        try (Cursor rows =
                fixture.replica()
                        .store()
                        .scan(
                                Table.CHANGES,
                                Keys.journal(PARTITION.container(), PARTITION.range(), lsn, 0),
                                Keys.journal(
                                        PARTITION.container(), PARTITION.range(), lsn + 1, 0))) {
            while (rows.next()) {
                earlier.before(JournalRecord.decode(rows.value()), Keys.changePlace(rows.key()))
                        .ifPresent(item -> found.add(item.body().toUtf8()));
            }
        }

        assertThat(found).hasSize(count).containsOnly("{\"v\":1}");
        assertThat(store.scans).isEqualTo(1);
    }

    /** Writes so many items at one LSN, and returns it. */
    private long writeAll(int count, int value) {
        List<BatchStep> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            steps.add(
                    new BatchStep.Write(
                            fixture.key("i" + i, "north"),
                            new WriteAction.Upsert(Bytes.ofUtf8("{\"v\":%d}".formatted(value))),
                            Precondition.NONE));
        }
        return ((WriteResponse.Batch)
                        fixture.call(
                                new WriteRequest.Batch(PARTITION, fixture.newRequest(), steps, 0)))
                .headLsn();
    }

    private static final class CountedStore implements StoreView {
        private final StoreView inner;
        private int scans;

        CountedStore(StoreView inner) {
            this.inner = inner;
        }

        @Override
        public byte @Nullable [] get(Table table, byte[] key) {
            return inner.get(table, key);
        }

        @Override
        public List<byte @Nullable []> getAll(Table table, List<byte[]> keys) {
            return inner.getAll(table, keys);
        }

        @Override
        public Cursor scan(Table table, byte[] from, byte[] to) {
            scans++;
            return inner.scan(table, from, to);
        }

        @Override
        public Cursor scanBackward(Table table, byte[] from, byte[] to) {
            scans++;
            return inner.scanBackward(table, from, to);
        }
    }

    private BatchStep step(String id, int value) {
        return new BatchStep.Write(
                fixture.key(id, id),
                new WriteAction.Upsert(Bytes.ofUtf8("{\"v\":%d}".formatted(value))),
                Precondition.NONE);
    }

    @Test
    void whatWasWrittenBeforeVersionsWereKeptIsNotShown() {
        keep(3, 0);
        upsert("a", 1);
        keep(4, 60);
        long start = read(FROM_NOW, MANY).next().wholeLsn();
        upsert("a", 2);

        assertThat(previous(read(start, MANY))).containsExactly(Optional.empty());
    }

    @Test
    void pagesGoOnByLsnAcrossARestart() {
        long after = read(FROM_NOW, MANY).next().wholeLsn();
        for (int i = 0; i < 7; i++) {
            upsert("a", i);
        }
        ReadResponse.Versions first = read(after, 3);
        assertThat(first.versions()).hasSize(3);

        fixture.restart();

        ReadResponse.Versions second = read(first.next().wholeLsn(), MANY);
        assertThat(told(second)).hasSize(4).last().isEqualTo("REPLACE a {\"v\":6}");
        assertThat(read(second.next().wholeLsn(), MANY).versions()).isEmpty();
    }

    /** Also within an LSN, which one transaction fills. */
    @Test
    void eachVersionHasAPlaceToGoOn() {
        long after = read(FROM_NOW, MANY).next().wholeLsn();
        upsert("a", 1);
        fixture.call(
                new WriteRequest.Batch(
                        PARTITION,
                        new RequestId(7, 7),
                        List.of(step("a", 2), step("a", 3), step("a", 4)),
                        0));
        upsert("a", 5);
        List<ItemVersion> all = read(after, MANY).versions();
        assertThat(all).hasSize(5);

        for (int i = 0; i < all.size(); i++) {
            assertThat(told(readBehind(all.get(i).mark().place(), 0)))
                    .as("behind %s", all.get(i).mark().place())
                    .isEqualTo(told(read(after, MANY)).subList(i + 1, 5));
        }
        // Nothing else has their LSN, so they may be forgotten before a reader goes on.
        assertThat(all.getFirst().mark().place()).isEqualTo(VersionPlace.after(after + 1));
        assertThat(all.get(3).mark().place()).isEqualTo(VersionPlace.after(after + 2));
    }

    private ReadResponse.Versions readBehind(VersionPlace place, long sinceMillis) {
        return (ReadResponse.Versions)
                fixture.call(
                        new ReadRequest.ReadVersions(
                                PARTITION,
                                KeyRange.FULL,
                                Optional.empty(),
                                place,
                                sinceMillis,
                                MANY,
                                4 << 20,
                                0));
    }

    @Test
    void aStartAtATimeNeedsNothingFromBefore() {
        ItemKey key = fixture.key("a", "a");
        writeAt(WRITTEN + 60_000, key, "{\"v\":1}");
        writeAt(WRITTEN + 60_001, key, "{\"v\":2}");
        writeAt(WRITTEN + 240_000, key, "{\"v\":3}");
        VersionPlace beginning = VersionPlace.after(0);

        assertThat(told(readBehind(beginning, WRITTEN + 60_001)))
                .containsExactly("REPLACE a {\"v\":2}", "REPLACE a {\"v\":3}");
        // Nothing was kept up to the time at which the container began to.
        assertThat(refusal(beginning, 1)).isEqualTo(ErrorCode.VERSIONS_LOST);

        purge(WRITTEN + 240_000 + RETENTION_MINUTES * 60_000L);
        assertThat(refusal(beginning, WRITTEN + 60_001)).isEqualTo(ErrorCode.VERSIONS_LOST);
        assertThat(told(readBehind(beginning, WRITTEN + 240_000)))
                .containsExactly("REPLACE a {\"v\":3}");
    }

    private ErrorCode refusal(VersionPlace place, long sinceMillis) {
        return ((PartitionResponse.Failed)
                        fixture.call(
                                new ReadRequest.ReadVersions(
                                        PARTITION,
                                        KeyRange.FULL,
                                        Optional.empty(),
                                        place,
                                        sinceMillis,
                                        MANY,
                                        4 << 20,
                                        0)))
                .code();
    }

    @Test
    void oneKeyIsReadAlone() {
        long after = read(FROM_NOW, MANY).next().wholeLsn();
        upsert("a", 1);
        upsert("b", 1);
        delete("b");
        ItemKey key = fixture.key("b", "b");

        ReadResponse.Versions page =
                (ReadResponse.Versions)
                        fixture.call(
                                new ReadRequest.ReadVersions(
                                        PARTITION,
                                        new KeyRange(key.epk(), KeyRange.FULL.max()),
                                        Optional.of(key.partitionKey()),
                                        VersionPlace.after(after),
                                        MANY,
                                        4 << 20,
                                        0));

        assertThat(told(page)).containsExactly("CREATE b {\"v\":1}", "DELETE b {\"v\":1}");
    }

    @Test
    void childrenGoOnWhereTheirParentWas() {
        long after = read(FROM_NOW, MANY).next().wholeLsn();
        upsert("a", 1);
        delete("a");
        for (int i = 0; i < 20; i++) {
            upsert("k" + i, 1);
        }
        ControlResponse.SplitAt at =
                (ControlResponse.SplitAt)
                        fixture.call(
                                new ControlRequest.Split(
                                        PARTITION, 10, 11, 10, 11, SplitAim.OPERATOR));
        KeyRange left = new KeyRange(KeyRange.FULL.min(), at.at());
        KeyRange right = new KeyRange(at.at(), KeyRange.FULL.max());
        List<String> found = new ArrayList<>(told(readOf(10, left, after)));
        found.addAll(told(readOf(11, right, after)));
        assertThat(found).hasSize(22).contains("DELETE a {\"v\":1}").doesNotHaveDuplicates();

        assertThat(fixture.call(new ControlRequest.Merge(id(10), 11, 12, 12)))
                .isEqualTo(new ControlResponse.Done());

        assertThat(
                        readOf(12, left, after).versions().size()
                                + readOf(12, right, after).versions().size())
                .isEqualTo(22);
    }

    private static PartitionId id(int range) {
        return new PartitionId(PARTITION.container(), range);
    }

    private ReadResponse.Versions readOf(int range, KeyRange keys, long after) {
        return (ReadResponse.Versions) fixture.call(request(id(range), keys, after, MANY));
    }

    @Test
    void whoComesTooLateHearsSo() {
        upsert("before", 1);
        long after = read(FROM_NOW, MANY).next().wholeLsn();
        upsert("a", 1);
        purge(WRITTEN + Duration.ofMinutes(RETENTION_MINUTES - 1).toMillis());
        assertThat(read(after, MANY).versions()).hasSize(1);

        // The next minute begins with the next write; all before it is then old enough.
        writeAt(WRITTEN + Duration.ofMinutes(5).toMillis(), fixture.key("b", "b"), "{}");
        purge(WRITTEN + Duration.ofMinutes(5 + RETENTION_MINUTES).toMillis());

        assertThat(HostFixture.failureOf(fixture.call(request(PARTITION, KeyRange.FULL, after, 9))))
                .isEqualTo(ErrorCode.VERSIONS_LOST);
        assertThat(journalRows()).isEqualTo(1);
        assertThat(told(read(after + 1, MANY))).containsExactly("CREATE b {}");
    }

    @Test
    void withoutARetentionNothingIsKept() {
        upsert("a", 1);
        assertThat(journalRows()).isEqualTo(1);

        keep(3, 0);

        assertThat(journalRows()).isZero();
        PartitionResponse refused = fixture.call(request(PARTITION, KeyRange.FULL, FROM_NOW, 9));
        assertThat(HostFixture.failureOf(refused)).isEqualTo(ErrorCode.VERSIONS_NOT_KEPT);
        upsert("a", 2);
        keep(4, RETENTION_MINUTES);
        assertThat(HostFixture.failureOf(fixture.call(request(PARTITION, KeyRange.FULL, 2, 9))))
                .as("from before it was kept again")
                .isEqualTo(ErrorCode.VERSIONS_LOST);
        assertThat(read(FROM_NOW, MANY).versions()).isEmpty();
    }

    /** The worker looks, finds what is due, and rests. */
    @Test
    void oldVersionsAreForgottenInTheBackground() throws InterruptedException {
        upsert("a", 1);
        writeAt(WRITTEN + Duration.ofMinutes(1).toMillis(), fixture.key("b", "b"), "{}");
        Semaphore looks = new Semaphore(0);
        InstantSource later =
                InstantSource.fixed(
                        Instant.ofEpochMilli(WRITTEN)
                                .plus(Duration.ofMinutes(RETENTION_MINUTES + 1)));
        try (JournalWorker _ =
                new JournalWorker(
                        fixture.replica(),
                        new PartitionTimes(fixture.replica(), later, () -> 0),
                        _ -> {
                            looks.release();
                            Thread.onSpinWait();
                        })) {
            // The second rest comes after the first look.
            looks.acquire(2);
        }

        assertThat(journalRows()).isEqualTo(1);
    }
}
