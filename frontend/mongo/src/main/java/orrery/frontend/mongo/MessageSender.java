package orrery.frontend.mongo;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing side of a connection. It sends one message at a time, as fast as the channel takes
 * it: no more than a few pieces of a large one wait for a slow client. Belongs to the event loop.
 */
final class MessageSender {
    private static final int PIECE_BYTES = 64 << 10;

    private final ChannelHandlerContext ctx;
    private final ChannelFutureListener onProgress;
    private final ChannelFutureListener onSent;
    private byte @Nullable [] message;
    private int at;
    private boolean isPumping;

    /**
     * @param onProgress hears of each piece but the last, when it was written or has failed
     * @param onSent hears of the last piece
     */
    MessageSender(
            ChannelHandlerContext ctx,
            ChannelFutureListener onProgress,
            ChannelFutureListener onSent) {
        this.ctx = ctx;
        this.onProgress = onProgress;
        this.onSent = onSent;
    }

    void send(byte[] whole) {
        message = whole;
        at = 0;
        pump();
    }

    /** Forgets the message, whether it was sent or not. */
    void end() {
        message = null;
    }

    /** Writes as much of the message as the channel takes. */
    void pump() {
        if (isPumping) {
            return; // the loop below looks again
        }
        isPumping = true;
        try {
            while (writeNext()) {
                while (writeNext()) {
                    // Fill the channel, then flush once.
                }
                ctx.flush();
            }
        } finally {
            isPumping = false;
        }
    }

    private boolean writeNext() {
        byte[] whole = message;
        if (whole == null || at >= whole.length || !ctx.channel().isWritable()) {
            return false;
        }
        int length = Math.min(PIECE_BYTES, whole.length - at);
        int from = at;
        at += length;
        ctx.write(Unpooled.wrappedBuffer(whole, from, length))
                .addListener(at < whole.length ? onProgress : onSent);
        return true;
    }
}
