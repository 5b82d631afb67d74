package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ChangeStart;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.SplitAim;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.replication.CommandLog;

/** A partition answers when it can make no more changes up to a time, busy or idle. */
@Timeout(900)
class TimeBarrierTest {
    private static final PartitionId PARTITION = HostFixture.PARTITION;

    @TempDir Path directory;
    private final AtomicInteger commands = new AtomicInteger();
    private HostFixture host;
    private long now;

    @BeforeEach
    void open() {
        host = new HostFixture(directory, HostFixture.ONE_PATH, this::counting, _ -> {});
        host.replica().raiseLevel(HostFixture.PATIENCE);
        now = host.clock().millis();
    }

    @AfterEach
    void close() {
        host.close();
    }

    private CommandLog<Command, Outcome> counting(CommandLog<Command, Outcome> log) {
        return new CommandLog<>() {
            @Override
            public Outcome submit(Command command, Duration timeout) {
                if (command instanceof Command.AdvanceTime) {
                    commands.incrementAndGet();
                }
                return log.submit(command, timeout);
            }

            @Override
            public Optional<OrreryException> failure() {
                return log.failure();
            }

            @Override
            public void close() {
                log.close();
            }
        };
    }

    private ControlResponse.TimeReached await(long timeMillis) {
        return (ControlResponse.TimeReached)
                host.call(new ControlRequest.AwaitTime(PARTITION, timeMillis));
    }

    private WriteResponse.Written create(String id) {
        return host.create(host.key(id, "a"), "{\"id\":\"" + id + "\",\"pk\":\"a\"}");
    }

    private static long timeOf(WriteResponse.Written written) {
        return written.item().orElseThrow().timestampMillis();
    }

    @Test
    void anIdlePartitionMovesOnWhenSomebodyAsks() {
        WriteResponse.Written first = create("1");
        host.pass(Duration.ofMinutes(10));

        ControlResponse.TimeReached reached = await(now + 1000);

        assertThat(reached.timeMillis()).isGreaterThan(now + 1000);
        assertThat(reached.headLsn()).isEqualTo(first.headLsn());
        assertThat(commands).hasValue(1);
        await(now + 1000);
        await(reached.timeMillis() - 1);
        assertThat(commands).as("nothing is written for what holds already").hasValue(1);
        host.pass(Duration.ofMillis(1));
        await(reached.timeMillis());
        assertThat(commands).as("a change may have this very time").hasValue(1 + 1);
    }

    @Test
    void aChangeThatWasMadeLaterIsEnough() {
        create("1");
        host.pass(Duration.ofSeconds(2));
        WriteResponse.Written second = create("2");

        assertThat(await(now + 1000).headLsn()).isEqualTo(second.headLsn());
        assertThat(commands).hasValue(0);
    }

    /** The promise outlives the leader: it is in the log, and not only in the memory of one. */
    @Test
    void noLaterChangeGetsAnEarlierTime() {
        host.pass(Duration.ofSeconds(5));
        long reached = await(now + 4000).timeMillis();
        host.setClock(now);

        host.restart();

        assertThat(timeOf(create("1"))).isGreaterThanOrEqualTo(reached);
    }

    /** The writer had its stamp before the barrier, and its command comes to the log behind it. */
    @Test
    void aCommandThatWasStampedEarlierGetsTheLaterTime() {
        ItemKey key = host.key("1", "a");
        Command.WriteItems late =
                new Command.WriteItems(
                        PARTITION,
                        host.newRequest(),
                        now,
                        List.of(
                                new Command.ItemChange.Put(
                                        key,
                                        Command.Expect.ABSENT,
                                        Precondition.NONE,
                                        Encoding.JSON,
                                        Bytes.ofUtf8("{\"id\":\"1\",\"pk\":\"a\"}"))));
        host.pass(Duration.ofSeconds(1));
        long reached = await(now).timeMillis();

        Outcome outcome = host.replica().submit(late, HostFixture.PATIENCE);

        assertThat(((Outcome.Written) outcome).timeMillis()).isGreaterThanOrEqualTo(reached);
    }

