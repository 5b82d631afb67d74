package orrery.model;

import java.util.List;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * How a container derives partition keys from its items. No paths at all means a fixed container of
 * the old kind, whose items all share the empty key.
 *
 * @param systemKey the path was added by the service when a fixed container was migrated
 */
public record PartitionKeyDefinition(
        List<PropertyPath> paths, Kind kind, int version, boolean systemKey) {
    public enum Kind {
        HASH,
        MULTI_HASH,
        RANGE
    }

    public PartitionKeyDefinition {
        paths = List.copyOf(paths);
    }

    public boolean isHierarchical() {
        return kind == Kind.MULTI_HASH;
    }

    public void write(BinaryWriter out) {
        out.list(paths, (w, path) -> w.list(path.segments(), BinaryWriter::string));
        out.enumeration(kind).u8(version).bool(systemKey);
    }

    public static PartitionKeyDefinition read(BinaryReader in) {
        return new PartitionKeyDefinition(
                in.list(PartitionKeyDefinition::readPath),
                in.enumeration(Kind.class),
                in.u8(),
                in.bool());
    }

    private static PropertyPath readPath(BinaryReader in) {
        return in.checked(r -> new PropertyPath(r.list(BinaryReader::string)));
    }
}
