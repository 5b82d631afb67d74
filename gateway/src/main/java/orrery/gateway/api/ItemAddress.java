package orrery.gateway.api;

import orrery.model.PartitionKey;
import orrery.model.RowKey;

/** The whole name of an item in a container: its partition key and its key within that. */
public record ItemAddress(PartitionKey key, RowKey row) {}
