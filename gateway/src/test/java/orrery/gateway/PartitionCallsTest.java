package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import orrery.model.Cancellation;
import orrery.model.ConsistencyLevel;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.model.metering.RequestTerms;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.ReadMode;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;

/** The envelope holds all that a partition has to know of a request. */
class PartitionCallsTest {
    private static final UUID ACTIVITY = new UUID(1, 2);
    private static final PartitionId PARTITION = new PartitionId(7, 2);
    private static final ItemKey KEY =
            new ItemKey(EffectiveKey.MIN, PartitionKey.ofText("north"), RowKey.ofText("i1"));
    private static final int REPLICA_SET = 5;
    private static final long SET_EPOCH = 7;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final RequestTerms LOW =
            new RequestTerms(RequestTerms.Priority.LOW, false, 1, new Precondition.Exists(), 3);

    private final List<PartitionEnvelope> sent = new ArrayList<>();

    @Test
    void theEnvelopeHasWhatTheContextSays() {
        PartitionRequest read = new ReadRequest.ReadItem(PARTITION, KEY, 9);

        PartitionEnvelope envelope = send(ConsistencyLevel.EVENTUAL, read);

        assertThat(envelope.activityId()).isEqualTo(ACTIVITY);
        assertThat(envelope.replicaSet()).isEqualTo(REPLICA_SET);
        assertThat(envelope.setEpoch()).isEqualTo(SET_EPOCH);
        assertThat(envelope.readMode()).isEqualTo(ReadMode.LEADER);
        assertThat(envelope.terms()).isEqualTo(LOW);
        assertThat(envelope.request()).isEqualTo(read);
        assertThat(envelope.timeout()).isPositive().isLessThanOrEqualTo(PATIENCE);
    }

    @Test
    void aStrongReadIsTheWorkOfTwoReplicasAndAWriteThatOfItsLeader() {
        PartitionRequest read = new ReadRequest.ReadItem(PARTITION, KEY, 9);
        PartitionRequest write =
                new WriteRequest.WriteItem(
                        PARTITION,
                        new RequestId(1, 1),
                        KEY,
                        new WriteAction.Delete(),
                        Precondition.NONE);

        assertThat(send(ConsistencyLevel.STRONG, read).terms()).isEqualTo(LOW.withReplicas(2));
        assertThat(send(ConsistencyLevel.STRONG, write).terms()).isEqualTo(LOW);
    }

    @Test
    void nothingIsSentForAClientThatHasLeft() {
        Cancellation cancellation = new Cancellation();
        cancellation.cancel();
        PartitionRequest read = new ReadRequest.ReadItem(PARTITION, KEY, 9);

        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class,
                        () -> cancellation.during(() -> send(ConsistencyLevel.EVENTUAL, read)));

        assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(sent).isEmpty();
    }

    private PartitionEnvelope send(ConsistencyLevel consistency, PartitionRequest request) {
        PartitionCalls calls =
                new PartitionCalls(
                        envelope -> {
                            sent.add(envelope);
                            return new ControlResponse.Done();
                        },
                        set -> set == REPLICA_SET ? SET_EPOCH : 0,
                        _ -> {});
        RequestContext context =
                new RequestContext(
                        ACTIVITY,
                        new RequestContext.Principal.Account(false),
                        Optional.empty(),
                        Optional.of(consistency),
                        LOW,
                        System.nanoTime() + PATIENCE.toNanos());
        calls.call(context, partition(), request);
        return sent.getLast();
    }

    private static PhysicalPartition partition() {
        return new PhysicalPartition(
                PARTITION.range(), KeyRange.FULL, List.of(), REPLICA_SET, 1, 1, 0);
    }
}
