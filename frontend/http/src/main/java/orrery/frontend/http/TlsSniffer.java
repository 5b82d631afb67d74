package orrery.frontend.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Looks at the first byte of a connection and puts TLS into its pipeline if that is what it is. */
final class TlsSniffer extends ChannelInboundHandlerAdapter {
    // The content type of a TLS record that carries a handshake; no HTTP method begins with it.
    private static final byte HANDSHAKE_RECORD = 0x16;

    private final Supplier<SslContext> contexts;
    private final Duration handshakeTimeout;

    TlsSniffer(Supplier<SslContext> contexts, Duration handshakeTimeout) {
        this.contexts = contexts;
        this.handshakeTimeout = handshakeTimeout;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        var bytes = (ByteBuf) message;
        if (!bytes.isReadable()) {
            bytes.release();
            return;
        }
        try {
            if (bytes.getByte(bytes.readerIndex()) == HANDSHAKE_RECORD) {
                SslHandler tls = contexts.get().newHandler(ctx.alloc());
                tls.setHandshakeTimeout(handshakeTimeout.toMillis(), TimeUnit.MILLISECONDS);
                ctx.pipeline().addAfter(ctx.name(), "tls", tls);
            }
        } catch (RuntimeException e) {
            bytes.release();
            throw e;
        }
        ctx.fireChannelRead(bytes);
        ctx.pipeline().remove(this);
    }
}
