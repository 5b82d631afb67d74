package orrery.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import orrery.model.Bytes;

@Timeout(300)
final class VisitTest {
    private static final byte[] REQUEST = ascii("GET / HTTP/1.1\r\n\r\n");

    private final Map<String, LongAdder> heard = Visit.newCounts();

    private long count(String what) {
        LongAdder times = heard.get(what);
        return times == null ? 0 : times.sum();
    }

    private final LongAdder accepted = new LongAdder();
    private final CountDownLatch enough = new CountDownLatch(3);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        threads.close();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The way in which a server treats one connection. */
    private interface Treatment {
        void run(Socket connection) throws IOException;
    }

    private void serve(Treatment treatment) {
        Future<?> _ =
                threads.submit(
                        () -> {
                            while (!server.isClosed()) {
                                Socket connection = server.accept();
                                accepted.increment();
                                Future<?> _ =
                                        threads.submit(
                                                () -> {
                                                    try (connection) {
                                                        treatment.run(connection);
                                                    }
                                                    enough.countDown();
                                                    return true;
                                                });
                            }
                            return true;
                        });
    }

    /** Ends the visit when the server has had enough of it. */
    private void visit(Neighbour neighbour) throws Exception {
        try (Visit visit = new Visit(server.getLocalPort(), heard)) {
            Future<?> running =
                    threads.submit(
                            () -> {
                                neighbour.run(visit);
                                return true;
                            });
            enough.await();
            visit.end();
            running.get();
        }
    }

    @Test
    void refusalsAndClosedConnectionsAreCountedAndTheNeighbourComesAgain() throws Exception {
        serve(
                connection -> {
                    connection.getInputStream().readNBytes(REQUEST.length);
                    connection
                            .getOutputStream()
                            .write(ascii("HTTP/1.1 429 No\r\nContent-Length: 0\r\n\r\n"));
                    connection.getInputStream().readNBytes(REQUEST.length);
                });

        visit(new RequestFlood("flood", 1, 1, () -> REQUEST));

        assertThat(count("429")).isGreaterThanOrEqualTo(3);
        assertThat(count("closed")).isGreaterThanOrEqualTo(2);
        assertThat(Visit.text(heard)).startsWith("429: ").contains(", closed: ");
    }

    @Test
    void connectionsThatTheServerKeepsEndWithTheVisit() throws Exception {
        CountDownLatch ended = new CountDownLatch(3);
        serve(
                connection -> {
                    connection.getInputStream().readNBytes(REQUEST.length);
                    enough.countDown();
                    connection.getInputStream().transferTo(OutputStream.nullOutputStream());
                    ended.countDown();
                });

        visit(new StaleConnections("stale", 3, Bytes.wrap(REQUEST)));

        ended.await();
        assertThat(Visit.text(heard)).isEqualTo("opened: 3");
    }

    @Test
    void aSlowReaderTellsTheStatusOnce() throws Exception {
        serve(
                connection -> {
                    connection.getInputStream().readNBytes(REQUEST.length);
                    connection
                            .getOutputStream()
                            .write(ascii("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n"));
                    connection.getOutputStream().write(new byte[9000]);
                });

        visit(new SlowReaders("slow", 1, () -> REQUEST));

        // The third may have been served and not yet be read.
        assertThat(count("200")).isBetween(2L, accepted.sum());
    }
}
