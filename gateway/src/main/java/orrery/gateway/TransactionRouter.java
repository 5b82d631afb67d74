package orrery.gateway;

import orrery.gateway.api.CommitAnswer;
import orrery.model.EffectiveKeys;
import orrery.model.KeyTransaction;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.RequestId;
import orrery.model.Statement;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;

/** Ends transactions whose operations have gone through {@link PartitionCalls}. */
final class TransactionRouter {
    private final PartitionCalls partitions;
    private final ItemRouter items;

    TransactionRouter(PartitionCalls partitions, ItemRouter items) {
        this.partitions = partitions;
        this.items = items;
    }

    /** Makes all writes of a transaction, or none. */
    CommitAnswer commit(
            RequestContext context,
            Container container,
            KeyTransaction transaction,
            Statement statement) {
        KeyTransaction.Before work = transaction.soFar();
        if (work.writes().isEmpty()) {
            return new CommitAnswer(Charge.NONE);
        }
        PartitionKey key = transaction.key().orElseThrow();
        RequestId requestId = items.newRequestId();
        return items.routed(
                context,
                container,
                key,
                partition -> {
                    WriteRequest.Commit commit =
                            new WriteRequest.Commit(
                                    container.partition(partition),
                                    requestId,
                                    EffectiveKeys.of(container.definition().partitionKey(), key),
                                    key,
                                    work.lastWrite().orElseThrow(),
                                    work.writes());
                    WriteResponse.Committed done =
                            (WriteResponse.Committed)
                                    partitions.awaitingBudget(
                                            context,
                                            () ->
                                                    partitions.call(
                                                            context,
                                                            partition,
                                                            new WriteRequest.Stated(
                                                                    statement, commit)));
                    return new CommitAnswer(done.charge());
                });
    }
}
