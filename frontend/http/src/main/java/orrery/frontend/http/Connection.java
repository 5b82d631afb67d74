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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;

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
final class Connection extends ChannelInboundHandlerAdapter implements ConnectionTable.Member {
    /** The size of a buffer of a large reply, and of the first allocation for a large body. */
    static final int BUFFER_BYTES = 64 << 10;

    private static final long BUSY = Long.MAX_VALUE;

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

    private final InetAddress neighbourhood;

    /** Over the connection limit: its first request is answered with 503. */
    private final boolean isSurplus;

    private final RequestDecoder decoder;
    private final ChannelFutureListener onProgress = this::onProgress;
    private final ChannelFutureListener onSent = this::onSent;

    @SuppressWarnings("NullAway.Init") // set in handlerAdded, before any event
    private ChannelHandlerContext ctx;

    private State state = State.IDLE;
    private boolean hasInputEnded;

    /** Has sent a request that was admitted as one of somebody known. */
    private boolean isKnown;

    /** Others need its place: it ends with what it is at. */
    private boolean isEvicted;

    /** When it last had nothing to do; {@link #BUSY} while it has. Read by any thread. */
    private volatile long idleSince = System.nanoTime();

    // The request being received or answered.
    private @Nullable RequestHead head;
    private @Nullable HttpRequest request;
    private @Nullable Admission admission;
    private final RequestBody body;
    private boolean isRefused;
    private boolean isBodyRefused;
    private boolean isOutputEnded;

    /** Bytes taken from {@link HttpServer#heldBytes} for this request and its reply. */
    private long held;

    /** Bytes of this request taken from what strangers share. Read by any thread. */
    private volatile long heldAsStranger;

    private boolean isCounted;
    private volatile @Nullable Thread handling;

    private @Nullable ReplyWriter writer;
    private boolean isKeptAlive;
    private boolean isPumping;

    @SuppressWarnings("NullAway.Init") // set in handlerAdded, before any event
    private DeadlineTimer deadline;

    Connection(HttpServer server, InetAddress neighbourhood, boolean isSurplus) {
        this.server = server;
        this.neighbourhood = neighbourhood;
        this.limits = server.limits();
        this.isSurplus = isSurplus;
        this.decoder = new RequestDecoder(this, limits.maxHeadBytes());
        this.body = new RequestBody(limits.maxBodyBytes(), this::tryHold);
    }

    RequestDecoder decoder() {
        return decoder;
    }

    @Override
    public InetAddress neighbourhood() {
        return neighbourhood;
    }

    @Override
    public boolean isIdle() {
        return idleSince != BUSY;
    }

    @Override
    public long idleSince() {
        return idleSince;
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
            idleSince = BUSY;
            deadline.in(limits.receiveTimeout());
        }
    }

    /**
     * A head is on its way that has this many bytes so far. Returns false if it goes no further.
     */
    boolean onPartialHead(int bytes) {
        if (state != State.HEAD || isKnown || tryHoldAsStranger(bytes - heldAsStranger)) {
            return true;
        }
        refuseForHeldBytes();
        return false;
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
        HttpRequest request = request(head);
        Admission admission = server.admit(request);
        this.request = request;
        this.admission = admission;
        if (admission instanceof Admission.Admitted admitted && admitted.isKnown()) {
            recognize();
        }
        // A client that asked first whether to send will not send now.
        boolean sendsBody = head.contentLength() != 0 && !head.expectsContinue();
        if (admission instanceof Admission.Refused(HttpReply reply) && head.contentLength() != 0) {
            isBodyRefused = sendsBody;
            refuse(reply);
            return;
        }
        if (head.contentLength() > limits.maxBodyBytes()) {
            refuseBody(sendsBody);
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

    private void recognize() {
        giveBackAsStranger();
        if (!isKnown) {
            isKnown = true;
            server.connections().recognize(this);
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
        if (!isKnown) {
            return tryHoldAsStranger(bytes);
        }
        boolean isHeld = server.heldBytes().tryTake(bytes);
        held += isHeld ? bytes : 0;
        return isHeld;
    }

    /**
     * When the share of strangers is used up, another of them goes. Its bytes come back a moment
     * later, so the share is passed by what is on its way out.
     */
    private boolean tryHoldAsStranger(long bytes) {
        if (bytes <= 0) {
            return true;
        }
        long total = heldAsStranger + bytes;
        HeldBytes share = server.strangerBytes();
        if (!share.tryTake(bytes)) {
            if (!server.connections()
                    .evictStranger(other -> other != this && other.heldAsStranger > 0)) {
                return false;
            }
            share.take(bytes);
        }
        heldAsStranger = total;
        return true;
    }

    private void giveBackAsStranger() {
        if (heldAsStranger != 0) {
            server.strangerBytes().give(heldAsStranger);
            heldAsStranger = 0;
        }
    }

    private HttpRequest request(RequestHead head) {
        var local = (InetSocketAddress) ctx.channel().localAddress();
        return new HttpRequest(
                head.method(),
                head.path(),
                head.query(),
                head.headers(),
                Bytes.EMPTY,
                isTls() ? "https" : "http",
                head.authority().isEmpty() ? authorityOf(local) : head.authority(),
                local,
                (InetSocketAddress) ctx.channel().remoteAddress());
    }

    // ---- handling

    private void dispatch() {
        HttpRequest head = request;
        Admission admission = this.admission;
        if (head == null || admission == null) {
            throw new IllegalStateException("no request in state " + state);
        }
        state = State.HANDLING;
        decoder.pause();
        deadline.clear();
        isCounted = true;
        server.onRequestStarted();
        HttpRequest whole = head.withBody(body.take());
        if (admission instanceof Admission.Refused(HttpReply reply)) {
            reply(reply);
            return;
        }
        // Replies that need no blocking could be tried right here, on the loop, and go to reply().
        handling = server.startThread(() -> handle(admission, whole));
    }

    /** On the request's own thread. */
    private void handle(Admission admission, HttpRequest request) {
        MemoryAccount account = server.memory().open();
        HttpReply reply = account.during(() -> server.answer(admission, request));
        try {
            ctx.channel()
                    .eventLoop()
                    .execute(
                            () -> {
                                account.close(); // of all that was made nothing but this is left
                                reply(reply);
                            });
        } catch (RejectedExecutionException e) {
            account.close();
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
        if (head == null || isRefused || !head.isKeptAlive() || isEvicted || server.isStopping()) {
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
            idleSince = System.nanoTime();
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
        giveBackAsStranger();
        head = null;
        request = null;
        admission = null;
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

    /** Makes room for others, after the request that it is at. Any thread. */
    @Override
    public void evict() {
        execute(
                () -> {
                    if (state == State.HANDLING || state == State.WRITING) {
                        isEvicted = true;
                    } else {
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
