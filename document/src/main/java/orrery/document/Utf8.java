package orrery.document;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Checks of text encoding that must come before parsing. */
final class Utf8 {
    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    /**
     * Offset of the first byte that is not well-formed UTF-8 or is NUL, or -1. The JSON parser
     * passes over-long forms and encoded surrogates in strings nobody asks for, and takes NULs as a
     * sign of UTF-16; both would be stored and then break every other reader.
     */
    static int findFault(byte[] text) {
        int at = 0;
        int end = text.length;
        while (at < end) {
            while (at + 8 <= end && isPlain((long) WORD.get(text, at))) {
                at += 8;
            }
            if (at >= end) {
                break;
            }
            int length = sequenceLength(text, at, end);
            if (length == 0) {
                return at;
            }
            at += length;
        }
        return -1;
    }

    /** Throws BAD_REQUEST if the text holds a surrogate without its partner. */
    static byte[] encode(String text) {
        if (hasLoneSurrogate(text)) {
            throw JsonInput.invalid("It holds half a surrogate pair");
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static boolean hasLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (Character.isSurrogate(unit)) {
                if (!isPairAt(text, i)) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    static boolean isPairAt(CharSequence text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1));
    }

    /**
     * Appends one code point. A surrogate is encoded like any other number, in three bytes: callers
     * that must write well-formed text pass pairs as one code point.
     */
    static void put(int point, ByteSink out) {
        if (point < 0x80) {
            out.put(point);
        } else if (point < 0x800) {
            out.put(0xC0 | (point >> 6)).put(0x80 | (point & 0x3F));
        } else if (point < 0x10000) {
            out.put(0xE0 | (point >> 12));
            out.put(0x80 | ((point >> 6) & 0x3F)).put(0x80 | (point & 0x3F));
        } else {
            out.put(0xF0 | (point >> 18)).put(0x80 | ((point >> 12) & 0x3F));
            out.put(0x80 | ((point >> 6) & 0x3F)).put(0x80 | (point & 0x3F));
        }
    }

    /** Eight ASCII bytes, none of them zero. */
    private static boolean isPlain(long word) {
        return (word & HIGH_BITS) == 0 && zeros(word) == 0;
    }

    /** Returns true if none of the eight bytes from here on is a quote or a backslash. */
    static boolean isPlainTextNext(byte[] text, int at) {
        return marks((long) WORD.get(text, at)) == 0;
    }

    /** Returns the place of the next quote or backslash in a text of JSON, which has one. */
    static int findMark(byte[] text, int from) {
        int at = from;
        while (at + Long.BYTES <= text.length) {
            long marks = marks((long) WORD.get(text, at));
            if (marks != 0) {
                return at + Long.numberOfTrailingZeros(marks) / Byte.SIZE;
            }
            at += Long.BYTES;
        }
        while (text[at] != '"' && text[at] != '\\') {
            at++;
        }
        return at;
    }

    /** A bit for each quote and backslash; bits behind the lowest may be wrong. */
    private static long marks(long word) {
        return zeros(word ^ ONES * '"') | zeros(word ^ ONES * '\\');
    }

    /** The top bit of each byte that is zero; bits behind the lowest may be wrong. */
    private static long zeros(long word) {
        return (word - ONES) & ~word & HIGH_BITS;
    }

    /** 0 if no well-formed character begins here (Unicode, table 3-7). */
    private static int sequenceLength(byte[] text, int at, int end) {
        int first = text[at] & 0xFF;
        if (first < 0x80) {
            return first == 0 ? 0 : 1;
        }
        int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        if (length == 0 || at + length > end) {
            return 0;
        }
        int second = text[at + 1] & 0xFF;
        int lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        int highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if (second < lowest || second > highest) {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if ((text[at + i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }
}
