package orrery.frontend.http;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.RejectedExecutionException;

/**
 * The connection of one client, whatever protocol it speaks: its place in the {@link
 * ConnectionTable}, and its end. A protocol adds how it receives and answers. All of it belongs to
 * one event loop, but for what {@link SocketServer.Client} says.
 */
public abstract class ClientConnection extends ChannelInboundHandlerAdapter
        implements SocketServer.Client {
    private static final long BUSY = Long.MAX_VALUE;
    private static final System.Logger LOG = System.getLogger(ClientConnection.class.getName());

    private final InetAddress neighbourhood;

    /** The time when it became idle, or {@link #BUSY}. Read by any thread. */
    private volatile long idleSince = System.nanoTime();

    /** Set when the connection is put into its pipeline, before any event. */
    @SuppressWarnings("NullAway.Init")
    protected ChannelHandlerContext ctx;

    protected ClientConnection(InetAddress neighbourhood) {
        this.neighbourhood = neighbourhood;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
    }

    @Override
    public final InetAddress neighbourhood() {
        return neighbourhood;
    }

    @Override
    public final boolean isIdle() {
        return idleSince != BUSY;
    }

    @Override
    public final long idleSince() {
        return idleSince;
    }

    /** Says that it waits for a request from now on. */
    protected final void becomeIdle() {
        idleSince = System.nanoTime();
    }

    protected final void becomeBusy() {
        idleSince = BUSY;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        boolean isUsual = cause instanceof IOException || cause instanceof DecoderException;
        LOG.log(isUsual ? DEBUG : WARNING, "A connection failed and is closed", cause);
        close();
    }

    protected final void close() {
        var _ = ctx.close();
    }

    /** Does something on the event loop, if that has not ended yet. Any thread may call it. */
    protected final void execute(Runnable task) {
        try {
            ctx.channel().eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(DEBUG, "The event loop has ended before its connection", e);
        }
    }
}
