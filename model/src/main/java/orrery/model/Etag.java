package orrery.model;

import java.util.Optional;
import java.util.UUID;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The version of a resource, as clients compare it. For items it is made from the range, LSN and
 * ordinal of the write, so equal histories give equal etags on every replica.
 */
public record Etag(long high, long low) {
    /** Reads the text clients send back, with or without quotes; empty if we never made it. */
    public static Optional<Etag> parse(String text) {
        String bare =
                text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
                        ? text.substring(1, text.length() - 1)
                        : text;
        if (bare.length() != 36) {
            return Optional.empty();
        }
        try {
            UUID uuid = UUID.fromString(bare);
            return Optional.of(
                    new Etag(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits()));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    /** The text clients see, with its double quotes, as in the header and in {@code _etag}. */
    public String quoted() {
        return '"' + new UUID(high, low).toString() + '"';
    }

    public static Etag ofWrite(int range, long lsn, int ordinal) {
        return new Etag(lsn, ((long) range << 32) | (ordinal & 0xFFFFFFFFL));
    }

    public void write(BinaryWriter out) {
        out.u64(high).u64(low);
    }

    public static Etag read(BinaryReader in) {
        return new Etag(in.u64(), in.u64());
    }
}
