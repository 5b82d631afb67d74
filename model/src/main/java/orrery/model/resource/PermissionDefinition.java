package orrery.model.resource;

import java.util.Optional;
import orrery.model.PartitionKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A client's definition of a permission.
 *
 * @param name unique among the permissions of its user
 * @param resource the path of the resource, as the client wrote it; {@link ResourceLink} reads it.
 *     The resource need not exist
 * @param partitionKey the one key of the container that the permission reaches, or the first levels
 *     of hierarchical keys; absent where it reaches all
 */
public record PermissionDefinition(
        String name, PermissionMode mode, String resource, Optional<PartitionKey> partitionKey) {
    public PermissionDefinition {
        if (ResourceLink.parse(resource).isEmpty()) {
            throw new IllegalArgumentException("a permission is about a container or what it has");
        }
    }

    public ResourceLink link() {
        return ResourceLink.parse(resource).orElseThrow();
    }

    public void write(BinaryWriter out) {
        out.string(name).enumeration(mode).string(resource);
        out.optional(partitionKey, (w, key) -> key.write(w));
    }

    public static PermissionDefinition read(BinaryReader in) {
        return in.checked(
                all ->
                        new PermissionDefinition(
                                all.string(),
                                all.enumeration(PermissionMode.class),
                                all.string(),
                                all.optional(PartitionKey::read)));
    }
}
