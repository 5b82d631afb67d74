package orrery.frontend.http;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One client. All its state belongs to its event loop; a handler runs elsewhere and hands its reply
 * back to the loop.
 *
 * <pre>
 *            first byte        head           last byte          reply           sent
 *   IDLE ---------------> HEAD -----> BODY ------------> HANDLING -----> WRITING ----> IDLE
 *     |                    |           |                                    |
 *     | stop, idle         +-----------+------ refused: error reply ------->+--> LINGERING --> CLOSED
 *     +----------------------------------------------------------------------------------------^
 * </pre>
 *
 * The channel does not read by itself. It is asked for bytes in IDLE, HEAD and BODY only, so a
 * client that sends faster than it is answered fills its own socket and not our memory. LINGERING
 * throws away what a refused client still sends: closing at once would reset the connection, and
 * the reset would destroy the refusal before the client has read it.
 */
final class Connection extends ChannelInboundHandlerAdapter {
    /** The size of a buffer of a large reply, and of the first allocation for a large body. */
    static final int BUFFER_BYTES = 64 << 10;

    private static final System.Logger LOG = System.getLogger(Connection.class.getName());
    private static final ByteBuf CONTINUE =
            Unpooled.unreleasableBuffer(
                    Unpooled.directBuffer()
                            .writeBytes(
                                    "HTTP/1.1 100 Continue\r\n\r\n"
                                            .getBytes(StandardCharsets.US_ASCII))
                            .asReadOnly());

    private enum State {
        IDLE,
        HEAD,
        BODY,
        HANDLING,
        WRITING,
        LINGERING,
        CLOSED
    }

    private final HttpServer server;
    private final HttpLimits limits;

    /** Over the connection limit: its first request is answered with 503. */
    private final boolean isSurplus;

    private final RequestDecoder decoder;
    private final ChannelFutureListener onProgress = this::onProgress;
    private final ChannelFutureListener onSent = this::onSent;

    @SuppressWarnings("NullAway.Init") // set in handlerAdded, before any event
    private ChannelHandlerContext ctx;

    private State state = State.IDLE;
    private boolean hasInputEnded;

    // The request being received or answered.
    private @Nullable RequestHead head;
    private final RequestBody body;
    private boolean isRefused;
    private boolean isBodyRefused;
    private boolean isOutputEnded;

    /** Bytes taken from {@link HeldBytes} for this request and its reply. */
    private long held;

    private boolean isCounted;
    private volatile @Nullable Thread handling;

    private @Nullable ReplyWriter writer;
    private boolean isKeptAlive;
    private boolean isPumping;

    @SuppressWarnings("NullAway.Init") // set in handlerAdded, before any event
    private DeadlineTimer deadline;

    Connection(HttpServer server, boolean isSurplus) {
        this.server = server;
        this.limits = server.limits();
        this.isSurplus = isSurplus;
        this.decoder = new RequestDecoder(this, limits.maxHeadBytes());
        this.body = new RequestBody(limits.maxBodyBytes(), this::tryHold);
    }

    RequestDecoder decoder() {
        return decoder;
    }

