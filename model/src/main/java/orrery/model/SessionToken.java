package orrery.model;

import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The progress of a client in each physical partition: the LSN per range id. Written {@code
 * 0:-1#12,1:-1#7}, where -1 is the version of an account with one region; clients from before
 * 2018-06-18 know only {@code 0:12}.
 */
public record SessionToken(SortedMap<Integer, Long> lsnByRange) {
    /** The version of an account with one region. */
    static final long VERSION = -1;

    /** The empty token: its client has seen no partition. */
    public static final SessionToken NOTHING = new SessionToken(new TreeMap<>());

    public SessionToken {
        lsnByRange = Collections.unmodifiableSortedMap(new TreeMap<>(lsnByRange));
    }

    public static SessionToken of(int range, long lsn) {
        SortedMap<Integer, Long> lsnByRange = new TreeMap<>();
        lsnByRange.put(range, lsn);
        return new SessionToken(lsnByRange);
    }

    /**
     * Reads either form, also mixed; an empty text has seen nothing. Where a range occurs twice the
     * higher LSN counts, as clients merge tokens by joining them. LSNs of single regions are
     * checked and dropped: an account has one region, and the global LSN says it all.
     */
    public static SessionToken parse(String text) {
        return new SessionToken(new SessionTokenParser(text).parse());
    }

    /** The LSN seen of a range; empty for a range the client has not met. */
    public OptionalLong lsn(int range) {
        Long lsn = lsnByRange.get(range);
        return lsn == null ? OptionalLong.empty() : OptionalLong.of(lsn);
    }

    public String format() {
        return format(VERSION + "#");
    }

    public String formatLegacy() {
        return format("");
    }

    private String format(String version) {
        StringBuilder text = new StringBuilder();
        lsnByRange.forEach(
                (range, lsn) -> {
                    if (!text.isEmpty()) {
                        text.append(',');
                    }
                    text.append((int) range).append(':').append(version).append((long) lsn);
                });
        return text.toString();
    }

    @Override
    public String toString() {
        return format();
    }
}
