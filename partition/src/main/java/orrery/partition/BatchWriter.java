package orrery.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.memory.MemoryAccount;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.BatchEvaluation.Planned;
import orrery.partition.api.BatchStep;
import orrery.partition.api.StepOutcome;
import orrery.partition.api.StepResult;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.storage.StoreSnapshot;

/**
 * Carries out a batch as one command. What has to be read for it is read from a snapshot, and the
 * command holds only while that is still so: when another write came between, all is evaluated
 * anew.
 */
final class BatchWriter {
    private final WriteRun writeRun;
    private final WriteRequest.Batch request;
    private final KeySize keySize;

    BatchWriter(WriteRun writeRun, WriteRequest.Batch request, KeySize keySize) {
        this.writeRun = writeRun;
        this.request = request;
        this.keySize = keySize;
    }

    WriteResponse.Batch run() {
        PartitionState state = writeRun.state();
        if (!state.record().keys().contains(request.steps().getFirst().key().epk())) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        if (state.record().headLsn() < request.minLsn()) {
            throw Refusals.of(ErrorCode.READ_SESSION_NOT_AVAILABLE, Charge.NONE);
        }
        for (int attempt = 0; ; attempt++) {
            Optional<WriteResponse.Batch> answer = attempt(attempt);
            if (answer.isPresent()) {
                return answer.get();
            }
            if (writeRun.isTimeOver()) {
                throw new OrreryException(
                        ErrorCode.RETRY_WITH,
                        "Items kept changing while the batch was evaluated. Retry.");
            }
        }
    }

    /** Empty when another write came between evaluating the batch and carrying it out. */
    private Optional<WriteResponse.Batch> attempt(int attempt) {
        try (MemoryAccount.Part memory = MemoryAccount.current().part()) {
            return attempt(attempt, evaluated(memory));
        }
    }

    private Optional<WriteResponse.Batch> attempt(int attempt, BatchEvaluation evaluation) {
        boolean onlyReads = request.steps().stream().allMatch(BatchStep.Read.class::isInstance);
        if (onlyReads) {
            return Optional.of(read(evaluation));
        }
        WriteRun.Decision decision =
                writeRun.submit(
                        attempt,
                        changes(evaluation),
                        request.expectedLsn(),
                        KeptSteps.of(evaluation.planned()).encode());
        return switch (decision.outcome()) {
            case Outcome.Written done -> {
                keySize.changed(
                        done.logicalBytes(), done.lsn(), decision.logicalPartitionMaxBytes());
                yield Optional.of(
                        decision.isRepeated()
                                ? repeated(decision, done)
                                : written(decision, done, KeptSteps.of(evaluation.planned())));
            }
            case Outcome.Rejected rejected -> rejected(rejected, decision, evaluation);
            case Outcome.Done _,
                    Outcome.Reindexed _,
                    Outcome.Blocked _,
                    Outcome.Repeated _,
                    Outcome.Stale _ ->
                    throw new IllegalStateException("a batch was answered as another command");
        };
    }

    private BatchEvaluation evaluated(MemoryAccount.Part memory) {
        PartitionState state = writeRun.state();
        try (StoreSnapshot snapshot = writeRun.store().snapshot()) {
            return BatchEvaluation.run(
                    snapshot,
                    request,
                    state,
                    writeRun.dialects(),
                    writeRun.stampMillis(),
                    writeRun.isUnchecked(),
                    memory);
        }
    }

    /**
     * A resend of a batch that was carried out may no longer fit what it made, or find nothing to
     * change, and must hear of its success. Only the log knows, so it is asked with a change that
     * cannot be made in place of the one that was refused, or behind those that change nothing.
     */
    private List<Command.ItemChange> changes(BatchEvaluation evaluation) {
        List<Command.ItemChange> changes = new ArrayList<>();
        evaluation.planned().forEach(step -> changes.add(step.change()));
        if (evaluation.refusal().isPresent() || changesNothing(evaluation)) {
            changes.add(
                    new Command.ItemChange.Remove(
                            request.steps().getFirst().key(), new Precondition.Impossible()));
        }
        return changes;
    }

    private static boolean changesNothing(BatchEvaluation evaluation) {
        return evaluation.planned().stream()
                .allMatch(step -> step.change() instanceof Command.ItemChange.Check);
    }

