package orrery.bench;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;

/**
 * Ask for as much as an answer holds and take it in drops: what the server has to say stays with
 * the server.
 *
 * @param requests the requests, signed when they are made
 */
record SlowReaders(String name, int connections, Supplier<byte[]> requests) implements Neighbour {
    private static final int RECEIVE_BYTES = 4 << 10;
    private static final int DROP_BYTES = 1 << 10;
    private static final long PAUSE_MILLIS = 20;

    @Override
    public void run(Visit visit) {
        visit.repeat(
                connections,
                PAUSE_MILLIS,
                () -> visit.withChannel(RECEIVE_BYTES, channel -> read(visit, channel)));
    }

    private void read(Visit visit, SocketChannel channel) throws IOException, InterruptedException {
        ByteBuffer request = ByteBuffer.wrap(requests.get());
        while (request.hasRemaining()) {
            channel.write(request);
        }
        ByteBuffer drop = ByteBuffer.allocate(DROP_BYTES);
        boolean hasHeard = false;
        do {
            drop.clear();
            if (channel.read(drop) < 0) {
                throw new EOFException("the server closed the connection");
            }
            hasHeard = hasHeard || visit.heard(drop);
        } while (!visit.isOverAfter(PAUSE_MILLIS));
    }
}
