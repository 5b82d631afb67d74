package orrery.partition.machine;

import orrery.storage.format.PartitionRecord;

/** A partition as of one applied entry: what readers of this replica see. Immutable. */
public record PartitionState(PartitionRecord record, OpenDefinition definition) {}
