package orrery.partition;

import java.util.ArrayList;
import java.util.List;
import orrery.model.SizeLimits;

/**
 * The results of a page that is continued by LSN, and so may not end within one. All results of an
 * LSN that do not fit wait for the next page together; only an LSN that is alone may take more room
 * than was asked for, as far as a message has it.
 */
final class LsnPage<T> {
    /** The message besides its results: LSNs and a charge. */
    private static final int PAGE_BYTES = 1024;

    private final int maxItems;
    private final int maxBytes;
    private final List<T> results = new ArrayList<>();
    private long bytes;
    private long messageBytes = PAGE_BYTES;
    private long lastLsn;

    // The page as it was before the first result of the last LSN.
    private int sizeBefore;
    private long bytesBefore;
    private long lsnBefore;

    LsnPage(int maxItems, int maxBytes) {
        this.maxItems = maxItems;
        this.maxBytes = maxBytes;
    }

    /**
     * False if the result has to wait for the next page, with all others of its LSN.
     *
     * @param resultBytes as they count for the page
     * @param encodedBytes as they count for the message that carries it
     */
    boolean add(T result, long lsn, int resultBytes, int encodedBytes) {
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
        }
        messageBytes += encodedBytes;
        SizeLimits.checkMessage(messageBytes);
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
