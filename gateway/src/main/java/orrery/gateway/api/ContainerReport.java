package orrery.gateway.api;

import java.util.List;
import java.util.Optional;
import orrery.model.metering.KeyAmount;
import orrery.model.metering.Traffic;
import orrery.model.resource.Container;
import orrery.model.resource.Offer;
import orrery.model.resource.PhysicalPartition;
import orrery.model.resource.ReshapeEvent;

/**
 * The layout of a container over its physical partitions, for operators.
 *
 * @param offer the throughput that governs it, its own or its database's
 * @param events splits and merges, latest last
 * @param logicalPartitionMaxBytes what one key may hold
 */
public record ContainerReport(
        Container container,
        Optional<Offer> offer,
        List<Partition> partitions,
        List<ReshapeEvent> events,
        long logicalPartitionMaxBytes) {
    public ContainerReport {
        partitions = List.copyOf(partitions);
        events = List.copyOf(events);
    }

    /**
     * @param budgetRu request units per second, 0 while none is known
     * @param largestKeys keys that hold most bytes, of those written since the start
     * @param hottestKeys keys that used most request units lately
     * @param failure why the partition takes no more writes, if so
     */
    public record Partition(
            PhysicalPartition partition,
            long items,
            long itemBytes,
            long indexBytes,
            int reindexPercent,
            double budgetRu,
            boolean sharesBudget,
            Traffic lastSecond,
            Traffic lastMinute,
            Traffic lastHour,
            List<KeyAmount> largestKeys,
            List<KeyAmount> hottestKeys,
            Optional<String> failure) {
        public Partition {
            largestKeys = List.copyOf(largestKeys);
            hottestKeys = List.copyOf(hottestKeys);
        }
    }
}
