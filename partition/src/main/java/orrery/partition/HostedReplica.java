package orrery.partition;

import java.time.Duration;
import java.util.function.Consumer;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.partition.machine.PartitionState;

/** A replica set on this node with the work that goes on in its background. */
final class HostedReplica implements AutoCloseable {
    private final Replica replica;
    private final PartitionTimes times;
    private final TimeWorker timeKeeping;
    private final ReindexWorker reindexing;
    private final JournalWorker journals;
    private final SessionWorker sessions;
    private final PurgeWorker purging;
    private final KeySurvey survey;
    private final Consumer<Duration> idle;

    /**
     * @param pause waits before background work that failed is tried again
     * @param rest waits between two pages of the survey of keys
     * @param idle waits between two looks of work that is rarely needed
     */
    HostedReplica(
            Replica replica,
            PartitionMeters meters,
            KeyWarnings warnings,
            PartitionTimes times,
            ClockWatch watch,
            Consumer<Duration> pause,
            Consumer<Duration> rest,
            Consumer<Duration> idle) {
        this.replica = replica;
        this.times = times;
        this.timeKeeping = new TimeWorker(replica, times, watch, idle);
        this.reindexing = new ReindexWorker(replica, times, pause);
        this.journals = new JournalWorker(replica, times, idle);
        this.sessions = new SessionWorker(replica, times, idle);
        this.purging = new PurgeWorker(replica, meters, times);
        this.survey = new KeySurvey(replica, meters, warnings, rest);
        this.idle = idle;
    }

    Replica replica() {
        return replica;
    }

    PartitionTimes times() {
        return times;
    }

    /** Waits until time has passed in the partitions. May return early. */
    void rest(Duration time) {
        idle.accept(time);
    }

    /** Returns the time for readers of a partition. */
    long nowForReaders(PartitionId id) {
        return times.nowForReaders(id, state(id));
    }

    /** A partition that has to be here. */
    PartitionState state(PartitionId id) {
        return replica.find(id)
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.RANGE_GONE, Refusals.text(ErrorCode.RANGE_GONE)));
    }

    void wakeReindexing(int container, int range) {
        reindexing.wake(new PartitionId(container, range));
    }

    ReindexWorker reindexing() {
        return reindexing;
    }

    void wakePurging() {
        purging.wake();
    }

    /** Items that were deleted since the start because they were gone. */
    long purgedItems() {
        return purging.purged();
    }

    /** Before this {@code _ts} no item of the partition is left that its container ends. */
    long examinedSeconds(PartitionId partition) {
        return purging.examinedSeconds(partition);
    }

    /** Stops background work; the set is closed by whoever opened it. */
    @Override
    public void close() {
        survey.close();
        purging.close();
        reindexing.close();
        journals.close();
        sessions.close();
        timeKeeping.close();
    }
}
