package orrery.partition;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.WriteRequest;
import orrery.partition.machine.PartitionState;
import orrery.query.Dialects;
import orrery.query.PreparedQueries;
import orrery.query.sql.SqlDialect;
import orrery.query.write.WriteDialects;

/**
 * Answers messages on the replica that leads a simulated set, by the code that a {@link
 * PartitionHost} answers with, but on the caller's thread and with nothing in the background. Every
 * message goes through its bytes.
 */
public final class LeaderHost {
    private final Replica replica;
    private final PartitionTimes times;
    private final WriteDialects dialects;
    private final KeyLatches latches = new KeyLatches();
    private final PreparedQueries queries = new PreparedQueries(new Dialects(SqlDialect.INSTANCE));

    public LeaderHost(Replica replica, WriteDialects dialects, InstantSource clock) {
        this.replica = replica;
        this.dialects = dialects;
        this.times = new PartitionTimes(replica, clock, () -> clock.millis() * 1_000_000);
    }

    public PartitionResponse call(PartitionEnvelope envelope) {
        PartitionEnvelope received = PartitionEnvelope.decode(envelope.encode());
        return PartitionResponse.decode(
                PartitionResponse.encode(answer(received.request(), received.timeout())));
    }

    private PartitionResponse answer(PartitionRequest request, Duration timeout) {
        return switch (request) {
            case ReadRequest.ReadItem read -> {
                PartitionState state = state(read.partition());
                yield new ItemReader(replica, state, times.nowForReaders(read.partition(), state))
                        .read(read);
            }
            case ReadRequest.ReadLastWrite read ->
                    new ItemReader(
                                    replica,
                                    state(read.partition()),
                                    times.nowForReaders(read.partition(), state(read.partition())))
                            .read(read);
            case WriteRequest.WriteItem write ->
                    new ItemWriter(run(write, timeout), write, (_, _, _) -> {}).run();
            case WriteRequest.WriteFirst write ->
                    new ItemSearch(run(write, timeout), write, queries).write((_, _, _) -> {});
            case WriteRequest.Batch batch ->
                    new BatchWriter(run(batch, timeout), batch, (_, _, _) -> {}).run();
            case ControlRequest.Split split ->
                    new ControlResponse.SplitAt(
                            new PartitionSplitter(replica, times, split, timeout).run());
            default -> throw new IllegalArgumentException("no front-end of a test sends this");
        };
    }

    private WriteRun run(WriteRequest request, Duration timeout) {
        return new WriteRun(
                replica,
                latches,
                times,
                dialects,
                request.partition(),
                request.requestId(),
                Optional.empty(),
                false,
                timeout);
    }

    private PartitionState state(PartitionId id) {
        return replica.find(id)
                .orElseThrow(() -> new OrreryException(ErrorCode.RANGE_GONE, "no such partition"));
    }
}
