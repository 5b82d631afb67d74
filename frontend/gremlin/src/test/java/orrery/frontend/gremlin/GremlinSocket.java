package orrery.frontend.gremlin;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import org.apache.tinkerpop.shaded.jackson.databind.JsonNode;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;

/** A client that sends frames as a test wants them. */
final class GremlinSocket implements AutoCloseable {
    static final String GRAPHSON_2 = "application/vnd.gremlin-v2.0+json";
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private static final int PATIENCE_MILLIS = 60_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    final Socket socket;
    final DataInputStream in;

    /** The content of a frame. */
    record Frame(int opcode, String text) {
        JsonNode json() {
            try {
                return JSON.readTree(text);
            } catch (IOException notJson) {
                throw new UncheckedIOException(notJson);
            }
        }

        int closeCode() {
            return text.charAt(0) << 8 | text.charAt(1);
        }
    }

    GremlinSocket(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new DataInputStream(socket.getInputStream());
    }

    /** Connects and has the connection upgraded. */
    static GremlinSocket open(int port) throws IOException {
        GremlinSocket client = new GremlinSocket(port);
        client.raw(
                String.join(
                        "\r\n",
                        "GET /gremlin HTTP/1.1",
                        "Host: localhost",
                        "Upgrade: websocket",
                        "Connection: keep-alive, Upgrade",
                        "Sec-WebSocket-Version: 13",
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                        "",
                        ""));
        String head = client.head();
        if (!head.startsWith("HTTP/1.1 101 ")) {
            throw new IllegalStateException(head);
        }
        return client;
    }

    /** Connects and logs in. */
    static GremlinSocket login(int port, String user, String password) throws IOException {
        GremlinSocket client = open(port);
        UUID first = client.eval("login");
        JsonNode asked = client.json();
        if (asked.at("/status/code").asInt() != 407) {
            throw new IllegalStateException(asked.toString());
        }
        client.authenticate(UUID.randomUUID(), user, password);
        JsonNode answered = client.json();
        if (!answered.at("/requestId").asText().equals(first.toString())
                || answered.at("/status/code").asInt() != 200) {
            throw new IllegalStateException(answered.toString());
        }
        return client;
    }

    void raw(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reads the head of an answer of HTTP. */
    String head() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        return head.toString();
    }

    String rest() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    static byte[] framed(int opcode, boolean isFinal, byte[] payload, boolean isMasked) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write((isFinal ? 0x80 : 0) | opcode);
        int mask = isMasked ? 0x80 : 0;
        if (payload.length < 126) {
            frame.write(mask | payload.length);
        } else if (payload.length <= 0xFFFF) {
            frame.write(mask | 126);
            frame.writeBytes(ByteBuffer.allocate(2).putShort((short) payload.length).array());
        } else {
            frame.write(mask | 127);
            frame.writeBytes(ByteBuffer.allocate(8).putLong(payload.length).array());
        }
        byte[] key = {17, 42, 99, 7};
        if (isMasked) {
            frame.writeBytes(key);
        }
        for (int i = 0; i < payload.length; i++) {
            frame.write(isMasked ? payload[i] ^ key[i & 3] : payload[i]);
        }
        return frame.toByteArray();
    }

    void send(int opcode, boolean isFinal, byte[] payload) throws IOException {
        socket.getOutputStream().write(framed(opcode, isFinal, payload, true));
    }

    void text(String json) throws IOException {
        send(TEXT, true, json.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] prefixed(String mediaType, byte[] body) {
        byte[] type = mediaType.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(1 + type.length + body.length)
                .put((byte) type.length)
                .put(type)
                .put(body)
                .array();
    }

    void json(String json) throws IOException {
        send(BINARY, true, prefixed(GRAPHSON_2, json.getBytes(StandardCharsets.UTF_8)));
    }

    UUID eval(String script) throws IOException {
        return eval(script, "");
    }

    /**
     * @param more further arguments, each behind a comma
     */
    UUID eval(String script, String more) throws IOException {
        UUID id = UUID.randomUUID();
        json(request(id, "eval", "", "\"gremlin\":\"" + script + "\"" + more));
        return id;
    }

    static String request(UUID id, String op, String processor, String arguments) {
        return "{\"requestId\":{\"@type\":\"g:UUID\",\"@value\":\""
                + id
                + "\"},\"op\":\""
                + op
                + "\",\"processor\":\""
                + processor
                + "\",\"args\":{"
                + arguments
                + "}}";
    }

    void authenticate(UUID id, String user, String password) throws IOException {
        String sasl =
                Base64.getEncoder()
                        .encodeToString(
                                ("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8));
        json(
                request(
                        id,
                        "authentication",
                        "traversal",
                        "\"saslMechanism\":\"PLAIN\",\"sasl\":\"" + sasl + "\""));
    }

    Frame read() throws IOException {
        int opcode = in.readUnsignedByte() & 0x0F;
        long length = in.readUnsignedByte();
        length = length == 126 ? in.readUnsignedShort() : length == 127 ? in.readLong() : length;
        byte[] payload = in.readNBytes((int) length);
        if (payload.length < length) {
            throw new EOFException();
        }
        return new Frame(
                opcode,
                new String(
                        payload,
                        opcode == CLOSE ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8));
    }

    JsonNode json() throws IOException {
        return read().json();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
