package orrery.model;

import java.util.Optional;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The place up to which a reader of versions has seen them: all of an LSN, or those of it up to one
 * row. Versions never move in their journals, so a place stays good across splits and merges.
 *
 * @param within the last row seen, where more of the same LSN follow; empty if none does
 */
public record VersionPlace(long lsn, Optional<Row> within) {
    /** Skips all that is there; the answer says where that was. */
    public static final VersionPlace NOW = after(Long.MAX_VALUE);

    /**
     * A row among those of one LSN. Journals of partitions that were merged have LSNs in common, so
     * the number alone would not tell it.
     *
     * @param segment the one whose journal holds the row
     * @param ordinal of the change in its transaction
     */
    public record Row(int segment, int ordinal) {}

    public VersionPlace {
        if (lsn < 0 || (lsn == 0 && within.isPresent())) {
            throw new IllegalArgumentException("no version has the LSN " + lsn);
        }
    }

    /** The place behind all versions of an LSN. */
    public static VersionPlace after(long lsn) {
        return new VersionPlace(lsn, Optional.empty());
    }

    public static VersionPlace within(long lsn, int segment, int ordinal) {
        return new VersionPlace(lsn, Optional.of(new Row(segment, ordinal)));
    }

    public boolean isNow() {
        return equals(NOW);
    }

    /** Returns the last LSN of which all versions were seen. */
    public long wholeLsn() {
        return within.isEmpty() ? lsn : lsn - 1;
    }

    public void write(BinaryWriter out) {
        out.u64(lsn).optional(within, (w, row) -> w.u32(row.segment()).u32(row.ordinal()));
    }

    public static VersionPlace read(BinaryReader in) {
        return in.checked(
                r -> new VersionPlace(r.u64(), r.optional(row -> new Row(row.u32(), row.u32()))));
    }
}
