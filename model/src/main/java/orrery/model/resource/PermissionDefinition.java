package orrery.model.resource;

import java.util.Locale;
import java.util.Optional;
import orrery.model.PartitionKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * A client's definition of a permission.
 *
 * @param name unique among the permissions of its user
 * @param modeText the mode as the client spelled it, because SDKs compare what they read with what
 *     they sent
 * @param resource the path of the resource, as the client wrote it; {@link ResourceLink} reads it.
 *     The resource need not exist
 * @param partitionKey the one key of the container that the permission reaches, or the first levels
 *     of hierarchical keys; absent where it reaches all
 */
public record PermissionDefinition(
        String name, String modeText, String resource, Optional<PartitionKey> partitionKey) {
    /** The byte of the mode where a spelling of its own follows. */
    private static final int SPELLED = 2;

    public PermissionDefinition {
        PermissionMode.valueOf(modeText.toUpperCase(Locale.ROOT));
        if (ResourceLink.parse(resource).isEmpty()) {
            throw new IllegalArgumentException("a permission is about a container or what it has");
        }
    }

    /** Spells the mode as the service does: {@code Read}, {@code All}. */
    public PermissionDefinition(
            String name,
            PermissionMode mode,
            String resource,
            Optional<PartitionKey> partitionKey) {
        this(name, mode.text(), resource, partitionKey);
    }

    public PermissionMode mode() {
        return PermissionMode.valueOf(modeText.toUpperCase(Locale.ROOT));
    }

    public ResourceLink link() {
        return ResourceLink.parse(resource).orElseThrow();
    }

    public void write(BinaryWriter out) {
        out.string(name);
        PermissionMode mode = mode();
        if (modeText.equals(mode.text())) {
            out.enumeration(mode);
        } else {
            out.u8(SPELLED).string(modeText);
        }
        out.string(resource);
        out.optional(partitionKey, (w, key) -> key.write(w));
    }

    public static PermissionDefinition read(BinaryReader in) {
        return in.checked(
                all ->
                        new PermissionDefinition(
                                all.string(),
                                readMode(all),
                                all.string(),
                                all.optional(PartitionKey::read)));
    }

    private static String readMode(BinaryReader in) {
        return switch (in.u8()) {
            case 0 -> PermissionMode.READ.text();
            case 1 -> PermissionMode.ALL.text();
            case SPELLED -> in.string();
            default -> throw new MalformedRecordException("unknown mode of a permission");
        };
    }
}
