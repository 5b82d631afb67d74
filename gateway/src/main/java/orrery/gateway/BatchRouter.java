package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import orrery.gateway.ItemRouter.CheckedWrite;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchAnswer.Result;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemWrite;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.BatchStep;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.StepResult;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;

/** Batches: an atomic one goes to its partition as one message, a bulk as many. */
final class BatchRouter {
    private final Resolver resolver;
    private final PartitionCalls partitions;
    private final Faults faults;
    private final ItemRouter items;

    BatchRouter(Resolver resolver, PartitionCalls partitions, Faults faults, ItemRouter items) {
        this.resolver = resolver;
        this.partitions = partitions;
        this.faults = faults;
        this.items = items;
    }

    BatchAnswer run(RequestContext context, Container container, ItemBatch batch) {
        return switch (batch) {
            case ItemBatch.Atomic atomic -> {
                faults.check(container);
                yield run(context, container, atomic);
            }
            case ItemBatch.Bulk bulk -> run(context, container, bulk);
        };
    }

    /**
     * The operations of a bulk have keys, so one for a range that has been split or merged since
     * can be carried out all the same. SDKs that heard of it would send it again, but only a few
     * times, and the one for JavaScript loops for ever where more wait than one request carries.
     */
    private BatchAnswer run(RequestContext context, Container container, ItemBatch.Bulk bulk) {
        PartitionMap map = resolver.map(container);
        Optional<PhysicalPartition> named =
                bulk.range().isPresent() && !hasSuccessors(map, bulk.range().getAsInt())
                        ? Optional.of(map.require(bulk.range().getAsInt()))
                        : Optional.empty();
        return new BulkRun(context, container, named, items, faults).run(bulk);
    }

    private static boolean hasSuccessors(PartitionMap map, int range) {
        return map.partitions().stream().anyMatch(each -> each.parents().contains(range));
    }

    private BatchAnswer run(RequestContext context, Container container, ItemBatch.Atomic batch) {
        PartitionKey key = key(container, batch);
        List<BatchStep> steps = new ArrayList<>();
        for (BatchOperation operation : batch.operations()) {
            try {
                steps.add(step(context, container, key, operation));
            } catch (OrreryException refused) {
                if (refused.code().isOfRate()) {
                    throw refused; // nothing is wrong with the operation
                }
                return failed(context, container, key, batch, steps.size(), refused);
            }
        }
        RequestId requestId = items.newRequestId();
        return items.routed(
                context,
                container,
                key,
                partition -> {
                    WriteRequest.Batch request =
                            new WriteRequest.Batch(
                                    container.partition(partition),
                                    requestId,
                                    steps,
                                    minLsn(context, partition, steps),
                                    batch.expectedLsn());
                    PartitionResponse response =
                            partitions.call(
                                    context,
                                    partition,
                                    ItemRouter.stated(request, batch.statements()));
                    return answer(container, partition, steps, (WriteResponse.Batch) response);
                });
    }

    private BatchStep step(
            RequestContext context,
            Container container,
            PartitionKey key,
            BatchOperation operation) {
        BatchStep step =
                switch (operation) {
                    case BatchOperation.Read(RowKey item, PartitionKey own, Precondition known) ->
                            new BatchStep.Read(
                                    ItemRouter.key(
                                            container, ItemRouter.wholeKey(container, own), item),
                                    known);
                    case BatchOperation.Refused(OrreryException reason) -> throw reason;
                    case BatchOperation.Write(ItemWrite write, var _) -> {
                        CheckedWrite checked = items.checked(context, container, write);
                        ItemKeeper.checkTarget(context, checked);
                        yield new BatchStep.Write(
                                checked.key(), checked.action(), checked.precondition());
                    }
                };
        if (!step.key().partitionKey().equals(key)) {
            throw new OrreryException(
                    ErrorCode.PARTITION_KEY_MISMATCH,
                    "One or more operations within the batch request have a different partition key"
                            + " value than the request.");
        }
        return step;
    }

