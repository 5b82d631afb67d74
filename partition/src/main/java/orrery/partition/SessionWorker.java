package orrery.partition;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.PurgeSessions;
import orrery.partition.machine.SessionMemory;
import orrery.partition.machine.SessionRecord;
import orrery.storage.Cursor;
import orrery.storage.StoreFailure;
import orrery.storage.Table;
import orrery.storage.format.Keys;

/**
 * Forgets statements of sessions that no longer count. A walk over a partition's rows finds them,
 * and the log is told a bounded number at a time, so that all replicas forget the same.
 */
final class SessionWorker implements AutoCloseable {
    private static final Logger LOG = System.getLogger(SessionWorker.class.getName());

    /** A statement counts for half an hour, so at most a third more are kept than count. */
    private static final Duration BETWEEN_WALKS = Duration.ofMinutes(10);

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Replica replica;
    private final PartitionTimes times;
    private final Consumer<Duration> rest;
    private final BackgroundThread thread;

    /**
     * @param rest waits between two walks; may return early
     */
    SessionWorker(Replica replica, PartitionTimes times, Consumer<Duration> rest) {
        this.replica = replica;
        this.times = times;
        this.rest = rest;
        this.thread = BackgroundThread.start("sessions", this::run);
    }

    @Override
    public void close() {
        thread.close();
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted() && replica.failure().isEmpty()) {
            rest.accept(BETWEEN_WALKS);
            replica.forEachPartition(
                    (id, state) -> {
                        if (!Thread.currentThread().isInterrupted() && !state.isFailed()) {
                            walk(id, state);
                        }
                    });
        }
    }

    private void walk(PartitionId id, PartitionState state) {
        int container = id.container();
        byte[] to = Keys.sessionsFrom(container, state.record().keys().max());
        byte[] from = Keys.sessionsFrom(container, state.record().keys().min());
        try {
            List<Bytes> over;
            do {
                long now = times.now(id, state);
                over = over(from, to, now);
                if (!over.isEmpty()) {
                    replica.submit(new PurgeSessions(id, now, over), TIMEOUT);
                    from = Keys.session(container, over.getLast());
                }
            } while (over.size() == PurgeSessions.MAX_ROWS
                    && !Thread.currentThread().isInterrupted());
        } catch (OrreryException | StoreFailure failure) {
            LOG.log(
                    BackgroundThread.levelOf(failure),
                    "old statements of sessions in partition {0} stay a while longer: {1}",
                    id,
                    failure.getMessage());
        }
    }

    private List<Bytes> over(byte[] from, byte[] to, long nowMillis) {
        List<Bytes> over = new ArrayList<>();
        try (Cursor rows = replica.store().scan(Table.META, from, to)) {
            while (over.size() < PurgeSessions.MAX_ROWS && rows.next()) {
                if (SessionMemory.isOver(SessionRecord.timeMillis(rows.value()), nowMillis)) {
                    over.add(Keys.sessionSuffix(rows.key()));
                }
            }
        }
        return over;
    }
}
