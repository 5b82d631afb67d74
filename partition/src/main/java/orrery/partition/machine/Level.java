package orrery.partition.machine;

import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.AppliedRecord;
import orrery.storage.format.Keys;

/**
 * The constants that applying depends on, by the feature level in the store. A release may know
 * several levels. It applies an entry as the level says, so replicas of different releases agree; a
 * constant is changed by adding a level, never in place.
 *
 * @param deduplicationMillis a repeated request gets the outcome of the first for this long
 * @param purgedPerEntry old deduplication records deleted per entry: more than one entry writes, so
 *     none pile up
 * @param maxDeletions deleted keys that a partition remembers at once; every reader looks at each
 * @param segmentsKept a partition with more segments than this brings its entries home
 * @param maxSegments lists of entries that a reader merges at most
 * @param maxJournals journals that a reader merges at most
 */
record Level(
        int number,
        long deduplicationMillis,
        int purgedPerEntry,
        int maxDeletions,
        int segmentsKept,
        int maxSegments,
        int maxJournals) {
    private static final Level FIRST =
            new Level(AppliedRecord.FIRST_LEVEL, 60_000, 4, 256, 4, 8, 64);

    /** Throws if this release does not know the level: it must not guess what entries mean. */
    static Level of(int number) {
        if (number != FIRST.number) {
            throw new IllegalStateException(
                    "the store has feature level "
                            + number
                            + ", but this release knows no level above "
                            + FIRST.number
                            + "; start a later release");
        }
        return FIRST;
    }

    /** Returns the level of a store, or of a snapshot of one. */
    static Level of(StoreView view) {
        byte[] row = view.get(Table.META, Keys.applied());
        return of((row == null ? AppliedRecord.NOTHING : AppliedRecord.decode(row)).level());
    }
}
