package orrery.partition;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ContainerKind;
import orrery.model.DerivedRow;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.model.memory.MemoryAccount;
import orrery.model.metering.Charge;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.query.write.WriteDialects;
import orrery.storage.ReplicaStore;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/** One write request at work, on the replica that leads: from changes to their outcome. */
final class WriteRun {
    /** Terms are there once in the command, and once more in the rows that are made of them. */
    private static final int TERMS_AND_ROWS = 3;

    /** The log decides within this, unless its disk stands still. */
    private static final Duration UNTIL_DECIDED = Duration.ofSeconds(30);

    /** Definitions of a container do not change so often while one request is under way. */
    private static final int MAX_DERIVATIONS = 8;

    private final Replica replica;
    private final KeyLatches latches;
    private final PartitionTimes times;
    private final WriteDialects dialects;
    private final PartitionId partition;
    private final RequestId requestId;
    private final Optional<Command.Stated> stated;
    private final boolean isUnchecked;
    private final long deadlineNanos;

    /**
     * @param stated the name that a session has for the write
     * @param isUnchecked whether what it writes need not meet the validator of the container
     */
    WriteRun(
            Replica replica,
            KeyLatches latches,
            PartitionTimes times,
            WriteDialects dialects,
            PartitionId partition,
            RequestId requestId,
            Optional<Command.Stated> stated,
            boolean isUnchecked,
            Duration timeout) {
        this.replica = replica;
        this.latches = latches;
        this.times = times;
        this.dialects = dialects;
        this.partition = partition;
        this.requestId = requestId;
        this.stated = stated;
        this.isUnchecked = isUnchecked;
        this.deadlineNanos = System.nanoTime() + timeout.toNanos();
    }

    Replica replica() {
        return replica;
    }

    WriteDialects dialects() {
        return dialects;
    }

    ReplicaStore store() {
        return replica.store();
    }

    PartitionId partition() {
        return partition;
    }

    boolean isUnchecked() {
        return isUnchecked;
    }

    /** Returns what bodies are held to under the definition that is in force. */
    RuleCheck rule() {
        return new RuleCheck(state().definition().current().definition(), isUnchecked);
    }

