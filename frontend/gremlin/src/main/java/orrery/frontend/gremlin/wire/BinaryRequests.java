package orrery.frontend.gremlin.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.structure.io.binary.GraphBinaryReader;

/** Requests in GraphBinary. */
final class BinaryRequests {
    /** The first byte of each message; the first bit is always set. */
    static final byte VERSION = (byte) 0x81;

    private static final int ID_BYTES = 2 * Long.BYTES;

    private BinaryRequests() {}

    static Optional<UUID> peekId(byte[] bytes, int start) {
        if (bytes.length < start + 1 + ID_BYTES || bytes[start] != VERSION) {
            return Optional.empty();
        }
        ByteBuffer id = ByteBuffer.wrap(bytes, start + 1, ID_BYTES);
        return Optional.of(new UUID(id.getLong(), id.getLong()));
    }

    static RequestMessage read(byte[] bytes, int start) throws MalformedRequest {
        UUID id =
                peekId(bytes, start)
                        .orElseThrow(
                                () ->
                                        MalformedRequest.unreadable(
                                                "The request is not of version 1 of"
                                                        + " GraphBinary."));
        int from = start + 1 + ID_BYTES;
        try {
            BinaryGuard.check(ByteBuffer.wrap(bytes, from, bytes.length - from));
            HeapBuffer in = HeapBuffer.of(bytes, from);
            GraphBinaryReader reader = new GraphBinaryReader();
            String op = reader.readValue(in, String.class, false);
            String processor = reader.readValue(in, String.class, false);
            Map<?, ?> given = reader.readValue(in, Map.class, false);
            Map<String, Object> arguments = new LinkedHashMap<>();
            given.forEach((name, value) -> arguments.put(String.valueOf(name), plain(value)));
            return new RequestMessage(Form.GRAPH_BINARY, id, op, processor, arguments);
        } catch (MalformedRequest refused) {
            throw refused.of(id);
        } catch (IOException | RuntimeException notBinary) {
            throw MalformedRequest.unreadable(
                            "The request cannot be read: " + notBinary.getMessage())
                    .of(id);
        }
    }

    private static Object plain(Object value) {
        return value instanceof Bytecode traversal
                ? (RequestMessage.Traversal) () -> traversal
                : value;
    }
}
