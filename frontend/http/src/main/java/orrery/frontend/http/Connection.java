package orrery.frontend.http;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import orrery.frontend.http.IncomingRequest.Refusal;

/**
 * The connection of one client: its {@link ConnectionState}, and the events that change it. Its
 * parts receive ({@link IncomingRequest}), run the handler ({@link HandlerRun}), send ({@link
 * ReplySender}) and count memory ({@link ConnectionBytes}). All of it belongs to one event loop;
 * only a handler runs elsewhere and hands its reply back to the loop.
 *
 * <p>The channel reads by itself, until something comes behind a request that has not been
 * answered; so a client that sends faster than it is answered fills its own socket and not our
 * memory. To ask for each read would cost two calls of the system for each request.
 *
 * <p>A client whose side has ended may have left, or may still wait for its reply: only what is
 * sent to it tells. So in HANDLING such a client hears now and then that its request is being
 * processed. Where that cannot be delivered, the request is cancelled.
 */
final class Connection extends ClientConnection {
    /** The size of a buffer of a large reply, and of the first allocation for a large body. */
    static final int BUFFER_BYTES = 64 << 10;

    /** Time between two looks whether a client still waits that sends nothing any more. */
    private static final Duration PROBE_EVERY = Duration.ofSeconds(1);

    private final HttpServer server;
    private final SocketServer<Connection> sockets;
    private final HttpLimits limits;
    private final boolean isSurplus;
    private final RequestDecoder decoder;
    private final ConnectionBytes<Connection> bytes;

    /** The request being received or answered. */
    private final IncomingRequest incoming;

    @SuppressWarnings("NullAway.Init") // set in handlerAdded, before any event
    private DeadlineTimer deadline;

    @SuppressWarnings("NullAway.Init") // set in handlerAdded, before any event
    private ReplySender sender;

    @SuppressWarnings("NullAway.Init") // set in handlerAdded, before any event
    private HandlerRun<HttpReply> handler;

    private ConnectionState state = ConnectionState.IDLE;
    private boolean hasInputEnded;

    /** Another connection needs the place: this one closes after its present request. */
    private boolean isEvicted;

    /** Set when the present request was refused before its end. */
    private @Nullable Refusal refusal;

    private boolean isKeptAlive;

    Connection(
            HttpServer server,
            SocketServer<Connection> sockets,
            InetAddress neighbourhood,
            boolean isSurplus) {
        super(neighbourhood);
        this.server = server;
        this.sockets = sockets;
        this.limits = sockets.limits();
        this.isSurplus = isSurplus;
        this.decoder = new RequestDecoder(this, limits.maxHeadBytes());
        this.bytes = new ConnectionBytes<>(this, sockets);
        this.incoming = new IncomingRequest(server, limits, bytes, isSurplus);
    }

    @Override
    public void install(ChannelPipeline pipeline) {
        pipeline.addLast(decoder);
        pipeline.addLast(this);
    }

    @Override
    public boolean holdsAsStranger() {
        return bytes.holdsAsStranger();
    }

