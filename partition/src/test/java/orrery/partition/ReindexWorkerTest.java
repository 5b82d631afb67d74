package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.HostFixture.PARTITION;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionRequest;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.replication.CommandLog;

/** A changed policy reaches every item, however busy the log is. The fixture audits the result. */
@Timeout(900)
final class ReindexWorkerTest {
    /** More than three steps take. */
    private static final int ITEMS = 200;

    private static final IndexingPolicy NOTHING =
            new IndexingPolicy(
                    IndexingPolicy.Mode.NONE, false, List.of(), List.of(), List.of(), List.of());

    private enum Trouble {
        REFUSED(ErrorCode.TOO_MANY_REQUESTS, false),
        LOST(ErrorCode.TIMEOUT, false),
        /** The answer came too late, but the command was carried out. */
        LATE(ErrorCode.TIMEOUT, true);

        private final ErrorCode code;
        private final boolean happens;

        Trouble(ErrorCode code, boolean happens) {
            this.code = code;
            this.happens = happens;
        }
    }

    /** Has trouble with the next few steps of re-indexing and with nothing else. */
    private final class BusyLog implements CommandLog<Command, Outcome> {
        private final CommandLog<Command, Outcome> inner;

        BusyLog(CommandLog<Command, Outcome> inner) {
            this.inner = inner;
        }

        @Override
        public Outcome submit(Command command, Duration timeout) {
            if (!(command instanceof Command.Reindex)) {
                return inner.submit(command, timeout);
            }
            Trouble trouble = troubles.poll();
            if (trouble == null) {
                return step(command, timeout);
            }
            if (trouble.happens) {
                step(command, timeout);
            }
            throw new OrreryException(trouble.code, "busy");
        }

        private Outcome step(Command command, Duration timeout) {
            Outcome outcome = inner.submit(command, timeout);
            if (outcome.equals(new Outcome.Reindexed(true))) {
                finished.countDown();
            }
            return outcome;
        }

        @Override
        public Optional<OrreryException> failure() {
            return inner.failure();
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    @TempDir Path directory;
    private final ConcurrentLinkedQueue<Trouble> troubles = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Duration> pauses = new ConcurrentLinkedQueue<>();
    private final Semaphore paused = new Semaphore(0);
    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile CountDownLatch patience = new CountDownLatch(0);
    private HostFixture host;
    private long indexBytesBefore;

    @BeforeEach
    void open() {
        host = new HostFixture(directory, HostFixture.ONE_PATH, BusyLog::new, this::pause);
        for (int i = 0; i < ITEMS; i++) {
            host.create(host.key("i" + i, "north"), "{\"id\":\"i" + i + "\",\"n\":" + i + "}");
        }
        indexBytesBefore = description().indexBytes();
    }

    @AfterEach
    @Timeout(900)
    void close() {
        host.close();
    }

    @ParameterizedTest
    @EnumSource
    void stepThatFailedIsTakenAgainAfterAPause(Trouble trouble) throws InterruptedException {
        troubles.addAll(Collections.nCopies(3, trouble));

        changePolicy();
        finished.await();

        assertThat(description().reindexPercent()).isEqualTo(100);
        assertThat(description().indexBytes()).isLessThan(indexBytesBefore);
        assertThat(pauses).containsExactlyElementsOf(Collections.nCopies(3, Duration.ofSeconds(1)));
    }

    /** The worker never hears that it is done, and sees it in the partition's record. */
    @Test
    void lastStepMayGoUnanswered() throws InterruptedException {
        troubles.addAll(Collections.nCopies(4, Trouble.LATE));

        changePolicy();
        paused.acquire(4);

        assertThat(finished.getCount()).isZero();
        assertThat(description().reindexPercent()).isEqualTo(100);
        assertThat(description().indexBytes()).isLessThan(indexBytesBefore);
    }

    @Test
    void progressShowsWhileItWaits() throws InterruptedException {
        patience = new CountDownLatch(1);
        troubles.add(Trouble.REFUSED);

        changePolicy();
        paused.acquire();
        assertThat(description().reindexPercent()).isZero();

        patience.countDown();
        finished.await();
        assertThat(description().reindexPercent()).isEqualTo(100);
    }

    /** And the next start takes it up where it was. */
    @Test
    void closeEndsTheWait() throws InterruptedException {
        patience = new CountDownLatch(1);
        troubles.addAll(List.of(Trouble.LATE, Trouble.REFUSED));

        changePolicy();
        paused.acquire();
        host.host().close();
        int reached = description().reindexPercent();
        assertThat(reached).isBetween(1, 99);
        assertThat(troubles).containsExactly(Trouble.REFUSED);

        patience.countDown();
        host.restart();
        finished.await();
        assertThat(description().reindexPercent()).isEqualTo(100);
    }

    private void pause(Duration delay) {
        pauses.add(delay);
        paused.release();
        try {
            patience.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void changePolicy() {
        PartitionRequest change =
                new ControlRequest.SetDefinition(PARTITION, host.definition(2, NOTHING));
        assertThat(host.call(change)).isEqualTo(new ControlResponse.Done());
    }

    private ControlResponse.Description description() {
        return (ControlResponse.Description) host.call(new ControlRequest.Describe(PARTITION));
    }
}
