package orrery.frontend.gremlin.wire;

import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.structure.io.binary.DataType;
import org.apache.tinkerpop.gremlin.structure.io.binary.GraphBinaryWriter;

/** GraphBinary, version 1. */
final class BinaryResults extends ResultForm {
    private static final int NOT_NULL = 0;

    private final GraphBinaryWriter writer = new GraphBinaryWriter();

    @Override
    void write(Object result, HeapBuffer chunk) throws IOException {
        writer.write(result, chunk);
    }

    @Override
    byte[] message(UUID request, Status status, HeapBuffer chunk, int count) throws IOException {
        try (HeapBuffer message = HeapBuffer.growing()) {
            message.writeByte(BinaryRequests.VERSION);
            writer.writeValue(request, message, true);
            message.writeInt(status.code());
            writer.writeValue(status.message(), message, true);
            writer.writeValue(status.attributes(), message, false);
            writer.writeValue(Map.of(), message, false);
            message.writeByte(DataType.LIST.getCodeByte()).writeByte(NOT_NULL).writeInt(count);
            message.add(chunk);
            return message.toBytes();
        }
    }
}
