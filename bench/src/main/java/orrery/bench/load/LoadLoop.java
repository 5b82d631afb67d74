package orrery.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs one {@link LoadSpec}: one thread, one selector, one request at a time per connection.
 *
 * <p>At a fixed rate each request has the moment it is due. When no connection is free it waits,
 * and its time runs: that is what keeps the measurement honest when the server stalls.
 */
final class LoadLoop {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** The time to wait for answers after the end. */
    private static final long GRACE_NANOS = 20 * NANOS_PER_SECOND;

    /** A sleep really takes 50 to 100 µs; shorter ones would only burn the server's CPU. */
    private static final long NAP_NANOS = 20_000;

    private final LoadSpec spec;
    private final LongFunction<byte[]> messages;
    private final Histogram times = new Histogram();
    private final Deque<Client> free = new ArrayDeque<>();
    private final List<Client> clients = new ArrayList<>();
    private long next;
    private long sent;
    private long answered;
    private long failed;
    private int waiting;
    private long start;
    private long end;
    private @Nullable String firstFailure;

    private LoadLoop(LoadSpec spec) {
        this.spec = spec;
        this.messages = messages(spec);
        this.next = spec.kind() == LoadSpec.Kind.READ ? 0 : spec.firstItem();
    }

    static LoadResult run(LoadSpec spec) throws IOException {
        return new LoadLoop(spec).run();
    }

    private static LongFunction<byte[]> messages(LoadSpec spec) {
        return switch (spec.kind()) {
            case READ, READ_TOO_MUCH -> {
                byte[][] all = new byte[Math.toIntExact(spec.firstItem())][];
                for (int i = 0; i < all.length; i++) {
                    all[i] = SqlMessages.readItem(spec.container(), i);
                }
                yield number -> all[(int) (number % all.length)];
            }
            case CREATE -> SqlMessages.createItems(spec.container())::with;
            case TABLE_READ -> tables(spec).reads(Math.toIntExact(spec.firstItem()));
            case TABLE_QUERY -> tables(spec).queries(Math.toIntExact(spec.firstItem()));
            case TABLE_INSERT -> tables(spec).inserts();
            case TABLE_BATCH -> {
                LongFunction<byte[]> batches = tables(spec).batches(LoadSpec.BATCH);
                long first = spec.firstItem();
                yield number -> batches.apply(first + (number - first) * LoadSpec.BATCH);
            }
        };
    }

    private static TableMessages tables(LoadSpec spec) {
        return new TableMessages(spec.port());
    }

    private LoadResult run() throws IOException {
        try (Selector selector = Selector.open()) {
            try {
                for (int i = 0; i < spec.connections(); i++) {
                    Client client = new Client(selector, spec.port());
                    clients.add(client);
                    free.add(client);
                }
                start = System.nanoTime();
                end = start + (long) (spec.seconds() * NANOS_PER_SECOND);
                if (spec.perSecond() > 0) {
                    atFixedRate(selector);
                } else {
                    asFastAsPossible(selector);
                }
            } finally {
                for (Client client : clients) {
                    client.channel.close();
                }
            }
        }
        if (firstFailure != null) {
            throw new IOException(failed + " requests failed; the first with " + firstFailure);
        }
        return new LoadResult(
                sent,
                answered,
                failed,
                (end - start) / (double) NANOS_PER_SECOND,
                times.percentile(0.50) / 1e6,
                times.percentile(0.99) / 1e6,
                times.max() / 1e6);
    }

    private void asFastAsPossible(Selector selector) throws IOException {
        while (!free.isEmpty()) {
            free.removeFirst().send(System.nanoTime());
        }
        while (waiting > 0 && System.nanoTime() < end + GRACE_NANOS) {
            selector.select(this::readable, 100);
            while (!free.isEmpty()) {
                Client client = free.removeFirst();
                long now = System.nanoTime();
                if (now < end) {
                    client.send(now);
                }
            }
        }
        if (waiting > 0) {
            failed += waiting;
            firstFailure = firstFailure == null ? "no answer" : firstFailure;
        }
    }

    private void atFixedRate(Selector selector) throws IOException {
        double interval = NANOS_PER_SECOND / spec.perSecond();
        long count = 0;
        long due = start;
        while (true) {
            long now = System.nanoTime();
            while (due <= now && due < end && !free.isEmpty()) {
                free.removeFirst().send(due);
                count++;
                due = start + (long) (count * interval);
            }
            if (due >= end && waiting == 0) {
                return;
            }
            if (now > end + GRACE_NANOS) {
                failed += waiting + Math.max(0, (long) ((end - due) / interval));
                firstFailure = firstFailure == null ? "no answer" : firstFailure;
                return;
            }
            int ready = selector.selectNow(this::readable);
            boolean mustSend = due < end && due <= System.nanoTime() && !free.isEmpty();
            if (ready == 0 && !mustSend) {
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
    }

    private void readable(SelectionKey key) {
        Client client = (Client) key.attachment();
        try {
            client.receive();
        } catch (IOException e) {
            key.cancel();
            waiting--;
            failed++;
            firstFailure = firstFailure == null ? e.toString() : firstFailure;
        }
    }

    private void completed(Client client, int status) {
        waiting--;
        free.add(client);
        long now = System.nanoTime();
        if (!spec.kind().expects(status)) {
            failed++;
            firstFailure = firstFailure == null ? client.text() : firstFailure;
            return;
        }
        times.add(now - client.dueNanos);
        if (now <= end || spec.perSecond() > 0) {
            answered++;
        }
    }

    private final class Client {
        final SocketChannel channel;
        private final ByteBuffer out = ByteBuffer.allocateDirect(64 << 10);
        private final ByteBuffer inDirect = ByteBuffer.allocateDirect(64 << 10);
        private final byte[] in = new byte[64 << 10];
        private int received;
        private long dueNanos;

        Client(Selector selector, int port) throws IOException {
            channel =
                    SocketChannel.open(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void send(long due) throws IOException {
            out.clear().put(messages.apply(next++)).flip();
            dueNanos = due;
            received = 0;
            sent++;
            waiting++;
            // A request fits into the empty buffer of its socket, so this never goes round idly.
            while (out.hasRemaining()) {
                channel.write(out);
            }
        }

        void receive() throws IOException {
            inDirect.clear();
            int read = channel.read(inDirect);
            if (read < 0) {
                throw new IOException("the server closed the connection");
            }
            if (received + read > in.length) {
                throw new IOException("the reply is larger than expected");
            }
            inDirect.flip().get(in, received, read);
            received += read;
            int length = ReplyScanner.length(in, received);
            if (length != ReplyScanner.UNKNOWN && length <= received) {
                completed(this, ReplyScanner.status(in));
            }
        }

        String text() {
            return Reply.parse(in, ReplyScanner.headLength(in, received), received).toString();
        }
    }
}
