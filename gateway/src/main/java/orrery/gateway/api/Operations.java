package orrery.gateway.api;

import java.util.Optional;
import orrery.model.RequestContext;
import orrery.model.resource.PartitionMap;

/**
 * The tasks of operators: they look at partitions, reshape and repair them, and make requests fail
 * on purpose. Every failure is an {@link orrery.model.OrreryException}.
 */
public interface Operations {
    /** Cuts a range in two and returns the map with its children. */
    PartitionMap splitPartition(RequestContext context, ContainerRef container, int range);

    /** Joins a range with its right neighbour and returns the map with the result. */
    PartitionMap mergePartitions(RequestContext context, ContainerRef container, int left);

    /** Lets a range whose partition has failed take writes again. */
    void repairPartition(RequestContext context, ContainerRef container, int range);

    /**
     * Divides the throughput of a container over its ranges and returns the map with the new parts.
     * They stay until they are changed, or the throughput needs another number of ranges.
     */
    PartitionMap redistribute(
            RequestContext context, ContainerRef container, Redistribution wanted);

    /**
     * Makes requests for items of a container fail as told, or lets them be, until a restart or the
     * end of the container. For the laboratory: how an application bears it is learnt best on
     * purpose.
     */
    void setFault(RequestContext context, ContainerRef container, Optional<Fault> fault);

    /** The fault of a container with what is left of it. */
    Optional<Fault> findFault(RequestContext context, ContainerRef container);
}
