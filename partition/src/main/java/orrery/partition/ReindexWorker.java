package orrery.partition;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import orrery.model.KeyViolation;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;

/**
 * Carries changed indexing policies to existing items, a few at a time through the log, so that
 * requests find room between the steps. What it has done is in the partition's own record: a
 * restart goes on where it was.
 */
final class ReindexWorker implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ReindexWorker.class.getName());
    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final Replica replica;
    private final PartitionTimes times;
    private final Consumer<Duration> pause;
    private final LinkedBlockingQueue<PartitionId> due = new LinkedBlockingQueue<>();
    private final Map<PartitionId, Found> violations = new ConcurrentHashMap<>();
    private final BackgroundThread thread;

    /**
     * A key of a new unique index that two items have.
     *
     * @param policyVersion of the definition that has the index
     */
    private record Found(int policyVersion, KeyViolation violation) {}

    /**
     * @param pause waits before a step that failed is tried again; may return early
     */
    ReindexWorker(Replica replica, PartitionTimes times, Consumer<Duration> pause) {
        this.replica = replica;
        this.times = times;
        this.pause = pause;
        replica.partitions().keySet().forEach(this::wake);
        this.thread = BackgroundThread.start("reindex", this::run);
    }

    /** Looks at a partition whose definition may have changed. */
    void wake(PartitionId id) {
        replica.find(id).filter(state -> state.record().reindexing()).ifPresent(_ -> due.add(id));
    }

    /** The key that keeps a new unique index of a partition from being finished, if one does. */
    Optional<KeyViolation> violation(PartitionId id, PartitionState state) {
        return Optional.ofNullable(violations.get(id))
                .filter(
                        found ->
                                state.record().reindexing()
                                        && found.policyVersion() == state.record().policyVersion())
                .map(Found::violation);
    }

    @Override
    public void close() {
        thread.close();
    }

    private void run() throws InterruptedException {
        while (true) {
            reindex(due.take());
        }
    }

    /** Other partitions go on meanwhile; this one takes its turn again behind them. */
    private void waitFor(PartitionId id, PartitionState state, Outcome.Blocked blocked) {
        BlockedItem item = new BlockedItem(replica.store(), id, state, blocked);
        if (item.isViolation(times.now(id, state))) {
            violations.put(id, new Found(state.record().policyVersion(), item.violation()));
        }
        if (due.isEmpty()) {
            pause.accept(RETRY_DELAY);
        }
        due.add(id);
    }

    private void reindex(PartitionId id) throws InterruptedException {
        boolean finished = false;
        while (!finished) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            PartitionState state = replica.find(id).orElse(null);
            if (state == null || !state.record().reindexing() || state.isFailed()) {
                return;
            }
            try {
                Outcome outcome =
                        replica.submit(
                                new ReindexEvaluation(id, state).step(replica.store()),
                                STEP_TIMEOUT);
                finished = outcome instanceof Outcome.Reindexed(boolean done) && done;
                if (outcome instanceof Outcome.Blocked blocked) {
                    waitFor(id, state, blocked);
                    return;
                }
                violations.remove(id);
            } catch (OrreryException failure) {
                LOG.log(
                        BackgroundThread.levelOf(failure),
                        "re-indexing of partition {0} waits: {1}",
                        id,
                        failure.text());
                if (replica.failure().isPresent()) {
                    return;
                }
                pause.accept(RETRY_DELAY);
            }
        }
    }
}
