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
 * JSON text taken apart. Objects and arrays inside keep the bytes in which they came: an item that
 * arrives inside a larger text is stored, or handed on, as it was written.
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

    /**
     * The elements of an array that an object holds, each in the bytes in which it came. Throws
     * BAD_REQUEST where the text is no such object.
     */
    public static List<Bytes> elements(Bytes json, String member) {
        byte[] text = json.unsafeArray();
        try (JsonParser parser = JsonInput.openEnvelope(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw JsonInput.invalid("It is not a JSON object", 0);
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean isWanted = parser.currentName().equals(member);
                JsonToken token = parser.nextToken();
                if (isWanted && token == JsonToken.START_ARRAY) {
                    return elements(parser, text);
                }
                parser.skipChildren();
            }
            throw JsonInput.invalid("It has no array '" + member + "'");
        } catch (IOException e) {
            throw JsonInput.invalid(e);
        }
    }

    private static List<Bytes> elements(JsonParser parser, byte[] text) throws IOException {
        List<Bytes> elements = new ArrayList<>();
        for (JsonToken token = parser.nextToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            elements.add(slice(parser, token, text));
        }
        return elements;
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
