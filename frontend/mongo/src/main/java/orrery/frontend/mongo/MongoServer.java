package orrery.frontend.mongo;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import orrery.document.BsonCodec;
import orrery.frontend.http.HttpLimits;
import orrery.frontend.http.HttpServer;
import orrery.frontend.http.SocketServer;
import orrery.frontend.http.Transport;
import orrery.frontend.mongo.command.Doc;
import orrery.frontend.mongo.wire.Compressor;
import orrery.frontend.mongo.wire.Frame;
import orrery.frontend.mongo.wire.MessageWriter;
import orrery.model.Bytes;
import orrery.model.memory.MemoryBudget;

/** A listener for MongoDB's drivers, with TLS and without it on the same port. */
public final class MongoServer implements AutoCloseable {
    /** The largest message that a client may send, for the limits of a port. */
    public static final int MAX_MESSAGE_BYTES = Frame.MAX_MESSAGE_BYTES;

    private final SocketServer<MongoConnection> sockets;

    private MongoServer(SocketServer<MongoConnection> sockets) {
        this.sockets = sockets;
    }

    /**
     * Listens.
     *
     * @throws IOException with a sentence for the user when it cannot
     */
    public static MongoServer start(
            MongoEndpoint endpoint,
            String host,
            int port,
            Transport transport,
            Supplier<SslContext> tls,
            HttpLimits limits,
            MemoryBudget memory)
            throws IOException {
        ThreadFactory threads = Thread.ofVirtual().name("mongo-request").factory();
        AtomicInteger ids = new AtomicInteger();
        endpoint.traffic().mostConnections(limits.maxConnections());
        return new MongoServer(
                SocketServer.start(
                        new SocketServer.Settings(limits, tls, transport, threads, memory),
                        (sockets, neighbourhood, isSurplus) ->
                                new MongoConnection(
                                        sockets,
                                        endpoint,
                                        ids.incrementAndGet(),
                                        neighbourhood,
                                        isSurplus),
                        host,
                        port));
    }

    /**
     * Says hello over the listener itself; that it is bound does not say that it answers.
     *
     * @param host an address at which this machine reaches it
     */
    public boolean answers(String host, int timeoutMillis) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port()), timeoutMillis);
            socket.setSoTimeout(timeoutMillis);
            Bytes hello = BsonCodec.write(new Doc().put("hello", 1).put("$db", "admin").build());
            socket.getOutputStream().write(MessageWriter.msg(1, 0, hello, false, Compressor.NONE));
            byte[] header = socket.getInputStream().readNBytes(Frame.HEADER_BYTES);
            return header.length == Frame.HEADER_BYTES;
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