    private Optional<WriteResponse.Batch> rejected(
            Outcome.Rejected rejected, WriteRun.Decision decision, BatchEvaluation evaluation) {
        switch (rejected.code()) {
            // None is about a step: to evaluate anew would come to the same.
            case RANGE_GONE -> throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
            case UNAVAILABLE -> throw Refusals.of(rejected, decision.madeFor());
            // Apply says so of nothing but the last write of the key.
            case RETRY_WITH -> throw keyChanged();
            default -> {}
        }
        List<Planned> planned = evaluation.planned();
        int index = rejected.index();
        if (index == planned.size() && evaluation.refusal().isPresent()) {
            // An attempt that an earlier run made before the one that was carried out.
            return decision.isRepeated()
                    ? Optional.empty()
                    : Optional.of(failed(index, evaluation.refusal().get(), head(evaluation)));
        }
        if (index == planned.size() && changesNothing(evaluation) && !decision.isRepeated()) {
            return Optional.of(unchanged(evaluation));
        }
        if (index >= planned.size() || planned.get(index).dependsOnStore()) {
            return Optional.empty();
        }
        return Optional.of(failed(index, decision.refusal(rejected), head(evaluation)));
    }

    /** Returns the LSN of the partition, or its last one if it was closed meanwhile. */
    private long head(BatchEvaluation evaluation) {
        return BatchEvaluation.findHeadLsn(writeRun.store(), request).orElse(evaluation.headLsn());
    }

    private WriteResponse.Batch failed(int index, OrreryException refusal, long headLsn) {
        return failed(request.steps().size(), index, refusal, headLsn);
    }

    /** Answers a batch none of whose steps was done, because of one of them. */
    static WriteResponse.Batch failed(int steps, int index, OrreryException refusal, long headLsn) {
        List<StepResult> results = new ArrayList<>();
        for (int i = 0; i < steps; i++) {
            results.add(
                    i == index
                            ? new StepResult.Refused(
                                    refusal.code(),
                                    refusal.languageCode(),
                                    refusal.violation(),
                                    refusal.text(),
                                    refusal.charge())
                            : new StepResult.Refused(
                                    ErrorCode.FAILED_DEPENDENCY,
                                    Refusals.text(ErrorCode.FAILED_DEPENDENCY),
                                    Charge.NONE));
        }
        return response(results, OptionalLong.empty(), headLsn);
    }

    private static OrreryException keyChanged() {
        return Refusals.of(ErrorCode.KEY_CHANGED, RequestCharge.refusedWrite(0));
    }

    private WriteResponse.Batch read(BatchEvaluation evaluation) {
        if (request.expectedLsn().isPresent()
                && request.expectedLsn().getAsLong() != evaluation.lastWrite()) {
            throw keyChanged();
        }
        List<Planned> planned = evaluation.planned();
        if (evaluation.refusal().isPresent()) {
            return failed(planned.size(), evaluation.refusal().get(), evaluation.headLsn());
        }
        List<StepResult> results = new ArrayList<>();
        for (int i = 0; i < planned.size(); i++) {
            results.add(read(request.steps().get(i), planned.get(i).seen().orElseThrow()));
        }
        return response(results, OptionalLong.of(evaluation.lastWrite()), evaluation.headLsn());
    }

    /** The answer of a batch all of whose writes leave their items as they are. */
    private WriteResponse.Batch unchanged(BatchEvaluation evaluation) {
        List<StepResult> results = new ArrayList<>();
        for (int i = 0; i < request.steps().size(); i++) {
            Planned planned = evaluation.planned().get(i);
            Item seen = planned.seen().orElseThrow();
            results.add(
                    switch (request.steps().get(i)) {
                        case BatchStep.Read read -> read(read, seen);
                        case BatchStep.Write write -> unchanged(write, seen, planned.before());
                    });
        }
        return response(results, OptionalLong.of(evaluation.lastWrite()), evaluation.headLsn());
    }

    private static StepResult unchanged(BatchStep.Write step, Item item, Optional<Item> before) {
        return new StepResult.Done(
                StepOutcome.UNCHANGED,
                Optional.of(isEvaluated(step) ? item : item.withBody(Bytes.EMPTY)),
                before,
                RequestCharge.refusedWrite(Charges.billedBytes(item.body())));
    }

