package orrery.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import orrery.model.Bytes;

/**
 * Connect, send something that is no whole request, or nothing, and stay.
 *
 * @param beginning what is sent
 */
record StaleConnections(String name, int connections, Bytes beginning) implements Neighbour {
    private static final int RECEIVE_BYTES = 4 << 10;

    /** Before another one takes the place of one that was closed: bounds the traffic. */
    private static final long PAUSE_MILLIS = 1000;

    @Override
    public void run(Visit visit) {
        visit.repeat(
                connections,
                PAUSE_MILLIS,
                () -> visit.withChannel(RECEIVE_BYTES, channel -> stay(visit, channel)));
    }

    private void stay(Visit visit, SocketChannel channel) throws IOException {
        visit.count("opened");
        ByteBuffer rest = ByteBuffer.wrap(beginning.unsafeArray());
        while (rest.hasRemaining()) {
            channel.write(rest);
        }
        ByteBuffer reply = ByteBuffer.allocate(RECEIVE_BYTES);
        while (channel.read(reply) >= 0) {
            if (visit.heard(reply)) {
                return;
            }
        }
        visit.wasClosed();
    }
}
