package orrery.document;

/** The bytes of a text behind its tag: UTF-16 units in UTF-8's manner, and the mark of its end. */
final class IndexText {
    private static final int MARK = 0x00;
    private static final int NUL = 0xFF;
    private static final int END = 0x01;
    private static final int CUT = 0x02;

    private IndexText() {}

    /** A text that was read, all of it or what was kept. */
    record Decoded(String text, boolean isExact, int end) {}

    static void put(String text, int maxBytes, ByteSink out) {
        char[] units = text.toCharArray();
        put(units, 0, units.length, maxBytes, out);
    }

    /** Strings sort by units and not by code points. */
    static void put(char[] units, int offset, int count, int maxBytes, ByteSink out) {
        int limit = out.length() + maxBytes;
        boolean isCut = false;
        for (int i = 0; i < count && !isCut; i++) {
            if (out.length() >= limit) {
                isCut = true;
            } else if (units[offset + i] == 0) {
                out.put(MARK).put(NUL); // may pass the limit by one: a pair is not split
            } else {
                Utf8.put(units[offset + i], out);
                if (out.length() > limit) {
                    out.truncate(limit);
                    isCut = true;
                }
            }
        }
        out.put(MARK).put(isCut ? CUT : END);
    }

    /** The offset behind the text that begins at this one. */
    static int end(byte[] bytes, int offset, int flip) {
        int at = offset;
        while ((bytes[at] ^ flip) != MARK || isMark(bytes, at, flip, NUL)) {
            at += (bytes[at] ^ flip) == MARK ? 2 : 1;
        }
        return at + 2;
    }

    /** Returns true if a text that ends here was cut. */
    static boolean isCut(byte[] bytes, int end, int flip) {
        return isMark(bytes, end - 2, flip, CUT);
    }

    /** Puts a text that was kept whole as the index has it; returns the offset behind it. */
    static int putShortened(byte[] bytes, int offset, int flip, int maxBytes, ByteSink out) {
        int end = end(bytes, offset, flip);
        int cut = offset + maxBytes;
        boolean isLong = cut + 2 < end;
        if (isLong && isMark(bytes, cut - 1, flip, NUL)) {
            cut++;
            isLong = cut + 2 < end;
        }
        out.put(bytes, offset, (isLong ? cut : end) - offset);
        if (isLong) {
            out.put(MARK ^ flip).put(CUT ^ flip);
        }
        return end;
    }

    private static boolean isMark(byte[] bytes, int at, int flip, int kind) {
        return (bytes[at] ^ flip) == MARK && (byte) (bytes[at + 1] ^ flip) == (byte) kind;
    }

    static Decoded decode(byte[] bytes, int offset) {
        StringBuilder text = new StringBuilder();
        int at = offset;
        while (true) {
            int first = bytes[at] & 0xFF;
            if (first == MARK) {
                int second = bytes[at + 1] & 0xFF;
                at += 2;
                if (second != NUL) {
                    return new Decoded(text.toString(), second == END, at);
                }
                text.append('\0');
                continue;
            }
            int length = first < 0x80 ? 1 : first < 0xE0 ? 2 : 3;
            int unit = length == 1 ? first : first & (length == 2 ? 0x1F : 0x0F);
            int next = at + 1;
            while (next < at + length && bytes[next] != MARK) {
                unit = unit << 6 | (bytes[next] & 0x3F);
                next++;
            }
            if (next == at + length) { // else the cut fell inside this unit
                text.append((char) unit);
            }
            at = next;
        }
    }
}
