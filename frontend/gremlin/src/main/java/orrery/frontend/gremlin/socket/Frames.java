package orrery.frontend.gremlin.socket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The parts of a frame that both sides know, and frames as a server sends them. */
public final class Frames {
    public static final int NORMAL = 1000;
    public static final int GOING_AWAY = 1001;
    static final int PROTOCOL_ERROR = 1002;
    public static final int TOO_BIG = 1009;
    public static final int POLICY = 1008;
    public static final int TRY_LATER = 1013;

    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    static final int PONG = 10;

    static final int FINAL = 0x80;
    static final int MASKED = 0x80;
    static final int MAX_CONTROL_BYTES = 125;

    private static final int MAX_REASON_BYTES = MAX_CONTROL_BYTES - Short.BYTES;

    private Frames() {}

    /** Returns the beginning of a frame that carries a whole message. */
    public static byte[] head(int length, boolean isText) {
        return head(isText ? TEXT : BINARY, length).array();
    }

    public static byte[] pong(byte[] payload) {
        return frame(PONG, payload);
    }

    /**
     * Returns the frame with which a connection ends.
     *
     * @param reason for people; what does not fit is left out
     */
    public static byte[] close(int code, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.US_ASCII);
        text = text.length > MAX_REASON_BYTES ? Arrays.copyOf(text, MAX_REASON_BYTES) : text;
        return frame(
                CLOSE,
                ByteBuffer.allocate(Short.BYTES + text.length)
                        .putShort((short) code)
                        .put(text)
                        .array());
    }

    private static byte[] frame(int opcode, byte[] payload) {
        byte[] head = head(opcode, payload.length).array();
        return ByteBuffer.allocate(head.length + payload.length).put(head).put(payload).array();
    }

    private static ByteBuffer head(int opcode, int length) {
        int bytes = length <= MAX_CONTROL_BYTES ? 2 : length <= 0xFFFF ? 4 : 10;
        ByteBuffer head = ByteBuffer.allocate(bytes).put((byte) (FINAL | opcode));
        return switch (bytes) {
            case 2 -> head.put((byte) length);
            case 4 -> head.put((byte) 126).putShort((short) length);
            default -> head.put((byte) 127).putLong(length);
        };
    }
}
