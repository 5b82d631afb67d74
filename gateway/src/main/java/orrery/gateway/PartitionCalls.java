package orrery.gateway;

import java.time.Duration;
import java.util.function.IntToLongFunction;
import orrery.model.Cancellation;
import orrery.model.ConsistencyLevel;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestTerms;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;
import orrery.partition.api.WriteRequest;

/** Sends requests to partitions and turns their refusals into exceptions. */
final class PartitionCalls {
    private final PartitionService service;
    private final IntToLongFunction setEpochs;

    /**
     * @param setEpochs the members of each set, as the catalog knows them
     */
    PartitionCalls(PartitionService service, IntToLongFunction setEpochs) {
        this.service = service;
        this.setEpochs = setEpochs;
    }

    PartitionResponse call(
            RequestContext context, PhysicalPartition partition, PartitionRequest request) {
        if (context.isExpired()) {
            throw new OrreryException(
                    ErrorCode.TIMEOUT, "The request's time was over before it could be served.");
        }
        Cancellation.current().check();
        PartitionResponse response =
                service.call(
                        new PartitionEnvelope(
                                        partition.replicaSet(),
                                        request,
                                        terms(context, request),
                                        context.activityId(),
                                        context.remaining())
                                .withSetEpoch(setEpochs.applyAsLong(partition.replicaSet())));
        if (response instanceof PartitionResponse.Failed failed) {
            throw failure(partition, failed);
        }
        return response;
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
