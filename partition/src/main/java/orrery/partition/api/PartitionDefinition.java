package orrery.partition.api;

import orrery.model.ContainerDefinition;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A container's definition as its partitions are told it.
 *
 * @param partitionMaxBytes what the partition may hold because it never splits; 0 where it does
 */
public record PartitionDefinition(
        int version,
        ContainerDefinition definition,
        long logicalPartitionMaxBytes,
        long partitionMaxBytes) {
    /** A definition of a partition that splits when it is full. */
    public PartitionDefinition(
            int version, ContainerDefinition definition, long logicalPartitionMaxBytes) {
        this(version, definition, logicalPartitionMaxBytes, 0);
    }

    void write(BinaryWriter out) {
        out.u32(version);
        definition.write(out);
        out.u64(logicalPartitionMaxBytes).u64(partitionMaxBytes);
    }

    static PartitionDefinition read(BinaryReader in) {
        return new PartitionDefinition(in.u32(), ContainerDefinition.read(in), in.u64(), in.u64());
    }
}
