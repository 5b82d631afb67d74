package orrery.gateway;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import orrery.model.Cancellation;
import orrery.model.ConsistencyLevel;
import orrery.model.ErrorCode;
import orrery.model.KeyTransaction;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestTerms;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.ItemRequest;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.TransactedRequest;
import orrery.partition.api.TransactedResponse;
import orrery.partition.api.WriteRequest;

/** Sends requests to partitions and turns their refusals into exceptions. */
final class PartitionCalls {
    private final PartitionService service;
    private final IntToLongFunction setEpochs;
    private final Consumer<Duration> rest;

    /**
     * @param setEpochs the members of each set, as the catalog knows them
     * @param rest waits until a budget has filled up
     */
    PartitionCalls(PartitionService service, IntToLongFunction setEpochs, Consumer<Duration> rest) {
        this.service = service;
        this.setEpochs = setEpochs;
        this.rest = rest;
    }

    PartitionResponse call(
            RequestContext context, PhysicalPartition partition, PartitionRequest request) {
        if (context.isExpired()) {
            throw new OrreryException(
                    ErrorCode.TIMEOUT, "The request's time was over before it could be served.");
        }
        Cancellation.current().check();
        return context.transaction().isPresent() && request instanceof ItemRequest operation
                ? transacted(context, partition, context.transaction().get(), operation)
                : sent(context, partition, request, terms(context, request));
    }

    private PartitionResponse sent(
            RequestContext context,
            PhysicalPartition partition,
            PartitionRequest request,
            RequestTerms terms) {
        PartitionResponse response =
                service.call(
                        new PartitionEnvelope(
                                        partition.replicaSet(),
                                        request,
                                        terms,
                                        context.activityId(),
                                        context.remaining())
                                .withUnchecked(context.isUnchecked())
                                .withSetEpoch(setEpochs.applyAsLong(partition.replicaSet())));
        return checked(partition, response);
    }

    private static PartitionResponse checked(
            PhysicalPartition partition, PartitionResponse response) {
        if (response instanceof PartitionResponse.Failed failed) {
            throw failure(partition, failed);
        }
        return response;
    }

    /** Sends a request as an operation of its transaction, and keeps what it would write. */
    private PartitionResponse transacted(
            RequestContext context,
            PhysicalPartition partition,
            KeyTransaction transaction,
            ItemRequest operation) {
        KeyTransaction.Before before = transaction.enter(key(operation));
        TransactedResponse response =
                (TransactedResponse)
                        awaitingBudget(
                                context,
                                () ->
                                        sent(
                                                context,
                                                partition,
                                                new TransactedRequest(
                                                        transaction.key().orElseThrow(),
                                                        before.lastWrite(),
                                                        before.writes(),
                                                        operation),
                                                terms(context, operation)));
        transaction.proceed(response.lastWrite(), response.writes());
        return checked(partition, response.answer());
    }

    /** The one logical partition that an operation is about; throws if it may be about others. */
    private static PartitionKey key(ItemRequest operation) {
        if (!TransactedRequest.isOperation(operation)) {
            throw KeyTransaction.outside("This operation cannot be part of one.");
        }
        return switch (operation) {
            case ReadRequest.ReadItem read -> read.key().partitionKey();
            case ReadRequest.Query query -> oneKey(query.partitionKey());
            case WriteRequest.ChangeMany many -> oneKey(many.partitionKey());
            case WriteRequest.OfKey write -> write.partitionKey();
            default -> throw new IllegalStateException("an operation has no key");
        };
    }

    private static PartitionKey oneKey(Optional<PartitionKey> named) {
        return named.orElseThrow(
                () ->
                        KeyTransaction.outside(
                                "This operation does not name a value of the shard key, so it is"
                                        + " about all."));
    }

    /**
     * Waits where the budget of the partition is used up: a client that heard of it would have to
     * begin its transaction anew.
     */
    PartitionResponse awaitingBudget(RequestContext context, Supplier<PartitionResponse> call) {
        while (true) {
            try {
                return call.get();
            } catch (OrreryException refused) {
                awaitBudget(context, refused);
            }
        }
    }

    /**
     * Waits until a budget has filled up; throws where that is not the reason or takes too long.
     */
    void awaitBudget(RequestContext context, OrreryException refused) {
        if (!refused.code().isOfRate()
                || refused.retryAfter().isEmpty()
                || refused.retryAfter().get().compareTo(context.remaining()) >= 0) {
            throw refused;
        }
        Duration time = refused.retryAfter().get();
        try {
            Cancellation.current()
                    .waiting(
                            () -> {
                                rest.accept(time);
                                return time;
                            });
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.", stopped);
        }
    }

    /** A batch or a script is carried out like a write, also where it reads. */
    private static RequestTerms terms(RequestContext context, PartitionRequest request) {
        return request instanceof WriteRequest
                ? context.terms()
                : context.terms().withReplicas(charge(context, Charge.NONE).consistencyFactor());
    }

    /** Like {@link #call}, for reads, whose charge depends on their consistency. */
    PartitionResponse read(
            RequestContext context, PhysicalPartition partition, PartitionRequest request) {
        try {
            return call(context, partition, request);
        } catch (OrreryException failure) {
            throw failure.withCharge(charge(context, failure.charge()));
        }
    }

    /** Returns the client's charge for a read, from one replica's charge. */
    static Charge charge(RequestContext context, Charge ofOneReplica) {
        return ofOneReplica.readAt(context.consistency().orElse(ConsistencyLevel.EVENTUAL));
    }

    private static OrreryException failure(
            PhysicalPartition partition, PartitionResponse.Failed failed) {
        OrreryException failure =
                new OrreryException(failed.code(), failed.text())
                        .withLanguageCode(failed.languageCode())
                        .withViolation(failed.violation())
                        .withProgress(
                                failed.charge(),
                                SessionToken.of(partition.range(), failed.headLsn()));
        return failed.retryAfterMillis() > 0
                ? failure.withRetryAfter(Duration.ofMillis(failed.retryAfterMillis()))
                : failure;
    }

    /** The highest LSN the client has seen of a partition or of any of its ancestors. */
    long minLsn(RequestContext context, PhysicalPartition partition) {
        if (context.sessionToken().isEmpty()) {
            return 0;
        }
        SessionToken token = context.sessionToken().get();
        long lsn = token.lsn(partition.range()).orElse(0);
        for (int parent : partition.parents()) {
            lsn = Math.max(lsn, token.lsn(parent).orElse(0));
        }
        return lsn;
    }
}
