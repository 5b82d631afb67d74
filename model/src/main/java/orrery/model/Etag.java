package orrery.model;

import java.util.Optional;
import java.util.UUID;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The version of a resource, as clients compare it: 16 bytes that only their maker understands. For
 * documents they are made from the partition, LSN and ordinal of the write, so equal histories give
 * equal etags on every replica, and a container that is created anew under its old name gives other
 * ones.
 */
public record Etag(long high, long low) {
    private static final int ORDINAL_BITS = 12;

    /** Writes of one LSN that get etags of their own. */
    public static final int WRITES_OF_AN_LSN = 1 << ORDINAL_BITS;

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

    public static Etag ofWrite(PartitionId partition, long lsn, int ordinal) {
        return new Etag(
                lsn,
                (long) partition.container() << 32
                        | (long) partition.range() << ORDINAL_BITS
                        | ordinal);
    }

    public void write(BinaryWriter out) {
        out.u64(high).u64(low);
    }

    public static Etag read(BinaryReader in) {
        return new Etag(in.u64(), in.u64());
    }
}
