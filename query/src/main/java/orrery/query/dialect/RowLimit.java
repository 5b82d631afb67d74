package orrery.query.dialect;

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
}
