package orrery.cluster.catalog;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import orrery.model.ErrorCode;
import orrery.model.resource.Container;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PartitionMap.Successor;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.SplitAim;

/** Applies commands about ranges and what each gets of its container's throughput. */
final class RangeChanges {
    private final CatalogState state;

    RangeChanges(CatalogState state) {
        this.state = state;
    }

    CatalogOutcome apply(RangeCommand command, CatalogDraft draft) {
        return switch (command) {
            case RangeCommand.BeginSplit c -> beginSplit(c, draft);
            case RangeCommand.BeginMerge c -> beginMerge(c, draft);
            case RangeCommand.PublishReshape c -> publish(c, draft);
            case RangeCommand.CancelReshape c -> cancel(c, draft);
            case RangeCommand.Redistribute c -> redistribute(c, draft);
        };
    }

    private CatalogOutcome beginSplit(RangeCommand.BeginSplit command, CatalogDraft draft) {
        return begin(
                command.container(),
                (container, map) ->
                        map.find(command.range())
                                .map(
                                        parent ->
                                                new Reshape.Split(
                                                        parent.range(),
                                                        map.nextRange(),
                                                        map.nextRange() + 1,
                                                        container.nextSegment(),
                                                        container.nextSegment() + 1,
                                                        command.aim())),
                "The container has no such range.",
                draft);
    }

    private CatalogOutcome beginMerge(RangeCommand.BeginMerge command, CatalogDraft draft) {
        if (isAcrossSets(command)) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.BAD_REQUEST,
                    "The two ranges are in different replica sets. Only ranges of one set can be"
                            + " merged.");
        }
        return begin(
                command.container(),
                (container, map) ->
                        map.find(command.left()).flatMap(left -> merge(container, map, left)),
                "The container has no such range, or none to the right of it to merge with.",
                draft);
    }

    private boolean isAcrossSets(RangeCommand.BeginMerge command) {
        Optional<PartitionMap> map = state.partitionMap(command.container());
        Optional<PhysicalPartition> left = map.flatMap(m -> m.find(command.left()));
        return left.flatMap(range -> map.get().after(range))
                .filter(right -> right.replicaSet() != left.get().replicaSet())
                .isPresent();
    }

    private static Optional<Reshape> merge(
            Container container, PartitionMap map, PhysicalPartition left) {
        return map.after(left)
                .map(
                        right ->
                                new Reshape.Merge(
                                        left.range(),
                                        right.range(),
                                        map.nextRange(),
                                        container.nextSegment()));
    }

    private CatalogOutcome begin(
            int container,
            BiFunction<Container, PartitionMap, Optional<? extends Reshape>> plan,
            String withoutPlan,
            CatalogDraft draft) {
        Optional<Container> found = state.livingContainer(container);
        Optional<PartitionMap> map = found.flatMap(c -> state.partitionMap(container));
        if (map.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        // Partitions of one that is being made may not be open, and after a crash nobody would
        // open them before the reshape is done; those of one that is being changed disagree about
        // the definition.
        if (found.get().state() != Container.State.ONLINE) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.CONFLICT,
                    "The container is being created or changed. Retry when that is done.");
        }
        if (state.reshape(container).isPresent()) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.CONFLICT,
                    "The container is being split or merged. Retry when that is done.");
        }
        Optional<? extends Reshape> reshape = plan.apply(found.get(), map.get());
        if (reshape.isEmpty()) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.BAD_REQUEST,
                    withoutPlan + " List its ranges with 'orrery partitions'.");
        }
        draft.add(new Change.OfReshape(container, reshape.get()));
        int taken = reshape.get() instanceof Reshape.Split ? 2 : 1;
        draft.add(
                new Change.OfContainer(
                        container, found.get().withNextSegment(found.get().nextSegment() + taken)));
        return new CatalogOutcome.Done();
    }

    private CatalogOutcome publish(RangeCommand.PublishReshape command, CatalogDraft draft) {
        if (!isPending(command.container(), command.reshape())) {
            return new CatalogOutcome.Done();
        }
        PartitionMap map = state.partitionMap(command.container()).orElseThrow();
        long millis = draft.stampMillis();
        PartitionMap next =
                switch (command.reshape()) {
                    case Reshape.Split done -> {
                        PartitionMap split =
                                map.split(
                                        done.range(),
                                        new Successor(done.left(), done.leftSegment()),
                                        new Successor(done.right(), done.rightSegment()),
                                        command.at().orElseThrow(),
                                        millis);
                        // The throughput is another one, and so is what each range needs of it.
                        yield done.aim() == SplitAim.THROUGHPUT
                                ? split.withFractions(List.of())
                                : split;
                    }
                    case Reshape.Merge done ->
                            map.merge(
                                    done.left(),
                                    done.right(),
                                    new Successor(done.into(), done.segment()),
                                    millis);
                };
        draft.add(new Change.OfMap(command.container(), next));
        draft.add(new Change.OfReshape(command.container(), null));
        draft.add(
                new Change.OfEvents(
                        command.container(),
                        state.events(command.container())
                                .plus(
                                        command.reshape()
                                                .happened(millis, command.durationMillis()),
                                        draft.level().maxEvents())));
        return new CatalogOutcome.Done();
    }

    private CatalogOutcome cancel(RangeCommand.CancelReshape command, CatalogDraft draft) {
        if (isPending(command.container(), command.reshape())) {
            draft.add(new Change.OfReshape(command.container(), null));
        }
        return new CatalogOutcome.Done();
    }

    private CatalogOutcome redistribute(RangeCommand.Redistribute command, CatalogDraft draft) {
        Optional<PartitionMap> map =
                state.livingContainer(command.container())
                        .flatMap(c -> state.partitionMap(command.container()));
        if (map.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        if (map.get().epoch() != command.epoch()) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.CONFLICT,
                    "The ranges of the container have changed meanwhile. List them with 'orrery"
                            + " partitions' and try again.");
        }
        draft.add(
                new Change.OfMap(
                        command.container(), map.get().withFractions(command.fractions())));
        return new CatalogOutcome.Done();
    }

    /**
     * Parts of the throughput stay with other throughput, as long as no range would then have more
     * than it delivers. Where one would, all have the same again.
     */
    void keepFractions(Offer changed, CatalogDraft draft) {
        int most = state.account().settings().partitionMaxThroughput();
        state.partitionMap(changed.container())
                .filter(
                        map ->
                                map.fractions().stream()
                                        .anyMatch(
                                                fraction ->
                                                        fraction * changed.throughput().ceiling()
                                                                > most))
                .ifPresent(
                        map ->
                                draft.add(
                                        new Change.OfMap(
                                                changed.container(),
                                                map.withFractions(List.of()))));
    }

    private boolean isPending(int container, Reshape reshape) {
        return state.reshape(container).filter(reshape::equals).isPresent();
    }
}
