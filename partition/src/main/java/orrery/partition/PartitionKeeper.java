package orrery.partition;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import orrery.document.IndexPlan;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.metering.KeyAmount;
import orrery.model.metering.Traffic;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionDefinition;
import orrery.partition.api.PartitionResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.ReshapeCommand;
import orrery.partition.meter.PartitionMeter;
import orrery.partition.meter.Usage;
import orrery.query.evaluate.ComputedProperties;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.PartitionRecord;

/** Opens, changes, splits, merges, drops and describes the partitions of one replica set. */
final class PartitionKeeper {
    private final HostedReplica hosted;
    private final PartitionMeters meters;
    private final Duration timeout;

    PartitionKeeper(HostedReplica hosted, PartitionMeters meters, Duration timeout) {
        this.hosted = hosted;
        this.meters = meters;
        this.timeout = timeout;
    }

    PartitionResponse answer(ControlRequest request) {
        return switch (request) {
            case ControlRequest.Open open -> open(open);
            case ControlRequest.SetDefinition change -> define(change);
            case ControlRequest.Split split -> split(split);
            case ControlRequest.Merge merge -> merge(merge);
            case ControlRequest.Drop drop -> drop(drop);
            case ControlRequest.Repair repair -> repair(repair.partition());
            case ControlRequest.SetBudget told -> setBudget(told);
            case ControlRequest.Describe describe ->
                    describe(describe.partition(), hosted.state(describe.partition()));
            case ControlRequest.Inspect inspect -> inspect(inspect);
            case ControlRequest.AwaitTime await ->
                    new TimeBarrier(hosted, this::submit).await(await, timeout);
            case ControlRequest.AwaitChange await -> awaitChange(await);
        };
    }

    /** A partition that is gone has no state to tell, so its end is an answer as well. */
    private ControlResponse.Head awaitChange(ControlRequest.AwaitChange await) {
        PartitionId id = await.partition();
        Duration wanted = Duration.ofMillis(await.waitMillis());
        hosted.replica()
                .heads()
                .await(
                        id,
                        () ->
                                hosted.replica()
                                        .find(id)
                                        .map(state -> state.record().headLsn() > await.afterLsn())
                                        .orElse(true),
                        wanted.compareTo(timeout) < 0 ? wanted : timeout);
        return new ControlResponse.Head(hosted.state(id).record().headLsn());
    }

    private PartitionResponse open(ControlRequest.Open open) {
        return submit(
                new Command.OpenPartition(
                        open.partition(),
                        open.keys(),
                        open.segment(),
                        version(open.definition()),
                        hosted.times().clockMillis()));
    }

    private PartitionResponse define(ControlRequest.SetDefinition change) {
        PartitionResponse response =
                submit(new Command.SetDefinition(change.partition(), version(change.definition())));
        hosted.wakeReindexing(change.partition().container(), change.partition().range());
        return response;
    }

    private static DefinitionRecord.Version version(PartitionDefinition definition) {
        // Says what is wrong with the policy; from the log the caller would only hear that it is.
        // That the computed properties can be evaluated is checked only here: the log never does.
        List<ComputedProperty> computed = definition.definition().computedProperties();
        ComputedProperties.of(computed);
        IndexPlan.compile(
                definition.definition().indexingPolicy(), computed, definition.definition().kind());
        return new DefinitionRecord.Version(
                definition.version(),
                definition.definition(),
                definition.logicalPartitionMaxBytes(),
                definition.partitionMaxBytes());
    }

    private PartitionResponse split(ControlRequest.Split split) {
        Optional<PartitionState> parent = hosted.replica().find(split.partition());
        parent.ifPresent(PartitionKeeper::requireSound);
        EffectiveKey at =
                new PartitionSplitter(hosted.replica(), hosted.times(), split, timeout).run();
        parent.ifPresent(before -> shareMeter(split, before, at));
        hosted.wakeReindexing(split.partition().container(), split.left());
        hosted.wakeReindexing(split.partition().container(), split.right());
        return new ControlResponse.SplitAt(at);
    }

    /**
     * Refuses a reshape for good, so that the catalog cancels it: nobody knows when a repair comes,
     * and until then the container could be neither split nor merged elsewhere.
     */
    private static void requireSound(PartitionState state) {
        state.record()
                .standing()
                .failure()
                .ifPresent(
                        failure -> {
                            throw new OrreryException(
                                    ErrorCode.BAD_REQUEST,
                                    "The partition cannot be split or merged, because it failed at"
                                            + " position "
                                            + failure.position()
                                            + " of the log: "
                                            + failure.reason()
                                            + ". Repair it first, then try again.");
                        });
    }

    private void shareMeter(ControlRequest.Split split, PartitionState parent, EffectiveKey at) {
        PartitionKeyDefinition definition =
                parent.definition().current().definition().partitionKey();
        int container = split.partition().container();
        Predicate<PartitionKey> isLeft = key -> EffectiveKeys.of(definition, key).compareTo(at) < 0;
        meters.inherit(split.partition(), new PartitionId(container, split.left()), 0.5, isLeft);
        meters.inherit(
                split.partition(), new PartitionId(container, split.right()), 0.5, isLeft.negate());
        meters.forget(split.partition());
    }

