package orrery.frontend.mongo;

import static java.lang.System.Logger.Level.DEBUG;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import orrery.frontend.http.ClientConnection;
import orrery.frontend.http.ConnectionBytes;
import orrery.frontend.http.DeadlineTimer;
import orrery.frontend.http.HandlerRun;
import orrery.frontend.http.HttpLimits;
import orrery.frontend.http.ReplySender;
import orrery.frontend.http.SocketServer;
import orrery.frontend.mongo.wire.WireException;

/**
 * The connection of one driver. It receives a message, has it answered on a thread of its own,
 * sends the reply, and only then looks at the next: drivers wait for each reply. All of it belongs
 * to one event loop.
 *
 * <p>The channel reads by itself, until something comes behind a message that has not been
 * answered; so a client that sends faster than it is answered fills its own socket and not our
 * memory. To ask for each read would cost two calls of the system for each message. A driver that
 * ends its side has left: what it asked for is cancelled.
 */
final class MongoConnection extends ClientConnection {
    private static final System.Logger LOG = System.getLogger(MongoConnection.class.getName());

    /** The longest message of a client that has not logged in: hello and the steps of a login. */
    private static final int STRANGER_BYTES = 48 << 10;

    private enum State {
        IDLE,
        RECEIVING,
        HANDLING,
        WRITING,
        CLOSED
    }

    private final SocketServer<MongoConnection> sockets;
    private final HttpLimits limits;
    private final MongoEndpoint endpoint;
    private final int id;
    private final boolean isSurplus;
    private final ConnectionBytes<MongoConnection> memory;
    private final IncomingMessage incoming;

    @SuppressWarnings("NullAway.Init") // set in handlerAdded, before any event
    private DeadlineTimer deadline;

    @SuppressWarnings("NullAway.Init") // set in handlerAdded, before any event
    private ReplySender sender;

    @SuppressWarnings("NullAway.Init") // set in handlerAdded, before any event
    private HandlerRun<Answer> handler;

    @SuppressWarnings("NullAway.Init") // set in channelActive, before any message
    private MongoSession session;

    /** Bytes behind the present message; read before more are asked for. */
    private ByteBuf waiting = Unpooled.EMPTY_BUFFER;

    private State state = State.IDLE;
    private boolean isOpen;
    private boolean isKnown;
    private boolean closesAfterReply;

    MongoConnection(
            SocketServer<MongoConnection> sockets,
            MongoEndpoint endpoint,
            int id,
            InetAddress neighbourhood,
            boolean isSurplus) {
        super(neighbourhood);
        this.sockets = sockets;
        this.limits = sockets.limits();
        this.endpoint = endpoint;
        this.id = id;
        this.isSurplus = isSurplus;
        this.memory = new ConnectionBytes<>(this, sockets);
        this.incoming = new IncomingMessage(memory);
    }

    @Override
    public void install(ChannelPipeline pipeline) {
        pipeline.addLast(this);
    }

    @Override
    public boolean holdsAsStranger() {
        return memory.holdsAsStranger();
    }

    // ---- events of the channel

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        super.handlerAdded(ctx);
        this.deadline = new DeadlineTimer(ctx.executor(), this::close);
        this.sender = new ReplySender(ctx, this::onProgress, this::onSent);
        this.handler =
                new HandlerRun<>(sockets, ctx.channel().eventLoop(), this::onAnswer, this::settle);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (isSurplus) {
            close(); // no message of this protocol could say why
            return;
        }
        isOpen = true;
        session =
                endpoint.open(
                        id,
                        (InetSocketAddress) ctx.channel().remoteAddress(),
                        (InetSocketAddress) ctx.channel().localAddress());
        deadline.in(limits.receiveTimeout());
        ctx.channel().config().setAutoRead(true);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (waiting.isReadable()) {
            waiting = Unpooled.wrappedBuffer(waiting, bytes);
        } else {
            waiting.release();
            waiting = bytes;
        }
        receive();
        if (waiting.isReadable()) {
            ctx.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        sender.pump();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent
                || event instanceof SslCloseCompletionEvent) {
            close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        State was = state;
        state = State.CLOSED;
        if (isOpen) {
            isOpen = false;
            session.close();
        }
        deadline.cancel();
        sender.end();
        waiting.release();
        waiting = Unpooled.EMPTY_BUFFER;
        if (was == State.HANDLING) {
            // The answer comes later and finds the connection closed.
            handler.cancel();
        } else {
            settle();
        }
    }

