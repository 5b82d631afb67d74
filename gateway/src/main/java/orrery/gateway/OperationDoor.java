package orrery.gateway;

import java.util.Optional;
import orrery.cluster.api.Catalog;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Fault;
import orrery.gateway.api.Operations;
import orrery.gateway.api.Redistribution;
import orrery.model.RequestContext;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;

/** The part of the door for operators: checks who asks, and has partitions reshaped. */
final class OperationDoor implements Operations {
    private final Catalog catalog;
    private final Doorkeeper door;
    private final ContainerSurvey survey;
    private final OfferRouter offers;
    private final Faults faults;

    OperationDoor(
            Catalog catalog,
            Doorkeeper door,
            ContainerSurvey survey,
            OfferRouter offers,
            Faults faults) {
        this.catalog = catalog;
        this.door = door;
        this.survey = survey;
        this.offers = offers;
        this.faults = faults;
    }

    @Override
    public PartitionMap splitPartition(RequestContext context, ContainerRef container, int range) {
        return catalog.splitPartition(
                context, door.subject(context, container, Action.OPERATE), range);
    }

    @Override
    public PartitionMap mergePartitions(RequestContext context, ContainerRef container, int left) {
        return catalog.mergePartitions(
                context, door.subject(context, container, Action.OPERATE), left);
    }

    @Override
    public void repairPartition(RequestContext context, ContainerRef container, int range) {
        survey.repair(context, door.subject(context, container, Action.OPERATE), range);
    }

    @Override
    public PartitionMap redistribute(
            RequestContext context, ContainerRef container, Redistribution wanted) {
        return offers.redistribute(
                context, door.subject(context, container, Action.OPERATE), wanted);
    }

    @Override
    public void setFault(RequestContext context, ContainerRef ref, Optional<Fault> fault) {
        Container container = door.subject(context, ref, Action.OPERATE);
        fault.ifPresentOrElse(
                wanted -> faults.set(container, wanted), () -> faults.clear(container.number()));
    }

    @Override
    public Optional<Fault> findFault(RequestContext context, ContainerRef container) {
        return faults.find(door.subject(context, container, Action.INSPECT));
    }
}
