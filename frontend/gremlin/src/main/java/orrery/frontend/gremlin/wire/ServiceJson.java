package orrery.frontend.gremlin.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The JSON of the service: GraphSON 1 without types, whatever GraphSON the request is in. */
final class ServiceJson extends ResultForm {
    static final JsonFactory JSON =
            JsonFactory.builder()
                    .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
                    .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                    .build();

    private @Nullable JsonGenerator results;

    @Override
    void write(Object result, HeapBuffer chunk) throws IOException {
        JsonGenerator out = results;
        if (out == null) {
            out = JSON.createGenerator(chunk.stream()).setRootValueSeparator(null);
            results = out;
        }
        ResultJson.write(result, out);
        out.flush();
        chunk.writeByte(',');
    }

    @Override
    byte[] message(UUID request, Status status, HeapBuffer chunk, int count) throws IOException {
        try (HeapBuffer message = HeapBuffer.growing();
                JsonGenerator out = JSON.createGenerator(message.stream())) {
            out.writeStartObject();
            out.writeStringField("requestId", request.toString());
            out.writeObjectFieldStart("status");
            out.writeNumberField("code", status.code());
            out.writeStringField("message", status.message());
            out.writeObjectFieldStart("attributes");
            for (Map.Entry<String, Object> attribute : status.attributes().entrySet()) {
                out.writeFieldName(attribute.getKey());
                ResultJson.write(attribute.getValue(), out);
            }
            out.writeEndObject();
            out.writeEndObject();
            out.writeObjectFieldStart("result");
            out.writeArrayFieldStart("data");
            out.flush();
            addItems(message, chunk);
            out.writeEndArray();
            out.writeObjectFieldStart("meta");
            out.writeEndObject();
            out.writeEndObject();
            out.writeEndObject();
            out.flush();
            return message.toBytes();
        }
    }

    /** Each result has a comma behind it, the last one too. */
    static void addItems(HeapBuffer message, HeapBuffer chunk) {
        if (chunk.length() > 0) {
            message.add(chunk);
            message.writerIndex(message.length() - 1);
        }
    }
}
