package orrery.bench.graph;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One blocking connection to a Gremlin server. A driver would be the slowest part of a point read.
 * Not thread-safe.
 */
public final class GremlinCaller implements Closeable {
    private static final int TIMEOUT_MILLIS = 120_000;

    /** GraphSON 2 as the service writes it, which a server of TinkerPop writes if it is asked. */
    private static final byte[] MIME =
            "application/vnd.gremlin-v2.0+json;types=false".getBytes(StandardCharsets.US_ASCII);

    private static final int PARTIAL = 206;
    private static final int AUTHENTICATE = 407;

    private static final int LAST_FRAME = 0x80;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int MASKED = 0x80;
    private static final int TWO_BYTES = 126;
    private static final int EIGHT_BYTES = 127;

    private final String user;
    private final String password;
    private final Socket socket = new Socket();
    private final DataInputStream in;

    /**
     * @param user and password are for a server that asks for them
     */
    public GremlinCaller(int port, String user, String password) throws IOException {
        this.user = user;
        this.password = password;
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 64 << 10));
            upgrade(port);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void upgrade(int port) throws IOException {
        byte[] nonce = new byte[16];
        ThreadLocalRandom.current().nextBytes(nonce);
        String head =
                "GET /gremlin HTTP/1.1\r\nHost: localhost:"
                        + port
                        + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                        + Base64.getEncoder().encodeToString(nonce)
                        + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("\r\n\r\n") < 0) {
            answer.append((char) in.readUnsignedByte());
        }
        if (!answer.toString().startsWith("HTTP/1.1 101 ")) {
            throw new IOException(
                    "no WebSocket: " + answer.toString().lines().findFirst().orElse(""));
        }
    }

    /**
     * Sends a script and reads its whole answer.
     *
     * @param script with nothing in it that JSON has to escape
     * @param bindings a JSON object
     */
    public GremlinAnswer call(String script, String bindings) throws IOException {
        String id = requestId();
        send(evaluation(id, script, bindings));
        GremlinAnswer answer = GremlinAnswer.parse(receive());
        if (answer.code() == AUTHENTICATE) {
            send(authentication(id));
            answer = GremlinAnswer.parse(receive());
        }
        while (answer.code() == PARTIAL) {
            answer = answer.and(GremlinAnswer.parse(receive()));
        }
        if (answer.code() != 200 && answer.code() != 204) {
            throw new IOException(
                    script + " was answered with " + answer.code() + ": " + answer.message());
        }
        return answer;
    }

    /** Like {@link #call}, but for an answer of one message, of which all is wanted. */
    public String callForText(String script, String bindings) throws IOException {
        send(evaluation(requestId(), script, bindings));
        return new String(receive(), StandardCharsets.UTF_8);
    }

    private static String requestId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private static String evaluation(String id, String script, String bindings) {
        return "{\"requestId\":\""
                + id
                + "\",\"op\":\"eval\",\"processor\":\"\",\"args\":{\"gremlin\":\""
                + script
                + "\",\"language\":\"gremlin-groovy\",\"bindings\":"
                + bindings
                + "}}";
    }

    private String authentication(String id) {
        byte[] plain = ("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8);
        return "{\"requestId\":\""
                + id
                + "\",\"op\":\"authentication\",\"processor\":\"\",\"args\":{\"saslMechanism\":"
                + "\"PLAIN\",\"sasl\":\""
                + Base64.getEncoder().encodeToString(plain)
                + "\"}}";
    }

    // ---- frames

    private void send(String json) throws IOException {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        int length = 1 + MIME.length + text.length;
        ByteBuffer frame = ByteBuffer.allocate(length + 14);
        frame.put((byte) (LAST_FRAME | BINARY));
        if (length < TWO_BYTES) {
            frame.put((byte) (MASKED | length));
        } else if (length < 1 << 16) {
            frame.put((byte) (MASKED | TWO_BYTES)).putShort((short) length);
        } else {
            frame.put((byte) (MASKED | EIGHT_BYTES)).putLong(length);
        }
        // Clients must mask what they send. Nobody is between who could be misled by it, and a mask
        // of zeros leaves the bytes as they are.
        frame.putInt(0);
        frame.put((byte) MIME.length).put(MIME).put(text);
        socket.getOutputStream().write(frame.array(), 0, frame.position());
    }

    private byte[] receive() throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (true) {
            int first = in.readUnsignedByte();
            int kind = first & 0x0f;
            byte[] payload = new byte[length()];
            in.readFully(payload);
            if (kind == CLOSE) {
                throw new IOException("the server closed the connection");
            }
            if (kind > CLOSE) {
                continue; // a ping: no measurement lasts until one has to be answered
            }
            if ((first & LAST_FRAME) != 0 && message.size() == 0) {
                return payload;
            }
            message.write(payload);
            if ((first & LAST_FRAME) != 0) {
                return message.toByteArray();
            }
        }
    }

    private int length() throws IOException {
        int length = in.readUnsignedByte();
        return switch (length) {
            case TWO_BYTES -> in.readUnsignedShort();
            case EIGHT_BYTES -> Math.toIntExact(in.readLong());
            default -> length;
        };
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
