package orrery.gateway.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Fault;
import orrery.gateway.api.Operations;
import orrery.gateway.api.Redistribution;
import orrery.model.RequestContext;
import orrery.model.resource.PartitionMap;

/** A record of what operators ask for. Nothing is reshaped; a fault is kept for all containers. */
public final class FakeOperations implements Operations {
    /** The calls, such as {@code split c 0}. */
    public final List<String> calls = new ArrayList<>();

    private Optional<Fault> fault = Optional.empty();

    @Override
    public PartitionMap splitPartition(RequestContext context, ContainerRef container, int range) {
        return called("split", container, range);
    }

    @Override
    public PartitionMap mergePartitions(RequestContext context, ContainerRef container, int left) {
        return called("merge", container, left);
    }

    @Override
    public void repairPartition(RequestContext context, ContainerRef container, int range) {
        called("repair", container, range);
    }

    @Override
    public PartitionMap redistribute(
            RequestContext context, ContainerRef container, Redistribution wanted) {
        return called("redistribute", container, wanted);
    }

    @Override
    public void setFault(RequestContext context, ContainerRef container, Optional<Fault> wanted) {
        called("fault", container, wanted.map(Fault::code).map(Enum::name).orElse("off"));
        fault = wanted;
    }

    @Override
    public Optional<Fault> findFault(RequestContext context, ContainerRef container) {
        return fault;
    }

    private PartitionMap called(String what, ContainerRef ref, Object with) {
        ContainerRef.Resolved in = (ContainerRef.Resolved) ref;
        calls.add(what + " " + in.container().name() + " " + with);
        return in.map();
    }
}
