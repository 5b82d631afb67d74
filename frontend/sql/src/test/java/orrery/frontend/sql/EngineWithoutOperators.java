package orrery.frontend.sql;

import java.util.Optional;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ContainerReport;
import orrery.gateway.api.Engine;
import orrery.gateway.api.Fault;
import orrery.gateway.api.FirstWrite;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.KeyAnswer;
import orrery.gateway.api.Redistribution;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.resource.PartitionMap;

/** The part of an engine that the SQL API never asks for. */
abstract class EngineWithoutOperators implements Engine {
    @Override
    public ItemAnswer writeFirst(RequestContext context, ContainerRef container, FirstWrite write) {
        throw new UnsupportedOperationException();
    }

    @Override
    public KeyAnswer readKey(RequestContext context, ContainerRef container, PartitionKey key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public PartitionMap redistribute(
            RequestContext context, ContainerRef container, Redistribution wanted) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ContainerReport inspect(RequestContext context, ContainerRef container, int keys) {
        throw new OrreryException(ErrorCode.NOT_IMPLEMENTED, "nothing to see here");
    }

    @Override
    public PartitionMap splitPartition(RequestContext context, ContainerRef container, int range) {
        throw new OrreryException(ErrorCode.NOT_IMPLEMENTED, "no splits here");
    }

    @Override
    public PartitionMap mergePartitions(RequestContext context, ContainerRef container, int left) {
        throw new OrreryException(ErrorCode.NOT_IMPLEMENTED, "no merges here");
    }

    @Override
    public void repairPartition(RequestContext context, ContainerRef container, int range) {
        throw new OrreryException(ErrorCode.NOT_IMPLEMENTED, "no repairs here");
    }

    @Override
    public void setFault(RequestContext context, ContainerRef container, Optional<Fault> fault) {
        throw new OrreryException(ErrorCode.NOT_IMPLEMENTED, "no faults here");
    }

    @Override
    public Optional<Fault> findFault(RequestContext context, ContainerRef container) {
        return Optional.empty();
    }
}
