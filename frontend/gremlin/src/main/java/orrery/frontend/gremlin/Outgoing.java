package orrery.frontend.gremlin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import orrery.frontend.gremlin.socket.Frames;
import orrery.frontend.http.ReplySender;

/** Bytes on their way to a client, in pieces: few of a large message wait for a slow client. */
final class Outgoing implements ReplySender.Source {
    private static final int PIECE_BYTES = 64 << 10;
    private static final byte[] NOTHING = {};

    private final byte[] head;
    private final byte[] payload;
    private final Runnable onSent;
    private int at;

    private Outgoing(byte[] head, byte[] payload, Runnable onSent) {
        this.head = head;
        this.payload = payload;
        this.onSent = onSent;
        this.at = -head.length;
    }

    /**
     * @param onSent runs on the event loop when the channel has taken all of it
     */
    static Outgoing message(byte[] payload, boolean isText, Runnable onSent) {
        return new Outgoing(Frames.head(payload.length, isText), payload, onSent);
    }

    /** A control frame, or an answer that is not WebSocket yet. */
    static Outgoing raw(byte[] bytes) {
        return new Outgoing(NOTHING, bytes, () -> {});
    }

    int length() {
        return head.length + payload.length;
    }

    void sent() {
        onSent.run();
    }

    @Override
    public boolean hasMore() {
        return at < payload.length;
    }

    @Override
    public ByteBuf next(ByteBufAllocator allocator) {
        int length = Math.min(PIECE_BYTES, payload.length - Math.max(0, at));
        ByteBuf piece = allocator.buffer(length + Math.max(0, -at));
        if (at < 0) {
            piece.writeBytes(head);
            at = 0;
        }
        piece.writeBytes(payload, at, length);
        at += length;
        return piece;
    }
}
