package orrery.frontend.http;

import static java.lang.System.Logger.Level.ERROR;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import orrery.model.memory.MemoryBudget;

/**
 * A listener that serves one {@link HttpHandler} over HTTPS and plain HTTP on the same port.
 * Closing it stops accepting, lets requests in progress finish for the grace time of its {@link
 * HttpLimits}, then cuts what is left.
 */
public final class HttpServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HttpServer.class.getName());

    private final HttpHandler handler;
    private final ErrorRenderer errors;
    private final ReplyWriter.DateLine dateLine;

    @SuppressWarnings("NullAway.Init") // set by start, before anybody sees the server
    private SocketServer<Connection> sockets;

    private HttpServer(Builder builder) {
        handler = builder.handler;
        errors = builder.errors;
        dateLine = new ReplyWriter.DateLine(builder.clock);
    }

    public static Builder builder(HttpHandler handler) {
        return new Builder(handler);
    }

    /** Returns the address on which it listens, with the real port. */
    public InetSocketAddress address() {
        return sockets.address();
    }

    public int port() {
        return sockets.port();
    }

    /** Returns the natives that serve the sockets; TLS depends on the given contexts. */
    public Natives natives() {
        return sockets.natives();
    }

    public Counters counters() {
        return sockets.counters();
    }

    /** Returns when every connection is closed. Closing again does nothing. */
    @Override
    public void close() {
        sockets.close();
    }

    // ---- what connections need

    ConnectionTable<Connection> connections() {
        return sockets.connections();
    }

    byte[] dateLine() {
        return dateLine.now();
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
    HttpReply answer(SocketServer<?> turns, Admission admission, HttpRequest request) {
        try {
            return turns.inTurn(
                    () -> admitted(admission, request),
                    () ->
                            withRetryAfter(
                                    error(503, "The server has too many requests to answer.")));
        } catch (InterruptedException e) {
            // Not restored: this thread ends here.
            return error(503, "The server is stopping.");
        } catch (Throwable t) {
            return failed(request, t);
        }
    }

    private HttpReply admitted(Admission admission, HttpRequest request) {
        try {
            return Objects.requireNonNull(admission.answer(request), "the handler's reply");
        } catch (InterruptedException e) {
            // Not restored: this thread ends here.
            return error(503, "The server is stopping.");
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
            HttpServer server = new HttpServer(this);
            server.sockets =
                    SocketServer.start(
                            new SocketServer.Settings(limits, tls, transport, threads, memory),
                            (sockets, neighbourhood, isSurplus) ->
                                    new Connection(server, sockets, neighbourhood, isSurplus),
                            host,
                            port);
            return server;
        }
    }
}
