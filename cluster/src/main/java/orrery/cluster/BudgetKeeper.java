package orrery.cluster;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.catalog.CatalogState;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.resource.Container;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.Budget;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.PartitionResponse;

/**
 * Tells partitions what they may spend: of throughput T over N partitions each has T/N, or the part
 * that an operator gave it, and never more than one partition delivers. Whenever an offer or a map
 * changes they are told anew.
 */
final class BudgetKeeper {
    private static final Logger LOG = System.getLogger(BudgetKeeper.class.getName());

    private final CatalogState state;
    private final SetCalls sets;

    BudgetKeeper(CatalogState state, SetCalls sets) {
        this.state = state;
        this.sets = sets;
    }

    void tellAll() {
        state.allContainers().stream()
                .filter(container -> container.state() != Container.State.DELETING)
                .forEach(this::tell);
    }

    void tell(Container container) {
        PartitionMap map = state.partitionMap(container.number()).orElseThrow();
        List<Budget> budgets = budgets(container, map);
        for (int i = 0; i < budgets.size(); i++) {
            PhysicalPartition partition = map.partitions().get(i);
            PartitionId id = new PartitionId(container.number(), partition.range());
            tell(partition.replicaSet(), id, budgets.get(i));
        }
    }

    private void tell(int replicaSet, PartitionId id, Budget budget) {
        try {
            PartitionResponse response =
                    sets.call(replicaSet, new ControlRequest.SetBudget(id, budget));
            if (response instanceof PartitionResponse.Failed failed) {
                // A range that was just split is told under its children's names.
                LOG.log(Logger.Level.DEBUG, "{0} has no budget: {1}", id, failed.text());
            }
        } catch (OrreryException unreachable) {
            LOG.log(Logger.Level.WARNING, "{0} has no budget: {1}", id, unreachable.text());
        }
    }

    /** Returns the budget of each partition of a container; none if no throughput governs it. */
    private List<Budget> budgets(Container container, PartitionMap map) {
        Optional<Offer> own = state.offerOfContainer(container.number());
        if (own.isPresent()) {
            return parts(own.get(), map);
        }
        return state.offerOfDatabase(container.database())
                .map(offer -> slots(container, offer.throughput(), map))
                .orElse(List.of());
    }

    private List<Budget> parts(Offer offer, PartitionMap map) {
        AccountSettings settings = state.account().settings();
        Throughput throughput = offer.throughput();
        List<Budget> budgets = new ArrayList<>();
        for (int i = 0; i < map.partitions().size(); i++) {
            double part = throughput.ceiling() * map.fraction(i);
            budgets.add(
                    new Budget(
                            Math.min(part, settings.partitionMaxThroughput()),
                            settings.throttling(),
                            extras(settings, throughput, offer.buckets()),
                            Optional.empty()));
        }
        return budgets;
    }

    private List<Budget> slots(Container container, Throughput throughput, PartitionMap map) {
        AccountSettings settings = state.account().settings();
        int slots = settings.partitionsFor(throughput.ceiling());
        List<Budget> budgets = new ArrayList<>();
        for (int slot : SharedSlots.of(container.definition().partitionKey(), map, slots)) {
            budgets.add(
                    new Budget(
                            (double) throughput.ceiling() / slots,
                            settings.throttling(),
                            extras(settings, throughput, ThroughputBuckets.NONE),
                            Optional.of(new Budget.Slot(container.database(), slot))));
        }
        return budgets;
    }

    private static Budget.Extras extras(
            AccountSettings settings, Throughput throughput, ThroughputBuckets buckets) {
        boolean perMinute =
                throughput instanceof Throughput.Manual(int _, boolean minute) && minute;
        return new Budget.Extras(
                perMinute, settings.burstCapacity(), settings.priorityLevels(), buckets);
    }
}