    private WriteResponse.Batch written(
            WriteRun.Decision decision, Outcome.Written done, KeptSteps kept) {
        List<StepResult> results = new ArrayList<>();
        for (int i = 0; i < kept.steps().size(); i++) {
            KeptSteps.Step step = kept.steps().get(i);
            Outcome.ItemOutcome outcome = done.items().get(i);
            results.add(
                    result(
                            request.steps().get(i),
                            outcome,
                            step.seen()
                                    .orElseGet(
                                            () ->
                                                    decision.version(
                                                            done,
                                                            outcome,
                                                            step.body().orElse(null))),
                            step.before()));
        }
        return response(results, keyLsn(done), done.lsn());
    }

    /**
     * The answer to a resend: that of the first run. Where it was too long to be kept, the present
     * versions stand for those that were read or made; for the others the caller has the body.
     */
    private WriteResponse.Batch repeated(WriteRun.Decision decision, Outcome.Written done) {
        if (!decision.answer().isEmpty()) {
            return written(decision, done, KeptSteps.decode(decision.answer()));
        }
        if (request.steps().stream().anyMatch(BatchWriter::wantsBefore)) {
            throw tooLong("the versions before it are gone");
        }
        List<StepResult> results = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < request.steps().size(); i++) {
            BatchStep step = request.steps().get(i);
            Outcome.ItemOutcome outcome = done.items().get(i);
            Optional<Item> present =
                    isEvaluated(step) ? writeRun.stored(step.target()) : Optional.empty();
            bytes += present.map(item -> Charges.billedBytes(item.body())).orElse(0);
            if (bytes > writeRun.kind().limits().maxPageBytes()) {
                throw tooLong("its items have become too large for one");
            }
            results.add(
                    result(
                            step,
                            outcome,
                            present.orElseGet(() -> decision.version(done, outcome, null)),
                            Optional.empty()));
        }
        return response(results, keyLsn(done), done.lsn());
    }

    private static OrreryException tooLong(String why) {
        return new OrreryException(
                ErrorCode.TIMEOUT,
                "This batch was carried out before. Its answer was too long to be kept, and "
                        + why
                        + ". Read its items.");
    }

    /** A logical partition that has no items left counts as never written. */
    private static OptionalLong keyLsn(Outcome.Written done) {
        return OptionalLong.of(done.logicalBytes() == 0 ? 0 : done.lsn());
    }

    private static boolean wantsBefore(BatchStep step) {
        return step instanceof BatchStep.Write write
                && write.action() instanceof WriteAction.Computed action
                && action.images().before();
    }

    /** Returns true if the answer holds a body that the caller does not have. */
    private static boolean isEvaluated(BatchStep step) {
        return switch (step) {
            case BatchStep.Read _ -> true;
            case BatchStep.Write write ->
                    write.action() instanceof WriteAction.Computed action
                            && action.images().after();
        };
    }

    static WriteResponse.Batch response(
            List<StepResult> results, OptionalLong keyLsn, long headLsn) {
        return new WriteResponse.Batch(
                results,
                keyLsn,
                headLsn,
                RequestCharge.batch(1, results.stream().map(StepResult::charge).toList()));
    }

    private static StepResult result(
            BatchStep step, Outcome.ItemOutcome outcome, Item item, Optional<Item> before) {
        return switch (step) {
            case BatchStep.Read _ -> read(step, item);
            case BatchStep.Write write -> {
                Charge charge = Charges.of(write.action(), outcome);
                yield switch (outcome.kind()) {
                    case CREATED ->
                            new StepResult.Done(
                                    StepOutcome.CREATED, Optional.of(item), before, charge);
                    case REPLACED ->
                            new StepResult.Done(
                                    StepOutcome.REPLACED, Optional.of(item), before, charge);
                    case DELETED ->
                            new StepResult.Done(
                                    StepOutcome.DELETED, Optional.empty(), before, charge);
                    case SEEN -> unchanged(write, item, before);
                };
            }
        };
    }

    /** A client that has the item pays for being told so. */
    private static StepResult read(BatchStep step, Item item) {
        boolean isKnown =
                step instanceof BatchStep.Read(var _, Precondition known)
                        && Precondition.holds(known, item.etag());
        return isKnown
                ? new StepResult.Done(
                        StepOutcome.NOT_MODIFIED,
                        Optional.of(item.withBody(Bytes.EMPTY)),
                        Optional.empty(),
                        RequestCharge.notModified())
                : new StepResult.Done(
                        StepOutcome.READ,
                        Optional.of(item),
                        Optional.empty(),
                        RequestCharge.read(Charges.billedBytes(item.body())));
    }
}
