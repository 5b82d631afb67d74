package orrery.model;

/**
 * The SDKs' order-preserving form of key components: bytes that sort as the values do. Effective
 * keys of the first hash version and of range containers consist of it. Each {@code put} writes
 * into an array with room for the longest form and returns where it ended.
 */
final class OrderedEncoding {
    // Markers of the component types; the hash inputs begin with the same ones.
    static final byte UNDEFINED = 0x00;
    static final byte NULL = 0x01;
    static final byte FALSE = 0x02;
    static final byte TRUE = 0x03;
    static final byte NUMBER = 0x05;
    static final byte TEXT = 0x08;

    /** Marker, eight bits, and the other 56 in groups of seven. */
    static final int MAX_NUMBER_LENGTH = 10;

    /** Longer texts are cut one byte behind this, and lose their terminator. */
    private static final int MAX_TEXT_BYTES = 100;

    /** Marker, text, and the terminator or the byte in its place. */
    static final int MAX_TEXT_LENGTH = MAX_TEXT_BYTES + 2;

    private OrderedEncoding() {}

    /**
     * Eight bits of the ordered form, then seven a byte with the low bit set on all but the last.
     * The last byte is written even when it is zero.
     */
    static int putNumber(byte[] out, int start, double value) {
        long bits = Double.doubleToRawLongBits(value);
        // Flip positives above negatives; negate negatives so that larger ones come first.
        long ordered = bits < 0 ? -bits : bits ^ Long.MIN_VALUE;
        int at = start;
        out[at++] = NUMBER;
        out[at++] = (byte) (ordered >>> 56);
        long rest = ordered << 8;
        while (rest << 7 != 0) {
            out[at++] = (byte) (rest >>> 56 | 1);
            rest <<= 7;
        }
        out[at++] = (byte) (rest >>> 56 & 0xFE);
        return at;
    }

    /** The number that an encoding begins with; bytes that are missing count as zero. */
    static double readNumber(Bytes encoded) {
        long ordered = encoded.length() > 1 ? (encoded.at(1) & 0xFFL) << 56 : 0;
        int shift = 49;
        for (int i = 2; i < encoded.length() && shift >= 0; i++) {
            ordered |= (encoded.at(i) & 0xFEL) >>> 1 << shift;
            if ((encoded.at(i) & 1) == 0) {
                break;
            }
            shift -= 7;
        }
        return Double.longBitsToDouble(ordered < 0 ? ordered ^ Long.MIN_VALUE : -ordered);
    }

    /** Each byte plus one, so that the zero at the end sorts below every longer text. */
    static int putText(byte[] out, int start, byte[] utf8, int from, int to) {
        int at = start;
        out[at++] = TEXT;
        boolean whole = to - from <= MAX_TEXT_BYTES;
        int end = whole ? to : from + MAX_TEXT_BYTES + 1;
        for (int i = from; i < end; i++) {
            out[at++] = (byte) (utf8[i] + 1);
        }
        if (whole) {
            out[at++] = 0;
        }
        return at;
    }
}
