package orrery.partition.machine;

import java.util.List;
import orrery.model.TermRules;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.AppliedRecord;
import orrery.storage.format.Keys;

/**
 * The constants that applying depends on, by the feature level in the store. A release may know
 * several levels. It applies an entry as the level says, so replicas of different releases agree; a
 * constant is changed by adding a level, never in place.
 *
 * <p>Index entries are deleted and found by making their terms again. So a definition keeps the
 * {@link TermRules} of the level under which its indexing policy came, and a raise changes those of
 * later policies only. Two partitions whose policy came on either side of such a raise can be
 * merged after the next change of the policy.
 *
 * @param deduplicationMillis a repeated request gets the outcome of the first for this long
 * @param purgedPerEntry old deduplication records deleted per entry: more than one entry writes, so
 *     none pile up
 * @param maxDeletions deleted keys that a partition remembers at once; every reader looks at each
 * @param segmentsKept a partition with more segments than this brings its entries home
 * @param maxSegments lists of entries that a reader merges at most
 * @param maxJournals journals that a reader merges at most
 * @param maxReasonChars of the reason that a failed partition keeps
 * @param terms how values and places become index terms, for policies that come under the level
 */
record Level(
        int number,
        long deduplicationMillis,
        int purgedPerEntry,
        int maxDeletions,
        int segmentsKept,
        int maxSegments,
        int maxJournals,
        int maxReasonChars,
        TermRules terms) {
    private static final Level FIRST =
            new Level(AppliedRecord.FIRST_LEVEL, 60_000, 4, 256, 4, 8, 64, 200, TermRules.FIRST);

    /** Failed partitions can be repaired. */
    private static final Level REPAIRS = FIRST.withNumber(2);

    /** Counters of later releases outlive splits and merges; time can be moved on by itself. */
    private static final Level KEPT_COUNTERS = REPAIRS.withNumber(3);

    private static final List<Level> KNOWN = List.of(FIRST, REPAIRS, KEPT_COUNTERS);

    /** The level that leaders of this release raise their sets to. */
    static final Level NEWEST = KNOWN.getLast();

    /** All levels of this release, in order. */
    static List<Level> known() {
        return KNOWN;
    }

    /**
     * Returns the longest window of all levels. What is remembered of requests in memory reaches so
     * far back, so that a raise finds the same requests there on every replica.
     */
    static long longestDeduplicationMillis() {
        return KNOWN.stream().mapToLong(Level::deduplicationMillis).max().orElseThrow();
    }

    /** Throws if this release does not know the level: it must not guess what entries mean. */
    static Level of(int number) {
        for (Level level : KNOWN) {
            if (level.number == number) {
                return level;
            }
        }
        throw new UnknownLevelException(number, NEWEST.number);
    }

    /** Returns the level of a store, or of a snapshot of one. */
    static Level of(StoreView view) {
        byte[] row = view.get(Table.META, Keys.applied());
        return of((row == null ? AppliedRecord.NOTHING : AppliedRecord.decode(row)).level());
    }

    private Level withNumber(int next) {
        return new Level(
                next,
                deduplicationMillis,
                purgedPerEntry,
                maxDeletions,
                segmentsKept,
                maxSegments,
                maxJournals,
                maxReasonChars,
                terms);
    }
}