    @Test
    void childrenOfASplitKeepThePromise() {
        create("1");
        host.create(host.key("2", "b"), "{\"id\":\"2\",\"pk\":\"b\"}");
        host.pass(Duration.ofSeconds(5));
        long reached = await(now + 4000).timeMillis();
        host.setClock(now);
        host.call(new ControlRequest.Split(PARTITION, 5, 6, 10, 11, SplitAim.OPERATOR));

        assertThat(HostFixture.failureOf(host.call(new ControlRequest.AwaitTime(PARTITION, now))))
                .isEqualTo(ErrorCode.RANGE_GONE);
        for (int child : List.of(5, 6)) {
            PartitionId id = new PartitionId(PARTITION.container(), child);
            ControlResponse.TimeReached ofChild =
                    (ControlResponse.TimeReached)
                            host.call(new ControlRequest.AwaitTime(id, now + 4000));
            assertThat(ofChild.timeMillis()).isGreaterThanOrEqualTo(reached);
        }
        assertThat(commands).hasValue(1);
    }

    @Test
    void aTimeThatLiesAheadIsWaitedFor() throws ExecutionException, InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ControlResponse.TimeReached> waiting = threads.submit(() -> await(now + 1000));
            host.pass(Duration.ofSeconds(1));
            WriteResponse.Written atTheTime = create("1");
            assertThat(timeOf(atTheTime)).isEqualTo(now + 1000);
            host.pass(Duration.ofMillis(1));

            assertThat(waiting.get().headLsn()).isEqualTo(atTheTime.headLsn());
        }
    }

    @Test
    void aTimeThatDoesNotComeIsWaitedForAsLongAsTheRequestMayTake() {
        assertThat(
                        HostFixture.failureOf(
                                host.call(
                                        PartitionEnvelope.ofNode(
                                                1,
                                                new ControlRequest.AwaitTime(
                                                        PARTITION, Long.MAX_VALUE),
                                                Duration.ofMillis(1)))))
                .isEqualTo(ErrorCode.TIMEOUT);
        assertThat(commands).hasValue(0);
    }

    @Test
    void nothingIsWaitedForWhenTheClientHasLeft() {
        Cancellation cancellation = new Cancellation();
        cancellation.cancel();

        PartitionResponse answer =
                cancellation.during(
                        () -> host.call(new ControlRequest.AwaitTime(PARTITION, now + 1)));

        assertThat(HostFixture.failureOf(answer)).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(commands).hasValue(0);
    }

    /** The sparse index of minutes knows the minute that began without a change. */
    @Test
    void aFeedThatBeginsAtATimeFindsWhatCameBehindABarrier() {
        create("1");
        host.pass(Duration.ofMinutes(3));
        await(now + 1);
        WriteResponse.Written second = create("2");

        ReadResponse.Changes changes =
                (ReadResponse.Changes)
                        host.call(
                                new ReadRequest.ReadChanges(
                                        PARTITION,
                                        KeyRange.FULL,
                                        Optional.empty(),
                                        new ChangeStart(0, timeOf(second)),
                                        10,
                                        HostFixture.MB,
                                        0));

        assertThat(changes.changes())
                .extracting(change -> change.item().lsn())
                .containsExactly(second.headLsn());
    }

    @Test
    void aSetOfAnOlderLevelIsAskedInVain() {
        try (HostFixture old = new HostFixture(directory.resolve("old"), HostFixture.ONE_PATH)) {
            old.pass(Duration.ofSeconds(1));
            assertThat(
                            HostFixture.failureOf(
                                    old.call(new ControlRequest.AwaitTime(PARTITION, now))))
                    .isEqualTo(ErrorCode.UNAVAILABLE);
            assertThat(
                            old.call(
                                    new WriteRequest.WriteItem(
                                            PARTITION,
                                            old.newRequest(),
                                            old.key("1", "a"),
                                            new WriteAction.Create(
                                                    Bytes.ofUtf8("{\"id\":\"1\",\"pk\":\"a\"}")),
                                            Precondition.NONE)))
                    .isInstanceOf(WriteResponse.Written.class);
        }
    }
}
