package orrery.document;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.model.Bytes;

/**
 * An array of objects, taken apart into their members. Members that are objects or arrays keep the
 * bytes in which they came: an item that arrives inside a larger text is stored as it was written.
 */
public final class JsonSlices {
    private JsonSlices() {}

    /** Throws BAD_REQUEST unless the text is a JSON array of objects. */
    public static List<Map<String, Bytes>> objects(Bytes json) {
        byte[] text = json.unsafeArray();
        try (JsonParser parser = JsonInput.openEnvelope(text)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw JsonInput.invalid("It is not a JSON array", 0);
            }
            List<Map<String, Bytes>> objects = new ArrayList<>();
            for (JsonToken token = parser.nextToken();
                    token != JsonToken.END_ARRAY;
                    token = parser.nextToken()) {
                if (token != JsonToken.START_OBJECT) {
                    throw JsonInput.invalid(
                            "An element of the array is not an object", start(parser));
                }
                objects.add(members(parser, text));
            }
            JsonInput.requireEnd(parser);
            return objects;
        } catch (IOException e) {
            throw JsonInput.invalid(e);
        }
    }

    private static Map<String, Bytes> members(JsonParser parser, byte[] text) throws IOException {
        Map<String, Bytes> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            members.put(name, slice(parser, token, text));
        }
        return members;
    }

    private static Bytes slice(JsonParser parser, JsonToken token, byte[] text) throws IOException {
        if (!token.isStructStart()) {
            return JsonText.writeBytes(JsonText.scalar(parser, token));
        }
        int start = (int) start(parser);
        parser.skipChildren();
        int end = (int) parser.currentLocation().getByteOffset();
        return Bytes.copyOf(text, start, end - start);
    }

    private static long start(JsonParser parser) {
        return parser.currentTokenLocation().getByteOffset();
    }
}
