package orrery.model;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads the text of a session token in one pass without recursion, because the text comes from
 * clients.
 *
 * <pre>
 *   token  = [ entry { "," entry } [ "," ] ]
 *   entry  = range ":" ( lsn | version "#" lsn { "#" region "=" lsn } )
 * </pre>
 */
final class SessionTokenParser {
    private final String text;
    private int position;

    SessionTokenParser(String text) {
        // Proxies that join repeated headers put a space behind the comma; see skipSpaces. Clients
        // that join tokens of several ranges leave a comma at the end.
        this.text = text.strip();
    }

    SortedMap<Integer, Long> parse() {
        SortedMap<Integer, Long> lsnByRange = new TreeMap<>();
        if (text.isEmpty()) {
            return lsnByRange;
        }
        do {
            skipSpaces();
            int range = range();
            lsnByRange.merge(range, lsn(), Math::max);
            skipSpaces();
        } while (accept(',') && position < text.length());
        if (position < text.length()) {
            throw malformed("unexpected character");
        }
        return lsnByRange;
    }

    private int range() {
        long range = number();
        if (range < 0 || range > Integer.MAX_VALUE) {
            throw malformed("range id out of bounds");
        }
        expect(':');
        return (int) range;
    }

    private long lsn() {
        long versionOrLsn = number();
        if (!accept('#')) {
            return versionOrLsn;
        }
        long lsn = number();
        while (accept('#')) {
            number();
            expect('=');
            number();
        }
        // The version grows when regions come or go. One that we never issued is from another
        // history than ours, or from its future: no LSN of ours has reached it.
        return versionOrLsn > SessionToken.VERSION ? Long.MAX_VALUE : lsn;
    }

    /** A signed 64-bit number: our own LSNs are never negative, but -1 stands for "none". */
    private long number() {
        int start = position;
        accept('-');
        while (position < text.length() && isDigit(text.charAt(position))) {
            position++;
        }
        try {
            return Long.parseLong(text, start, position, 10);
        } catch (NumberFormatException notANumber) {
            throw malformed("expected a 64-bit number");
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void skipSpaces() {
        while (accept(' ')) {
            // accept moves on
        }
    }

    private boolean accept(char wanted) {
        if (position < text.length() && text.charAt(position) == wanted) {
            position++;
            return true;
        }
        return false;
    }

    private void expect(char wanted) {
        if (!accept(wanted)) {
            throw malformed("expected '" + wanted + "'");
        }
    }

    /** Says where, but does not repeat the text: it may be long, and it is not ours. */
    private OrreryException malformed(String reason) {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                "The session token is malformed at character "
                        + position
                        + ": "
                        + reason
                        + ". It must look like 0:-1#12 or 0:12, separated by commas.");
    }
}