    // ---- receiving

    private void receive() {
        if ((state != State.IDLE && state != State.RECEIVING) || !waiting.isReadable()) {
            return;
        }
        if (state == State.IDLE) {
            state = State.RECEIVING;
            becomeBusy();
            deadline.in(limits.receiveTimeout());
        }
        try {
            if (incoming.receive(waiting, messageLimit())) {
                dispatch();
            }
        } catch (WireException e) {
            LOG.log(DEBUG, "A connection is closed: " + e.reason());
            close();
        }
    }

    private int messageLimit() {
        return isKnown ? limits.maxBodyBytes() : STRANGER_BYTES;
    }

    // ---- handling

    private void dispatch() {
        state = State.HANDLING;
        deadline.clear();
        if (incoming.isWhole()) {
            Optional<String> name = serverName();
            byte[] message = incoming.take();
            int limit = messageLimit();
            handler.begin(() -> answer(message, name, limit));
        } else {
            int request = incoming.requestId();
            incoming.clear();
            handler.begin(() -> session.busy(request));
        }
    }

    /** Runs on the request's own thread. */
    private Answer answer(byte[] message, Optional<String> serverName, int limit) {
        try {
            return sockets.inTurn(
                    () -> session.answer(message, serverName, limit), () -> session.busy(message));
        } catch (InterruptedException stopping) {
            return Answer.CLOSE;
        }
    }

    /** Returns the name by which the client calls the server, if it has told that. */
    private Optional<String> serverName() {
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        if (tls == null || !(tls.engine().getSession() instanceof ExtendedSSLSession known)) {
            return Optional.empty();
        }
        for (SNIServerName name : known.getRequestedServerNames()) {
            if (name instanceof SNIHostName host) {
                return Optional.of(host.getAsciiName());
            }
        }
        return Optional.empty();
    }

    private void onAnswer(Answer answer) {
        if (state != State.HANDLING) {
            settle();
            return;
        }
        if (answer.isKnown() && !isKnown) {
            isKnown = true;
            memory.recognize();
        }
        closesAfterReply |= answer.closes() || sockets.isStopping();
        if (answer.message().isEmpty()) {
            next();
            return;
        }
        byte[] message = answer.message().get();
        memory.holdReply(message.length);
        state = State.WRITING;
        deadline.in(limits.writeTimeout());
        sender.send(new OutgoingMessage(message));
    }

    private void onProgress(ChannelFuture written) {
        if (!written.isSuccess()) {
            close();
        } else if (state == State.WRITING) {
            deadline.in(limits.writeTimeout());
        }
    }

    private void onSent(ChannelFuture written) {
        if (!written.isSuccess()) {
            close();
        } else if (state == State.WRITING) {
            sender.end();
            next();
        }
    }

    private void next() {
        settle();
        if (closesAfterReply) {
            close();
            return;
        }
        state = State.IDLE;
        becomeIdle();
        deadline.in(limits.idleTimeout());
        receive();
        if (!waiting.isReadable()) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    /** Forgets the present request and gives back what it held. A second call does nothing. */
    private void settle() {
        memory.release();
        incoming.clear();
        handler.end();
    }

    // ---- closing

    @Override
    public void stop() {
        execute(
                () -> {
                    closesAfterReply = true;
                    if (state == State.IDLE) {
                        close();
                    }
                });
    }

    @Override
    public void evict() {
        memory.giveWay();
        execute(
                () -> {
                    closesAfterReply = true;
                    if (state != State.HANDLING && state != State.WRITING) {
                        close();
                    }
                });
    }

    @Override
    public void abort() {
        handler.interrupt();
        execute(this::close);
    }
}
