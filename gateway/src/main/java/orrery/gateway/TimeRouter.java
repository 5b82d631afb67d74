package orrery.gateway;

import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.gateway.api.TimeReached;
import orrery.model.RequestContext;
import orrery.model.SessionToken;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;

/** Waits until all partitions of a container have passed a time. */
final class TimeRouter {
    private final Resolver resolver;
    private final PartitionCalls partitions;

    TimeRouter(Resolver resolver, PartitionCalls partitions) {
        this.resolver = resolver;
        this.partitions = partitions;
    }

    /**
     * Asks all partitions again when one of them was split or merged: those that have passed the
     * time answer at once, and so do the heirs of those, which begin with their time.
     */
    TimeReached await(RequestContext context, Container container, Instant time) {
        return new TimeReached(
                container,
                resolver.routed(context, container, map -> await(context, container, map, time)));
    }

    private record Passed(int range, long lsn) {}

    private SessionToken await(
            RequestContext context, Container container, PartitionMap map, Instant time) {
        SortedMap<Integer, Long> lsns = new TreeMap<>();
        FanOut.run(
                map.partitions(),
                partition -> await(context, container, partition, time),
                passed -> lsns.put(passed.range(), passed.lsn()));
        return new SessionToken(lsns);
    }

    private Passed await(
            RequestContext context,
            Container container,
            PhysicalPartition partition,
            Instant time) {
        ControlResponse.TimeReached reached =
                (ControlResponse.TimeReached)
                        partitions.call(
                                context,
                                partition,
                                new ControlRequest.AwaitTime(
                                        container.partition(partition), time.toEpochMilli()));
        return new Passed(partition.range(), reached.headLsn());
    }
}
