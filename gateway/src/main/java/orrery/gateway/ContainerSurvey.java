package orrery.gateway;

import java.util.List;
import java.util.function.Function;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.Catalog;
import orrery.gateway.api.ContainerReport;
import orrery.gateway.api.ContainerUsage;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.RequestContext;
import orrery.model.ScriptDefinition;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.Budget;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;

/** Asks every partition of a container how it is, and has one repaired that is not well. */
final class ContainerSurvey {
    private final Catalog catalog;
    private final Resolver resolver;
    private final PartitionCalls partitions;

    ContainerSurvey(Catalog catalog, Resolver resolver, PartitionCalls partitions) {
        this.catalog = catalog;
        this.resolver = resolver;
        this.partitions = partitions;
    }

    /** Counts over all partitions. */
    ContainerUsage usage(RequestContext context, Container container) {
        long items = 0;
        long itemBytes = 0;
        long indexBytes = 0;
        long indexedItems = 0;
        for (ControlResponse.Description description : describe(context, container)) {
            items += description.items();
            itemBytes += description.itemBytes();
            indexBytes += description.indexBytes();
            indexedItems += description.items() * description.reindexPercent() / 100;
        }
        return new ContainerUsage(
                items,
                itemBytes,
                indexBytes,
                maxBytes(container),
                items == 0 ? 100 : (int) (indexedItems * 100 / items),
                catalog.countScripts(container, ScriptDefinition.Kind.PROCEDURE),
                catalog.countScripts(container, ScriptDefinition.Kind.TRIGGER),
                catalog.countScripts(container, ScriptDefinition.Kind.FUNCTION));
    }

    private List<ControlResponse.Description> describe(
            RequestContext context, Container container) {
        return onEachPartition(
                context,
                container,
                partition ->
                        (ControlResponse.Description)
                                partitions.call(
                                        context,
                                        partition,
                                        new ControlRequest.Describe(
                                                container.partition(partition))));
    }

    /** Every partition at about one moment; from the start where one was split under way. */
    private <T> List<T> onEachPartition(
            RequestContext context, Container container, Function<PhysicalPartition, T> question) {
        while (true) {
            PartitionMap map = catalog.partitionMap(container);
            try {
                return map.partitions().stream().map(question).toList();
            } catch (OrreryException failure) {
                if (!Resolver.hasMoved(failure)) {
                    throw failure;
                }
                resolver.awaitNewMap(context, container, map, failure);
            }
        }
    }

    private long maxBytes(Container container) {
        AccountSettings settings = catalog.settings();
        return container.fixed()
                ? settings.fixedMaxBytes()
                : settings.partitionMaxBytes()
                        * catalog.partitionMap(container).partitions().size();
    }

    ContainerReport inspect(RequestContext context, Container container, int keys) {
        return new ContainerReport(
                container,
                catalog.findContainerOffer(container.number())
                        .or(() -> catalog.findDatabaseOffer(container.database())),
                onEachPartition(
                        context,
                        container,
                        partition -> report(context, container, partition, keys)),
                catalog.reshapeEvents(container),
                container.isKeyless()
                        ? catalog.settings().fixedMaxBytes()
                        : catalog.settings().logicalPartitionMaxBytes());
    }

    void repair(RequestContext context, Container container, int range) {
        PhysicalPartition partition =
                catalog.partitionMap(container).partitions().stream()
                        .filter(each -> each.range() == range)
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.BAD_REQUEST,
                                                "The container has no range " + range + "."));
        partitions.call(
                context,
                partition,
                new ControlRequest.Repair(new PartitionId(container.number(), range)));
    }

    private ContainerReport.Partition report(
            RequestContext context, Container container, PhysicalPartition partition, int keys) {
        PartitionId id = container.partition(partition);
        ControlResponse.Inspection seen =
                (ControlResponse.Inspection)
                        partitions.call(context, partition, new ControlRequest.Inspect(id, keys));
        return new ContainerReport.Partition(
                partition,
                seen.description().items(),
                seen.description().itemBytes(),
                seen.description().indexBytes(),
                seen.description().reindexPercent(),
                seen.budget().map(Budget::ruPerSecond).orElse(0.0),
                seen.budget().flatMap(Budget::slot).isPresent(),
                seen.lastSecond(),
                seen.lastMinute(),
                seen.lastHour(),
                seen.largestKeys(),
                seen.hottestKeys(),
                seen.description().failure());
    }
}
