package orrery.frontend.mongo.wire;

import java.util.zip.CRC32C;
import orrery.model.Bytes;

/** Writes the messages that answer others. */
public final class MessageWriter {
    private static final int CHECKSUM_PRESENT = 1;

    /** Says that cursors may wait for data; all servers of today say so. */
    private static final int AWAIT_CAPABLE = 8;

    private static final int QUERY_FAILURE = 2;

    /** The flags and the kind of the one section. */
    private static final int MSG_PREFIX = Integer.BYTES + 1;

    /** Flags, the id of a cursor, its position, the number of documents. */
    private static final int REPLY_PREFIX = 20;

    /** The kind of the wrapped message, its size, the compression. */
    private static final int COMPRESSED_PREFIX = 9;

    private MessageWriter() {}

    /**
     * OP_MSG with one document.
     *
     * @param id of this message
     * @param compressor of the frame; a checksum is over a message that is not compressed
     */
    public static byte[] msg(
            int id, int responseTo, Bytes document, boolean checksum, Compressor compressor) {
        boolean sums = checksum && compressor == Compressor.NONE;
        int end = Frame.HEADER_BYTES + MSG_PREFIX + document.length();
        byte[] out = new byte[sums ? end + Integer.BYTES : end];
        header(out, id, responseTo, OpCode.MSG);
        Frame.putInt32(out, Frame.HEADER_BYTES, sums ? CHECKSUM_PRESENT : 0);
        put(document, out, Frame.HEADER_BYTES + MSG_PREFIX);
        if (sums) {
            CRC32C sum = new CRC32C();
            sum.update(out, 0, end);
            Frame.putInt32(out, end, (int) sum.getValue());
        }
        return compressor == Compressor.NONE ? out : compressed(out, compressor);
    }

    /** OP_REPLY with one document, which only answers OP_QUERY. */
    public static byte[] reply(int id, int responseTo, Bytes document, boolean isFailure) {
        byte[] out = new byte[Frame.HEADER_BYTES + REPLY_PREFIX + document.length()];
        header(out, id, responseTo, OpCode.REPLY);
        Frame.putInt32(out, Frame.HEADER_BYTES, AWAIT_CAPABLE | (isFailure ? QUERY_FAILURE : 0));
        Frame.putInt32(out, Frame.HEADER_BYTES + REPLY_PREFIX - Integer.BYTES, 1);
        put(document, out, Frame.HEADER_BYTES + REPLY_PREFIX);
        return out;
    }

    private static byte[] compressed(byte[] plain, Compressor compressor) {
        byte[] body = compressor.compress(plain, Frame.HEADER_BYTES);
        byte[] out = new byte[Frame.HEADER_BYTES + COMPRESSED_PREFIX + body.length];
        System.arraycopy(plain, 0, out, 0, Frame.HEADER_BYTES);
        Frame.putInt32(out, 0, out.length);
        Frame.putInt32(out, 12, OpCode.COMPRESSED);
        Frame.putInt32(out, Frame.HEADER_BYTES, Frame.opCode(plain));
        Frame.putInt32(out, Frame.HEADER_BYTES + 4, plain.length - Frame.HEADER_BYTES);
        out[Frame.HEADER_BYTES + 8] = (byte) compressor.number();
        System.arraycopy(body, 0, out, Frame.HEADER_BYTES + COMPRESSED_PREFIX, body.length);
        return out;
    }

    private static void header(byte[] out, int id, int responseTo, int code) {
        Frame.putInt32(out, 0, out.length);
        Frame.putInt32(out, 4, id);
        Frame.putInt32(out, 8, responseTo);
        Frame.putInt32(out, 12, code);
    }

    private static void put(Bytes document, byte[] out, int at) {
        System.arraycopy(document.unsafeArray(), 0, out, at, document.length());
    }
}
