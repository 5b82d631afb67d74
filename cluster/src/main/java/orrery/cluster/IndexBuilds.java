package orrery.cluster;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import orrery.cluster.catalog.CatalogState;
import orrery.cluster.catalog.ResourceCommand;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.KeyViolation;
import orrery.model.NamedIndex;
import orrery.model.NamedIndexes;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.resource.Container;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionResponse;

/**
 * Finishes unique indexes that came to containers with items. From the moment that the definition
 * has the index, writes are held to it. Partitions then give its entries to the items from before;
 * when all have them the index is ready, and when two items have the same key it is taken back. The
 * intent is the state of the index in the catalog, so a restart goes on with it.
 */
final class IndexBuilds implements AutoCloseable {
    private static final Logger LOG = System.getLogger(IndexBuilds.class.getName());
    private static final long FIRST_DELAY_MILLIS = 10;
    private static final long LAST_DELAY_MILLIS = 1000;

    private final CatalogState state;
    private final SetCalls sets;
    private final ContainerReconciler reconciler;
    private final ScheduledExecutorService timer;
    private final ExecutorService threads;
    private final Map<Integer, Build> builds = new HashMap<>();

    /**
     * The work on the indexes of one container.
     *
     * @param refused those that were taken back, by name
     */
    private record Build(Map<String, KeyViolation> refused, CompletableFuture<Void> done) {}

    /**
     * @param timer waits between two looks
     * @param threads take the looks
     */
    IndexBuilds(
            CatalogState state,
            SetCalls sets,
            ContainerReconciler reconciler,
            ScheduledExecutorService timer,
            ExecutorService threads) {
        this.state = state;
        this.sets = sets;
        this.reconciler = reconciler;
        this.timer = timer;
        this.threads = threads;
    }

    /** Takes up what a crash left unfinished. */
    void resume() {
        state.allContainers().stream()
                .filter(container -> isBuilding(container.definition()))
                .forEach(container -> watch(container.number()));
    }

    /** Looks after the indexes of a container until none is being built. */
    void watch(int container) {
        start(container);
    }

    private synchronized Build start(int container) {
        Build present = builds.get(container);
        if (present != null) {
            return present;
        }
        Build build = new Build(new ConcurrentHashMap<>(), new CompletableFuture<>());
        builds.put(container, build);
        later(container, build, 0);
        return build;
    }

    /**
     * Waits until the indexes of these names are ready. Throws UNIQUE_KEY_VIOLATION if one was
     * taken back, and TIMEOUT if it takes longer; it goes on then.
     */
    void await(int container, List<String> names, Duration timeout) {
        Build build = start(container);
        try {
            build.done().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new OrreryException(
                    ErrorCode.TIMEOUT, "The index is still being built. It goes on.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stopping(e);
        } catch (ExecutionException e) {
            throw stopping(e);
        }
        for (String name : names) {
            KeyViolation violation = build.refused().get(name);
            if (violation != null) {
                throw new OrreryException(
                                ErrorCode.UNIQUE_KEY_VIOLATION,
                                "The unique index "
                                        + name
                                        + " was not made, because two items have the same key.")
                        .withViolation(Optional.of(violation));
            }
        }
    }

    private static OrreryException stopping(Exception cause) {
        return new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.", cause);
    }

    private static boolean isBuilding(ContainerDefinition definition) {
        return definition.indexes().stream()
                .anyMatch(index -> index.state() == NamedIndex.State.BUILDING);
    }

    private void later(int container, Build build, long delayMillis) {
        long next = Math.clamp(2 * delayMillis, FIRST_DELAY_MILLIS, LAST_DELAY_MILLIS);
        try {
            var _ =
                    timer.schedule(
                            () -> threads.execute(() -> look(container, build, next)),
                            delayMillis,
                            TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopping) {
            build.done().completeExceptionally(stopping);
        }
    }

    private void look(int number, Build build, long nextDelay) {
        try {
            Optional<Container> container = state.livingContainer(number);
            if (container.isPresent()
                    && container.get().state() == Container.State.ONLINE
                    && isBuilding(container.get().definition())) {
                advance(container.get(), build);
            }
        } catch (OrreryException failure) {
            LOG.log(
                    Logger.Level.DEBUG,
                    "the indexes of container {0} wait: {1}",
                    number,
                    failure.text());
        }
        if (!finish(number, build)) {
            later(number, build, nextDelay);
        }
    }

    /** Whoever adds an index after this last look finds no build and starts one. */
    private synchronized boolean finish(int number, Build build) {
        boolean isBuilding =
                state.livingContainer(number)
                        .map(container -> isBuilding(container.definition()))
                        .orElse(false);
        if (!isBuilding) {
            builds.remove(number);
            build.done().complete(null);
        }
        return !isBuilding;
    }

    private void advance(Container container, Build build) {
        boolean isWhole = true;
        for (PhysicalPartition partition :
                state.partitionMap(container.number()).orElseThrow().partitions()) {
            ControlResponse.Description description = describe(container, partition);
            if (description.violation().isPresent()) {
                takeBack(container, description.violation().get(), build);
                return;
            }
            isWhole &= description.reindexPercent() == 100;
        }
        if (isWhole) {
            replace(
                    container,
                    container.definition().indexes().stream()
                            .map(index -> index.withState(NamedIndex.State.READY))
                            .toList());
        }
    }

    private ControlResponse.Description describe(Container container, PhysicalPartition partition) {
        PartitionResponse answer =
                sets.call(
                        partition.replicaSet(),
                        new ControlRequest.Describe(container.partition(partition)));
        if (answer instanceof ControlResponse.Description description) {
            return description;
        }
        throw answer instanceof PartitionResponse.Failed failed
                ? new OrreryException(failed.code(), failed.text())
                : new IllegalStateException("a question was answered as another");
    }

    private void takeBack(Container container, KeyViolation violation, Build build) {
        List<NamedIndex> rest =
                container.definition().indexes().stream()
                        .filter(
                                index ->
                                        !index.name().equals(violation.index())
                                                || index.state() == NamedIndex.State.READY)
                        .toList();
        if (rest.size() < container.definition().indexes().size()) {
            build.refused().put(violation.index(), violation);
            replace(container, rest);
        }
    }

    /** Another change of the container makes it fail, and the next look begins with that. */
    private void replace(Container container, List<NamedIndex> indexes) {
        reconciler.submit(
                new ResourceCommand.ReplaceContainer(
                        container.number(),
                        NamedIndexes.define(container.definition(), indexes),
                        new Precondition.Matches(container.etag())));
        reconciler.settle(container.number());
    }

    @Override
    public synchronized void close() {
        builds.values()
                .forEach(
                        build ->
                                build.done()
                                        .completeExceptionally(
                                                new IllegalStateException("closed")));
        builds.clear();
    }
}
