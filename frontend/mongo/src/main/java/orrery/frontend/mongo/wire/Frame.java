package orrery.frontend.mongo.wire;

/** The header that every message begins with. All numbers are little-endian. */
public final class Frame {
    public static final int HEADER_BYTES = 16;

    /** The largest message, which hello names, and a little for what lies around documents. */
    public static final int MAX_MESSAGE_BYTES = 48_000_000;

    static final int MAX_BYTES = MAX_MESSAGE_BYTES + (16 << 10);

    private Frame() {}

    /** Returns the length of a message from the first four bytes of it, if it may have that. */
    public static int checkedLength(int length, int limit) throws WireException {
        if (length < HEADER_BYTES || length > Math.min(limit, MAX_BYTES)) {
            throw new WireException("a message cannot have " + length + " bytes");
        }
        return length;
    }

    public static int requestId(byte[] frame) {
        return int32(frame, 4);
    }

    /**
     * Returns false if the client says that it waits for no reply, as far as the frame shows it.
     */
    public static boolean awaitsReply(byte[] frame) {
        return opCode(frame) != OpCode.MSG
                || frame.length < HEADER_BYTES + Integer.BYTES
                || (int32(frame, HEADER_BYTES) & MessageReader.MORE_TO_COME) == 0;
    }

    public static boolean isCompressed(byte[] frame) {
        return opCode(frame) == OpCode.COMPRESSED;
    }

    static int opCode(byte[] frame) {
        return int32(frame, 12);
    }

    static int int32(byte[] bytes, int at) {
        return (bytes[at] & 0xFF)
                | (bytes[at + 1] & 0xFF) << 8
                | (bytes[at + 2] & 0xFF) << 16
                | (bytes[at + 3] & 0xFF) << 24;
    }

    static void putInt32(byte[] bytes, int at, int value) {
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[at + i] = (byte) (value >>> (8 * i));
        }
    }
}
