package orrery.cluster;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import orrery.cluster.catalog.CatalogState;
import orrery.cluster.catalog.RangeCommand;
import orrery.cluster.catalog.SetRecord;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RangeBoundaries;
import orrery.model.resource.Container;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.SetRequest;
import orrery.partition.api.SplitAim;

/**
 * Decides what to split: a container that has fewer partitions than its throughput needs, and a
 * partition that has outgrown its storage. One split at a time in each container.
 */
final class PartitionPlanner implements AutoCloseable {
    private static final Logger LOG = System.getLogger(PartitionPlanner.class.getName());
    private static final Duration SURVEY_INTERVAL = Duration.ofSeconds(1);

    /** A partition of one key stays as it is until other keys have come. */
    private static final Duration REFUSAL_HOLDS = Duration.ofMinutes(1);

    private final CatalogState state;
    private final SetCalls sets;
    private final ContainerReconciler reconciler;
    private final ExecutorService work = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore wakeUps = new Semaphore(0);
    private final Set<Integer> busy = ConcurrentHashMap.newKeySet();
    private final Map<PartitionId, Long> refusedNanos = new ConcurrentHashMap<>();
    private volatile boolean closing;

    PartitionPlanner(CatalogState state, SetCalls sets, ContainerReconciler reconciler) {
        this.state = state;
        this.sets = sets;
        this.reconciler = reconciler;
        work.execute(this::run);
    }

    /** Looks now rather than at the next survey. */
    void wake() {
        wakeUps.release();
    }

    /** Returns the number of partitions that a container's throughput needs. */
    int neededFor(Container container) {
        return state.offerOfContainer(container.number())
                .or(() -> state.offerOfDatabase(container.database()))
                .map(Offer::throughput)
                .map(throughput -> state.account().settings().partitionsFor(throughput.ceiling()))
                .filter(_ -> !container.fixed())
                .orElse(1);
    }

