package orrery.frontend.gremlin;

import static java.lang.System.Logger.Level.DEBUG;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import orrery.frontend.gremlin.socket.FrameException;
import orrery.frontend.gremlin.socket.FrameReader;
import orrery.frontend.gremlin.socket.Frames;
import orrery.frontend.gremlin.socket.Received;
import orrery.frontend.gremlin.socket.RequestHead;
import orrery.frontend.gremlin.socket.Upgrade;
import orrery.frontend.http.Admission;
import orrery.frontend.http.ClientConnection;
import orrery.frontend.http.ConnectionBytes;
import orrery.frontend.http.DeadlineTimer;
import orrery.frontend.http.HandlerRun;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpLimits;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.http.ReplySender;
import orrery.frontend.http.SocketServer;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * The connection of one driver: first one request of HTTP, then WebSocket. Requests are answered in
 * the order in which they come, one at a time, each on a thread of its own, which sends its answers
 * while it works. Meanwhile the connection goes on reading: pings, further requests, of which so
 * many wait as {@link #MAX_WAITING} says, and the end. All of it belongs to one event loop.
 */
final class GremlinConnection extends ClientConnection {
    private static final System.Logger LOG = System.getLogger(GremlinConnection.class.getName());

    /**
     * Requests behind the present one, and as many behind the login; drivers send a handful at a
     * time.
     */
    static final int MAX_WAITING = 32;

    /** The longest request line with its headers. */
    private static final int MAX_HEAD_BYTES = 16 << 10;

    /** The longest message before the login: drivers send their first script ahead of it. */
    static final int STRANGER_BYTES = 128 << 10;

    /** So much may wait for a client that sends and does not read, until it is no longer read. */
    private static final int MAX_BACKLOG_BYTES = 256 << 10;

    private static final Duration MOST_TIME = Duration.ofDays(1);

    private final SocketServer<GremlinConnection> sockets;
    private final HttpLimits limits;
    private final GremlinEndpoint endpoint;
    private final HttpHandler door;
    private final boolean isSurplus;
    private final ConnectionBytes<GremlinConnection> memory;
    private final RequestHead head;
    private final FrameReader frames;

    /** Requests that nobody works on yet, in their order. */
    private final Deque<Received.Message> waiting = new ArrayDeque<>();

    /** Requests that are answered when their sender has logged in. */
    private final List<Received.Message> kept = new ArrayList<>();

    private final Deque<Outgoing> outgoing = new ArrayDeque<>();
    private long backlog;

    @SuppressWarnings("NullAway.Init") // set in handlerAdded, before any event
    private DeadlineTimer deadline;

    @SuppressWarnings("NullAway.Init") // set in handlerAdded, before any event
    private ReplySender sender;

    @SuppressWarnings("NullAway.Init") // set in handlerAdded, before any event
    private HandlerRun<Step> handler;

    @SuppressWarnings("NullAway.Init") // set in channelActive, before any message
    private GremlinSession session;

    /** The request that is worked on. */
    private Received.@Nullable Message present;

    private @Nullable Work work;
    private long idleFrom = System.nanoTime();
    private boolean isUpgraded;
    private boolean isReceiving;
    private boolean isKnown;

    /** The connection reads nothing more, and still sends what is on its way. */
    private boolean isEnding;

    private boolean isClosed;

    GremlinConnection(
            SocketServer<GremlinConnection> sockets,
            GremlinEndpoint endpoint,
            HttpHandler door,
            InetAddress neighbourhood,
            boolean isSurplus) {
        super(neighbourhood);
        this.sockets = sockets;
        this.limits = sockets.limits();
        this.endpoint = endpoint;
        this.door = door;
        this.isSurplus = isSurplus;
        this.memory = new ConnectionBytes<>(this, sockets);
        this.head = new RequestHead(memory, MAX_HEAD_BYTES);
        this.frames = new FrameReader(memory);
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
                new HandlerRun<>(sockets, ctx.channel().eventLoop(), this::onStep, this::settle);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (isSurplus) {
            close();
            return;
        }
        session = endpoint.open((InetSocketAddress) ctx.channel().remoteAddress());
        isReceiving = true;
        deadline.in(limits.receiveTimeout());
        ctx.channel().config().setAutoRead(true);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            while (bytes.isReadable() && !isEnding) {
                if (isUpgraded) {
                    readFrame(bytes);
                } else {
                    readHead(bytes);
                }
            }
        } finally {
            bytes.release();
        }
        waitOn();
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
        isClosed = true;
        isEnding = true;
        deadline.cancel();
        sender.end();
        outgoing.clear();
        Work running = work;
        if (running == null) {
            settle();
        } else {
            // The thread ends by itself, and then finds the connection closed.
            running.abandon();
        }
    }

    // ---- receiving

    private void readHead(ByteBuf bytes) {
        boolean isTls = ctx.pipeline().get(SslHandler.class) != null;
        try {
            Optional<HttpRequest> request =
                    head.next(
                            bytes,
                            isTls ? "https" : "http",
                            (InetSocketAddress) ctx.channel().localAddress(),
                            (InetSocketAddress) ctx.channel().remoteAddress());
            if (request.isEmpty()) {
                return;
            }
            head.release();
            switch (door.admit(Upgrade.asOfDriver(request.get()))) {
                case Admission.Admitted _ -> {
                    isUpgraded = true;
                    offer(Outgoing.raw(Upgrade.accepted(request.get())));
                }
                case Admission.Refused refused -> endWith(RequestHead.bytes(refused.reply()));
            }
        } catch (RequestHead.Refused refused) {
            endWith(RequestHead.bytes(refused.reply()));
        }
    }

    private void readFrame(ByteBuf bytes) {
        try {
            Optional<Received> received = frames.next(bytes, messageLimit());
            if (received.isPresent()) {
                take(received.get());
            }
        } catch (FrameException broken) {
            LOG.log(DEBUG, "A connection is closed: " + broken.reason());
            end(broken.closeCode(), broken.reason());
        }
    }

    private int messageLimit() {
        return isKnown ? limits.maxBodyBytes() : STRANGER_BYTES;
    }

    private void take(Received received) {
        switch (received) {
            case Received.Message message -> {
                if (!message.isWhole() || waiting.size() >= MAX_WAITING) {
                    refuse(message);
                } else {
                    waiting.add(message);
                    begin();
                }
            }
            case Received.Control control -> {
                switch (control.opcode()) {
                    case Frames.CLOSE -> end(Frames.NORMAL, "");
                    case Frames.PING ->
                            offer(Outgoing.raw(Frames.pong(control.payload().unsafeArray())));
                    default -> {
                        // A pong that nobody has asked for says that the client is there.
                    }
                }
            }
        }
    }

    private void refuse(Received.Message message) {
        Optional<byte[]> answer = GremlinSession.busy(message);
        memory.release(message.held());
        if (answer.isEmpty()) {
            end(Frames.TRY_LATER, "The server has no room for the request.");
            return;
        }
        offer(Outgoing.message(answer.get(), message.isText(), () -> {}));
    }

    /** Sets the time for what the connection waits for now. */
    private void waitOn() {
        if (isClosed || isEnding || !outgoing.isEmpty()) {
            return; // the time for writing or for the end goes on
        }
        if (present != null) {
            isReceiving = false;
            deadline.clear();
        } else if (!isUpgraded || frames.hasBegun()) {
            if (!isReceiving) {
                isReceiving = true;
                deadline.in(limits.receiveTimeout());
            }
        } else {
            isReceiving = false;
            deadline.in(limits.idleTimeout().minusNanos(System.nanoTime() - idleFrom));
        }
    }

    // ---- handling

    private void begin() {
        Received.Message next = present == null && !isEnding ? waiting.poll() : null;
        if (next == null) {
            return;
        }
        becomeBusy();
        Work begun = new Work(next.isText());
        present = next;
        work = begun;
        handler.begin(() -> session.answer(next, begun));
    }

    private void onStep(Step step) {
        Received.Message done = present;
        Work ended = work;
        present = null;
        work = null;
        if (done == null || ended == null) {
            return;
        }
        ended.finish();
        if (isClosed) {
            settle();
            return;
        }
        switch (step) {
            case DONE -> memory.release(done.held());
            case KEPT -> {
                if (kept.size() < MAX_WAITING) {
                    kept.add(done);
                } else {
                    refuse(done);
                }
            }
            case LOGGED_IN -> {
                memory.release(done.held());
                recognize();
            }
            case CLOSE -> {
                memory.release(done.held());
                end(Frames.POLICY, "");
            }
        }
        handler.end();
        idleFrom = System.nanoTime();
        if (isEnding || sockets.isStopping()) {
            end(Frames.GOING_AWAY, "");
            return;
        }
        begin();
        if (present == null) {
            becomeIdle();
        }
        waitOn();
    }

    /** From now on, the bytes of this stranger count as those of a known client. */
    private void recognize() {
        isKnown = true;
        kept.reversed().forEach(waiting::addFirst);
        kept.clear();
        memory.recognize();
        memory.holdReply(frames.held() + waiting.stream().mapToLong(Received.Message::held).sum());
    }

    /** Forgets all requests and gives back what they held. A second call does nothing. */
    private void settle() {
        waiting.clear();
        kept.clear();
        memory.release();
        handler.end();
    }

    /** The work on one request, as its own thread sees the connection. */
    private final class Work implements Outlet {
        private final boolean isText;

        /** One message on its way, and one that is being made. */
        private final Semaphore room = new Semaphore(1);

        private final DeadlineTimer time = new DeadlineTimer(ctx.executor(), this::expire);
        private volatile boolean isOverdue;
        private volatile boolean isAbandoned;

        Work(boolean isText) {
            this.isText = isText;
        }

        @Override
        public void send(byte[] message) throws InterruptedException {
            Cancellation.current()
                    .waiting(
                            () -> {
                                room.acquire();
                                return this;
                            });
            execute(() -> offer(Outgoing.message(message, isText, room::release)));
        }

        @Override
        public void endIn(Duration limit) {
            execute(() -> time.in(limit.compareTo(MOST_TIME) < 0 ? limit : MOST_TIME));
        }

        @Override
        public boolean isOverdue() {
            return isOverdue;
        }

        @Override
        public boolean isAbandoned() {
            return isAbandoned;
        }

        @Override
        public <T> T inTurn(Supplier<T> task) throws InterruptedException {
            return sockets.inTurn(
                    task,
                    () -> {
                        throw new OrreryException(
                                        ErrorCode.TOO_MANY_REQUESTS,
                                        "The server has too many requests to answer.")
                                .withRetryAfter(Duration.ofSeconds(1));
                    });
        }

        /** The traversal may be computing, and then hears nothing but an interrupt. */
        private void expire() {
            if (work == this) {
                isOverdue = true;
                handler.interrupt();
            }
        }

        void abandon() {
            isAbandoned = true;
            time.cancel();
            handler.cancel();
            handler.interrupt();
        }

        void finish() {
            time.cancel();
        }
    }

    // ---- sending

    private void offer(Outgoing next) {
        if (isClosed) {
            return;
        }
        backlog += next.length();
        if (isKnown) {
            memory.holdReply(next.length());
        }
        outgoing.add(next);
        if (outgoing.size() == 1) {
            deadline.in(limits.writeTimeout());
            sender.send(next);
        }
        if (backlog > MAX_BACKLOG_BYTES) {
            ctx.channel().config().setAutoRead(false);
        }
    }

    private void onProgress(ChannelFuture written) {
        if (!written.isSuccess()) {
            close();
        } else if (!outgoing.isEmpty()) {
            deadline.in(limits.writeTimeout());
        }
    }

    private void onSent(ChannelFuture written) {
        if (!written.isSuccess()) {
            close();
            return;
        }
        Outgoing sent = outgoing.poll();
        if (sent == null) {
            return; // the connection has closed meanwhile
        }
        sender.end();
        backlog -= sent.length();
        if (isKnown) {
            memory.release(sent.length());
        }
        sent.sent();
        Outgoing next = outgoing.peek();
        if (next != null) {
            deadline.in(limits.writeTimeout());
            sender.send(next);
        } else {
            onDrained();
        }
    }

    private void onDrained() {
        ctx.channel().config().setAutoRead(true);
        if (isEnding && present == null) {
            linger();
            return;
        }
        isReceiving = false;
        waitOn();
    }

    // ---- closing

    /** Says why, then closes when that is on its way. Requests that wait are not answered. */
    private void end(int code, String reason) {
        if (isEnding) {
            if (outgoing.isEmpty() && present == null) {
                linger();
            }
            return;
        }
        endWith(Frames.close(code, reason));
    }

    /**
     * Ends our side. The client may still be sending: if the connection were cut at once, it would
     * not get to read why.
     */
    private void linger() {
        if (sockets.isStopping()) {
            close();
            return;
        }
        sender.endOutput();
        deadline.in(limits.lingerTimeout());
    }

    private void endWith(byte[] last) {
        isEnding = true;
        Work running = work;
        if (running != null) {
            running.abandon();
        }
        offer(Outgoing.raw(last));
    }

    @Override
    public void stop() {
        execute(
                () -> {
                    if (present == null) {
                        end(Frames.GOING_AWAY, "The server is stopping.");
                    }
                });
    }

    @Override
    public void evict() {
        memory.giveWay();
        execute(
                () -> {
                    if (present == null) {
                        end(Frames.TRY_LATER, "The server needs the connection for others.");
                    } else {
                        waiting.clear();
                        isEnding = true;
                    }
                });
    }

    @Override
    public void abort() {
        handler.interrupt();
        execute(this::close);
    }
}
