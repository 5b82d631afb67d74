package orrery.partition;

import java.util.ArrayList;
import java.util.List;

/**
 * The results of a page that keeps those of an LSN together. All results of an LSN that do not fit
 * wait for the next page together. {@link Alone} says what becomes of an LSN that is larger than a
 * page: to refuse it would end the feed there for good.
 */
final class LsnPage<T> {
    /** The rule for an LSN that is alone on its page and does not fit. */
    enum Alone {
        /** It takes the room it needs, because the page is continued by LSN. */
        STAYS_WHOLE,
        /** The page ends within it: what fits is sent, and at least one result. */
        IS_CUT
    }

    private final int maxItems;
    private final int maxBytes;
    private final Alone alone;
    private final List<T> results = new ArrayList<>();
    private long bytes;
    private long lastLsn;

    // The page as it was before the first result of the last LSN.
    private int sizeBefore;
    private long bytesBefore;
    private long lsnBefore;

    LsnPage(int maxItems, int maxBytes, Alone alone) {
        this.maxItems = maxItems;
        this.maxBytes = maxBytes;
        this.alone = alone;
    }

    /**
     * False if the result has to wait for the next page, with all others of its LSN unless that is
     * cut here.
     *
     * @param resultBytes as they count for the page
     */
    boolean add(T result, long lsn, long resultBytes) {
        boolean hasRoom = bytes + resultBytes <= maxBytes;
        if (results.isEmpty() || lsn != lastLsn) {
            if (!results.isEmpty() && (results.size() >= maxItems || !hasRoom)) {
                return false;
            }
            sizeBefore = results.size();
            bytesBefore = bytes;
            lsnBefore = lastLsn;
        } else if (!hasRoom && sizeBefore > 0) {
            results.subList(sizeBefore, results.size()).clear();
            bytes = bytesBefore;
            lastLsn = lsnBefore;
            return false;
        } else if (!hasRoom && alone == Alone.IS_CUT) {
            return false;
        }
        results.add(result);
        bytes += resultBytes;
        lastLsn = lsn;
        return true;
    }

    List<T> results() {
        return results;
    }

    int size() {
        return results.size();
    }

    long bytes() {
        return bytes;
    }

    /** Returns the LSN of the last result; 0 while there is none. */
    long lastLsn() {
        return lastLsn;
    }
}
