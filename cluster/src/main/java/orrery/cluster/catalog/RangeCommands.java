package orrery.cluster.catalog;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import orrery.cluster.catalog.CatalogState.Change;
import orrery.model.ErrorCode;
import orrery.model.resource.Container;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.SplitAim;

/** The commands that change the ranges of a container and what each gets of its throughput. */
final class RangeCommands {
    private final CatalogState state;

    RangeCommands(CatalogState state) {
        this.state = state;
    }

    CatalogOutcome beginSplit(CatalogCommand.BeginSplit command, List<Change> changes) {
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
                changes);
    }

    CatalogOutcome beginMerge(CatalogCommand.BeginMerge command, List<Change> changes) {
        return begin(
                command.container(),
                (container, map) ->
                        map.find(command.left()).flatMap(left -> merge(container, map, left)),
                "The container has no such range, or none to the right of it to merge with.",
                changes);
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
            List<Change> changes) {
        Optional<Container> found = state.livingContainer(container);
        Optional<PartitionMap> map = found.flatMap(c -> state.partitionMap(container));
        if (map.isEmpty()) {
            return CatalogMachine.missing();
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
        changes.add(new Change.OfReshape(container, reshape.get()));
        int taken = reshape.get() instanceof Reshape.Split ? 2 : 1;
        changes.add(
                new Change.OfContainer(
                        container, found.get().withNextSegment(found.get().nextSegment() + taken)));
        return new CatalogOutcome.Done();
    }

    CatalogOutcome publish(CatalogCommand.PublishReshape command, List<Change> changes) {
        if (!isPending(command.container(), command.reshape())) {
            return new CatalogOutcome.Done();
        }
        PartitionMap map = state.partitionMap(command.container()).orElseThrow();
        long millis = command.stampMillis();
        PartitionMap next =
                switch (command.reshape()) {
                    case Reshape.Split done -> {
                        PartitionMap split =
                                map.split(
                                        done.range(),
                                        done.left(),
                                        done.right(),
                                        command.at().orElseThrow(),
                                        millis);
                        // The throughput is another one, and so is what each range needs of it.
                        yield done.aim() == SplitAim.THROUGHPUT
                                ? split.withFractions(List.of())
                                : split;
                    }
                    case Reshape.Merge done ->
                            map.merge(done.left(), done.right(), done.into(), millis);
                };
        changes.add(new Change.OfMap(command.container(), next));
        changes.add(new Change.OfReshape(command.container(), null));
        changes.add(
                new Change.OfEvents(
                        command.container(),
                        state.events(command.container())
                                .plus(
                                        command.reshape()
                                                .happened(millis, command.durationMillis()))));
        return new CatalogOutcome.Done();
    }

    CatalogOutcome cancel(CatalogCommand.CancelReshape command, List<Change> changes) {
        if (isPending(command.container(), command.reshape())) {
            changes.add(new Change.OfReshape(command.container(), null));
        }
        return new CatalogOutcome.Done();
    }

    CatalogOutcome redistribute(CatalogCommand.Redistribute command, List<Change> changes) {
        Optional<PartitionMap> map =
                state.livingContainer(command.container())
                        .flatMap(c -> state.partitionMap(command.container()));
        if (map.isEmpty()) {
            return CatalogMachine.missing();
        }
        if (map.get().epoch() != command.epoch()) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.CONFLICT,
                    "The ranges of the container have changed meanwhile. List them with 'orrery"
                            + " partitions' and try again.");
        }
        changes.add(
                new Change.OfMap(
                        command.container(), map.get().withFractions(command.fractions())));
        return new CatalogOutcome.Done();
    }

    /**
     * Parts of the throughput stay with other throughput, as long as no range would then have more
     * than it delivers. Where one would, all have the same again.
     */
    void keepFractions(Offer changed, List<Change> changes) {
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
                                changes.add(
                                        new Change.OfMap(
                                                changed.container(),
                                                map.withFractions(List.of()))));
    }

    private boolean isPending(int container, Reshape reshape) {
        return state.reshape(container).filter(reshape::equals).isPresent();
    }
}
