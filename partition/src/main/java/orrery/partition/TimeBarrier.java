package orrery.partition;

import java.time.Duration;
import java.util.function.Consumer;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.PartitionState;

/**
 * Answers once a partition can make no more changes at a time or before it. A change has the time
 * of its stamp, or the one in the partition's record if that is later. So the record decides, and
 * whoever leads next honours it: a command moves it on where nothing is written.
 */
final class TimeBarrier {
    /** A partition that is ahead of the clock goes slower than it, so look again after a while. */
    private static final long MOST_REST_MILLIS = 1000;

    private final HostedReplica hosted;
    private final Consumer<Command> log;

    /**
     * @param log carries a command out, or throws
     */
    TimeBarrier(HostedReplica hosted, Consumer<Command> log) {
        this.hosted = hosted;
        this.log = log;
    }

    ControlResponse.TimeReached await(ControlRequest.AwaitTime request, Duration timeout) {
        PartitionId id = request.partition();
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        PartitionState state = hosted.state(id);
        while (state.record().timeMillis() <= request.timeMillis()) {
            long now = hosted.times().now(id, state);
            if (now > request.timeMillis()) {
                log.accept(new Command.AdvanceTime(id, now));
            } else {
                rest(request.timeMillis() - now, deadlineNanos);
            }
            state = hosted.state(id);
        }
        return new ControlResponse.TimeReached(
                state.record().timeMillis(), state.record().headLsn());
    }

    private void rest(long millis, long deadlineNanos) {
        if (Thread.currentThread().isInterrupted()) {
            throw new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.");
        }
        Cancellation.current().check();
        Duration left = Duration.ofNanos(deadlineNanos - System.nanoTime());
        if (!left.isPositive()) {
            throw new OrreryException(
                    ErrorCode.TIMEOUT, "The time that the request waits for has not come yet.");
        }
        Duration until = Duration.ofMillis(Math.min(millis, MOST_REST_MILLIS) + 1);
        hosted.rest(until.compareTo(left) < 0 ? until : left);
    }
}
