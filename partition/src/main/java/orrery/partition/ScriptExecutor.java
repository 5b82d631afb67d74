package orrery.partition;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.ScriptPlace;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Rehearsal;
import orrery.query.PreparedQueries;
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
    /** Version of the answers that are kept. */
    private static final int KEPT_VERSION = 1;

    private final WriteRun writeRun;
    private final ScriptEngine scripts;
    private final KeyLatches latches;
    private final PreparedQueries queries;
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
            PreparedQueries queries,
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
     * @param operations the cost of what its scripts did
     * @param written one for each change, as the log has it
     */
    record Done<T>(
            T value,
            Charge operations,
            List<Outcome.ItemOutcome> written,
            FinalNames names,
            long lsn,
            long timeMillis) {}

    /** Keeps what a script answered, for the case that its request is sent again. */
    interface Keeping<T> {
        void write(BinaryWriter out, T value);

        T read(BinaryReader in);
    }

    /**
     * Work that runs scripts in a transaction, on a thread of theirs. A request that was carried
     * out before is not run again: it gets the answer of its first run.
     */
    <T> Done<T> run(long minLsn, Keeping<T> keeping, Function<ScriptTransaction, T> work) {
        PartitionState state = writeRun.state();
        if (!state.record().keys().contains(scope.epk())) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        if (state.record().headLsn() < minLsn) {
            throw Refusals.of(ErrorCode.READ_SESSION_NOT_AVAILABLE, Charge.NONE);
        }
        Optional<Done<T>> before = carriedOutBefore(keeping);
        if (before.isPresent()) {
            return before.get();
        }
        Optional<Done<T>> first = attempt(0, keeping, work);
        return first.orElseGet(
                () ->
                        latches.holding(
                                writeRun.partition().container(),
                                scope.partitionKey(),
                                remaining(),
                                () -> again(keeping, work)));
    }

    /** The answer of an earlier run, whose attempts may have been refused before one was not. */
    private <T> Optional<Done<T>> carriedOutBefore(Keeping<T> keeping) {
        for (int attempt = 0; ; attempt++) {
            Optional<Outcome.Repeated> found = writeRun.findCarriedOut(attempt);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            switch (found.get().first()) {
                case Outcome.Written written -> {
                    return Optional.of(repeated(written, found.get().answer(), keeping));
                }
                case Outcome.Rejected rejected when rejected.code() == ErrorCode.RETRY_WITH -> {
                    // The next attempt of that run was a request of its own.
                }
                default -> {
                    return Optional.empty();
                }
            }
        }
    }

    private <T> Done<T> again(Keeping<T> keeping, Function<ScriptTransaction, T> work) {
        for (int attempt = 1; ; attempt++) {
            if (remaining().isZero()) {
                throw new OrreryException(
                        ErrorCode.RETRY_WITH, "Items kept changing while the script ran. Retry.");
            }
            Optional<Done<T>> done = attempt(attempt, keeping, work);
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
    private <T> Optional<Done<T>> attempt(
            int attempt, Keeping<T> keeping, Function<ScriptTransaction, T> work) {
        Cancellation.current().check();
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
                        attempt,
                        rehearsal.changes(),
                        OptionalLong.of(rehearsal.lastWrite()),
                        kept(evaluated, keeping));
        return switch (decision.outcome()) {
            case Outcome.Written written when decision.isRepeated() ->
                    Optional.of(repeated(written, decision.answer(), keeping));
            case Outcome.Written written -> {
                keySize.changed(
                        written.logicalBytes(), written.lsn(), decision.logicalPartitionMaxBytes());
                yield Optional.of(
                        done(evaluated, written.items(), written.lsn(), written.timeMillis()));
            }
            case Outcome.Rejected rejected when rejected.code() == ErrorCode.RETRY_WITH ->
                    Optional.empty();
            case Outcome.Rejected rejected ->
                    throw rejected.code() == ErrorCode.RANGE_GONE
                            ? Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE)
                            : Refusals.of(rejected, decision.madeFor())
                                    .withCharge(charge(evaluated.transaction().operations()));
            case Outcome.Done _,
                    Outcome.Reindexed _,
                    Outcome.Blocked _,
                    Outcome.Repeated _,
                    Outcome.Stale _ ->
                    throw new IllegalStateException("a script was answered as another command");
        };
    }

    private <T> Done<T> done(
            Evaluated<T> evaluated, List<Outcome.ItemOutcome> written, long lsn, long timeMillis) {
        return new Done<>(
                evaluated.value(),
                evaluated.transaction().operations(),
                written,
                names(evaluated.transaction().outcomes(), written),
                lsn,
                timeMillis);
    }

    private FinalNames names(
            List<Outcome.ItemOutcome> rehearsed, List<Outcome.ItemOutcome> written) {
        return new FinalNames(place.database(), writeRun.partition(), rehearsed, written);
    }

    private static <T> Bytes kept(Evaluated<T> evaluated, Keeping<T> keeping) {
        BinaryWriter out = new BinaryWriter(256).u8(KEPT_VERSION);
        evaluated.transaction().operations().write(out);
        out.list(evaluated.transaction().outcomes(), (w, outcome) -> outcome.write(w));
        keeping.write(out, evaluated.value());
        return out.toBytes();
    }

    private <T> Done<T> repeated(Outcome.Written written, Bytes answer, Keeping<T> keeping) {
        if (answer.isEmpty()) {
            throw new OrreryException(
                    ErrorCode.TIMEOUT,
                    "This request was carried out before; what its script answered was too long to"
                            + " be kept.");
        }
        BinaryReader in = new BinaryReader(answer);
        if (in.u8() != KEPT_VERSION) {
            throw new MalformedRecordException("unknown version of a script's answer");
        }
        Charge operations = Charge.read(in);
        List<Outcome.ItemOutcome> rehearsed = in.list(Outcome.ItemOutcome::read);
        return new Done<>(
                keeping.read(in),
                operations,
                written.items(),
                names(rehearsed, written.items()),
                written.lsn(),
                written.timeMillis());
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
                                    writeRun.replica().levels(),
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
                            new ScriptBounds(
                                    remaining(),
                                    maxRu,
                                    writeRun.state()
                                            .definition()
                                            .current()
                                            .definition()
                                            .kind()
                                            .limits()),
                            queries,
                            functions,
                            writeRun.stampMillis());
            try {
                return new Evaluated<>(work.apply(transaction), transaction);
            } catch (OrreryException failed) {
                throw failed.code() == ErrorCode.RANGE_GONE
                        ? failed
                        : failed.withCharge(charge(transaction.operations()));
            }
        }
    }

    /**
     * Returns the cost of the scripts of a transaction: that of their operations, and never zero.
     */
    static Charge charge(Charge operations) {
        Charge script = RequestCharge.script(operations);
        return script.ru() == 0 ? RequestCharge.EMPTY_SCRIPT : script;
    }

    private Duration remaining() {
        long now = System.nanoTime();
        Duration script = scripts.limits().time().minusNanos(now - began.orElse(now));
        Duration request = writeRun.remaining();
        Duration less = script.compareTo(request) < 0 ? script : request;
        return less.isNegative() ? Duration.ZERO : less;
    }
}
