package orrery.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static orrery.cluster.CatalogFixture.PARTITIONS;
import static orrery.cluster.CatalogFixture.context;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.cluster.catalog.CatalogOutcome;
import orrery.cluster.catalog.CatalogRequest;
import orrery.cluster.catalog.ResourceCommand;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;
import orrery.replication.CommandLog;

/**
 * Failed steps are tried again without a restart, after ever longer waits, until the reconciler is
 * closed.
 */
@Timeout(900)
final class ContainerReconcilerTest {
    private static final int FAILING_RANGE = 1;
    private static final int LAST_RANGE = PARTITIONS - 1;
    private static final int FOR_EVER = Integer.MAX_VALUE;

    /** Keeps the delays and waits for none of them. */
    private final class ImpatientTimer extends ScheduledThreadPoolExecutor {
        private final ConcurrentLinkedQueue<Duration> delays = new ConcurrentLinkedQueue<>();
        private final CountDownLatch stopped = new CountDownLatch(1);

        ImpatientTimer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            delays.add(Duration.of(delay, unit.toChronoUnit()));
            callsThatOutlivedTheirStep.addAndGet(callsUnderWay.get());
            return super.schedule(task, 0, unit);
        }

        @Override
        public List<Runnable> shutdownNow() {
            List<Runnable> dropped = super.shutdownNow();
            stopped.countDown();
            return dropped;
        }

