package orrery.query.dialect;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The number of results that a query skips, and the most that it gives.
 *
 * @param take {@link Long#MAX_VALUE} if nothing limits it
 */
public record RowLimit(long skip, long take) {
    public static final RowLimit NONE = new RowLimit(0, Long.MAX_VALUE);

    /**
     * Returns the limit for each of several partitions whose results are merged. A partition cannot
     * skip rows by itself, and does not know how many of its results are distinct.
     */
    public RowLimit ofPart(boolean isDistinct) {
        boolean isUnlimited = isDistinct || take > Long.MAX_VALUE - skip;
        return new RowLimit(0, isUnlimited ? Long.MAX_VALUE : skip + take);
    }

    public boolean isNone() {
        return equals(NONE);
    }

    /** Returns true if no more results are wanted. */
    public boolean isReached() {
        return take == 0;
    }

    /** Returns the limit that is left behind so many results, skipped ones first. */
    public RowLimit behind(long results) {
        long skipped = Math.min(skip, results);
        return new RowLimit(
                skip - skipped,
                take == Long.MAX_VALUE ? take : Math.max(0, take - (results - skipped)));
    }

    /** Writes a limit into a continuation. */
    public void write(BinaryWriter out) {
        out.varint(skip).varint(take == Long.MAX_VALUE ? 0 : take + 1);
    }

    public static RowLimit read(BinaryReader in) {
        long skip = in.varint();
        long take = in.varint();
        return new RowLimit(skip, take == 0 ? Long.MAX_VALUE : take - 1);
    }
}
