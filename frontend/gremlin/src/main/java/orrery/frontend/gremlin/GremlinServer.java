package orrery.frontend.gremlin;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpLimits;
import orrery.frontend.http.HttpServer;
import orrery.frontend.http.SocketServer;
import orrery.frontend.http.Transport;
import orrery.model.memory.MemoryBudget;

/** A listener for Gremlin drivers, with TLS and without it on the same port. */
public final class GremlinServer implements AutoCloseable {
    /** The longest message that a client may send, for the limits of a port. */
    public static final int MAX_MESSAGE_BYTES = 4 << 20;

    private final SocketServer<GremlinConnection> sockets;

    private GremlinServer(SocketServer<GremlinConnection> sockets) {
        this.sockets = sockets;
    }

    /**
     * Listens.
     *
     * @param door judges the request that opens a connection, by its head
     * @throws IOException with a sentence for the user when it cannot
     */
    public static GremlinServer start(
            GremlinEndpoint endpoint,
            HttpHandler door,
            String host,
            int port,
            Transport transport,
            Supplier<SslContext> tls,
            HttpLimits limits,
            MemoryBudget memory)
            throws IOException {
        ThreadFactory threads = Thread.ofVirtual().name("gremlin-request").factory();
        return new GremlinServer(
                SocketServer.start(
                        new SocketServer.Settings(limits, tls, transport, threads, memory),
                        (sockets, neighbourhood, isSurplus) ->
                                new GremlinConnection(
                                        sockets, endpoint, door, neighbourhood, isSurplus),
                        host,
                        port));
    }

    /**
     * Asks the listener itself for an answer; that it is bound does not say that it answers.
     *
     * @param host an address at which this machine reaches it
     */
    public boolean answers(String host, int timeoutMillis) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port()), timeoutMillis);
            socket.setSoTimeout(timeoutMillis);
            socket.getOutputStream()
                    .write(
                            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            byte[] version = socket.getInputStream().readNBytes("HTTP/1.1".length());
            return new String(version, StandardCharsets.US_ASCII).equals("HTTP/1.1");
        } catch (IOException e) {
            return false;
        }
    }

    public int port() {
        return sockets.port();
    }

    public HttpServer.Counters counters() {
        return sockets.counters();
    }

    @Override
    public void close() {
        sockets.close();
    }
}
