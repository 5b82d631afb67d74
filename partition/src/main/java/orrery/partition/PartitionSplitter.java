package orrery.partition;

import java.time.Duration;
import java.util.Optional;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.metering.Charge;
import orrery.partition.api.ControlRequest;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.ReshapeCommand;
import orrery.storage.Cursor;
import orrery.storage.StoreSnapshot;
import orrery.storage.Table;
import orrery.storage.format.DataSize;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;
import orrery.storage.format.PartitionRecord;
import orrery.storage.format.PartitionRecord.PreparedSplit;

/**
 * Cuts a partition in two. The log is asked twice: once to count the left side's changes apart,
 * and, when the left side has been summed up meanwhile, to make the cut, which then costs the same
 * however much there is. All of it may be asked for again after a crash.
 */
final class PartitionSplitter {
    private final Replica replica;
    private final PartitionTimes times;
    private final ControlRequest.Split request;
    private final long deadlineNanos;

    PartitionSplitter(
            Replica replica, PartitionTimes times, ControlRequest.Split request, Duration timeout) {
        this.replica = replica;
        this.times = times;
        this.request = request;
        this.deadlineNanos = System.nanoTime() + timeout.toNanos();
    }

    /** Returns where the right side begins. */
    EffectiveKey run() {
        while (true) {
            Optional<PartitionState> left = replica.find(sibling(request.left()));
            if (left.isPresent()) {
                return left.get().record().keys().max();
            }
            PreparedSplit prepared = prepared();
            Outcome outcome = submit(commit(prepared));
            if (outcome instanceof Outcome.Done) {
                return prepared.at();
            }
            // Another preparation came between; what is in force now is looked up again.
            if (!isRefusedWith(outcome, ErrorCode.RETRY_WITH) || remaining().isZero()) {
                throw refused(outcome);
            }
        }
    }

    private PreparedSplit prepared() {
        PartitionState state = state();
        if (isMine(state.record()).isEmpty()) {
            EffectiveKey at = new SplitPoint(replica.store(), request, state).choose();
            Outcome outcome =
                    submit(
                            new ReshapeCommand.PrepareSplit(
                                    request.partition(), at, request.left(), request.right()));
            if (!(outcome instanceof Outcome.Done)) {
                throw refused(outcome);
            }
        }
        return isMine(state().record())
                .orElseThrow(() -> Refusals.of(ErrorCode.RETRY_WITH, Charge.NONE));
    }

    private Optional<PreparedSplit> isMine(PartitionRecord record) {
        return record.split()
                .filter(
                        split ->
                                split.left() == request.left() && split.right() == request.right());
    }

    /**
     * Sum and changes come from one snapshot, so their difference is the left side as the preparing
     * entry left it, whenever the snapshot is taken.
     */
    private Command commit(PreparedSplit prepared) {
        try (StoreSnapshot snapshot = replica.store().snapshot()) {
            byte[] row = snapshot.get(Table.META, Keys.partition(request.partition()));
            if (row == null) {
                throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
            }
            PartitionRecord record = PartitionRecord.decode(row);
            PreparedSplit now = isMine(record).orElse(prepared);
            DataSize left = DataSize.NONE;
            int container = request.partition().container();
            try (Cursor counters =
                    snapshot.scan(
                            Table.META,
                            Keys.logicalPartitionsFrom(container, record.keys().min()),
                            Keys.logicalPartitionsFrom(container, now.at()))) {
                while (counters.next()) {
                    left = left.plus(LogicalPartitionRecord.decode(counters.value()).size());
                }
            }
            return new ReshapeCommand.CommitSplit(
                    request.partition(),
                    request.left(),
                    request.right(),
                    request.leftSegment(),
                    request.rightSegment(),
                    now.position(),
                    left.minus(now.leftChange()),
                    times.now(request.partition(), state()));
        }
    }

    private Outcome submit(Command command) {
        return replica.submit(command, remaining());
    }

    private static boolean isRefusedWith(Outcome outcome, ErrorCode code) {
        return outcome instanceof Outcome.Rejected rejected && rejected.code() == code;
    }

    private static OrreryException refused(Outcome outcome) {
        return Refusals.of(((Outcome.Rejected) outcome).code(), Charge.NONE);
    }

    private PartitionState state() {
        return replica.find(request.partition())
                .orElseThrow(() -> Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE));
    }

    private PartitionId sibling(int range) {
        return new PartitionId(request.partition().container(), range);
    }

    private Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }
}
