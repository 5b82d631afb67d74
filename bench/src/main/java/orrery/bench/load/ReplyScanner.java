package orrery.bench.load;

import java.util.Arrays;

/** Finds out how far a reply reaches, looking only at what it must. */
final class ReplyScanner {
    private static final byte[] CONTENT_LENGTH = SampleItem.ascii("content-length:");

    private static final byte[] CHUNKED = SampleItem.ascii("transfer-encoding: chunked");
    private static final byte[] LAST_CHUNK = SampleItem.ascii("\r\n0\r\n\r\n");

    /** The answer of {@link #length} while the head has not arrived. */
    static final int UNKNOWN = -1;

    private ReplyScanner() {}

    static int status(byte[] bytes) {
        return (bytes[9] - '0') * 100 + (bytes[10] - '0') * 10 + (bytes[11] - '0');
    }

    /** Up to and including the empty line; {@link #UNKNOWN} while there is none. */
    static int headLength(byte[] bytes, int count) {
        for (int i = 3; i < count; i++) {
            if (bytes[i] == '\n'
                    && bytes[i - 1] == '\r'
                    && bytes[i - 2] == '\n'
                    && bytes[i - 3] == '\r') {
                return i + 1;
            }
        }
        return UNKNOWN;
    }

    /** The length of head and body. */
    static int length(byte[] bytes, int count) {
        int head = headLength(bytes, count);
        if (head == UNKNOWN) {
            return UNKNOWN;
        }
        for (int i = 0; i < head; i++) {
            if (bytes[i] == '\n' && isContentLength(bytes, i + 1, head)) {
                return head + number(bytes, i + 1 + CONTENT_LENGTH.length);
            }
            if (bytes[i] == '\n' && isField(CHUNKED, bytes, i + 1, head)) {
                return endsWithLastChunk(bytes, count) ? count : UNKNOWN;
            }
        }
        return head;
    }

    /** No body of a measurement has these bytes at its end by chance. */
    private static boolean endsWithLastChunk(byte[] bytes, int count) {
        int start = count - LAST_CHUNK.length;
        return start >= 0 && Arrays.equals(bytes, start, count, LAST_CHUNK, 0, LAST_CHUNK.length);
    }

    private static boolean isContentLength(byte[] bytes, int from, int end) {
        return isField(CONTENT_LENGTH, bytes, from, end);
    }

    private static boolean isField(byte[] field, byte[] bytes, int from, int end) {
        if (from + field.length >= end) {
            return false;
        }
        for (int i = 0; i < field.length; i++) {
            // Letters differ from their capitals in this bit, and no other name is hit by it.
            if ((bytes[from + i] | 0x20) != (field[i] | 0x20)) {
                return false;
            }
        }
        return true;
    }

    private static int number(byte[] bytes, int from) {
        int at = from;
        while (bytes[at] == ' ') {
            at++;
        }
        int number = 0;
        while (bytes[at] >= '0' && bytes[at] <= '9') {
            number = number * 10 + (bytes[at] - '0');
            at++;
        }
        return number;
    }
}
