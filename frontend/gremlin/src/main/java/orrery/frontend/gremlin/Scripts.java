package orrery.frontend.gremlin;

/** The limits of the service for scripts. */
final class Scripts {
    /** The longest script, in UTF-8. */
    static final int MAX_BYTES = 64 << 10;

    /** The number of results in a message, where the client names none. */
    static final int BATCH_SIZE = 64;

    private Scripts() {}

    static boolean isTooLong(String text) {
        return text.length() > MAX_BYTES || utf8Bytes(text) > MAX_BYTES;
    }

    private static int utf8Bytes(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // Each half of a pair is counted with two of its four bytes.
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }
}
