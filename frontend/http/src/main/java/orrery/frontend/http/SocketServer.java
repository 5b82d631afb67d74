package orrery.frontend.http;

import static java.lang.System.Logger.Level.DEBUG;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
 * The sockets of one port, whatever protocol they speak: listening, TLS on the same port, who goes
 * when there are too many connections, the memory that requests hold, and how many run at one time.
 * Closing it stops accepting, lets requests in progress finish for the grace time of its {@link
 * HttpLimits}, then cuts what is left.
 *
 * @param <C> a connection of the protocol
 */
public final class SocketServer<C extends SocketServer.Client> implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SocketServer.class.getName());

    // Connections over the limit get this much room to be told so; further ones are just closed.
    private static final int SURPLUS_CONNECTIONS = 256;

    /** A connection as its server sees it. Any thread may call its methods but {@link #install}. */
    public interface Client extends ConnectionTable.Member {
        /** Returns true if it holds bytes of those that strangers share. */
        boolean holdsAsStranger();

        /** Closes when the present request is answered. */
        void stop();

        /** Closes at once, and interrupts a handler. */
        void abort();

        /** Puts its handlers into the pipeline of its channel, behind TLS. */
        void install(ChannelPipeline pipeline);
    }

    /** Makes the connections of a protocol. */
    public interface Clients<C extends Client> {
        /**
         * @param isSurplus there are too many, and this one is to hear so
         */
        C open(SocketServer<C> server, InetAddress neighbourhood, boolean isSurplus);
    }

    /**
     * The settings of a port.
     *
     * @param tls asked once per connection; null where there is none
     * @param transport event loops to share with other listeners; null to have its own
     * @param threads makes a thread for each request
     */
    public record Settings(
            HttpLimits limits,
            @Nullable Supplier<SslContext> tls,
            @Nullable Transport transport,
            ThreadFactory threads,
            MemoryBudget memory) {}

    private final Settings settings;
    private final Clients<C> clients;
    private final HttpLimits limits;
    private final Transport transport;
    private final HeldBytes heldBytes;
    private final HeldBytes strangerBytes;
    private final Semaphore running;
    private final AtomicInteger requestsInFlight = new AtomicInteger();
    private final ConnectionTable<C> connections;
    private final List<Channel> listeners = new ArrayList<>();
    private final Object quiet = new Object();
    private volatile boolean isStopping;

    private SocketServer(Settings settings, Clients<C> clients) {
        this.settings = settings;
        this.clients = clients;
        limits = settings.limits();
        Transport shared = settings.transport();
        transport = shared == null ? Transport.open(Natives.detect()) : shared;
        heldBytes = new HeldBytes(limits.maxHeldBytes(), settings.memory());
        strangerBytes = new HeldBytes(limits.maxStrangerBytes(), settings.memory());
        connections = new ConnectionTable<>(limits.maxConnections());
        running = new Semaphore(limits.maxRunningHandlers());
    }

    /**
     * Listens.
     *
     * @param host a name or an address; for a name with several addresses it listens on all
     * @param port 0 takes any free port
     * @throws IOException with a sentence for the user when it cannot
     */
    public static <C extends Client> SocketServer<C> start(
            Settings settings, Clients<C> clients, String host, int port) throws IOException {
        for (int attempt = 1; ; attempt++) {
            SocketServer<C> server = new SocketServer<>(settings, clients);
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

    /** Returns the address on which it listens, with the real port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listeners.getFirst().localAddress();
    }

    public int port() {
        return address().getPort();
    }

    public HttpLimits limits() {
        return limits;
    }

    /** Returns the natives that serve the sockets; TLS depends on the given contexts. */
    public Natives natives() {
        return transport.natives();
    }

    public HttpServer.Counters counters() {
        return new HttpServer.Counters(
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
        connections.all().forEach(Client::stop);
        if (!awaitQuiet(limits.stopGrace())) {
            connections.all().forEach(Client::abort);
            if (!awaitQuiet(Duration.ofSeconds(1))) {
                LOG.log(WARNING, "A request handler goes on although the server has stopped");
            }
        }
        if (settings.transport() == null) {
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
        C connection =
                clients.open(
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
        Supplier<SslContext> tls = settings.tls();
        if (tls != null) {
            pipeline.addLast(new TlsSniffer(tls, limits.receiveTimeout()));
        }
        connection.install(pipeline);
    }

    // ---- what connections need

    HeldBytes heldBytes() {
        return heldBytes;
    }

    /** Counts the bytes of strangers: what clients send before they have shown who they are. */
    HeldBytes strangerBytes() {
        return strangerBytes;
    }

    ConnectionTable<C> connections() {
        return connections;
    }

    MemoryBudget memory() {
        return settings.memory();
    }

    public boolean isStopping() {
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
        Thread thread = settings.threads().newThread(task);
        thread.start();
        return thread;
    }

    /**
     * Does work in its turn: only so many handlers run at one time.
     *
     * @param late answers where there was no turn in time
     */
    public <T> T inTurn(Supplier<T> work, Supplier<T> late) throws InterruptedException {
        if (!running.tryAcquire() && !awaitTurn()) {
            return late.get();
        }
        try {
            return work.get();
        } finally {
            running.release();
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
}