        List<Duration> delays() {
            return new ArrayList<>(delays);
        }
    }

    private enum Trouble {
        UNREACHABLE {
            @Override
            PartitionResponse answer() {
                throw new OrreryException(ErrorCode.UNAVAILABLE, "no such node");
            }
        },
        OVERLOADED {
            @Override
            PartitionResponse answer() {
                return new PartitionResponse.Failed(
                        ErrorCode.TOO_MANY_REQUESTS, "too much at once", 0, 0, Charge.NONE);
            }
        };

        abstract PartitionResponse answer();
    }

    /** One of the partitions fails so many times. */
    private final class FailingPartition implements PartitionService {
        private final Semaphore failures = new Semaphore(0);
        private final CountDownLatch failed = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private final Semaphore entered = new Semaphore(0);
        private volatile Trouble trouble = Trouble.UNREACHABLE;
        private volatile boolean holding;
        private volatile boolean anotherIsSlow;

        void failNext(int times, Trouble how) {
            trouble = how;
            failures.release(times);
        }

        @Override
        public PartitionResponse call(PartitionEnvelope envelope) {
            if (!(envelope.request() instanceof ControlRequest request)
                    || request instanceof ControlRequest.SetBudget) {
                return fixture.host().call(envelope);
            }
            callsUnderWay.incrementAndGet();
            try {
                int range = request.partition().range();
                if (range == FAILING_RANGE && fails()) {
                    return trouble.answer();
                }
                if (range == LAST_RANGE && anotherIsSlow) {
                    await(failed);
                }
                return fixture.host().call(envelope);
            } finally {
                callsUnderWay.decrementAndGet();
            }
        }

        private boolean fails() {
            entered.release();
            if (holding) {
                await(released);
            }
            boolean fails = failures.tryAcquire();
            if (fails) {
                failed.countDown();
            }
            return fails;
        }
    }

    /** Tells when a container has got to where the catalog wants it. */
    private static final class WatchedLog implements CommandLog<CatalogRequest, CatalogOutcome> {
        private final CommandLog<CatalogRequest, CatalogOutcome> inner;
        private final Semaphore refusals;
        private final Semaphore settled;

        WatchedLog(
                CommandLog<CatalogRequest, CatalogOutcome> inner,
                Semaphore refusals,
                Semaphore settled) {
            this.inner = inner;
            this.refusals = refusals;
            this.settled = settled;
        }

        @Override
        public CatalogOutcome submit(CatalogRequest request, Duration timeout) {
            boolean last =
                    request.command() instanceof ResourceCommand.ContainerReady
                            || request.command() instanceof ResourceCommand.ForgetContainer;
            if (last && refusals.tryAcquire()) {
                throw new OrreryException(ErrorCode.TOO_MANY_REQUESTS, "too much at once");
            }
            CatalogOutcome outcome = inner.submit(request, timeout);
            if (last && !overtakenByDelete(outcome)) {
                settled.release();
            }
            return outcome;
        }

        /** Attempts that were under way when the container was deleted end without effect. */
        private static boolean overtakenByDelete(CatalogOutcome outcome) {
            return outcome instanceof CatalogOutcome.OfContainer(Container container)
                    && container.state() == Container.State.DELETING;
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    @TempDir Path directory;
    private final AtomicInteger callsUnderWay = new AtomicInteger();
    private final AtomicInteger callsThatOutlivedTheirStep = new AtomicInteger();
    private final ImpatientTimer timer = new ImpatientTimer();
    private final Semaphore logRefusals = new Semaphore(0);
    private final Semaphore settled = new Semaphore(0);
    private final FailingPartition partitions = new FailingPartition();
    private CatalogFixture fixture;
    private ControlPlane catalog;
    private Database database;

    @BeforeEach
    void open() {
        fixture = new CatalogFixture(directory);
        catalog =
                fixture.catalog(
                        partitions, log -> new WatchedLog(log, logRefusals, settled), timer);
        database = catalog.createDatabase(context(), "d", Optional.empty());
    }

    @AfterEach
    void close() {
        catalog.close();
        fixture.close();
    }

    @ParameterizedTest
    @EnumSource
    void newContainerComesOnlineWhenItsPartitionsAnswer(Trouble trouble)
            throws InterruptedException {
        partitions.failNext(3, trouble);

        assertThat(failureOf(this::create)).isNotEqualTo(ErrorCode.INTERNAL);
        settled.acquire();

        assertThat(container().state()).isEqualTo(Container.State.ONLINE);
        assertThat(fixture.replica().partitions()).hasSize(PARTITIONS);
        assertThat(timer.delays()).isEqualTo(seconds(1, 2, 4));
    }

    @ParameterizedTest
    @EnumSource
    void changedDefinitionArrivesWhenPartitionsAnswer(Trouble trouble) throws InterruptedException {
        ContainerDefinition changed = CatalogFixture.changed();
        create();
        settled.acquire();
        partitions.failNext(2, trouble);

        assertThat(failureOf(() -> replace(changed))).isNotEqualTo(ErrorCode.INTERNAL);
        settled.acquire();

        assertThat(container().state()).isEqualTo(Container.State.ONLINE);
        assertThat(fixture.replica().partitions().values())
                .hasSize(PARTITIONS)
                .allSatisfy(
                        state ->
                                assertThat(state.definition().current().definition())
                                        .isEqualTo(changed));
        assertThat(timer.delays()).isEqualTo(seconds(1, 2));
    }

    @ParameterizedTest
    @EnumSource
    void deletedContainerGoesWhenItsPartitionsAnswer(Trouble trouble) throws InterruptedException {
        create();
        settled.acquire();
        partitions.failNext(3, trouble);

        delete();
        settled.acquire();

        assertThat(fixture.replica().partitions()).isEmpty();
        assertThat(catalog.offers(0, 10)).isEmpty();
        assertThat(timer.delays()).isEqualTo(seconds(1, 2, 4));
    }

    /** Its partitions are opened once, by the request that creates it. */
    @Test
    void containerThatAnotherRequestCreatesIsWaitedFor() throws InterruptedException {
        partitions.holding = true;
        Thread creating = Thread.ofVirtual().start(this::create);
        partitions.entered.acquire();
        Container seen = container();
        assertThat(seen.state()).isEqualTo(Container.State.CREATING);

        CompletableFuture<Container> awaited =
                CompletableFuture.supplyAsync(() -> catalog.awaitCreation(seen));
        partitions.released.countDown();

        assertThat(awaited.join().state()).isEqualTo(Container.State.ONLINE);
        creating.join();
        assertThat(partitions.entered.availablePermits()).isZero();
        assertThat(catalog.awaitCreation(container())).isEqualTo(container());
    }

    @Test
    void lastStepIsRepeatedWhenTheCatalogItselfIsBusy() throws InterruptedException {
        logRefusals.release(2);

        assertThat(failureOf(this::create)).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        settled.acquire();

        assertThat(container().state()).isEqualTo(Container.State.ONLINE);
        assertThat(timer.delays()).isEqualTo(seconds(1, 2));
    }

    /** Every attempt but the first has waited, so a lasting failure costs two calls a minute. */
    @Test
    void waitsDoubleUpToHalfAMinute() throws InterruptedException {
        partitions.failNext(8, Trouble.UNREACHABLE);

        failureOf(this::create);
        settled.acquire();

        assertThat(timer.delays()).isEqualTo(seconds(1, 2, 4, 8, 16, 30, 30, 30));
        assertThat(partitions.entered.availablePermits()).isEqualTo(9);
    }

    @Test
    void waitsOfOneChangeAreNotInheritedByTheNext() throws InterruptedException {
        partitions.failNext(2, Trouble.UNREACHABLE);
        failureOf(this::create);
        settled.acquire();

        partitions.failNext(2, Trouble.UNREACHABLE);
        failureOf(() -> replace(CatalogFixture.changed()));
        settled.acquire();

        assertThat(timer.delays()).isEqualTo(seconds(1, 2, 1, 2));
    }

    /** Deleted before it was ever whole: its retries turn from opening to dropping. */
    @Test
    void containerThatNeverCameOnlineCanBeDeleted() throws InterruptedException {
        partitions.failNext(FOR_EVER, Trouble.UNREACHABLE);
        failureOf(this::create);

        delete();
        partitions.failures.drainPermits();
        settled.acquire();

        assertThat(fixture.replica().partitions()).isEmpty();
        assertThat(catalog.containers(database.number(), 0, 10)).isEmpty();
    }

    /** Or it could open a partition that has been dropped since. */
    @Test
    void failureIsNotHeardBeforeTheOtherCallsHaveEnded() throws InterruptedException {
        partitions.anotherIsSlow = true;
        partitions.failNext(1, Trouble.UNREACHABLE);

        failureOf(this::create);
        settled.acquire();

        assertThat(callsThatOutlivedTheirStep).hasValue(0);
    }

    @Test
    void closeEndsTheRetriesOfWhatNeverSucceeds() throws InterruptedException {
        partitions.failNext(FOR_EVER, Trouble.UNREACHABLE);
        failureOf(this::create);
        partitions.entered.acquire(10);

        catalog.close();

        assertThat(timer.awaitTermination(10, TimeUnit.MINUTES)).isTrue();
        assertThat(settled.availablePermits()).isZero();
    }

    @Test
    void failureDuringCloseIsNotTriedAgain() throws InterruptedException {
        create();
        settled.acquire();
        partitions.entered.drainPermits();
        partitions.holding = true;
        partitions.failNext(1, Trouble.UNREACHABLE);
        delete();
        partitions.entered.acquire();

        Thread closing = Thread.ofVirtual().start(catalog::close);
        timer.stopped.await();
        partitions.released.countDown();
        closing.join();

        assertThat(timer.delays()).isEmpty();
        assertThat(partitions.entered.availablePermits()).isZero();
    }

    private void create() {
        CatalogFixture.create(catalog, database);
    }

    private void replace(ContainerDefinition definition) {
        catalog.replaceContainer(context(), container(), definition, Precondition.NONE);
    }

    private void delete() {
        catalog.deleteContainer(context(), container(), Precondition.NONE);
    }

    private Container container() {
        return catalog.findContainer(database.number(), "c").orElseThrow();
    }

    private static ErrorCode failureOf(Runnable change) {
        return catchThrowableOfType(OrreryException.class, change::run).code();
    }

    private static List<Duration> seconds(long... seconds) {
        return LongStream.of(seconds).mapToObj(Duration::ofSeconds).toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
