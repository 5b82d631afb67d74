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
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;

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
    private static final long NEVER = Long.MAX_VALUE;

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
    private byte[] body = Bytes.EMPTY.unsafeArray();
    private int bodyLength;
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

    // One lazy timer: moving the deadline later costs nothing, the timer looks when it fires.
    private long deadline = NEVER;
    private long timerAt = NEVER;
    private @Nullable ScheduledFuture<?> timer;

    Connection(HttpServer server, boolean isSurplus) {
        this.server = server;
        this.limits = server.limits();
        this.isSurplus = isSurplus;
        this.decoder = new RequestDecoder(this, limits.maxHeadBytes());
    }

    RequestDecoder decoder() {
        return decoder;
    }

    // ---- events of the channel

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        watch(isSurplus ? limits.receiveTimeout() : limits.idleTimeout());
        ctx.read();
    }

    void onFirstByte() {
        if (state == State.IDLE) {
            state = State.HEAD;
            watch(limits.receiveTimeout());
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
        stopWatching();
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
        // A client that announces much and sends little shall not hold much.
        int capacity = (int) Math.min(Math.max(0, head.contentLength()), BUFFER_BYTES);
        if (!take(capacity)) {
            return;
        }
        body = capacity == 0 ? Bytes.EMPTY.unsafeArray() : new byte[capacity];
        bodyLength = 0;
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
        ByteBuf bytes = content.content();
        int count = bytes.readableBytes();
        if (count > limits.maxBodyBytes() - bodyLength) {
            refuseBody(!(content instanceof LastHttpContent));
            return;
        }
        if (count > 0) {
            if (bodyLength + count > body.length && !grow(bodyLength + count)) {
                return;
            }
            bytes.readBytes(body, bodyLength, count);
            bodyLength += count;
        }
        if (content instanceof LastHttpContent) {
            dispatch();
        }
    }

    private boolean grow(int needed) {
        long announced = knownHead().contentLength();
        int end = announced < 0 ? limits.maxBodyBytes() : (int) announced;
        // Times four, so that a body of the largest size is moved two or three times, not ten.
        int capacity = (int) Math.max(needed, Math.min(end, Math.max(1024, 4L * body.length)));
        if (!take(capacity - body.length)) {
            return false;
        }
        body = Arrays.copyOf(body, capacity);
        return true;
    }

    private boolean take(int bytes) {
        if (!server.heldBytes().tryTake(bytes)) {
            refuseForNow("The server holds too many requests at this moment.");
            return false;
        }
        held += bytes;
        return true;
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
        deadline = NEVER;
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
                        Bytes.wrap(
                                bodyLength == body.length ? body : Arrays.copyOf(body, bodyLength)),
                        isTls() ? "https" : "http",
                        head.authority().isEmpty() ? authorityOf(local) : head.authority(),
                        local,
                        (InetSocketAddress) ctx.channel().remoteAddress());
        body = Bytes.EMPTY.unsafeArray();
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
        body = Bytes.EMPTY.unsafeArray();
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
        watch(limits.writeTimeout());
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
            watch(limits.writeTimeout());
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
            watch(limits.idleTimeout());
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
        body = Bytes.EMPTY.unsafeArray();
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
        watch(limits.lingerTimeout());
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

    // ---- time

    private void watch(Duration timeout) {
        long now = System.nanoTime();
        deadline = now + timeout.toNanos();
        if (timer == null || timerAt - deadline > 0) {
            schedule(now);
        }
    }

    private void schedule(long now) {
        if (timer != null) {
            timer.cancel(false);
        }
        timerAt = deadline;
        timer =
                ctx.executor()
                        .schedule(this::onTimer, Math.max(0, deadline - now), TimeUnit.NANOSECONDS);
    }

    private void onTimer() {
        timer = null;
        if (deadline == NEVER || state == State.CLOSED) {
            return;
        }
        long now = System.nanoTime();
        if (deadline - now > 0) {
            schedule(now);
            return;
        }
        deadline = NEVER;
        if (state == State.HEAD || state == State.BODY) {
            refuse(408, "The request did not arrive in time.");
        } else {
            close();
        }
    }

    private void stopWatching() {
        deadline = NEVER;
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    // ---- small things

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
