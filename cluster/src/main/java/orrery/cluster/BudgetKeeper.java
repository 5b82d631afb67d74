package orrery.cluster;

import java.lang.System.Logger;
import java.util.List;
import java.util.Optional;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.catalog.CatalogState;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Offer;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.Budget;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;

/**
 * Tells partitions what they may spend: of throughput T over N partitions each has T/N, and never
 * more than one partition delivers. Whenever an offer or a map changes they are told anew.
 */
final class BudgetKeeper {
    private static final Logger LOG = System.getLogger(BudgetKeeper.class.getName());

    private final CatalogState state;
    private final PartitionService partitions;

    BudgetKeeper(CatalogState state, PartitionService partitions) {
        this.state = state;
        this.partitions = partitions;
    }

    void tellAll() {
        state.allContainers().stream()
                .filter(container -> container.state() != Container.State.DELETING)
                .forEach(this::tell);
    }

    void tell(Container container) {
        List<PhysicalPartition> all =
                state.partitionMap(container.number()).orElseThrow().partitions();
        for (int i = 0; i < all.size(); i++) {
            PhysicalPartition partition = all.get(i);
            PartitionId id = new PartitionId(container.number(), partition.range());
            budget(container, i, all.size())
                    .ifPresent(budget -> tell(partition.replicaSet(), id, budget));
        }
    }

    private void tell(int replicaSet, PartitionId id, Budget budget) {
        try {
            PartitionResponse response =
                    partitions.call(
                            replicaSet,
                            new PartitionRequest.SetBudget(id, budget),
                            ContainerReconciler.STEP_TIMEOUT);
            if (response instanceof PartitionResponse.Failed failed) {
                // A range that was just split is told under its children's names.
                LOG.log(Logger.Level.DEBUG, "{0} has no budget: {1}", id, failed.text());
            }
        } catch (OrreryException unreachable) {
            LOG.log(Logger.Level.WARNING, "{0} has no budget: {1}", id, unreachable.text());
        }
    }

    /** What the partition at a place among so many of its container may spend. */
    Optional<Budget> budget(Container container, int place, int count) {
        AccountSettings settings = state.account().settings();
        Optional<Offer> own = state.offerOfContainer(container.number());
        if (own.isPresent()) {
            Throughput throughput = own.get().throughput();
            double share = (double) throughput.ceiling() / count;
            return Optional.of(
                    new Budget(
                            Math.min(share, settings.partitionMaxThroughput()),
                            settings.throttling(),
                            extras(settings, throughput),
                            Optional.empty()));
        }
        return state.offerOfDatabase(container.database())
                .map(offer -> slot(container, offer.throughput(), place, count));
    }

    /** Range i of every container that shares draws on part i of the database's throughput. */
    private Budget slot(Container container, Throughput throughput, int place, int count) {
        AccountSettings settings = state.account().settings();
        int slots = settings.partitionsFor(throughput.ceiling());
        return new Budget(
                (double) throughput.ceiling() / slots,
                settings.throttling(),
                extras(settings, throughput),
                Optional.of(
                        new Budget.Slot(
                                container.database(), (int) ((long) place * slots / count))));
    }

    private static Budget.Extras extras(AccountSettings settings, Throughput throughput) {
        boolean perMinute =
                throughput instanceof Throughput.Manual(int _, boolean minute) && minute;
        return new Budget.Extras(perMinute, settings.burstCapacity(), settings.priorityLevels());
    }
}
