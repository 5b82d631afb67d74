package orrery.partition.api;

import orrery.model.codec.BinaryWriter;

/**
 * Everything that a replica set can be asked. The messages are records in the files of their
 * groups, each with its byte form beside it; {@link RequestKind} lists them all.
 */
public sealed interface PartitionRequest permits ItemRequest, ControlRequest, SetRequest {
    RequestKind kind();

    /** Writes the fields. The kind stands before them. */
    void write(BinaryWriter out);
}
