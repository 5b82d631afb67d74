package orrery.model;

import java.util.List;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The rule by which a container derives partition keys from its items. No paths at all means that a
 * client gave none; the catalog then makes it a fixed container with the key of the system.
 *
 * @param systemKey the path was added by the service when a fixed container was migrated
 */
public record PartitionKeyDefinition(
        List<PropertyPath> paths, Kind kind, int version, boolean systemKey) {
    /**
     * The key of a container that was created without one: items of clients that know no key do not
     * have this property, and others may give it to theirs.
     */
    public static final PartitionKeyDefinition OF_THE_SYSTEM =
            new PartitionKeyDefinition(
                    List.of(new PropertyPath(List.of("_partitionKey"))), Kind.HASH, 1, true);

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
