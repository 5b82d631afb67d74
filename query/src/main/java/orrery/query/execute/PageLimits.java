package orrery.query.execute;

import java.time.Duration;
import orrery.model.SizeLimits;

/**
 * The limits at which a page ends.
 *
 * @param maxRows results
 * @param maxBytes of results; at least one is returned
 * @param maxEntries index entries, or rows of joins, looked at
 * @param maxDocuments items loaded
 * @param maxRowBytes of one result; a larger one is refused
 */
public record PageLimits(
        int maxRows,
        int maxBytes,
        long maxEntries,
        int maxDocuments,
        Duration maxTime,
        int maxRowBytes) {
    // A page that finds nothing takes some hundred milliseconds with these.
    private static final long ENTRIES = 200_000;
    private static final int DOCUMENTS = 20_000;
    private static final Duration TIME = Duration.ofSeconds(4);

    /**
     * Functions of users are interpreted, and all calls of a page share what a script may allocate
     * and how long it may run.
     */
    private static final int DOCUMENTS_WITH_FUNCTIONS = 2_000;

    private static final Duration TIME_WITH_FUNCTIONS = Duration.ofSeconds(2);

    public PageLimits {
        if (maxRows < 1 || maxBytes < 1 || maxEntries < 1 || maxDocuments < 1) {
            throw new IllegalArgumentException("a page must be able to get somewhere");
        }
    }

    /** A row may be as large as a whole page. */
    public PageLimits(
            int maxRows, int maxBytes, long maxEntries, int maxDocuments, Duration maxTime) {
        this(
                maxRows,
                maxBytes,
                maxEntries,
                maxDocuments,
                maxTime,
                SizeLimits.DEFAULT.maxPageBytes());
    }

    /** The limits where items are of this size, and so results too. */
    public PageLimits forItems(SizeLimits limits) {
        return new PageLimits(
                maxRows, maxBytes, maxEntries, maxDocuments, maxTime, limits.maxPageBytes());
    }

    public static PageLimits of(int maxRows, int maxBytes) {
        return new PageLimits(maxRows, maxBytes, ENTRIES, DOCUMENTS, TIME);
    }

    /** Returns the limits of queries that call functions of users. */
    public static PageLimits withFunctions(int maxRows, int maxBytes) {
        return new PageLimits(
                maxRows, maxBytes, ENTRIES, DOCUMENTS_WITH_FUNCTIONS, TIME_WITH_FUNCTIONS);
    }
}
