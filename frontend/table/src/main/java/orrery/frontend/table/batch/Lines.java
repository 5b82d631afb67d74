package orrery.frontend.table.batch;

import java.nio.charset.StandardCharsets;
import orrery.model.Bytes;

/**
 * A stretch of bytes that is read line by line. A line ends with LF, or CR and LF; the last one may
 * have no end.
 */
final class Lines {
    private static final int SHOWN = 40;

    private final byte[] bytes;
    private final int end;
    private int at;

    /** The begin of the line that was read last, and its end without the line break. */
    private int lineStart;

    private int lineEnd;

    Lines(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
    }

    /** Goes to the next line; false at the end. */
    boolean next() {
        if (at >= end) {
            return false;
        }
        lineStart = at;
        int feed = at;
        while (feed < end && bytes[feed] != '\n') {
            feed++;
        }
        at = Math.min(feed + 1, end);
        lineEnd = feed > lineStart && bytes[feed - 1] == '\r' ? feed - 1 : feed;
        return true;
    }

    /** Goes to the next line that is not blank; false at the end. */
    boolean nextNotBlank() {
        while (next()) {
            if (!isBlank()) {
                return true;
            }
        }
        return false;
    }

    boolean isBlank() {
        for (int i = lineStart; i < lineEnd; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t') {
                return false;
            }
        }
        return true;
    }

    int lineStart() {
        return lineStart;
    }

    int lineLength() {
        return lineEnd - lineStart;
    }

    /** The begin of the line after this one. */
    int following() {
        return at;
    }

    boolean startsWith(byte[] text) {
        if (lineLength() < text.length) {
            return false;
        }
        for (int i = 0; i < text.length; i++) {
            if (bytes[lineStart + i] != text[i]) {
                return false;
            }
        }
        return true;
    }

    /** The line from its n-th byte on, one character for each byte. */
    String latin1(int from) {
        return new String(
                bytes, lineStart + from, lineLength() - from, StandardCharsets.ISO_8859_1);
    }

    /** The beginning of the line, for an error. */
    String shown() {
        int length = Math.min(lineLength(), SHOWN);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            char c = (char) (bytes[lineStart + i] & 0xFF);
            text.append(c >= 0x20 && c < 0x7F ? c : '.');
        }
        return text.append(length < lineLength() ? "..." : "").toString();
    }

    /** Returns all that follows the line that was read last. */
    Bytes rest() {
        return Bytes.copyOf(bytes, at, end - at);
    }
}
