package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ChangeStart;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.RequestId;
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
import orrery.storage.Cursor;
import orrery.storage.Table;
import orrery.storage.format.Keys;

/** The clock jumps, and time goes on in the partitions. */
@Timeout(900)
class PartitionTimeTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final int LIFETIME_SECONDS = 5;

    private HostFixture host;
    private long beginning;

    @BeforeEach
    void open(@TempDir Path directory) {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
        beginning = host.clock().millis();
        host.redefine(2, definition -> definition.withTimeToLive(TimeToLive.BY_ITEM));
    }

    @AfterEach
    void close() {
        host.close();
    }

    private long create(String id, String more) {
        ItemKey key = host.key(id, "k");
        host.create(key, "{\"id\":\"%s\",\"pk\":\"k\"%s}".formatted(id, more));
        return host.find(key).item().timestampMillis() - beginning;
    }

    private boolean isThere(String id) {
        PartitionResponse answer = host.read(host.key(id, "k"), 0);
        return answer instanceof ReadResponse.Found;
    }

    private void jump(Duration by) {
        host.setClock(host.clock().millis() + by.toMillis());
    }

    /** A day ahead, a write, and back again. */
    private void getAhead() {
        jump(DAY);
        assertThat(create("ahead", "")).isEqualTo(DAY.toMillis());
        jump(DAY.negated());
    }

    @Test
    void itemsExpireWhileThePartitionIsAhead() {
        getAhead();
        long written = create("short", ",\"ttl\":" + LIFETIME_SECONDS);
        assertThat(written).isEqualTo(DAY.toMillis());

        host.pass(Duration.ofSeconds(2 * LIFETIME_SECONDS).minusMillis(2));
        assertThat(isThere("short")).isTrue();
        host.pass(Duration.ofMillis(2));
        assertThat(isThere("short")).isFalse();
        // Writers see it as readers do: its place is free.
        assertThat(create("short", "")).isEqualTo(DAY.toMillis() + LIFETIME_SECONDS * 1000);
        assertThat(isThere("ahead")).isTrue();
    }

    @Test
    void theGapClosesAndTheClockTakesOver() {
        getAhead();
        assertThat(host.host().time().ahead()).isEqualTo(DAY);

        host.pass(DAY);
        assertThat(host.host().time().ahead()).isEqualTo(DAY.dividedBy(2));
        assertThat(create("a", "")).isEqualTo(DAY.multipliedBy(3).dividedBy(2).toMillis());

        host.pass(DAY);
        assertThat(host.host().time().ahead()).isZero();
        assertThat(create("b", "")).isEqualTo(DAY.toMillis() * 2);
        host.pass(DAY);
        assertThat(create("c", "")).isEqualTo(DAY.toMillis() * 3);
    }

    /** Small steps add up: nothing of the pace is lost to rounding. */
    @Test
    void timeGoesOnHoweverOftenItIsAskedFor() {
        getAhead();
        for (int i = 0; i < 1000; i++) {
            host.pass(Duration.ofMillis(1));
            assertThat(isThere("ahead")).isTrue();
        }
        assertThat(create("a", "")).isEqualTo(DAY.toMillis() + 500);
    }

    @Test
    void aRestartGoesOnFromTheStoredTime() {
        getAhead();
        create("short", ",\"ttl\":" + LIFETIME_SECONDS);
        host.pass(Duration.ofSeconds(4));

        host.restart();
        assertThat(host.host().time().ahead()).isEqualTo(DAY.minusSeconds(4));
        host.pass(Duration.ofSeconds(2 * LIFETIME_SECONDS - 1));
        assertThat(isThere("short")).isTrue();
        host.pass(Duration.ofSeconds(1));
        assertThat(isThere("short")).isFalse();
        assertThat(create("a", "")).isEqualTo(DAY.toMillis() + LIFETIME_SECONDS * 1000);
    }

    @Test
    void aClockThatIsSetBackIsNoDifferent() {
        create("a", ",\"ttl\":" + LIFETIME_SECONDS);
        jump(Duration.ofHours(-1));

        assertThat(create("b", "")).isZero();
        host.pass(Duration.ofSeconds(2 * LIFETIME_SECONDS));
        assertThat(isThere("a")).isFalse();
        assertThat(create("c", "")).isEqualTo(LIFETIME_SECONDS * 1000);
        host.pass(Duration.ofHours(2));
        assertThat(create("d", ""))
                .isEqualTo(Duration.ofHours(1).plusSeconds(2 * LIFETIME_SECONDS).toMillis());
    }

    /** Damage stays where it was done: a partition that was not written goes by the clock. */
    @Test
    void otherPartitionsGoByTheClock() {
        getAhead();
        PartitionId other = new PartitionId(8, 0);
        assertThat(
                        host.call(
                                new ControlRequest.Open(
                                        other,
                                        KeyRange.FULL,
                                        0,
                                        host.definition(1, IndexingPolicy.DEFAULT))))
                .isEqualTo(new ControlResponse.Done());
        host.pass(Duration.ofSeconds(1));

        assertThat(write(other, host.newRequest(), "a") - beginning).isEqualTo(1000);
        jump(DAY);
        // Reading asks for no time if nothing expires.
        assertThat(host.call(new ReadRequest.ReadItem(other, host.key("a", "k"), 0)))
                .isInstanceOf(ReadResponse.Found.class);
        jump(DAY.negated());
        assertThat(write(other, host.newRequest(), "b") - beginning).isEqualTo(1000);
    }

    private long write(PartitionId partition, RequestId request, String id) {
        PartitionResponse answer =
                host.call(
                        new WriteRequest.WriteItem(
                                partition,
                                request,
                                host.key(id, "k"),
                                new WriteAction.Create(
                                        Bytes.ofUtf8("{\"id\":\"%s\",\"pk\":\"k\"}".formatted(id))),
                                Precondition.NONE));
        return ((WriteResponse.Written) answer).item().orElseThrow().timestampMillis();
    }

    @Test
    void batchesDeletesOfKeysAndSplitsKeepTheTime() {
        getAhead();
        host.pass(Duration.ofSeconds(2));
        BatchStep step =
                new BatchStep.Write(
                        host.key("b", "k"),
                        new WriteAction.Create(
                                Bytes.ofUtf8("{\"id\":\"b\",\"pk\":\"k\",\"ttl\":1}")),
                        Precondition.NONE);
        host.call(
                new WriteRequest.Batch(HostFixture.PARTITION, host.newRequest(), List.of(step), 0));
        assertThat(host.find(host.key("b", "k")).item().timestampMillis() - beginning)
                .isEqualTo(DAY.plusSeconds(1).toMillis());

        host.pass(Duration.ofSeconds(2));
        PartitionResponse split =
                host.call(
                        new ControlRequest.Split(
                                HostFixture.PARTITION, 1, 2, 1, 2, SplitAim.OPERATOR));
        assertThat(split).isInstanceOf(ControlResponse.SplitAt.class);
        List<Long> times =
                host.replica().partitions().values().stream()
                        .map(state -> state.record().timeMillis() - beginning)
                        .toList();
        assertThat(times).hasSize(2).containsOnly(DAY.plusSeconds(2).toMillis());
        host.pass(Duration.ofSeconds(2));
        PartitionId merged = new PartitionId(HostFixture.PARTITION.container(), 3);
        host.call(
                new ControlRequest.Merge(
                        new PartitionId(HostFixture.PARTITION.container(), 1), 2, 3, 3));
        assertThat(host.replica().find(merged).orElseThrow().record().timeMillis() - beginning)
                .isGreaterThanOrEqualTo(DAY.plusSeconds(2).toMillis());
        assertThat(host.call(new ReadRequest.ReadItem(merged, host.key("b", "k"), 0)))
                .matches(answer -> HostFixture.failureOf(answer) == ErrorCode.NOT_FOUND);
    }

    /** The index of minutes goes by the partition's time too, so a start by time misses nothing. */
    @Test
    void theChangeFeedSinceATimeMissesNothing() {
        create("before", "");
        getAhead();
        host.pass(Duration.ofMinutes(10));
        create("after", "");

        assertThat(changesSince(beginning + Duration.ofMinutes(5).toMillis())).isEqualTo(2);
        assertThat(changesSince(beginning + DAY.plusMinutes(4).toMillis())).isEqualTo(1);
        assertThat(changesSince(beginning)).isEqualTo(3);
    }

    private int changesSince(long millis) {
        ReadResponse.Changes changes =
                (ReadResponse.Changes)
                        host.call(
                                new ReadRequest.ReadChanges(
                                        HostFixture.PARTITION,
                                        KeyRange.FULL,
                                        Optional.empty(),
                                        new ChangeStart(0, millis),
                                        100,
                                        HostFixture.MB,
                                        0));
        return changes.changes().size();
    }

    @Test
    void jumpsAreToldWithTheirSize() {
        assertThat(host.host().time().jumps()).isZero();
        host.pass(DAY);
        assertThat(host.host().time().jumps()).as("time that passes is no jump").isZero();
        jump(Duration.ofMillis(999));
        assertThat(host.host().time().jumps()).isZero();

        jump(DAY);
        TimeStatus forward = host.host().time();
        assertThat(forward.jumps()).isEqualTo(1);
        assertThat(forward.lastJump()).contains(new TimeStatus.Jump(host.clock().instant(), DAY));
        assertThat(forward.ahead()).isZero();

        jump(DAY.negated());
        TimeStatus back = host.host().time();
        assertThat(back.jumps()).isEqualTo(2);
        assertThat(back.lastJump().orElseThrow().by()).isEqualTo(DAY.negated());
    }

    /**
     * The partition that is ahead is not written any more. Requests of others are forgotten all the
     * same, although their stamps are behind the time of the log.
     */
    @Test
    void theLogForgetsRequestsWhileItIsAhead() throws InterruptedException {
        getAhead();
        PartitionId other = new PartitionId(8, 0);
        host.call(
                new ControlRequest.Open(
                        other, KeyRange.FULL, 0, host.definition(1, IndexingPolicy.DEFAULT)));
        write(other, host.newRequest(), "first");
        Semaphore looks = new Semaphore(0);
        Semaphore steps = new Semaphore(0);
        ClockWatch watch = new ClockWatch(host.clock(), () -> 0);
        try (TimeWorker _ =
                new TimeWorker(
                        host.replica(),
                        host.times(),
                        watch,
                        _ -> {
                            looks.release();
                            steps.acquireUninterruptibly();
                        })) {
            looks.acquire(1);
            host.pass(Duration.ofSeconds(130));
            steps.release(20);
            looks.acquire(15);
            steps.release(1000);
            // Each entry takes a few old records with it.
            for (int i = 0; i < 3; i++) {
                write(other, host.newRequest(), "i" + i);
            }
        }
        assertThat(rememberedEntries()).isEqualTo(3);
    }

    private int rememberedEntries() {
        byte[] prefix = Keys.allDeduplications();
        int count = 0;
        try (Cursor rows = host.replica().store().scan(Table.META, prefix, Keys.after(prefix))) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }
}
