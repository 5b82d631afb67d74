package orrery.storage.format;

/**
 * The number of an item inside its {@code _rid}. It is made here only: the region in which the item
 * was born in 4 bits, the range in which it was born in 20, and that range's counter in 40. It
 * stays the same through splits, merges and moves, and is unique across them.
 */
public final class Docid {
    private static final int COUNTER_BITS = 40;
    private static final int RANGE_BITS = 20;
    private static final int REGION_BITS = 4;

    /** No range has made so many items. */
    public static final long MAX_COUNTER = (1L << COUNTER_BITS) - 1;

    /** The region of an account that has only one. */
    private static final int HOME_REGION = 0;

    private Docid() {}

    public static long atHome(int range, long counter) {
        return of(HOME_REGION, range, counter);
    }

    public static long of(int region, int range, long counter) {
        if (region >>> REGION_BITS != 0
                || range >>> RANGE_BITS != 0
                || counter >>> COUNTER_BITS != 0) {
            throw new IllegalArgumentException("a part of a docid is out of bounds");
        }
        return ((long) region << (RANGE_BITS + COUNTER_BITS))
                | ((long) range << COUNTER_BITS)
                | counter;
    }

    /**
     * The region and the range of birth in one number: docids with the same one share a counter.
     */
    public static int birthplace(long docid) {
        return (int) (docid >>> COUNTER_BITS);
    }

    public static int region(long docid) {
        return birthplace(docid) >>> RANGE_BITS;
    }

    public static int range(long docid) {
        return birthplace(docid) & ((1 << RANGE_BITS) - 1);
    }

    public static long counter(long docid) {
        return docid & ((1L << COUNTER_BITS) - 1);
    }
}