    private PartitionResponse merge(ControlRequest.Merge merge) {
        int container = merge.partition().container();
        PartitionId right = new PartitionId(container, merge.right());
        Optional<PartitionState> leftState = hosted.replica().find(merge.partition());
        Optional<PartitionState> rightState = hosted.replica().find(right);
        leftState.ifPresent(PartitionKeeper::requireSound);
        rightState.ifPresent(PartitionKeeper::requireSound);
        if (leftState.isPresent() && rightState.isPresent()) {
            requireIndexedAlike(leftState.get(), rightState.get());
        }
        try {
            PartitionResponse response =
                    submit(
                            new ReshapeCommand.MergePartitions(
                                    merge.partition(),
                                    merge.right(),
                                    merge.into(),
                                    merge.segment(),
                                    stampOfMerge(merge.partition(), right)));
            meters.join(merge.partition(), right, new PartitionId(container, merge.into()));
            return response;
        } finally {
            // Also where it was refused: the entries of both may have to come home first.
            hosted.wakeReindexing(container, merge.partition().range());
            hosted.wakeReindexing(container, merge.right());
            hosted.wakeReindexing(container, merge.into());
        }
    }

    /**
     * Refuses it for good, with what to do. The log refuses it too, by a bare code. While the two
     * have different policies they only have to wait for the newer one.
     */
    private static void requireIndexedAlike(PartitionState left, PartitionState right) {
        boolean isSamePolicy = left.record().policyVersion() == right.record().policyVersion();
        boolean isAlike =
                left.definition().current().terms().equals(right.definition().current().terms());
        if (isSamePolicy && !isAlike) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The partitions cannot be merged yet: a newer release made the index of one of"
                            + " them, by other rules. Change the indexing policy of the container, if"
                            + " only by an excluded path that no item has. When that is applied, both"
                            + " have the same rules and can be merged.");
        }
    }

    /** No earlier than what readers of either were told. Those that are merged are not there. */
    private long stampOfMerge(PartitionId left, PartitionId right) {
        return Stream.of(left, right)
                .flatMap(
                        id ->
                                hosted.replica().find(id).stream()
                                        .map(state -> hosted.times().now(id, state)))
                .reduce(hosted.times().clockMillis(), Math::max);
    }

    private PartitionResponse drop(ControlRequest.Drop drop) {
        PartitionResponse response = submit(new Command.DropPartition(drop.partition()));
        meters.forget(drop.partition());
        return response;
    }

    /** The command names the failure that is there now: a later one has to be looked at as well. */
    private PartitionResponse repair(PartitionId id) {
        PartitionRecord.Failure failure =
                hosted.state(id)
                        .record()
                        .standing()
                        .failure()
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.CONFLICT,
                                                "The partition has not failed, so there is nothing"
                                                        + " to repair."));
        PartitionResponse response = submit(new Command.RepairPartition(id, failure.position()));
        hosted.wakeReindexing(id.container(), id.range());
        return response;
    }

    private PartitionResponse submit(Command command) {
        return switch (hosted.replica().submit(command, timeout)) {
            case Outcome.Done _ -> new ControlResponse.Done();
            case Outcome.Rejected rejected ->
                    throw new OrreryException(rejected.code(), Refusals.text(rejected.code()));
            case Outcome.Written _,
                    Outcome.Reindexed _,
                    Outcome.Blocked _,
                    Outcome.Repeated _,
                    Outcome.Stale _ ->
                    throw new IllegalStateException("a command was answered as another");
        };
    }

    private PartitionResponse setBudget(ControlRequest.SetBudget told) {
        hosted.state(told.partition());
        meters.set(told.partition(), told.budget());
        return new ControlResponse.Done();
    }

    private ControlResponse.Description describe(PartitionId id, PartitionState state) {
        PartitionRecord record = state.record();
        int percent =
                record.reindexing()
                        ? (int)
                                Math.min(
                                        99,
                                        record.counters().reindexed()
                                                * 100
                                                / Math.max(1, record.size().items()))
                        : 100;
        return new ControlResponse.Description(
                record.headLsn(),
                record.size().items(),
                record.size().itemBytes(),
                record.size().indexBytes(),
                percent,
                hosted.reindexing().violation(id, state),
                record.standing().failure().map(PartitionRecord.Failure::reason));
    }

    private PartitionResponse inspect(ControlRequest.Inspect inspect) {
        PartitionState state = hosted.state(inspect.partition());
        PartitionMeter meter = meters.of(inspect.partition());
        long now = meters.nanoTime();
        Usage.Snapshot usage = meter.usage().snapshot(now);
        KeyCounters counters = new KeyCounters(hosted.replica().store());
        meter.largestKeys()
                .refresh(key -> counters.bytes(inspect.partition().container(), state, key));
        return new ControlResponse.Inspection(
                describe(inspect.partition(), state),
                meters.budget(inspect.partition()),
                traffic(usage.second()),
                traffic(usage.minute()),
                traffic(usage.hour()),
                meter.largestKeys().top(inspect.keys()).keys().stream()
                        .map(key -> new KeyAmount(key.key(), key.bytes()))
                        .toList(),
                meter.hottestKeys().top(inspect.keys(), now).stream()
                        .map(key -> new KeyAmount(key.key(), key.mostRu()))
                        .toList());
    }

    private static Traffic traffic(Usage.Window window) {
        return new Traffic(window.ru(), window.requests() - window.refused(), window.refused());
    }
}