    private long minLsn(
            RequestContext context, PhysicalPartition partition, List<BatchStep> steps) {
        return steps.stream().anyMatch(BatchStep.Read.class::isInstance)
                ? partitions.minLsn(context, partition)
                : 0;
    }

    private static PartitionKey key(Container container, ItemBatch.Atomic batch) {
        try {
            return ItemRouter.wholeKey(container, batch.key());
        } catch (OrreryException refused) {
            throw refused.withCharge(RequestCharge.refusedWrite(0));
        }
    }

    /**
     * A batch that no partition needs to see: it costs what a refused write does. The answer says
     * all the same where the items would have gone, and how far that partition is.
     */
    private BatchAnswer failed(
            RequestContext context,
            Container container,
            PartitionKey key,
            ItemBatch batch,
            int index,
            OrreryException refused) {
        Charge charge =
                refused.charge().equals(Charge.NONE)
                        ? RequestCharge.refusedWrite(0)
                        : refused.charge();
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < batch.operations().size(); i++) {
            results.add(new Result.Refused(i == index ? refused.withCharge(charge) : notDone()));
        }
        return new BatchAnswer(results, container, progress(context, container, key), charge);
    }

    /** Returns nothing where the partition cannot say: the refusal is true without it. */
    private SessionToken progress(RequestContext context, Container container, PartitionKey key) {
        try {
            return items.routed(
                    context,
                    container,
                    key,
                    partition -> {
                        PartitionId id = container.partition(partition);
                        PartitionResponse response =
                                partitions.call(
                                        context, partition, new ControlRequest.Describe(id));
                        return SessionToken.of(
                                partition.range(),
                                ((ControlResponse.Description) response).headLsn());
                    });
        } catch (OrreryException unknown) {
            return SessionToken.NOTHING;
        }
    }

    /** Why an operation was left out that nothing else stood against. */
    static OrreryException notDone() {
        return new OrreryException(
                ErrorCode.FAILED_DEPENDENCY,
                "Not carried out, because another operation of the batch failed.");
    }

    private static BatchAnswer answer(
            Container container,
            PhysicalPartition partition,
            List<BatchStep> steps,
            WriteResponse.Batch response) {
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            results.add(result(steps.get(i), response.steps().get(i)));
        }
        return new BatchAnswer(
                results,
                container,
                SessionToken.of(partition.range(), response.headLsn()),
                response.keyLsn(),
                response.charge());
    }

    private static Result result(BatchStep step, StepResult result) {
        return switch (result) {
            case StepResult.Refused(
                            ErrorCode code,
                            OptionalInt languageCode,
                            var violation,
                            String text,
                            Charge charge) ->
                    new Result.Refused(
                            new OrreryException(code, text)
                                    .withLanguageCode(languageCode)
                                    .withViolation(violation)
                                    .withCharge(charge));
            case StepResult.Done(
                            var outcome,
                            Optional<Item> item,
                            Optional<Item> before,
                            Charge charge) ->
                    switch (outcome) {
                        case NOT_MODIFIED ->
                                new Result.NotModified(item.orElseThrow().etag(), charge);
                        case READ -> new Result.Done(ItemAnswer.Outcome.READ, item, charge);
                        case CREATED ->
                                new Result.Done(
                                        ItemAnswer.Outcome.CREATED,
                                        withBody(step, item),
                                        before,
                                        charge);
                        case REPLACED ->
                                new Result.Done(
                                        ItemAnswer.Outcome.REPLACED,
                                        withBody(step, item),
                                        before,
                                        charge);
                        case UNCHANGED ->
                                new Result.Done(ItemAnswer.Outcome.UNCHANGED, item, before, charge);
                        case DELETED ->
                                new Result.Done(
                                        ItemAnswer.Outcome.DELETED,
                                        Optional.empty(),
                                        before,
                                        charge);
                    };
        };
    }

    private static Optional<Item> withBody(BatchStep step, Optional<Item> item) {
        return step instanceof BatchStep.Write(ItemKey _, WriteAction action, Precondition _)
                ? item.map(version -> ItemRouter.withBody(version, action))
                : item;
    }
}
