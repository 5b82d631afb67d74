package orrery.gateway;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import orrery.cluster.catalog.CatalogOutcome;
import orrery.cluster.catalog.CatalogRequest;
import orrery.cluster.catalog.RangeCommand;
import orrery.cluster.catalog.Reshape;
import orrery.model.OrreryException;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.ReshapeCommand;
import orrery.replication.CommandLog;

/**
 * Stands between the engine and its logs and says when a split or merge has come to a step. A
 * listener may block: then that thread of the engine blocks too, and the others go on.
 */
final class ReshapeSteps {
    /** The step that has just been done. */
    enum Step {
        SPLIT_INTENDED,
        SPLIT_PREPARED,
        LEFT_SIDE_SUMMED,
        SPLIT_COMMITTED,
        SPLIT_PUBLISHED,
        SPLIT_BUDGETS_TOLD,
        MERGE_INTENDED,
        MERGE_COMMITTED,
        MERGE_PUBLISHED,
        MERGE_BUDGETS_TOLD,
        /** Some entries have been carried to the partition's own segment. */
        ENTRIES_MOVED,
        /** All have, and what they left behind is deleted. */
        ENTRIES_HOME,
        /** One of several partitions of a deleted container is gone. */
        PARTITION_DROPPED
    }

    private final Consumer<Step> listener;
    private final Runnable afterWrite;
    private volatile Optional<Step> afterBudgets = Optional.empty();

    ReshapeSteps(Consumer<Step> listener) {
        this(listener, () -> {});
    }

    /**
     * @param afterWrite runs when the log has decided on a write and before its writer hears it
     */
    ReshapeSteps(Consumer<Step> listener, Runnable afterWrite) {
        this.listener = listener;
        this.afterWrite = afterWrite;
    }

    CommandLog<Command, Outcome> ofSet(CommandLog<Command, Outcome> log) {
        return new Heard<>(
                log,
                command -> {
                    if (command instanceof ReshapeCommand.CommitSplit) {
                        listener.accept(Step.LEFT_SIDE_SUMMED);
                    }
                },
                this::applied);
    }

    private void applied(Command command, Outcome outcome) {
        switch (command) {
            case ReshapeCommand.PrepareSplit _ when isDone(outcome) ->
                    listener.accept(Step.SPLIT_PREPARED);
            case ReshapeCommand.CommitSplit _ when isDone(outcome) ->
                    listener.accept(Step.SPLIT_COMMITTED);
            case ReshapeCommand.MergePartitions _ when isDone(outcome) ->
                    listener.accept(Step.MERGE_COMMITTED);
            case Command.DropPartition _ -> listener.accept(Step.PARTITION_DROPPED);
            case Command.Reindex _ ->
                    listener.accept(
                            outcome instanceof Outcome.Reindexed(boolean all) && all
                                    ? Step.ENTRIES_HOME
                                    : Step.ENTRIES_MOVED);
            case Command.Requested _ -> afterWrite.run();
            default -> {}
        }
    }

    private static boolean isDone(Outcome outcome) {
        return outcome instanceof Outcome.Done;
    }

    CommandLog<CatalogRequest, CatalogOutcome> ofCatalog(
            CommandLog<CatalogRequest, CatalogOutcome> log) {
        return new Heard<>(log, _ -> {}, this::decided);
    }

    private void decided(CatalogRequest request, CatalogOutcome outcome) {
        if (outcome instanceof CatalogOutcome.Rejected) {
            return;
        }
        switch (request.command()) {
            case RangeCommand.BeginSplit _ -> listener.accept(Step.SPLIT_INTENDED);
            case RangeCommand.BeginMerge _ -> listener.accept(Step.MERGE_INTENDED);
            case RangeCommand.PublishReshape publish -> {
                boolean isSplit = publish.reshape() instanceof Reshape.Split;
                listener.accept(isSplit ? Step.SPLIT_PUBLISHED : Step.MERGE_PUBLISHED);
                afterBudgets =
                        Optional.of(isSplit ? Step.SPLIT_BUDGETS_TOLD : Step.MERGE_BUDGETS_TOLD);
            }
            default -> {}
        }
    }

    PartitionService ofPartitions(PartitionService partitions) {
        return new PartitionService() {
            @Override
            public PartitionResponse call(PartitionEnvelope envelope) {
                PartitionResponse response = partitions.call(envelope);
                Optional<Step> step = afterBudgets;
                if (envelope.request() instanceof ControlRequest.SetBudget && step.isPresent()) {
                    afterBudgets = Optional.empty();
                    listener.accept(step.get());
                }
                return response;
            }
        };
    }

    private interface Applied<C, O> {
        void accept(C command, O outcome);
    }

    /** A log whose callers are heard before and after. */
    private record Heard<C, O>(CommandLog<C, O> log, Consumer<C> before, Applied<C, O> after)
            implements CommandLog<C, O> {
        @Override
        public O submit(C command, Duration timeout) {
            before.accept(command);
            O outcome = log.submit(command, timeout);
            after.accept(command, outcome);
            return outcome;
        }

        @Override
        public Optional<OrreryException> failure() {
            return log.failure();
        }

        @Override
        public void close() {
            log.close();
        }
    }
}
