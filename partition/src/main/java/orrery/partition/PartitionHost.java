package orrery.partition;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import orrery.document.IndexPlan;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.storage.StoreFailure;
import orrery.storage.Table;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/** Answers requests for the partitions of the replica sets on this node. */
public final class PartitionHost implements PartitionService, AutoCloseable {
    private final Map<Integer, ReplicaSet> sets;
    private final Map<Integer, ReindexWorker> reindexing = new HashMap<>();
    private final InstantSource clock;

    public PartitionHost(Map<Integer, ReplicaSet> sets, InstantSource clock) {
        this.sets = Map.copyOf(sets);
        sets.forEach((number, set) -> reindexing.put(number, new ReindexWorker(set)));
        this.clock = clock;
    }

    @Override
    public PartitionResponse call(int replicaSet, PartitionRequest request, Duration timeout) {
        ReplicaSet set = sets.get(replicaSet);
        if (set == null) {
            throw new OrreryException(
                    ErrorCode.UNAVAILABLE,
                    "The replica set of this partition is not on this node.");
        }
        try {
            return switch (request) {
                case PartitionRequest.Open open -> open(set, open, timeout);
                case PartitionRequest.Drop drop ->
                        reshape(set, new Command.DropPartition(drop.partition()), timeout);
                case PartitionRequest.SetDefinition change ->
                        define(replicaSet, set, change, timeout);
                case PartitionRequest.Describe describe ->
                        describe(state(set, describe.partition()));
                case PartitionRequest.ReadItem read ->
                        new ItemReader(set, state(set, read.partition())).read(read);
                case PartitionRequest.ReadByDocid read ->
                        new ItemReader(set, state(set, read.partition())).readByDocid(read);
                case PartitionRequest.ReadFeed feed ->
                        new FeedReader(set, state(set, feed.partition())).read(feed);
                case PartitionRequest.WriteItem write ->
                        new ItemWriter(set, clock, write, timeout).run();
            };
        } catch (OrreryException failure) {
            return failed(set, request.partition(), failure);
        } catch (StoreFailure failure) {
            return failed(
                    set,
                    request.partition(),
                    new OrreryException(
                            ErrorCode.UNAVAILABLE,
                            "The data could not be read: " + failure.getMessage(),
                            failure));
        }
    }

    private PartitionResponse open(ReplicaSet set, PartitionRequest.Open open, Duration timeout) {
        return reshape(
                set,
                new Command.OpenPartition(
                        open.partition(), open.keys(), version(open.definition()), clock.millis()),
                timeout);
    }

    private PartitionResponse define(
            int replicaSet,
            ReplicaSet set,
            PartitionRequest.SetDefinition change,
            Duration timeout) {
        PartitionResponse response =
                reshape(
                        set,
                        new Command.SetDefinition(change.partition(), version(change.definition())),
                        timeout);
        ReindexWorker worker = reindexing.get(replicaSet);
        if (worker != null) {
            worker.wake(change.partition());
        }
        return response;
    }

    /** Stops background work; the sets are closed by whoever opened them. */
    @Override
    public void close() {
        reindexing.values().forEach(ReindexWorker::close);
    }

    private static PartitionResponse reshape(ReplicaSet set, Command command, Duration timeout) {
        return switch (set.submit(command, timeout)) {
            case Outcome.Done _ -> new PartitionResponse.Done();
            case Outcome.Rejected rejected ->
                    throw new OrreryException(rejected.code(), Refusals.text(rejected.code()));
            case Outcome.Written _, Outcome.Reindexed _ ->
                    throw new IllegalStateException("a command was answered as another");
        };
    }

    private static PartitionResponse describe(PartitionState state) {
        PartitionRecord record = state.record();
        int percent =
                record.reindexing()
                        ? (int) Math.min(99, record.reindexed() * 100 / Math.max(1, record.items()))
                        : 100;
        return new PartitionResponse.Description(
                record.headLsn(), record.items(), record.itemBytes(), record.indexBytes(), percent);
    }

    private static PartitionState state(ReplicaSet set, PartitionId id) {
        return set.find(id)
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.RANGE_GONE, Refusals.text(ErrorCode.RANGE_GONE)));
    }

    private static PartitionResponse failed(
            ReplicaSet set, PartitionId id, OrreryException failure) {
        long head = set.find(id).map(state -> state.record().headLsn()).orElse(0L);
        if (failure.code() == ErrorCode.NOT_FOUND) {
            // What made the item go may be in the store and not yet published.
            byte[] record = set.store().get(Table.META, Keys.partition(id));
            head = record == null ? head : PartitionRecord.decode(record).headLsn();
        }
        return new PartitionResponse.Failed(
                failure.code(),
                failure.text(),
                failure.retryAfter().map(Duration::toMillis).orElse(0L),
                head,
                failure.chargeRu());
    }

    private static DefinitionRecord.Version version(
            PartitionRequest.PartitionDefinition definition) {
        // Says what is wrong with the policy; from the log the caller would only hear that it is.
        IndexPlan.compile(definition.definition().indexingPolicy());
        return new DefinitionRecord.Version(
                definition.version(),
                definition.definition(),
                definition.logicalPartitionMaxBytes());
    }
}
