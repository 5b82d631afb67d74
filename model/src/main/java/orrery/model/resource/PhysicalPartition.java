package orrery.model.resource;

import java.util.List;
import orrery.model.KeyRange;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * One range of a container, as clients see it under {@code pkranges}.
 *
 * @param parents every ancestor's range id, oldest first; clients look their old tokens up in it
 * @param replicaSet the set whose log carries this partition
 * @param epoch of the map in which the range came to that set: of two places of a range, the one
 *     with the higher epoch is right
 * @param segment the segment that the partition was opened with, numbered by the catalog
 * @param createdMillis when the range was opened
 */
public record PhysicalPartition(
        int range,
        KeyRange keys,
        List<Integer> parents,
        int replicaSet,
        long epoch,
        int segment,
        long createdMillis) {
    public PhysicalPartition {
        parents = List.copyOf(parents);
    }

    public void write(BinaryWriter out) {
        out.u32(range);
        keys.write(out);
        out.list(parents, (w, parent) -> w.varint(parent));
        out.u32(replicaSet).u64(epoch).u32(segment).u64(createdMillis);
    }

    public static PhysicalPartition read(BinaryReader in) {
        return new PhysicalPartition(
                in.u32(),
                KeyRange.read(in),
                in.list(BinaryReader::varint32),
                in.u32(),
                in.u64(),
                in.u32(),
                in.u64());
    }
}