    private void run() {
        try {
            while (!closing) {
                surveySafely();
                var _ = wakeUps.tryAcquire(SURVEY_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
                wakeUps.drainPermits();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whatever goes wrong in one survey, the next one comes. */
    private void surveySafely() {
        try {
            survey();
        } catch (RuntimeException failure) {
            if (!closing) {
                LOG.log(Logger.Level.WARNING, "partitions could not be surveyed", failure);
            }
        }
    }

    private void survey() {
        Set<PartitionId> large = Set.copyOf(largePartitions());
        for (Container container : state.allContainers()) {
            Optional<PartitionMap> map = state.partitionMap(container.number());
            boolean isReady =
                    container.state() == Container.State.ONLINE
                            && map.isPresent()
                            && state.reshape(container.number()).isEmpty()
                            && !container.fixed();
            if (!isReady) {
                continue;
            }
            if (map.get().partitions().size() < neededFor(container) && !isRefused(container)) {
                begin(container, () -> splitForThroughput(container));
                continue;
            }
            map.get().partitions().stream()
                    .map(partition -> new PartitionId(container.number(), partition.range()))
                    .filter(large::contains)
                    .findFirst()
                    .ifPresent(id -> begin(container, () -> splitForStorage(id)));
        }
    }

    private List<PartitionId> largePartitions() {
        long now = System.nanoTime();
        refusedNanos.values().removeIf(at -> now - at > REFUSAL_HOLDS.toNanos());
        List<PartitionId> large = new ArrayList<>();
        for (SetRecord set : state.sets()) {
            large.addAll(largePartitions(set.number()));
        }
        large.removeIf(refusedNanos::containsKey);
        return large;
    }

    private List<PartitionId> largePartitions(int replicaSet) {
        List<PartitionId> large = new ArrayList<>();
        Optional<PartitionId> after = Optional.empty();
        do {
            ControlResponse.LargePartitions page = largePartitions(replicaSet, after);
            large.addAll(page.partitions());
            after = page.more() ? Optional.of(page.partitions().getLast()) : Optional.empty();
        } while (after.isPresent());
        return large;
    }

    private ControlResponse.LargePartitions largePartitions(
            int replicaSet, Optional<PartitionId> after) {
        long bytes = state.account().settings().partitionMaxBytes();
        PartitionResponse response =
                sets.call(
                        replicaSet,
                        new SetRequest.ListLarge(bytes, after, SetRequest.ListLarge.MAX_PAGE));
        return switch (response) {
            case ControlResponse.LargePartitions page -> page;
            case PartitionResponse.Failed failed ->
                    throw new OrreryException(failed.code(), failed.text());
            default -> throw new IllegalStateException("a list was answered as another request");
        };
    }

    private void begin(Container container, Runnable split) {
        if (!busy.add(container.number())) {
            return;
        }
        work.execute(
                () -> {
                    try {
                        split.run();
                    } catch (OrreryException failure) {
                        // The reconciler retries a split that was decided; a survey retries the
                        // rest.
                        LOG.log(
                                Logger.Level.INFO,
                                "container {0} was not split: {1}",
                                container.number(),
                                failure.text());
                    } finally {
                        busy.remove(container.number());
                    }
                });
    }

    private void splitForThroughput(Container container) {
        Optional<PartitionMap> map = state.partitionMap(container.number());
        while (!closing
                && map.isPresent()
                && map.get().partitions().size() < neededFor(container)) {
            PartitionId widest = new PartitionId(container.number(), widest(container, map.get()));
            split(widest, SplitAim.THROUGHPUT);
            map = state.partitionMap(container.number());
        }
    }

    private void splitForStorage(PartitionId id) {
        split(id, SplitAim.STORAGE);
        wake();
    }

    private void split(PartitionId id, SplitAim aim) {
        try {
            reconciler.submit(new RangeCommand.BeginSplit(id.container(), id.range(), aim));
            reconciler.reshape(id.container());
        } catch (OrreryException failure) {
            if (failure.code() == ErrorCode.BAD_REQUEST) {
                refusedNanos.put(id, System.nanoTime());
            }
            throw failure;
        }
    }

    /** The one with most of the hash space: requests to keys at random go there most. */
    private static int widest(Container container, PartitionMap map) {
        PartitionKeyDefinition definition = container.definition().partitionKey();
        return map.partitions().stream()
                .max(
                        Comparator.comparingDouble(
                                partition -> RangeBoundaries.span(definition, partition.keys())))
                .map(PhysicalPartition::range)
                .orElseThrow();
    }

    /**
     * Returns true if a split of the container was refused recently; another try would not succeed
     * soon.
     */
    boolean isRefused(Container container) {
        return refusedNanos.keySet().stream().anyMatch(id -> id.container() == container.number());
    }

    /** Why a range should not be joined with its right neighbour, if so. */
    Optional<String> objectionToMerge(Container container, PhysicalPartition left) {
        PartitionMap map = state.partitionMap(container.number()).orElseThrow();
        if (map.after(left).isEmpty()) {
            return Optional.empty(); // there is a better answer to that
        }
        if (state.offerOfContainer(container.number()).isEmpty()) {
            return Optional.of(
                    "The container shares the throughput of its database, whose parts its ranges"
                            + " draw on. Only a container with throughput of its own is merged.");
        }
        if (map.partitions().size() <= neededFor(container)) {
            return Optional.of(
                    "The throughput needs as many physical partitions as there are. Lower it"
                            + " first.");
        }
        long limit = state.account().settings().partitionMaxBytes();
        return map.after(left)
                .filter(right -> bytesOf(container, left) + bytesOf(container, right) > limit)
                .map(_ -> "Together the two hold more than one physical partition may.");
    }

    private long bytesOf(Container container, PhysicalPartition partition) {
        PartitionResponse response =
                sets.call(
                        partition.replicaSet(),
                        new ControlRequest.Describe(
                                new PartitionId(container.number(), partition.range())));
        return response instanceof ControlResponse.Description description
                ? description.itemBytes() + description.indexBytes()
                : 0;
    }

    @Override
    public void close() {
        closing = true;
        work.shutdownNow();
        try {
            var _ = work.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