    /** Returns true if the partition remembers the write, and the versions that it shows. */
    boolean isStated() {
        return stated.isPresent();
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
     *
     * @param isRepeated it was carried out before, by an earlier run of the same request
     * @param answer what that run kept, if any
     * @param changes what was sent now
     */
    record Decision(
            Outcome outcome,
            PartitionState madeFor,
            boolean isRepeated,
            Bytes answer,
            List<Command.ItemChange> changes) {
        private static Decision of(
                Outcome outcome, PartitionState madeFor, List<Command.ItemChange> changes) {
            return outcome instanceof Outcome.Repeated(Outcome first, Bytes answer)
                    ? new Decision(first, madeFor, true, answer, changes)
                    : new Decision(outcome, madeFor, false, Bytes.EMPTY, changes);
        }

        /** The error of a refusal, with the key that is taken if it was for one. */
        OrreryException refusal(Outcome.Rejected rejected) {
            return rejected.index() < changes.size()
                    ? Refusals.of(rejected, madeFor, changes.get(rejected.index()))
                    : Refusals.of(rejected, madeFor);
        }

        /** A version that the command made; with no body where the caller has it. */
        Item version(Outcome.Written written, Outcome.ItemOutcome item, @Nullable Bytes body) {
            return new Item(
                    item.docid(),
                    item.etag(),
                    written.timeMillis(),
                    written.lsn(),
                    kind(madeFor).encoding(),
                    body == null ? Bytes.EMPTY : body);
        }

        /** The version that a change left behind; absent after a delete. */
        Optional<Item> versionAfter(
                Outcome.Written written, Outcome.ItemOutcome item, @Nullable Bytes body) {
            return item.kind() == Outcome.Kind.DELETED
                    ? Optional.empty()
                    : Optional.of(version(written, item, body));
        }

        /** The outcome of a write that was carried out; throws the refusal if it was not. */
        Outcome.Written written(KeySize keySize) {
            return switch (outcome) {
                case Outcome.Written written -> {
                    keySize.changed(
                            written.logicalBytes(), written.lsn(), logicalPartitionMaxBytes());
                    yield written;
                }
                case Outcome.Rejected rejected -> throw refusal(rejected);
                case Outcome.Done _,
                        Outcome.Reindexed _,
                        Outcome.Blocked _,
                        Outcome.Repeated _,
                        Outcome.Stale _ ->
                        throw new IllegalStateException("a write was answered as another command");
            };
        }

        long logicalPartitionMaxBytes() {
            return madeFor.definition().current().logicalPartitionMaxBytes();
        }
    }

    /**
     * @param attempt how often the request has been evaluated before: each evaluation is a request
     *     of its own, and a resend of the whole meets them in order
     */
    Decision submit(int attempt, List<Command.ItemChange> changes) {
        return submit(attempt, changes, OptionalLong.empty(), Bytes.EMPTY);
    }

    /**
     * Like {@link #submit(int, List)}, but submits nothing when the time is over, and waits for the
     * outcome of what it has submitted beyond that. So the caller knows what was written.
     */
    Decision submitToTheEnd(int attempt, List<Command.ItemChange> changes) {
        Cancellation.current().check();
        return submit(attempt, changes, OptionalLong.empty(), Bytes.EMPTY, UNTIL_DECIDED);
    }

    /**
     * @param lastWrite of the logical partition, where the changes depend on all of it
     * @param answer kept for a resend; left out where it is too long
     */
    Decision submit(
            int attempt, List<Command.ItemChange> changes, OptionalLong lastWrite, Bytes answer) {
        return submit(attempt, changes, lastWrite, answer, Duration.ZERO);
    }

    /**
     * @param patience for the log, if that is longer than the time of the request
     */
    private Decision submit(
            int attempt,
            List<Command.ItemChange> changes,
            OptionalLong lastWrite,
            Bytes answer,
            Duration patience) {
        Decision decision;
        try (MemoryAccount.Part memory = MemoryAccount.current().part()) {
            decision =
                    submit(
                            attempt,
                            changes,
                            lastWrite,
                            answer.length() > Command.MAX_ANSWER_BYTES ? Bytes.EMPTY : answer,
                            patience,
                            memory);
        }
        if (decision.outcome() instanceof Outcome.Rejected rejected
                && (rejected.code() == ErrorCode.STATEMENT_DONE
                        || rejected.code() == ErrorCode.TRANSACTION_TOO_OLD)) {
            throw decision.refusal(rejected);
        }
        return decision;
    }

    /** Finds the outcome of an earlier run of the same request, as far as the store knows it. */
    Optional<Outcome.Repeated> findCarriedOut(int attempt) {
        return replica.findCarriedOut(id(attempt));
    }

    private RequestId id(int attempt) {
        return new RequestId(requestId.high(), requestId.low() + attempt);
    }

    private Decision submit(
            int attempt,
            List<Command.ItemChange> changes,
            OptionalLong lastWrite,
            Bytes answer,
            Duration patience,
            MemoryAccount.Part memory) {
        for (int derivation = 0; derivation < MAX_DERIVATIONS; derivation++) {
            PartitionState state = state();
            long stamp = stampMillis(state);
            Command command =
                    new Command.WriteItems(
                            partition,
                            id(attempt),
                            stamp,
                            changes.stream()
                                    .map(change -> prepared(known(change), state, stamp, memory))
                                    .toList(),
                            lastWrite,
                            answer,
                            stated.map(this::known));
            Outcome outcome =
                    latches.passing(
                            partition.container(),
                            changes.getFirst().key().partitionKey(),
                            remaining(),
                            () -> replica.submit(command, atLeast(patience)));
            if (!(outcome instanceof Outcome.Stale)) {
                return Decision.of(outcome, state, changes);
            }
            // The entry that made it stale is published by now: the next state has what it brought.
        }
        throw new OrreryException(
                ErrorCode.RETRY_WITH,
                "The container's definition kept changing while the write was evaluated. Retry.");
    }

    /** A set that does not tell updates from replaces yet takes both for replaces. */
    private Command.ItemChange known(Command.ItemChange change) {
        return replica.level() < Command.UPDATES_LEVEL
                        && change instanceof Command.ItemChange.Storing put
                        && put.isUpdate()
                ? put.asUpdate(false)
                : change;
    }

    /** The same for the names of transactions. */
    private Command.Stated known(Command.Stated one) {
        return replica.level() < Command.UPDATES_LEVEL
                ? new Command.Stated(one.statement(), one.keepsBefore(), one.keepsAfter())
                : one;
    }

    /** The version of an item that is in the store, whichever partition owns it by now. */
    Optional<Item> stored(ItemKey key) {
        byte[] row =
                store().get(Table.ITEMS, Keys.item(partition.container(), Keys.itemSuffix(key)));
        return Optional.ofNullable(row).map(bytes -> ItemRecord.decode(bytes).toItem());
    }

    /** The encoding of the container's kind, in which bodies come from the gateway too. */
    Encoding encoding() {
        return kind().encoding();
    }

    ContainerKind kind() {
        return kind(state());
    }

    private static ContainerKind kind(PartitionState state) {
        return state.definition().current().definition().kind();
    }

    /** Makes an action ready to be evaluated under the definition that is in force. */
    ChangeEvaluation evaluation(WriteAction.Computed action, Precondition precondition) {
        return new ChangeEvaluation(
                action,
                precondition,
                partition.container(),
                state().definition(),
                dialects,
                stampMillis(),
                isUnchecked);
    }

    static WriteResponse.Change change(Outcome.ItemOutcome item) {
        return switch (item.kind()) {
            case CREATED -> WriteResponse.Change.CREATED;
            case REPLACED -> WriteResponse.Change.REPLACED;
            case DELETED -> WriteResponse.Change.DELETED;
            case SEEN -> throw new IllegalStateException("a write only looked");
        };
    }

    static Command.ItemChange.Storing put(
            ItemKey key, Command.Expect expect, Precondition precondition, Body body) {
        return new Command.ItemChange.Put(key, expect, precondition, body.encoding(), body.bytes());
    }

    /** Replaces an item by one that may have another id. */
    static Command.ItemChange.Storing replace(
            ItemKey key, RowKey id, Precondition precondition, Body body) {
        return id.equals(key.rowKey())
                ? put(key, Command.Expect.PRESENT, precondition, body)
                : new Command.ItemChange.Rename(
                        key, id, precondition, body.encoding(), body.bytes());
    }

    /**
     * Derives and extracts on this thread, so that the one thread that applies need not. That takes
     * long for many changes, and nothing has been submitted yet.
     */
    private static Command.ItemChange prepared(
            Command.ItemChange change,
            PartitionState state,
            long stampMillis,
            MemoryAccount.Part memory) {
        Cancellation.current().check();
        if (!(change instanceof Command.ItemChange.Storing put)) {
            return change;
        }
        Command.ItemChange.Storing complete = Derivation.complete(put, state, stampMillis);
        memory.take(
                put.body().length()
                        + DerivedRow.sizeOf(complete.derived().rows())
                        + TERMS_AND_ROWS * Derivation.termBytes(complete));
        return complete;
    }

    private Duration atLeast(Duration patience) {
        Duration left = remaining();
        return left.compareTo(patience) < 0 ? patience : left;
    }

    Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }
}
