package orrery.frontend.mongo;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import orrery.frontend.http.ConnectionBytes;
import orrery.frontend.mongo.wire.Frame;
import orrery.frontend.mongo.wire.WireException;

/**
 * The message that a connection is receiving. Its length is checked when the header is there, and
 * memory is taken as the bytes arrive: a client that announces much and sends little holds little.
 * Belongs to the event loop of the connection.
 */
final class IncomingMessage {
    private static final int FIRST_BYTES = 16 << 10;
    private static final byte[] NOTHING = {};

    private final ConnectionBytes<MongoConnection> memory;
    private byte[] bytes = NOTHING;
    private int received;
    private int length;
    private boolean isDiscarded;

    IncomingMessage(ConnectionBytes<MongoConnection> memory) {
        this.memory = memory;
    }

    /** Returns true if a message has begun to arrive. */
    boolean hasBegun() {
        return received > 0;
    }

    /**
     * Takes what belongs to this message. Returns true when it is complete.
     *
     * @param limit the longest message that this client may send
     */
    boolean receive(ByteBuf in, int limit) throws WireException {
        if (received < Frame.HEADER_BYTES) {
            if (bytes.length == 0) {
                bytes = new byte[Frame.HEADER_BYTES];
            }
            take(in, Frame.HEADER_BYTES);
            if (received < Frame.HEADER_BYTES) {
                return false;
            }
            length =
                    Frame.checkedLength(
                            (bytes[0] & 0xFF)
                                    | (bytes[1] & 0xFF) << 8
                                    | (bytes[2] & 0xFF) << 16
                                    | (bytes[3] & 0xFF) << 24,
                            limit);
        }
        while (received < length && in.isReadable()) {
            if (isDiscarded) {
                int skipped = Math.min(in.readableBytes(), length - received);
                in.skipBytes(skipped);
                received += skipped;
            } else if (received == bytes.length) {
                grow();
            } else {
                take(in, Math.min(bytes.length, length));
            }
        }
        return received == length;
    }

    private void take(ByteBuf in, int upTo) {
        int count = Math.min(in.readableBytes(), upTo - received);
        in.readBytes(bytes, received, count);
        received += count;
    }

    /**
     * Without memory for the rest, it reads and forgets that, so that the next message can come.
     */
    private void grow() {
        int size = Math.min(length, Math.max(FIRST_BYTES, bytes.length * 2));
        if (memory.tryHold(size - bytes.length)) {
            bytes = Arrays.copyOf(bytes, size);
        } else {
            isDiscarded = true;
        }
    }

    /** Returns false if there was no memory for the message. Of such a one only its id is known. */
    boolean isWhole() {
        return !isDiscarded;
    }

    int requestId() {
        return Frame.requestId(bytes);
    }

    /** Hands the message over and begins anew. */
    byte[] take() {
        byte[] whole = bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
        clear();
        return whole;
    }

    void clear() {
        bytes = NOTHING;
        received = 0;
        length = 0;
        isDiscarded = false;
    }
}