    // ---- events of the channel

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        super.handlerAdded(ctx);
        this.deadline = new DeadlineTimer(ctx.executor(), this::onDeadline);
        this.sender = new ReplySender(ctx, this::onProgress, this::onSent);
        this.handler =
                new HandlerRun<>(sockets, ctx.channel().eventLoop(), this::onReply, this::settle);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        deadline.in(isSurplus ? limits.receiveTimeout() : limits.idleTimeout());
        ctx.channel().config().setAutoRead(true);
    }

    void onFirstByte() {
        if (state == ConnectionState.IDLE) {
            state = ConnectionState.HEAD;
            becomeBusy();
            deadline.in(limits.receiveTimeout());
        }
    }

    /** Returns false if the head, of which so many bytes have arrived, is refused. */
    boolean onPartialHead(int bytesSoFar) {
        if (state != ConnectionState.HEAD) {
            return true;
        }
        Optional<Refusal> refusal = incoming.partialHead(bytesSoFar);
        refusal.ifPresent(this::refuse);
        return refusal.isEmpty();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            if (message instanceof io.netty.handler.codec.http.HttpRequest decoded
                    && state == ConnectionState.HEAD) {
                onHead(decoded);
            }
            // Not else: the decoder turns an unreadable request into head and end in one message.
            if (message instanceof HttpContent content && state == ConnectionState.BODY) {
                onContent(content);
            } else if (message instanceof LastHttpContent && state == ConnectionState.LINGERING) {
                sender.endOutput();
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (state.isAnswering() && decoder.hasMore()) {
            ctx.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        sender.pump();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        // The client will send nothing more; it may still wait for what it asked for.
        if (event instanceof ChannelInputShutdownEvent
                || event instanceof SslCloseCompletionEvent) {
            hasInputEnded = true;
            if (state == ConnectionState.HANDLING) {
                deadline.in(PROBE_EVERY);
            } else if (!state.isAnswering()) {
                close();
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        ConnectionState was = state;
        state = ConnectionState.CLOSED;
        deadline.cancel();
        sender.end();
        if (was == ConnectionState.HANDLING) {
            // The reply comes later and finds the connection closed.
            handler.cancel();
        } else {
            settle();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof DecoderException
                && !(cause.getCause() instanceof SSLException)
                && state.isReceiving()) {
            refuse(incoming.refusal(400, "The request is not valid HTTP."));
            return;
        }
        super.exceptionCaught(ctx, cause);
    }

    // ---- receiving

    private void onHead(io.netty.handler.codec.http.HttpRequest decoded) {
        Optional<Refusal> refusal = incoming.head(decoded, ctx.channel());
        if (refusal.isPresent()) {
            refuse(refusal.get());
            return;
        }
        state = ConnectionState.BODY;
        if (incoming.awaitsContinue()) {
            sender.sendContinue();
        }
    }

    private void onContent(HttpContent content) {
        Optional<Refusal> refusal = incoming.content(content);
        if (refusal.isPresent()) {
            refuse(refusal.get());
        } else if (content instanceof LastHttpContent) {
            dispatch();
        }
    }

    // ---- handling

    private void dispatch() {
        state = ConnectionState.HANDLING;
        decoder.pause();
        if (hasInputEnded) {
            deadline.in(PROBE_EVERY);
        } else {
            deadline.clear();
        }
        Admission admission = incoming.admission();
        HttpRequest request = incoming.take();
        if (admission instanceof Admission.Refused(HttpReply reply)) {
            handler.answer(reply);
        } else {
            handler.begin(() -> server.answer(sockets, admission, request));
        }
    }

    private void probe() {
        if (incoming.mayHearOfProgress()) {
            sender.sendProcessing(
                    written -> {
                        if (!written.isSuccess()) {
                            close();
                        }
                    });
            deadline.in(PROBE_EVERY);
        }
    }

    private void onReply(HttpReply reply) {
        if (state != ConnectionState.HANDLING) {
            settle();
            return;
        }
        bytes.holdReply(reply.bodyLength());
        send(reply);
    }

    // ---- answering

    private void refuse(Refusal refusal) {
        this.refusal = refusal;
        incoming.dropBody();
        decoder.pause();
        send(refusal.reply());
    }

    private void send(HttpReply reply) {
        state = ConnectionState.WRITING;
        boolean mayStay = refusal == null && !isEvicted && !sockets.isStopping();
        ReplyWriter.Ending ending = mayStay ? incoming.ending() : ReplyWriter.Ending.CLOSE;
        isKeptAlive = ending != ReplyWriter.Ending.CLOSE;
        deadline.in(limits.writeTimeout());
        sender.send(
                new ReplyWriter(
                        reply, incoming.asksForHead(), ending, server.dateLine(), BUFFER_BYTES));
    }

    private void onProgress(ChannelFuture written) {
        if (!written.isSuccess()) {
            abandon();
        } else if (state == ConnectionState.WRITING) {
            deadline.in(limits.writeTimeout());
        }
    }

    private void onSent(ChannelFuture written) throws Exception {
        if (!written.isSuccess() || state != ConnectionState.WRITING) {
            abandon();
            return;
        }
        sender.end();
        Refusal refusal = this.refusal;
        settle();
        if (refusal != null || (!isKeptAlive && decoder.hasMore())) {
            linger(refusal != null && refusal.isUploading());
        } else if (!isKeptAlive || isEvicted) {
            // It may have been told to go when the reply was under way, and nobody tells it again.
            close();
        } else {
            state = ConnectionState.IDLE;
            becomeIdle();
            deadline.in(limits.idleTimeout());
            decoder.resume(ctx.pipeline().context(decoder));
            if (hasInputEnded && state.wantsInput()) {
                close();
            }
            if (state.wantsInput()) {
                ctx.channel().config().setAutoRead(true);
            }
        }
    }

    /** Gives up a reply that cannot be delivered. */
    private void abandon() {
        if (sender.isSending()) {
            sender.end();
            settle();
        }
        close();
    }

    /** Forgets the present request and gives back what it held. A second call does nothing. */
    private void settle() {
        bytes.release();
        incoming.clear();
        refusal = null;
        handler.end();
    }

    // ---- closing

    /**
     * Reads on, only so that the reply arrives: closing with unread bytes would reset the
     * connection, and the client would lose the reply.
     *
     * @param isUploading the client is in the middle of a body. Many clients read nothing until
     *     they have sent it all, and give up when our side ends. For them it stays open until the
     *     body has ended or time is up.
     */
    private void linger(boolean isUploading) throws Exception {
        if (hasInputEnded) {
            close();
            return;
        }
        state = ConnectionState.LINGERING;
        deadline.in(limits.lingerTimeout());
        if (!isUploading) {
            sender.endOutput();
        }
        ctx.channel().config().setAutoRead(true);
        decoder.resume(ctx.pipeline().context(decoder));
    }

    @Override
    public void stop() {
        execute(
                () -> {
                    if (state == ConnectionState.IDLE) {
                        close();
                    }
                });
    }

    /** Makes room for others after the present request. Any thread may call it. */
    @Override
    public void evict() {
        bytes.giveWay();
        execute(
                () -> {
                    if (state.isAnswering()) {
                        isEvicted = true;
                    } else {
                        close();
                    }
                });
    }

    @Override
    public void abort() {
        handler.interrupt();
        execute(this::close);
    }

    private void onDeadline() {
        if (state.isReceiving()) {
            refuse(incoming.refusal(408, "The request did not arrive in time."));
        } else if (state == ConnectionState.HANDLING) {
            probe();
        } else {
            close();
        }
    }
}
