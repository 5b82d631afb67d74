package orrery.frontend.http;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import orrery.model.Cancellation;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryBudget;

/**
 * A listener that serves one {@link HttpHandler} over HTTPS and plain HTTP on the same port.
 * Closing it stops accepting, lets requests in progress finish for the grace time of its {@link
 * HttpLimits}, then cuts what is left.
 */
public final class HttpServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HttpServer.class.getName());

    // Connections over the limit get this much room to be told so; further ones are just closed.
    private static final int SURPLUS_CONNECTIONS = 256;

    private final HttpHandler handler;
    private final HttpLimits limits;
    private final ErrorRenderer errors;
    private final @Nullable Supplier<SslContext> tls;
    private final Transport transport;
    private final boolean ownsTransport;
    private final ThreadFactory threads;
    private final ReplyWriter.DateLine dateLine;
    private final MemoryBudget memory;
    private final HeldBytes heldBytes;
    private final HeldBytes strangerBytes;
    private final Semaphore running;
    private final AtomicInteger requestsInFlight = new AtomicInteger();
    private final ConnectionTable<Connection> connections;
    private final List<Channel> listeners = new ArrayList<>();
    private final Object quiet = new Object();
    private volatile boolean isStopping;

    private HttpServer(Builder builder) {
        handler = builder.handler;
        limits = builder.limits;
        errors = builder.errors;
        tls = builder.tls;
        ownsTransport = builder.transport == null;
        transport =
                builder.transport == null ? Transport.open(Natives.detect()) : builder.transport;
        threads = builder.threads;
        dateLine = new ReplyWriter.DateLine(builder.clock);
        memory = builder.memory;
        heldBytes = new HeldBytes(limits.maxHeldBytes(), memory);
        strangerBytes = new HeldBytes(limits.maxStrangerBytes(), memory);
        connections = new ConnectionTable<>(limits.maxConnections());
        running = new Semaphore(limits.maxRunningHandlers());
    }

    public static Builder builder(HttpHandler handler) {
        return new Builder(handler);
    }

    /** Returns the address on which it listens, with the real port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listeners.getFirst().localAddress();
    }

    public int port() {
        return address().getPort();
    }

    /** Returns the natives that serve the sockets; TLS depends on the given contexts. */
    public Natives natives() {
        return transport.natives();
    }

    public Counters counters() {
        return new Counters(
                connections.size(),
                requestsInFlight.get(),
                heldBytes.held() + strangerBytes.held());
    }

    /** Returns when every connection is closed. Closing again does nothing. */
    @Override
    public void close() {
        synchronized (this) {
            if (isStopping) {
                return;
            }
            isStopping = true;
        }
        listeners.forEach(listener -> listener.close().awaitUninterruptibly());
        connections.all().forEach(Connection::stop);
        if (!awaitQuiet(limits.stopGrace())) {
            connections.all().forEach(Connection::abort);
            if (!awaitQuiet(Duration.ofSeconds(1))) {
                LOG.log(WARNING, "A request handler goes on although the server has stopped");
            }
        }
        if (ownsTransport) {
            transport.close();
        }
    }

    private boolean awaitQuiet(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        boolean isInterrupted = false;
        try {
            synchronized (quiet) {
                while (connections.size() > 0 || requestsInFlight.get() > 0) {
                    long left = (deadline - System.nanoTime()) / 1_000_000;
                    if (left <= 0) {
                        return false;
                    }
                    try {
                        quiet.wait(left);
                    } catch (InterruptedException e) {
                        isInterrupted = true;
                        return false;
                    }
                }
            }
            return true;
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void wakeIfStopping() {
        if (isStopping) {
            synchronized (quiet) {
                quiet.notifyAll();
            }
        }
    }

    // ---- listening

    private void listen(String host, int port) throws IOException {
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new IOException("Cannot listen on " + host + ": there is no such host.", e);
        }
        var bootstrap =
                new ServerBootstrap()
                        .group(transport.loops())
                        .channel(transport.listenerType())
                        .option(ChannelOption.SO_BACKLOG, 1024)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.AUTO_READ, false)
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childOption(
                                ChannelOption.WRITE_BUFFER_WATER_MARK,
                                new WriteBufferWaterMark(128 << 10, 256 << 10))
                        .childOption(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new AdaptiveRecvByteBufAllocator(512, 2048, 64 << 10)
                                        .maxMessagesPerRead(4))
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        accept(channel);
                                    }
                                });
        for (var address : addresses) {
            // Further addresses of the name take the port that the first one got.
            int wanted = listeners.isEmpty() ? port : port();
            var bound = bootstrap.bind(address, wanted).awaitUninterruptibly();
            if (bound.isSuccess()) {
                listeners.add(bound.channel());
            } else if (listeners.isEmpty() || isInUse(bound.cause())) {
                throw refused(new InetSocketAddress(address, wanted), bound.cause());
            } else {
                // Machines without IPv6 still have ::1 in their hosts file.
                LOG.log(DEBUG, "Not listening on " + address, bound.cause());
            }
        }
    }

    private static boolean isInUse(Throwable cause) {
        return String.valueOf(cause.getMessage()).contains("in use");
    }

    private static IOException refused(InetSocketAddress address, Throwable cause) {
        String where = "port " + address.getPort() + " of " + address.getAddress().getHostAddress();
        return new IOException(
                isInUse(cause)
                        ? "Cannot listen on " + where + ": another process uses it."
                        : "Cannot listen on " + where + ": " + cause.getMessage(),
                cause);
    }

    private void accept(Channel channel) {
        boolean isSurplus = !connections.makeRoom();
        var connection =
                new Connection(
                        this, ConnectionTable.neighbourhood(channel.remoteAddress()), isSurplus);
        int open = connections.add(connection);
        channel.closeFuture()
                .addListener(
                        _ -> {
                            connections.remove(connection);
                            wakeIfStopping();
                        });
        if (isStopping || open > limits.maxConnections() + SURPLUS_CONNECTIONS) {
            var _ = channel.close();
            return;
        }
        ChannelPipeline pipeline = channel.pipeline();
        if (tls != null) {
            pipeline.addLast(new TlsSniffer(tls, limits.receiveTimeout()));
        }
        pipeline.addLast(connection.decoder());
        pipeline.addLast(connection);
    }

    // ---- what connections need

    HttpLimits limits() {
        return limits;
    }

    HeldBytes heldBytes() {
        return heldBytes;
    }

    /** Counts the bytes of strangers: partial heads, and bodies of requests that need no key. */
    HeldBytes strangerBytes() {
        return strangerBytes;
    }

    ConnectionTable<Connection> connections() {
        return connections;
    }

    MemoryBudget memory() {
        return memory;
    }

    byte[] dateLine() {
        return dateLine.now();
    }

    boolean isStopping() {
        return isStopping;
    }

    void onRequestStarted() {
        requestsInFlight.incrementAndGet();
    }

    void onRequestEnded() {
        requestsInFlight.decrementAndGet();
        wakeIfStopping();
    }

    Thread startThread(Runnable task) {
        Thread thread = threads.newThread(task);
        thread.start();
        return thread;
    }

    /** Has the handler judge a head; whatever it does, there is a judgement. */
    Admission admit(HttpRequest head) {
        try {
            return Objects.requireNonNull(handler.admit(head), "the handler's judgement");
        } catch (RuntimeException e) {
            return new Admission.Refused(failed(head, e));
        }
    }

    /** Runs what the handler has admitted; whatever it does, there is a reply. */
    HttpReply answer(Admission admission, HttpRequest request) {
        try {
            if (!running.tryAcquire() && !awaitTurn()) {
                return withRetryAfter(error(503, "The server has too many requests to answer."));
            }
            try {
                return Objects.requireNonNull(admission.answer(request), "the handler's reply");
            } finally {
                running.release();
            }
        } catch (InterruptedException e) {
            // Not restored: this thread ends here.
            return error(503, "The server is stopping.");
        } catch (Throwable t) {
            return failed(request, t);
        }
    }

    /** False if there is no turn in time, or nobody waits any more to read why. */
    private boolean awaitTurn() throws InterruptedException {
        long millis = limits.queueTimeout().toMillis();
        try {
            return Cancellation.current()
                    .waiting(() -> running.tryAcquire(millis, TimeUnit.MILLISECONDS));
        } catch (OrreryException cancelled) {
            return false;
        }
    }

    private HttpReply failed(HttpRequest request, Throwable cause) {
        LOG.log(ERROR, "No answer to " + request.method() + " " + request.path(), cause);
        return error(500, "The server failed to answer this request.");
    }

    HttpReply error(int status, String text) {
        try {
            return errors.render(status, text);
        } catch (RuntimeException e) {
            LOG.log(ERROR, "No error body for status " + status, e);
            return ErrorRenderer.plainJson().render(status, text);
        }
    }

    HttpReply withRetryAfter(HttpReply reply) {
        return reply.with("Retry-After", "1");
    }

    /**
     * Counts of the present moment.
     *
     * @param requestsInFlight received completely and not yet answered completely
     * @param heldBytes of bodies being received, handled or sent
     */
    public record Counters(int openConnections, int requestsInFlight, long heldBytes) {}

    /** Settings of a server, each with a default but the handler. */
    public static final class Builder {
        private final HttpHandler handler;
        private String host = "127.0.0.1";
        private int port;
        private @Nullable Supplier<SslContext> tls;
        private HttpLimits limits = HttpLimits.defaults();
        private MemoryBudget memory = MemoryBudget.UNLIMITED;
        private ErrorRenderer errors = ErrorRenderer.plainJson();
        private @Nullable Transport transport;
        private ThreadFactory threads = Thread.ofVirtual().name("http-request").factory();
        private Clock clock = Clock.systemUTC();

        private Builder(HttpHandler handler) {
            this.handler = handler;
        }

        /**
         * A name or an address; for a name with several addresses (localhost) it listens on all.
         */
        public Builder host(String host) {
            this.host = host;
            return this;
        }

        /** 0 takes any free port. */
        public Builder port(int port) {
            this.port = port;
            return this;
        }

        /** Asked once per connection, so that a renewed certificate serves the next one. */
        public Builder tls(Supplier<SslContext> contexts) {
            this.tls = contexts;
            return this;
        }

        public Builder limits(HttpLimits limits) {
            this.limits = limits;
            return this;
        }

        /** Sets the memory that its requests share with those of other listeners. */
        public Builder memory(MemoryBudget memory) {
            this.memory = memory;
            return this;
        }

        public Builder errors(ErrorRenderer errors) {
            this.errors = errors;
            return this;
        }

        /** Event loops to share with other listeners; without it the server has its own. */
        public Builder transport(Transport transport) {
            this.transport = transport;
            return this;
        }

        /**
         * Makes a thread for each request; without it they are virtual. Threads of the platform are
         * for handlers that must answer while every carrier of virtual threads computes.
         */
        public Builder threads(ThreadFactory threads) {
            this.threads = threads;
            return this;
        }

        /** Dates the replies. */
        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /**
         * Listens.
         *
         * @throws IOException with a sentence for the user when it cannot
         */
        public HttpServer start() throws IOException {
            for (int attempt = 1; ; attempt++) {
                var server = new HttpServer(this);
                try {
                    server.listen(host, port);
                    return server;
                } catch (IOException e) {
                    server.close();
                    // Any free port of the first address may be taken on the second.
                    if (port != 0 || attempt == 5) {
                        throw e;
                    }
                }
            }
        }
    }
}
