package orrery.model.resource;

import java.util.Optional;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Rights on a table that shared access signatures name instead of having them. Whoever changes or
 * deletes the policy changes or ends all signatures that name it.
 *
 * @param start as the client wrote it, because clients read back what they wrote
 * @param expiry likewise
 * @param permissions the letters of the rights; absent where signatures have them
 */
public record StoredAccessPolicy(
        String id, Optional<String> start, Optional<String> expiry, Optional<String> permissions) {
    /** The most policies of one table. */
    public static final int MOST = 5;

    /** The longest id, as the service has it. */
    public static final int MAX_ID = 64;

    public void write(BinaryWriter out) {
        out.string(id)
                .optional(start, BinaryWriter::string)
                .optional(expiry, BinaryWriter::string)
                .optional(permissions, BinaryWriter::string);
    }

    public static StoredAccessPolicy read(BinaryReader in) {
        return new StoredAccessPolicy(
                in.string(),
                in.optional(BinaryReader::string),
                in.optional(BinaryReader::string),
                in.optional(BinaryReader::string));
    }
}
