package orrery.frontend.sql;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ContainerReport;
import orrery.gateway.api.Engine;
import orrery.gateway.api.Fault;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAddress;
import orrery.gateway.api.LookupAnswer;
import orrery.gateway.api.MatchPage;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.Redistribution;
import orrery.gateway.api.TimeReached;
import orrery.gateway.api.ValueLookup;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.resource.PartitionMap;

/** The part of an engine that operators and other APIs ask for, and that the SQL API never does. */
abstract class EngineWithoutOperators implements Engine {
    @Override
    public LookupAnswer readMany(
            RequestContext context, ContainerRef container, List<ItemAddress> addresses) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MatchPage findItems(
            RequestContext context,
            ContainerRef container,
            FeedScope scope,
            ValueLookup lookup,
            PageRequest page) {
        throw new UnsupportedOperationException();
    }

    @Override
    public TimeReached awaitTime(RequestContext context, ContainerRef container, Instant time) {
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
