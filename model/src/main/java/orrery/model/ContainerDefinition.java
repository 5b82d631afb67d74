package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * What a client may say about a container besides its name and throughput. Typed and complete: a
 * setting that is not here is refused by the front-ends, never dropped.
 */
public record ContainerDefinition(
        PartitionKeyDefinition partitionKey,
        IndexingPolicy indexingPolicy,
        ConflictResolution conflictResolution,
        Geospatial geospatial) {
    /** How points and distances are read: on the globe or on a plane. */
    public enum Geospatial {
        GEOGRAPHY,
        GEOMETRY
    }

    /** Which write wins when two regions wrote at once; kept and returned until regions arrive. */
    public record ConflictResolution(Mode mode, String path, String procedure) {
        public enum Mode {
            LAST_WRITER_WINS,
            CUSTOM
        }

        public static final ConflictResolution DEFAULT =
                new ConflictResolution(Mode.LAST_WRITER_WINS, "/_ts", "");
    }

    public void write(BinaryWriter out) {
        partitionKey.write(out);
        indexingPolicy.write(out);
        out.enumeration(conflictResolution.mode())
                .string(conflictResolution.path())
                .string(conflictResolution.procedure());
        out.enumeration(geospatial);
    }

    public static ContainerDefinition read(BinaryReader in) {
        return new ContainerDefinition(
                PartitionKeyDefinition.read(in),
                IndexingPolicy.read(in),
                new ConflictResolution(
                        in.enumeration(ConflictResolution.Mode.class), in.string(), in.string()),
                in.enumeration(Geospatial.class));
    }
}