    // ---- events of the channel

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        this.ctx = ctx;
        this.deadline = new DeadlineTimer(ctx.executor(), this::onDeadline);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        deadline.in(isSurplus ? limits.receiveTimeout() : limits.idleTimeout());
        ctx.read();
    }

    void onFirstByte() {
        if (state == State.IDLE) {
            state = State.HEAD;
            deadline.in(limits.receiveTimeout());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            if (message instanceof io.netty.handler.codec.http.HttpRequest decoded
                    && state == State.HEAD) {
                onHead(decoded);
            }
            // Not else: what the decoder makes of an unreadable request is head and end in one.
            if (message instanceof HttpContent content && state == State.BODY) {
                onContent(content);
            } else if (message instanceof LastHttpContent && state == State.LINGERING) {
                endOutput();
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        readIfWanted();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (state == State.WRITING) {
            pump();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        // The client will send nothing more; it may still wait for what it asked for.
        if (event instanceof ChannelInputShutdownEvent
                || event instanceof SslCloseCompletionEvent) {
            hasInputEnded = true;
            if (state != State.HANDLING && state != State.WRITING) {
                close();
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        State was = state;
        state = State.CLOSED;
        deadline.cancel();
        writer = null;
        // In HANDLING the reply comes later and finds the connection closed.
        if (was != State.HANDLING) {
            settle();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof DecoderException
                && !(cause.getCause() instanceof SSLException)
                && (state == State.HEAD || state == State.BODY)) {
            refuse(400, "The request is not valid HTTP.");
            return;
        }
        if (!(cause instanceof IOException) && !(cause instanceof DecoderException)) {
            LOG.log(WARNING, "A connection failed and is closed", cause);
        } else {
            LOG.log(DEBUG, "A connection failed and is closed", cause);
        }
        close();
    }

    // ---- receiving

    private void onHead(io.netty.handler.codec.http.HttpRequest decoded) {
        RequestHead head;
        try {
            head = RequestHead.of(decoded, limits.maxHeadBytes());
        } catch (RequestHead.Refused refused) {
            refuse(refused.status, refused.text());
            return;
        }
        this.head = head;
        if (isSurplus) {
            refuseForNow("The server has too many open connections.");
            return;
        }
        if (head.contentLength() > limits.maxBodyBytes()) {
            // Who asked first whether to send will not send now.
            refuseBody(!head.expectsContinue());
            return;
        }
        if (!body.begin(head.contentLength())) {
            refuseForHeldBytes();
            return;
        }
        state = State.BODY;
        if (head.expectsContinue() && head.contentLength() != 0) {
            var _ = ctx.writeAndFlush(CONTINUE.duplicate());
        }
    }

    private void onContent(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            refuse(400, "The chunked body of the request is not valid.");
            return;
        }
        switch (body.append(content.content())) {
            case TOO_LONG -> refuseBody(!(content instanceof LastHttpContent));
            case NO_ROOM -> refuseForHeldBytes();
            case TAKEN -> {
                if (content instanceof LastHttpContent) {
                    dispatch();
                }
            }
        }
    }

    private void refuseForHeldBytes() {
        refuseForNow("The server holds too many requests at this moment.");
    }

    private boolean tryHold(int bytes) {
        boolean isHeld = server.heldBytes().tryTake(bytes);
        held += isHeld ? bytes : 0;
        return isHeld;
    }

    private RequestHead knownHead() {
        if (head == null) {
            throw new IllegalStateException("no request in state " + state);
        }
        return head;
    }

    // ---- handling

    private void dispatch() {
        state = State.HANDLING;
        decoder.pause();
        deadline.clear();
        isCounted = true;
        server.onRequestStarted();
        RequestHead head = knownHead();
        var local = (InetSocketAddress) ctx.channel().localAddress();
        var request =
                new HttpRequest(
                        head.method(),
                        head.path(),
                        head.query(),
                        head.headers(),
                        body.take(),
                        isTls() ? "https" : "http",
                        head.authority().isEmpty() ? authorityOf(local) : head.authority(),
                        local,
                        (InetSocketAddress) ctx.channel().remoteAddress());
        // Replies that need no blocking could be tried right here, on the loop, and go to reply().
        handling = server.startThread(() -> handle(request));
    }

    /** On the request's own thread. */
    private void handle(HttpRequest request) {
        HttpReply reply = server.answer(request);
        try {
            ctx.channel().eventLoop().execute(() -> reply(reply));
        } catch (RejectedExecutionException e) {
            settle(); // the loop has ended, so nobody else touches this connection any more
        }
    }

    private void reply(HttpReply reply) {
        handling = null;
        if (state != State.HANDLING) {
            settle();
            return;
        }
        long bytes = reply.bodyLength();
        server.heldBytes().take(bytes);
        held += bytes;
        send(reply);
    }

    // ---- answering

    private void refuseBody(boolean hasMore) {
        isBodyRefused = hasMore;
        refuse(413, "The request body is larger than " + limits.maxBodyBytes() + " bytes.");
    }

    private void refuseForNow(String text) {
        refuse(server.withRetryAfter(server.error(503, text)));
    }

    private void refuse(int status, String text) {
        refuse(server.error(status, text));
    }

    private void refuse(HttpReply reply) {
        if (state != State.HEAD && state != State.BODY) {
            return;
        }
        isRefused = true;
        body.clear();
        decoder.pause();
        send(reply);
    }

    private void send(HttpReply reply) {
        state = State.WRITING;
        RequestHead head = this.head;
        ReplyWriter.Ending ending;
        if (head == null || isRefused || !head.isKeptAlive() || server.isStopping()) {
            ending = ReplyWriter.Ending.CLOSE;
        } else {
            ending =
                    head.isHttp10()
                            ? ReplyWriter.Ending.SAY_KEEP_ALIVE
                            : ReplyWriter.Ending.KEEP_ALIVE;
        }
        isKeptAlive = ending != ReplyWriter.Ending.CLOSE;
        writer =
                new ReplyWriter(
                        reply,
                        head != null && head.method().equals("HEAD"),
                        ending,
                        server.dateLine(),
                        BUFFER_BYTES);
        deadline.in(limits.writeTimeout());
        pump();
    }

    /** Writes as much of the reply as the channel takes. */
    private void pump() {
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
        ReplyWriter writer = this.writer;
        if (writer == null || !writer.hasMore() || !ctx.channel().isWritable()) {
            return false;
        }
        ByteBuf buffer = writer.next(ctx.alloc());
        ctx.write(buffer).addListener(writer.hasMore() ? onProgress : onSent);
        return true;
    }

    private void onProgress(ChannelFuture written) {
        if (!written.isSuccess()) {
            abandon();
        } else if (state == State.WRITING) {
            deadline.in(limits.writeTimeout());
        }
    }

    private void onSent(ChannelFuture written) throws Exception {
        if (!written.isSuccess() || state != State.WRITING) {
            abandon();
            return;
        }
        writer = null;
        boolean wasRefused = isRefused;
        boolean isUploading = isBodyRefused;
        settle();
        if (wasRefused || (!isKeptAlive && decoder.hasMore())) {
            linger(isUploading);
        } else if (!isKeptAlive) {
            close();
        } else {
            state = State.IDLE;
            deadline.in(limits.idleTimeout());
            decoder.resume(ctx.pipeline().context(decoder));
            if (hasInputEnded
                    && (state == State.IDLE || state == State.HEAD || state == State.BODY)) {
                close();
            }
            readIfWanted();
        }
    }

    /** The reply cannot be delivered. */
    private void abandon() {
        if (writer != null) {
            writer = null;
            settle();
        }
        close();
    }

    /** Ends the account of the present request. Safe to call twice. */
    private void settle() {
        if (held != 0) {
            server.heldBytes().give(held);
            held = 0;
        }
        head = null;
        body.clear();
        isRefused = false;
        isBodyRefused = false;
        if (isCounted) {
            isCounted = false;
            server.onRequestEnded();
        }
    }

    // ---- closing

    /**
     * Goes on reading, to no purpose but that the reply arrives: closing with unread bytes resets
     * the connection and takes the reply with it.
     *
     * @param isUploading the client is in the middle of a body. Many clients read nothing until
     *     they have sent it all, and take the end of our side for the end of everything; so for
     *     them it stays open until the body has ended or time is up.
     */
    private void linger(boolean isUploading) throws Exception {
        if (hasInputEnded) {
            close();
            return;
        }
        state = State.LINGERING;
        deadline.in(limits.lingerTimeout());
        if (!isUploading) {
            endOutput();
        }
        ctx.channel().config().setAutoRead(true);
        decoder.resume(ctx.pipeline().context(decoder));
    }

    private void endOutput() {
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

    private void close() {
        var _ = ctx.close();
    }

    /** The server stops: finish what is in progress, begin nothing. Any thread. */
    void stop() {
        execute(
                () -> {
                    if (state == State.IDLE) {
                        close();
                    }
                });
    }

    /** The grace time is over. Any thread. */
    void abort() {
        Thread thread = handling;
        if (thread != null) {
            thread.interrupt();
        }
        execute(this::close);
    }

    private void execute(Runnable task) {
        try {
            ctx.channel().eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(DEBUG, "The event loop has ended before its connection", e);
        }
    }

    // ---- small things

    private void onDeadline() {
        if (state == State.HEAD || state == State.BODY) {
            refuse(408, "The request did not arrive in time.");
        } else {
            close();
        }
    }

    private void readIfWanted() {
        if (!hasInputEnded && (state == State.IDLE || state == State.HEAD || state == State.BODY)) {
            ctx.read();
        }
    }

    private boolean isTls() {
        return ctx.pipeline().get(SslHandler.class) != null;
    }

    private static String authorityOf(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
