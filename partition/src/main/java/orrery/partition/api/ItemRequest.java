package orrery.partition.api;

import orrery.model.PartitionId;

/** A request about items of a partition: it is metered. */
public sealed interface ItemRequest extends PartitionRequest
        permits ReadRequest, WriteRequest, TransactedRequest {
    PartitionId partition();
}
