package orrery.partition;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.ScriptPlace;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Rehearsal;
import orrery.query.syntax.QueryCache;
import orrery.script.ScriptCall;
import orrery.script.ScriptEngine;
import orrery.script.ScriptResult;
import orrery.storage.StoreSnapshot;

/**
 * Runs scripts as transactions on one logical partition: on a snapshot, with their own changes
 * before them, and then to the log as one command, which is refused if anything in the logical
 * partition was written meanwhile. A script that was refused runs again, and from then on no other
 * write of its key is let to the log; so it fails for that reason only when its time is over.
 */
final class ScriptExecutor {
    private final WriteRun writeRun;
    private final ScriptEngine scripts;
    private final KeyLatches latches;
    private final QueryCache queries;
    private final ItemKey scope;
    private final ScriptPlace place;
    private final KeySize keySize;
    private final double maxRu;

    /** When its first attempt got a thread: the time of a script is not that of its queue. */
    private OptionalLong began = OptionalLong.empty();

    /**
     * @param scope any key of the logical partition
     */
    ScriptExecutor(
            WriteRun writeRun,
            ScriptEngine scripts,
            KeyLatches latches,
            QueryCache queries,
            ItemKey scope,
            ScriptPlace place,
            KeySize keySize,
            double maxRu) {
        this.writeRun = writeRun;
        this.scripts = scripts;
        this.latches = latches;
        this.queries = queries;
        this.scope = scope;
        this.place = place;
        this.keySize = keySize;
        this.maxRu = maxRu;
        scripts.awaitReady();
    }

    /**
     * The result of a script.
     *
     * @param value what the work returned
     * @param written one for each change, as the log has it
     */
    record Done<T>(
            T value,
            ScriptTransaction transaction,
            List<Outcome.ItemOutcome> written,
            FinalNames names,
            long lsn,
            long timeMillis) {}

    /** Work that runs scripts in a transaction, on a thread of theirs. */
    <T> Done<T> run(long minLsn, Function<ScriptTransaction, T> work) {
        PartitionState state = writeRun.state();
        if (!state.record().keys().contains(scope.epk())) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        if (state.record().headLsn() < minLsn) {
            throw Refusals.of(ErrorCode.READ_SESSION_NOT_AVAILABLE, Charge.NONE);
        }
        Optional<Done<T>> first = attempt(0, work);
        return first.orElseGet(
                () ->
                        latches.holding(
                                writeRun.partition().container(),
                                scope.partitionKey(),
                                remaining(),
                                () -> again(work)));
    }

    private <T> Done<T> again(Function<ScriptTransaction, T> work) {
        for (int attempt = 1; ; attempt++) {
            if (remaining().isZero()) {
                throw new OrreryException(
                        ErrorCode.RETRY_WITH, "Items kept changing while the script ran. Retry.");
            }
            Optional<Done<T>> done = attempt(attempt, work);
            if (done.isPresent()) {
                return done.get();
            }
        }
    }

    /** Runs a script within a transaction. */
    ScriptResult execute(ScriptCall call, ScriptTransaction transaction) {
        return scripts.run(call, transaction, remaining());
    }

    private record Evaluated<T>(T value, ScriptTransaction transaction) {}

    /** Empty when another write of the key came between. */
    private <T> Optional<Done<T>> attempt(int attempt, Function<ScriptTransaction, T> work) {
        Evaluated<T> evaluated =
                scripts.call(writeRun.partition().container(), remaining(), () -> evaluate(work));
        Rehearsal rehearsal = evaluated.transaction().rehearsal();
        if (rehearsal.changes().isEmpty()) {
            return Optional.of(
                    done(
                            evaluated,
                            List.of(),
                            rehearsal.headLsn(),
                            rehearsal.state().record().timeMillis()));
        }
        WriteRun.Decision decision =
                writeRun.submit(
                        attempt, rehearsal.changes(), OptionalLong.of(rehearsal.lastWrite()));
        return switch (decision.outcome()) {
            case Outcome.Written written when written.lsn() <= rehearsal.headLsn() ->
                    throw new OrreryException(
                            ErrorCode.TIMEOUT,
                            "This request was carried out before; what its script answered is not"
                                    + " known any more.");
            case Outcome.Written written -> {
                keySize.changed(written.logicalBytes(), decision.logicalPartitionMaxBytes());
                yield Optional.of(
                        done(evaluated, written.items(), written.lsn(), written.timeMillis()));
            }
            case Outcome.Rejected rejected when rejected.code() == ErrorCode.RETRY_WITH ->
                    Optional.empty();
            case Outcome.Rejected rejected ->
                    throw rejected.code() == ErrorCode.RANGE_GONE
                            ? Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE)
                            : Refusals.of(rejected, decision.madeFor())
                                    .withCharge(charge(evaluated.transaction()));
            case Outcome.Done _, Outcome.Reindexed _, Outcome.Stale _ ->
                    throw new IllegalStateException("a script was answered as another command");
        };
    }

    private <T> Done<T> done(
            Evaluated<T> evaluated, List<Outcome.ItemOutcome> written, long lsn, long timeMillis) {
        return new Done<>(
                evaluated.value(),
                evaluated.transaction(),
                written,
                new FinalNames(
                        place.database(),
                        writeRun.partition(),
                        evaluated.transaction().outcomes(),
                        written),
                lsn,
                timeMillis);
    }

    private <T> Evaluated<T> evaluate(Function<ScriptTransaction, T> work) {
        if (began.isEmpty()) {
            began = OptionalLong.of(System.nanoTime());
        }
        PartitionState state = writeRun.state();
        try (StoreSnapshot snapshot = writeRun.store().snapshot();
                FunctionCalls functions =
                        new FunctionCalls(scripts, place.functions(), this::remaining)) {
            Rehearsal rehearsal =
                    Rehearsal.on(
                                    snapshot,
                                    writeRun.partition(),
                                    state,
                                    scope.epk(),
                                    scope.partitionKey())
                            .orElseThrow(() -> Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE));
            ScriptTransaction transaction =
                    new ScriptTransaction(
                            rehearsal,
                            writeRun.partition(),
                            scope,
                            place,
                            new ScriptBounds(remaining(), maxRu),
                            queries,
                            functions,
                            writeRun.stampMillis());
            try {
                return new Evaluated<>(work.apply(transaction), transaction);
            } catch (OrreryException failed) {
                throw failed.code() == ErrorCode.RANGE_GONE
                        ? failed
                        : failed.withCharge(charge(transaction));
            }
        }
    }

    /**
     * Returns the cost of the scripts of a transaction: that of their operations, and never zero.
     */
    static Charge charge(ScriptTransaction transaction) {
        Charge operations = RequestCharge.script(transaction.operations());
        return operations.ru() == 0 ? RequestCharge.EMPTY_SCRIPT : operations;
    }

    private Duration remaining() {
        long now = System.nanoTime();
        Duration script = scripts.limits().time().minusNanos(now - began.orElse(now));
        Duration request = writeRun.remaining();
        Duration less = script.compareTo(request) < 0 ? script : request;
        return less.isNegative() ? Duration.ZERO : less;
    }
}
