package orrery.partition.machine;

import java.util.List;
import orrery.model.TermRules;
import orrery.storage.format.AppliedRecord;

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
 * @param sortedKeyItems a logical partition with more items keeps its creation order in rows
 * @param sortedKeyBytes one whose items have more bytes does so too
 * @param creationRowsPerWrite rows of that order that each write adds while some are missing
 * @param sessionMillis a statement of a session that is sent again gets its first answer for this
 *     long; a level without such commands has any
 * @param maxReasonChars of the reason that a failed partition keeps
 * @param keepsBefore whether journals of MongoDB's containers have with a replace what was there
 *     before
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
        long sortedKeyItems,
        long sortedKeyBytes,
        int creationRowsPerWrite,
        long sessionMillis,
        int maxReasonChars,
        boolean keepsBefore,
        TermRules terms) {
    private static final Level FIRST =
            new Level(
                    AppliedRecord.FIRST_LEVEL,
                    60_000,
                    4,
                    256,
                    4,
                    8,
                    64,
                    Long.MAX_VALUE,
                    Long.MAX_VALUE,
                    0,
                    1_800_000,
                    200,
                    false,
                    TermRules.FIRST);

    /** Failed partitions can be repaired. */
    private static final Level REPAIRS = FIRST.withNumber(2);

    /**
     * Large logical partitions keep their creation order, counters of later releases outlive splits
     * and merges, and time can be moved on by itself.
     */
    private static final Level CREATION_ORDER =
            REPAIRS.withNumber(3).withCreationOrder(1000, 4 << 20, 8);

    /** Writes of sessions are remembered. */
    private static final Level SESSIONS = CREATION_ORDER.withNumber(4);

    /** Journals tell what an update has changed, and by which transaction. */
    private static final Level CHANGE_STREAMS = SESSIONS.withNumber(5).withBefore();

    private static final List<Level> KNOWN =
            List.of(FIRST, REPAIRS, CREATION_ORDER, SESSIONS, CHANGE_STREAMS);

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

    private Level withNumber(int next) {
        return with(
                next,
                sortedKeyItems,
                sortedKeyBytes,
                creationRowsPerWrite,
                sessionMillis,
                keepsBefore);
    }

    private Level withBefore() {
        return with(
                number, sortedKeyItems, sortedKeyBytes, creationRowsPerWrite, sessionMillis, true);
    }

    Level withCreationOrder(long sortedItems, long sortedBytes, int rowsPerWrite) {
        return with(number, sortedItems, sortedBytes, rowsPerWrite, sessionMillis, keepsBefore);
    }

    Level withSessions(long millis) {
        return with(
                number, sortedKeyItems, sortedKeyBytes, creationRowsPerWrite, millis, keepsBefore);
    }

    private Level with(
            int next,
            long sortedItems,
            long sortedBytes,
            int rowsPerWrite,
            long sessions,
            boolean before) {
        return new Level(
                next,
                deduplicationMillis,
                purgedPerEntry,
                maxDeletions,
                segmentsKept,
                maxSegments,
                maxJournals,
                sortedItems,
                sortedBytes,
                rowsPerWrite,
                sessions,
                maxReasonChars,
                before,
                terms);
    }
}
