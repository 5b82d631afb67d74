package orrery.frontend.gremlin.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONMapper;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONVersion;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;

/** GraphSON with types: each number, element and collection says what it is. */
final class TypedJson extends ResultForm {
    static final ObjectMapper VERSION_2 = mapper(GraphSONVersion.V2_0);
    static final ObjectMapper VERSION_3 = mapper(GraphSONVersion.V3_0);

    private final ObjectMapper mapper;
    private final boolean hasTypedCollections;

    /**
     * @param hasTypedCollections true for version 3, where lists and maps have a type as well
     */
    TypedJson(ObjectMapper mapper, boolean hasTypedCollections) {
        this.mapper = mapper;
        this.hasTypedCollections = hasTypedCollections;
    }

    private static ObjectMapper mapper(GraphSONVersion version) {
        return GraphSONMapper.build()
                .version(version)
                .addDefaultXModule(true)
                .maxNestingDepth(JsonRequests.MAX_DEPTH)
                .create()
                .createMapper();
    }

    @Override
    void write(Object result, HeapBuffer chunk) throws IOException {
        mapper.writeValue(chunk.stream(), result);
        chunk.writeByte(',');
    }

    @Override
    byte[] message(UUID request, Status status, HeapBuffer chunk, int count) throws IOException {
        try (HeapBuffer message = HeapBuffer.growing();
                JsonGenerator out = ServiceJson.JSON.createGenerator(message.stream())) {
            out.writeStartObject();
            out.writeStringField("requestId", request.toString());
            out.writeObjectFieldStart("status");
            out.writeNumberField("code", status.code());
            out.writeStringField("message", status.message());
            out.writeFieldName("attributes");
            out.flush();
            out.writeRawValue(mapper.writeValueAsString(new LinkedHashMap<>(status.attributes())));
            out.writeEndObject();
            out.writeObjectFieldStart("result");
            out.writeFieldName("data");
            if (hasTypedCollections) {
                out.writeStartObject();
                out.writeStringField("@type", "g:List");
                out.writeFieldName("@value");
            }
            out.writeStartArray();
            out.flush();
            ServiceJson.addItems(message, chunk);
            out.writeEndArray();
            if (hasTypedCollections) {
                out.writeEndObject();
            }
            out.writeFieldName("meta");
            out.writeRawValue(mapper.writeValueAsString(Map.of()));
            out.writeEndObject();
            out.writeEndObject();
            out.flush();
            return message.toBytes();
        }
    }
}
