package orrery.partition;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.partition.machine.Command;

/**
 * Watches the clock, and lets time pass in a log that is ahead of it. The log forgets old requests
 * by the highest time it has seen. If the partition that was stamped with it is not written any
 * more, the others, whose clock is right, would not move that time on, and requests would pile up.
 */
final class TimeWorker implements AutoCloseable {
    private static final Logger LOG = System.getLogger(TimeWorker.class.getName());
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    /** Small against the minute for which requests are remembered. */
    private static final int LOOKS_PER_STAMP = 10;

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Replica replica;
    private final PartitionTimes times;
    private final ClockWatch watch;
    private final Consumer<Duration> rest;
    private final BackgroundThread thread;

    /**
     * @param rest waits between two looks; may return early
     */
    TimeWorker(Replica replica, PartitionTimes times, ClockWatch watch, Consumer<Duration> rest) {
        this.replica = replica;
        this.times = times;
        this.watch = watch;
        this.rest = rest;
        this.thread = BackgroundThread.start("time", this::run);
    }

    @Override
    public void close() {
        thread.close();
    }

    private void run() {
        long ahead = times.aheadMillis();
        if (ahead >= BETWEEN_LOOKS.toMillis()) {
            LOG.log(
                    Logger.Level.WARNING,
                    "times of partitions are up to {0} ahead of the clock of this machine; they go"
                            + " at half pace until it has caught up",
                    Duration.ofMillis(ahead));
        }
        for (long looks = 1; isNeeded(); looks++) {
            watch.look();
            times.tidy();
            long now = times.nowOfLog();
            if (looks % LOOKS_PER_STAMP == 0 && times.isLogAhead()) {
                passTime(now);
            }
            rest.accept(BETWEEN_LOOKS);
        }
    }

    private boolean isNeeded() {
        return !Thread.currentThread().isInterrupted() && replica.failure().isEmpty();
    }

    /** A purge of nothing changes no partition, but its stamp is seen by the log. */
    private void passTime(long now) {
        Optional<PartitionId> any = replica.anyPartition();
        try {
            any.ifPresent(id -> replica.submit(new Command.Purge(id, now, List.of()), TIMEOUT));
        } catch (OrreryException failure) {
            LOG.log(
                    Logger.Level.DEBUG,
                    "requests are remembered a little longer: {0}",
                    failure.text());
        }
    }
}
