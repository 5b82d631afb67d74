package orrery.bench.load;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** One blocking connection, for what has to be there before a measurement. Not thread-safe. */
public final class SqlCaller implements Closeable {
    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket;
    private byte[] buffer = new byte[16 << 10];

    public SqlCaller(int port) throws IOException {
        socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    public Reply call(byte[] message) throws IOException {
        socket.getOutputStream().write(message);
        InputStream in = socket.getInputStream();
        int count = 0;
        while (true) {
            int length = ReplyScanner.length(buffer, count);
            if (length != ReplyScanner.UNKNOWN && length <= count) {
                return Reply.parse(buffer, ReplyScanner.headLength(buffer, count), length);
            }
            if (count == buffer.length) {
                buffer = Arrays.copyOf(buffer, 2 * count);
            }
            int read = in.read(buffer, count, buffer.length - count);
            if (read < 0) {
                throw new EOFException("the server closed the connection");
            }
            count += read;
        }
    }

    /** Like {@link #call}, but the reply must have this status. */
    public void expect(int status, byte[] message) throws IOException {
        Reply reply = call(message);
        if (reply.status() != status) {
            String first =
                    new String(message, StandardCharsets.ISO_8859_1).lines().findFirst().orElse("");
            throw new IOException(
                    first + " was answered with " + reply.status() + ": " + reply.body());
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
