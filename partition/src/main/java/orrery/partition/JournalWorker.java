package orrery.partition;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.partition.machine.Command;
import orrery.partition.machine.JournalPurge;
import orrery.partition.machine.PartitionState;
import orrery.storage.StoreFailure;
import orrery.storage.format.PartitionRecord.Journal;

/**
 * Forgets versions that have been kept long enough: looks every now and then which partitions have
 * some and tells those, through the log, so that all replicas forget the same.
 */
final class JournalWorker implements AutoCloseable {
    private static final Logger LOG = System.getLogger(JournalWorker.class.getName());

    /** Retention is counted in minutes, so looking more often finds nothing. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(1);

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Replica replica;
    private final PartitionTimes times;
    private final Consumer<Duration> rest;
    private final BackgroundThread thread;

    /**
     * @param rest waits between two looks; may return early
     */
    JournalWorker(Replica replica, PartitionTimes times, Consumer<Duration> rest) {
        this.replica = replica;
        this.times = times;
        this.rest = rest;
        this.thread = BackgroundThread.start("journal", this::run);
    }

    @Override
    public void close() {
        thread.close();
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted() && replica.failure().isEmpty()) {
            rest.accept(BETWEEN_LOOKS);
            replica.forEachPartition(
                    (id, state) -> {
                        if (!Thread.currentThread().isInterrupted()) {
                            purge(id, state);
                        }
                    });
        }
    }

    private void purge(PartitionId id, PartitionState state) {
        List<Journal> journals = state.record().journals();
        if (journals.isEmpty() || state.isFailed()) {
            return;
        }
        long now = times.now(id, state);
        int retention = state.definition().current().definition().changeRetentionMinutes();
        try {
            if (!new JournalPurge(replica.store(), id, retention, now)
                    .after(journals)
                    .equals(journals)) {
                replica.submit(new Command.PurgeJournal(id, now), TIMEOUT);
            }
        } catch (OrreryException | StoreFailure failure) {
            LOG.log(
                    BackgroundThread.levelOf(failure),
                    "old versions of partition {0} stay a minute longer: {1}",
                    id,
                    failure.getMessage());
        }
    }
}
