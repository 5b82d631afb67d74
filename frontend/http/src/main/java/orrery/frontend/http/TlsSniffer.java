package orrery.frontend.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the first bytes of a connection and puts TLS into its pipeline if that is what it is.
 * One byte would do for HTTP, as no method begins with that of a handshake. A message of MongoDB
 * begins with its length, so there the version of the record has to be seen as well.
 */
final class TlsSniffer extends ByteToMessageDecoder {
    /** The content type of a TLS record that carries a handshake. */
    private static final byte HANDSHAKE_RECORD = 0x16;

    /** The first byte of each version that a record may name. */
    private static final byte MAJOR_VERSION = 3;

    /** The version of a record is one of 3.1 to 3.4, and no first message has 64 KiB. */
    private static final int LAST_MINOR_VERSION = 4;

    private static final int BYTES_NEEDED = 3;

    private final Supplier<SslContext> contexts;
    private final Duration handshakeTimeout;

    /** Runs while the first byte is there and the next are not. */
    private @Nullable ScheduledFuture<?> timeout;

    TlsSniffer(Supplier<SslContext> contexts, Duration handshakeTimeout) {
        this.contexts = contexts;
        this.handshakeTimeout = handshakeTimeout;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf bytes, List<Object> out) {
        int at = bytes.readerIndex();
        if (bytes.getByte(at) == HANDSHAKE_RECORD) {
            if (bytes.readableBytes() < BYTES_NEEDED) {
                if (timeout == null) {
                    timeout =
                            ctx.executor()
                                    .schedule(
                                            () -> {
                                                var _ = ctx.close();
                                            },
                                            handshakeTimeout.toMillis(),
                                            TimeUnit.MILLISECONDS);
                }
                return;
            }
            int minor = bytes.getByte(at + 2);
            if (bytes.getByte(at + 1) == MAJOR_VERSION
                    && minor > 0
                    && minor <= LAST_MINOR_VERSION) {
                SslHandler tls = contexts.get().newHandler(ctx.alloc());
                tls.setHandshakeTimeout(handshakeTimeout.toMillis(), TimeUnit.MILLISECONDS);
                ctx.pipeline().addAfter(ctx.name(), "tls", tls);
            }
        }
        if (timeout != null) {
            timeout.cancel(false);
        }
        // The bytes that have arrived go on to the next handler when this one leaves.
        ctx.pipeline().remove(this);
    }
}
