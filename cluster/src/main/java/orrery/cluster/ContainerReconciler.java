package orrery.cluster;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import orrery.cluster.catalog.CatalogCommand;
import orrery.cluster.catalog.CatalogOutcome;
import orrery.cluster.catalog.CatalogState;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.resource.Container;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;
import orrery.replication.CommandLog;

/**
 * Makes partitions agree with what the catalog intends. Every step may be repeated, so after a
 * crash it simply takes each unfinished container from the start.
 */
final class ContainerReconciler implements AutoCloseable {
    static final Duration STEP_TIMEOUT = Duration.ofSeconds(30);

    private static final Logger LOG = System.getLogger(ContainerReconciler.class.getName());
    private static final int STRIPES = 64;
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LAST_RETRY = Duration.ofSeconds(30);

    private final CatalogState state;
    private final CommandLog<CatalogCommand, CatalogOutcome> log;
    private final PartitionService partitions;
    private final ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService retries =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon(true).name("reconcile-retry").factory());
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean closing;
    private final List<ReentrantLock> locks = new ArrayList<>();

    ContainerReconciler(
            CatalogState state,
            CommandLog<CatalogCommand, CatalogOutcome> log,
            PartitionService partitions) {
        this.state = state;
        this.log = log;
        this.partitions = partitions;
        for (int i = 0; i < STRIPES; i++) {
            locks.add(new ReentrantLock());
        }
    }

    /**
     * Takes up what a crash left unfinished. Half-made containers are finished before it returns.
     */
    void resume() {
        for (Container container : state.allContainers()) {
            switch (container.state()) {
                case CREATING, CHANGING -> reconcile(container.number(), FIRST_RETRY);
                case DELETING -> remove(container.number());
                case ONLINE -> {}
            }
        }
    }

    /**
     * Opens or re-defines the partitions of a container and marks it online. Where that fails, the
     * caller hears why, and it is tried again in the background: the intent stands.
     */
    Container settle(int number) {
        try {
            return locked(number, () -> settleNow(number));
        } catch (OrreryException failure) {
            retryLater(number, FIRST_RETRY);
            throw failure;
        }
    }

    /** Drops the partitions of a deleted container in the background. */
    void remove(int number) {
        background.execute(() -> reconcile(number, FIRST_RETRY));
    }

    /** Does what the container's intent asks for now; if that fails, again after a while. */
    private void reconcile(int number, Duration retryDelay) {
        try {
            locked(
                    number,
                    () -> {
                        Optional<Container> container =
                                closing ? Optional.empty() : state.container(number);
                        container.ifPresent(this::carryOut);
                        return container;
                    });
        } catch (OrreryException failure) {
            if (!closing) {
                LOG.log(
                        Logger.Level.WARNING,
                        "container {0} is not as the catalog wants it yet: {1}",
                        number,
                        failure.text());
            }
            retryLater(number, retryDelay);
        }
    }

    private void carryOut(Container container) {
        switch (container.state()) {
            case CREATING, CHANGING -> settleNow(container.number());
            case DELETING -> removeNow(container);
            case ONLINE -> {}
        }
    }

    private void retryLater(int number, Duration delay) {
        if (closing) {
            return;
        }
        Duration next = delay.compareTo(LAST_RETRY) < 0 ? delay.multipliedBy(2) : LAST_RETRY;
        try {
            var _ =
                    retries.schedule(
                            () -> background.execute(() -> reconcile(number, next)),
                            delay.toMillis(),
                            TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopping) {
            // The next start takes the intent up.
        }
    }

    private Container settleNow(int number) {
        Container container =
                state.container(number)
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.NOT_FOUND, "Resource Not Found."));
        onEachPartition(container, partition -> shape(container, partition));
        CatalogOutcome outcome =
                log.submit(
                        new CatalogCommand.ContainerReady(number, container.definitionVersion()),
                        STEP_TIMEOUT);
        return outcome instanceof CatalogOutcome.OfContainer(Container ready) ? ready : container;
    }

    private void removeNow(Container container) {
        onEachPartition(
                container,
                partition ->
                        new PartitionRequest.Drop(
                                new PartitionId(container.number(), partition.range())));
        log.submit(new CatalogCommand.ForgetContainer(container.number()), STEP_TIMEOUT);
    }

    /** Stops between two steps: intents are durable, and the next start takes them up. */
    @Override
    public void close() {
        closing = true;
        retries.shutdownNow();
        shutDown(background);
        shutDown(calls);
    }

    private static void shutDown(ExecutorService executor) {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(5, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private PartitionRequest shape(Container container, PhysicalPartition partition) {
        PartitionId id = new PartitionId(container.number(), partition.range());
        PartitionRequest.PartitionDefinition definition =
                new PartitionRequest.PartitionDefinition(
                        container.definitionVersion(),
                        container.definition(),
                        state.account().limits().logicalPartitionMaxBytes());
        return container.state() == Container.State.CREATING
                ? new PartitionRequest.Open(id, partition.keys(), definition)
                : new PartitionRequest.SetDefinition(id, definition);
    }

    private interface Step {
        PartitionRequest request(PhysicalPartition partition);
    }

    /**
     * All at once: the commands share log entries, so many partitions cost hardly more than one.
     */
    private void onEachPartition(Container container, Step step) {
        List<PhysicalPartition> all =
                state.partitionMap(container.number()).orElseThrow().partitions();
        List<Future<PartitionResponse>> pending = new ArrayList<>();
        try {
            for (PhysicalPartition partition : all) {
                pending.add(
                        calls.submit(
                                () ->
                                        partitions.call(
                                                partition.replicaSet(),
                                                step.request(partition),
                                                STEP_TIMEOUT)));
            }
        } catch (RejectedExecutionException e) {
            throw stopping(e);
        }
        for (Future<PartitionResponse> answer : pending) {
            check(answer);
        }
    }

    private static void check(Future<PartitionResponse> answer) {
        try {
            if (answer.get() instanceof PartitionResponse.Failed failed) {
                throw new OrreryException(failed.code(), failed.text());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stopping(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof OrreryException failure) {
                throw failure;
            }
            throw new OrreryException(ErrorCode.INTERNAL, "A partition failed.", e.getCause());
        }
    }

    private static OrreryException stopping(Exception cause) {
        return new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.", cause);
    }

    private interface Work<T> {
        T run();
    }

    private <T> T locked(int number, Work<T> work) {
        ReentrantLock lock = locks.get(number % STRIPES);
        lock.lock();
        try {
            return work.run();
        } finally {
            lock.unlock();
        }
    }
}
