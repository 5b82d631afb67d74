package orrery.bench;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import orrery.bench.load.SqlCaller;

/**
 * One stay of a neighbour: its connections, which end with it, and a count of what it heard. A
 * server may refuse it anything, and close on it.
 */
final class Visit implements Closeable {
    private static final String CLOSED = "closed";
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final int STATUS_LENGTH = 3;

    private final int port;
    private final Map<String, LongAdder> heard;
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch over = new CountDownLatch(1);

    /**
     * @param heard counts on over several visits
     */
    Visit(int port, Map<String, LongAdder> heard) {
        this.port = port;
        this.heard = heard;
    }

    static Map<String, LongAdder> newCounts() {
        return new ConcurrentSkipListMap<>();
    }

    static String text(Map<String, LongAdder> heard) {
        return heard.isEmpty()
                ? "nothing"
                : heard.entrySet().stream()
                        .map(each -> each.getKey() + ": " + each.getValue())
                        .collect(Collectors.joining(", "));
    }

    /** Something done on one connection. */
    interface Use<T> {
        /**
         * @throws IOException when the server closed the connection
         */
        void on(T connection) throws IOException, InterruptedException;
    }

    /** Opens a connection for one request after the other. */
    void withCaller(Use<SqlCaller> use) throws IOException, InterruptedException {
        with(new SqlCaller(port), use);
    }

    /**
     * Opens a bare connection.
     *
     * @param receiveBytes what the system takes in before anybody reads
     */
    void withChannel(int receiveBytes, Use<SocketChannel> use)
            throws IOException, InterruptedException {
        with(
                SocketChannel.open(),
                channel -> {
                    channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBytes);
                    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                    use.on(channel);
                });
    }

    private <T extends Closeable> void with(T connection, Use<T> use)
            throws IOException, InterruptedException {
        open.add(connection);
        try (connection) {
            // A connection that opens while the visit ends must not stay open.
            if (!isOver()) {
                use.on(connection);
            }
        } finally {
            open.remove(connection);
        }
    }

    /** Something that is tried again and again, on so many connections. */
    interface Attempt {
        /**
         * Returns when it is to be tried again after a pause.
         *
         * @throws IOException when the server closed the connection, or let none be opened
         */
        void run() throws IOException, InterruptedException;
    }

    /** Returns when the visit is over. The connections begin evenly spread over one pause. */
    void repeat(int connections, long pauseMillis, Attempt attempt) {
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < connections; i++) {
                // They share the processors with the server. Coming all in the same moment, again
                // and again, would show how long the machine takes for that, and not the server.
                long startMillis = pauseMillis * i / connections;
                running.add(
                        threads.submit(
                                () -> {
                                    if (isOverAfter(startMillis)) {
                                        return true;
                                    }
                                    do {
                                        try {
                                            attempt.run();
                                        } catch (IOException closed) {
                                            wasClosed();
                                        }
                                    } while (!isOverAfter(pauseMillis));
                                    return true;
                                }));
            }
        }
        for (Future<?> one : running) {
            if (one.state() == Future.State.FAILED) {
                throw new IllegalStateException("a neighbour failed", one.exceptionNow());
            }
        }
    }

    void heard(int status) {
        count(Integer.toString(status));
    }

    /** Takes the part of a reply that has arrived; returns false if its status is not in it. */
    boolean heard(ByteBuffer reply) {
        boolean isThere = reply.position() >= STATUS_AT + STATUS_LENGTH;
        if (isThere) {
            byte[] status = new byte[STATUS_LENGTH];
            reply.get(STATUS_AT, status);
            count(new String(status, StandardCharsets.US_ASCII));
        }
        return isThere;
    }

    /** The end of the visit closes connections too, and says nothing of the server. */
    void wasClosed() {
        if (!isOver()) {
            count(CLOSED);
        }
    }

    void count(String what) {
        heard.computeIfAbsent(what, _ -> new LongAdder()).increment();
    }

    boolean isOver() {
        return over.getCount() == 0;
    }

    boolean isOverAfter(long millis) throws InterruptedException {
        return over.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Ends what waits on any of the connections. */
    void end() throws IOException {
        over.countDown();
        for (Closeable connection : open) {
            connection.close();
        }
    }

    @Override
    public void close() throws IOException {
        end();
    }
}
