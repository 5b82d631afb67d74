package orrery.partition;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.IndexTerms;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.model.memory.MemoryAccount;
import orrery.model.metering.Charge;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.PreparedTerms;
import orrery.storage.ReplicaStore;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/** One write request at work, on the replica that leads: from changes to their outcome. */
final class WriteRun {
    /** Terms are there once in the command, and once more in the rows that are made of them. */
    private static final int TERMS_AND_ROWS = 3;

    private final Replica replica;
    private final KeyLatches latches;
    private final PartitionTimes times;
    private final PartitionId partition;
    private final RequestId requestId;
    private final long deadlineNanos;

    WriteRun(
            Replica replica,
            KeyLatches latches,
            PartitionTimes times,
            PartitionId partition,
            RequestId requestId,
            Duration timeout) {
        this.replica = replica;
        this.latches = latches;
        this.times = times;
        this.partition = partition;
        this.requestId = requestId;
        this.deadlineNanos = System.nanoTime() + timeout.toNanos();
    }

    Replica replica() {
        return replica;
    }

    ReplicaStore store() {
        return replica.store();
    }

    PartitionId partition() {
        return partition;
    }

    PartitionState state() {
        return replica.find(partition)
                .orElseThrow(() -> Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE));
    }

    /** Returns the time of the partition. */
    long stampMillis() {
        return stampMillis(state());
    }

    private long stampMillis(PartitionState state) {
        return times.now(partition, state);
    }

    boolean isTimeOver() {
        return remaining().isZero();
    }

    /**
     * The final outcome of a command in the log. The partition may be split or merged by now, so an
     * answer describes the partition for which the command was made.
     */
    record Decision(Outcome outcome, PartitionState madeFor) {
        long logicalPartitionMaxBytes() {
            return madeFor.definition().current().logicalPartitionMaxBytes();
        }
    }

    /**
     * @param attempt how often the request has been evaluated before: each evaluation is a request
     *     of its own, and a resend of the whole meets them in order
     */
    Decision submit(int attempt, List<Command.ItemChange> changes) {
        return submit(attempt, changes, OptionalLong.empty());
    }

    /**
     * @param lastWrite of the logical partition, where the changes depend on all of it
     */
    Decision submit(int attempt, List<Command.ItemChange> changes, OptionalLong lastWrite) {
        try (MemoryAccount.Part memory = MemoryAccount.current().part()) {
            return submit(attempt, changes, lastWrite, memory);
        }
    }

    private Decision submit(
            int attempt,
            List<Command.ItemChange> changes,
            OptionalLong lastWrite,
            MemoryAccount.Part memory) {
        RequestId id = new RequestId(requestId.high(), requestId.low() + attempt);
        PartitionState state = state();
        long stamp = stampMillis(state);
        Command command =
                new Command.WriteItems(
                        partition,
                        id,
                        stamp,
                        changes.stream()
                                .map(change -> prepared(change, state, stamp, memory))
                                .toList(),
                        lastWrite);
        Outcome outcome =
                latches.passing(
                        partition.container(),
                        changes.getFirst().key().partitionKey(),
                        remaining(),
                        () -> replica.submit(command, remaining()));
        return new Decision(outcome, state);
    }

    /** The version of an item that is in the store, whichever partition owns it by now. */
    Optional<Item> stored(ItemKey key) {
        byte[] row =
                store().get(Table.ITEMS, Keys.item(partition.container(), Keys.itemSuffix(key)));
        return Optional.ofNullable(row).map(bytes -> ItemRecord.decode(bytes).toItem());
    }

    static Command.ItemChange put(
            ItemKey key, Command.Expect expect, Precondition precondition, Bytes body) {
        return new Command.ItemChange.Put(key, expect, precondition, Encoding.JSON, body, null);
    }

    /** Replaces an item by one that may have another id. */
    static Command.ItemChange replace(
            ItemKey key, RowKey id, Precondition precondition, Bytes body) {
        return id.equals(key.rowKey())
                ? put(key, Command.Expect.PRESENT, precondition, body)
                : new Command.ItemChange.Rename(key, id, precondition, Encoding.JSON, body, null);
    }

    /** Extracts index terms on this thread, so that the one thread that applies need not. */
    private static Command.ItemChange prepared(
            Command.ItemChange change,
            PartitionState state,
            long stampMillis,
            MemoryAccount.Part memory) {
        if (!(change instanceof Command.ItemChange.Storing put)) {
            return change;
        }
        long seconds = stampMillis / 1000;
        IndexTerms extracted = state.definition().currentPlan().extract(put.body(), seconds);
        memory.take(put.body().length() + TERMS_AND_ROWS * extracted.heapBytes());
        return put.with(new PreparedTerms(state.record().policyVersion(), seconds, extracted));
    }

    Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }
}
