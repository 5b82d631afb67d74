package orrery.frontend.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing side of a connection. It sends one reply at a time, as fast as the channel takes it:
 * no more than a few buffers of a large reply wait for a slow client. Belongs to the event loop of
 * the channel.
 */
public final class ReplySender {
    /** The bytes of one reply, in the pieces in which they are sent. */
    public interface Source {
        boolean hasMore();

        /** Returns the next piece; the caller owns the buffer. */
        ByteBuf next(ByteBufAllocator allocator);
    }

    private static final ByteBuf CONTINUE = line("HTTP/1.1 100 Continue");
    private static final ByteBuf PROCESSING = line("HTTP/1.1 102 Processing");

    private final ChannelHandlerContext ctx;
    private final ChannelFutureListener onProgress;
    private final ChannelFutureListener onSent;
    private @Nullable Source reply;
    private boolean isPumping;
    private boolean isOutputEnded;

    /**
     * @param onProgress hears of each buffer but the last, when it was written or has failed
     * @param onSent hears of the last buffer
     */
    public ReplySender(
            ChannelHandlerContext ctx,
            ChannelFutureListener onProgress,
            ChannelFutureListener onSent) {
        this.ctx = ctx;
        this.onProgress = onProgress;
        this.onSent = onSent;
    }

    private static ByteBuf line(String status) {
        return Unpooled.unreleasableBuffer(
                Unpooled.directBuffer()
                        .writeBytes((status + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII))
                        .asReadOnly());
    }

    /** Tells the client that its request is still being answered, or finds that it has left. */
    void sendProcessing(ChannelFutureListener onWritten) {
        ctx.writeAndFlush(PROCESSING.duplicate()).addListener(onWritten);
    }

    /** Tells a client that asked first to send its body. */
    void sendContinue() {
        var _ = ctx.writeAndFlush(CONTINUE.duplicate());
    }

    public void send(Source next) {
        reply = next;
        pump();
    }

    /** Returns true from {@link #send} until {@link #end}. */
    boolean isSending() {
        return reply != null;
    }

    /** Forgets the reply, whether it was sent or not. */
    public void end() {
        reply = null;
    }

    /** Writes as much of the reply as the channel takes. Without a reply it does nothing. */
    public void pump() {
        if (isPumping) {
            return; // the loop below looks again
        }
        isPumping = true;
        try {
            while (writeNext()) {
                while (writeNext()) {
                    // Fill the channel, then flush once.
                }
                // This may end the reply and, if the next request is refused, begin another.
                ctx.flush();
            }
        } finally {
            isPumping = false;
        }
    }

    private boolean writeNext() {
        Source present = reply;
        if (present == null || !present.hasMore() || !ctx.channel().isWritable()) {
            return false;
        }
        ByteBuf buffer = present.next(ctx.alloc());
        ctx.write(buffer).addListener(present.hasMore() ? onProgress : onSent);
        return true;
    }

    /** Ends our side of the connection; the client may still send. */
    public void endOutput() {
        if (isOutputEnded) {
            return;
        }
        isOutputEnded = true;
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        if (tls != null) {
            var _ = tls.closeOutbound();
        } else if (ctx.channel() instanceof DuplexChannel channel) {
            var _ = channel.shutdownOutput();
        }
    }
}
