package orrery.frontend.mongo;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import orrery.frontend.http.ReplySender;

/** A message on its way to a client, in pieces: few of a large one wait for a slow client. */
final class OutgoingMessage implements ReplySender.Source {
    private static final int PIECE_BYTES = 64 << 10;

    private final byte[] message;
    private int at;

    OutgoingMessage(byte[] message) {
        this.message = message;
    }

    @Override
    public boolean hasMore() {
        return at < message.length;
    }

    @Override
    public ByteBuf next(ByteBufAllocator allocator) {
        int length = Math.min(PIECE_BYTES, message.length - at);
        ByteBuf piece = allocator.buffer(length).writeBytes(message, at, length);
        at += length;
        return piece;
    }
}
