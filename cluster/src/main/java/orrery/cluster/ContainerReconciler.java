package orrery.cluster;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.catalog.CatalogCommand;
import orrery.cluster.catalog.CatalogOutcome;
import orrery.cluster.catalog.CatalogState;
import orrery.cluster.catalog.RangeCommand;
import orrery.cluster.catalog.Reshape;
import orrery.cluster.catalog.ResourceCommand;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.resource.Container;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionDefinition;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;

/**
 * Makes partitions agree with what the catalog intends. Every step may be repeated, so after a
 * crash it simply takes each unfinished container from the start.
 */
final class ContainerReconciler implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ContainerReconciler.class.getName());
    private static final int STRIPES = 64;
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LAST_RETRY = Duration.ofSeconds(30);

    private final CatalogState state;
    private final CatalogWriter writer;
    private final SetCalls sets;
    private final ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService retries;
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final BudgetKeeper budgets;
    private volatile boolean closing;
    private final List<ReentrantLock> locks = new ArrayList<>();
    private final Map<String, LongAdder> reshapes = new ConcurrentHashMap<>();

    /**
     * @param retries waits for the next attempt; ends with this
     */
    ContainerReconciler(
            CatalogState state,
            CatalogWriter writer,
            SetCalls sets,
            BudgetKeeper budgets,
            ScheduledExecutorService retries) {
        this.state = state;
        this.writer = writer;
        this.sets = sets;
        this.budgets = budgets;
        this.retries = retries;
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
                case ONLINE -> {
                    if (state.reshape(container.number()).isPresent()) {
                        background.execute(() -> reconcile(container.number(), FIRST_RETRY));
                    }
                }
            }
        }
    }

    /**
     * Tells partitions what the catalog changed in the definitions of their containers. What fails
     * is tried again in the background: the intent stands.
     */
    void redefine() {
        for (Container container : state.allContainers()) {
            boolean isUnsettled =
                    container.state() == Container.State.CREATING
                            || container.state() == Container.State.CHANGING;
            if (isUnsettled) {
                reconcile(container.number(), FIRST_RETRY);
            }
        }
    }

    /**
     * Carries out the split or merge that was decided for a container, and returns when the new map
     * is published. Throws where the partitions refuse it for good.
     */
    void reshape(int number) {
        try {
            locked(
                    number,
                    () -> {
                        state.container(number).ifPresent(this::finishReshape);
                        return number;
                    });
        } catch (OrreryException failure) {
            if (state.reshape(number).isPresent()) {
                retryLater(number, FIRST_RETRY);
            }
            throw failure;
        }
    }

    /** Returns the number of splits and merges since the start, by their reason. */
    Map<String, Long> reshapes() {
        Map<String, Long> counts = new TreeMap<>();
        reshapes.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
    }

    /** Writes an intent; what the catalog refuses is thrown. */
    void submit(CatalogCommand command) {
        writer.submit(command, SetCalls.TIMEOUT);
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

    /**
     * Waits for the request that creates a container. Should that have failed, the container is
     * settled here.
     */
    Container awaitCreation(int number) {
        return locked(
                number,
                () ->
                        state.container(number)
                                .filter(found -> found.state() != Container.State.CREATING)
                                .orElseGet(() -> settleNow(number)));
    }

    /** Runs what goes on in the background; ends with this. */
    ExecutorService background() {
        return background;
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
            case ONLINE -> finishReshape(container);
        }
    }

    /**
     * Children that the map does not name yet would not hear of a definition. A reshape that has to
     * wait has not been carried out, so then the map is right; it may even wait for the definition.
     * One that was refused for good is cancelled, and the map is right as well.
     */
    private void finishReshapeIfPossible(Container container) {
        try {
            finishReshape(container);
        } catch (OrreryException failure) {
            boolean isPending = state.reshape(container.number()).isPresent();
            if (isPending && failure.code() != ErrorCode.RETRY_WITH) {
                throw failure;
            }
        }
    }

    private void finishReshape(Container container) {
        Optional<Reshape> reshape = state.reshape(container.number());
        if (reshape.isEmpty() || container.state() == Container.State.DELETING) {
            return;
        }
        long start = System.nanoTime();
        switch (sets.call(setOf(container, reshape.get()), request(container, reshape.get()))) {
            case PartitionResponse.Failed failed -> {
                if (failed.code() == ErrorCode.BAD_REQUEST) {
                    submit(new RangeCommand.CancelReshape(container.number(), reshape.get()));
                    LOG.log(
                            Logger.Level.WARNING,
                            "container {0}: {1} is cancelled: {2}",
                            container.number(),
                            reshape.get(),
                            failed.text());
                }
                throw new OrreryException(failed.code(), failed.text());
            }
            case ControlResponse.SplitAt(EffectiveKey at) ->
                    publish(container, reshape.get(), Optional.of(at), start);
            default -> publish(container, reshape.get(), Optional.empty(), start);
        }
    }

    private void publish(
            Container container, Reshape reshape, Optional<EffectiveKey> at, long startNanos) {
        long millis = (System.nanoTime() - startNanos) / 1_000_000;
        submit(new RangeCommand.PublishReshape(container.number(), reshape, at, millis));
        reshapes.computeIfAbsent(reshape.happened(0, 0).reason(), _ -> new LongAdder()).increment();
        budgets.tell(container);
        LOG.log(
                Logger.Level.INFO,
                "container {0}: {1} in {2} ms",
                container.number(),
                reshape,
                millis);
    }

    private int setOf(Container container, Reshape reshape) {
        return state.partitionMap(container.number())
                .flatMap(map -> map.find(reshape.ranges().getFirst()))
                .map(PhysicalPartition::replicaSet)
                .orElseThrow(() -> new IllegalStateException("a reshape names no range"));
    }

    private static PartitionRequest request(Container container, Reshape reshape) {
        int number = container.number();
        return switch (reshape) {
            case Reshape.Split split ->
                    new ControlRequest.Split(
                            new PartitionId(number, split.range()),
                            split.left(),
                            split.right(),
                            split.leftSegment(),
                            split.rightSegment(),
                            split.aim());
            case Reshape.Merge merge ->
                    new ControlRequest.Merge(
                            new PartitionId(number, merge.left()),
                            merge.right(),
                            merge.into(),
                            merge.segment());
        };
    }

    private void retryLater(int number, Duration delay) {
        if (closing) {
            return;
        }
        Duration doubled = delay.multipliedBy(2);
        Duration next = doubled.compareTo(LAST_RETRY) < 0 ? doubled : LAST_RETRY;
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
        Container settled = settleDefinition(number);
        if (state.reshape(number).isPresent()) {
            // The split or merge had to wait, for the definition or for entries to come home. The
            // thread that began it may be gone with a crash.
            retryLater(number, FIRST_RETRY);
        }
        return settled;
    }

    private Container settleDefinition(int number) {
        Container container =
                state.container(number)
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.NOT_FOUND, "Resource Not Found."));
        finishReshapeIfPossible(container);
        boolean opens = container.state() == Container.State.CREATING;
        if (opens) {
            onEachPartition(
                    container,
                    partition ->
                            new ControlRequest.Open(
                                    id(container, partition),
                                    partition.keys(),
                                    partition.segment(),
                                    definition(container)));
        }
        // A partition that was opened before a crash still has the definition of that time.
        if (!opens || container.definitionVersion() > 1) {
            onEachPartition(
                    container,
                    partition ->
                            new ControlRequest.SetDefinition(
                                    id(container, partition), definition(container)));
        }
        budgets.tell(container);
        CatalogOutcome outcome =
                writer.send(
                        new ResourceCommand.ContainerReady(number, container.definitionVersion()),
                        SetCalls.TIMEOUT);
        return outcome instanceof CatalogOutcome.OfContainer(Container ready) ? ready : container;
    }

    private void removeNow(Container container) {
        onEachPartition(container, partition -> drop(container, partition.range()));
        // A split or merge may or may not have been carried out when the container was deleted.
        state.reshape(container.number())
                .ifPresent(
                        reshape ->
                                reshape.ranges()
                                        .forEach(
                                                range ->
                                                        call(
                                                                setOf(container, reshape),
                                                                drop(container, range))));
        submit(new ResourceCommand.ForgetContainer(container.number()));
    }

    private static PartitionRequest drop(Container container, int range) {
        return new ControlRequest.Drop(new PartitionId(container.number(), range));
    }

    private void call(int replicaSet, PartitionRequest request) {
        if (sets.call(replicaSet, request) instanceof PartitionResponse.Failed failed) {
            throw new OrreryException(failed.code(), failed.text());
        }
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

    private static PartitionId id(Container container, PhysicalPartition partition) {
        return new PartitionId(container.number(), partition.range());
    }

    /**
     * Returns the definition that a partition gets. Without a key of their own all items may have
     * the same one, so the limit of a key would only be a second limit of the container, with the
     * wrong advice.
     */
    private PartitionDefinition definition(Container container) {
        AccountSettings settings = state.account().settings();
        return new PartitionDefinition(
                container.definitionVersion(),
                container.definition(),
                container.isKeyless()
                        ? settings.fixedMaxBytes()
                        : settings.logicalPartitionMaxBytes(),
                container.fixed() ? settings.fixedMaxBytes() : 0);
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
                                () -> sets.call(partition.replicaSet(), step.request(partition))));
            }
        } catch (RejectedExecutionException e) {
            throw stopping(e);
        }
        // All are waited for, the failed and the rest: a call that outlived its step could open a
        // partition again that a later step has dropped.
        List<OrreryException> failures = new ArrayList<>();
        for (Future<PartitionResponse> answer : pending) {
            try {
                check(answer);
            } catch (OrreryException failure) {
                failures.add(failure);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.getFirst();
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
