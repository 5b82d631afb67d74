package orrery.document;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import orrery.model.ErrorCode;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;

/**
 * The partition key as clients send it in the header {@code x-ms-documentdb-partitionkey}: a JSON
 * array with one scalar per path, {@code {}} for "the item has no such property", or nothing at all
 * for a container without a key.
 */
public final class KeyHeader {
    private KeyHeader() {}

    /**
     * Throws BAD_REQUEST if the text is anything else. How many components fit is for the container
     * to say.
     */
    public static PartitionKey parse(String header) {
        if (isOnePlainText(header)) {
            return PartitionKey.ofText(header.substring(2, header.length() - 2));
        }
        try {
            return read(header);
        } catch (OrreryException e) {
            // The reader speaks of a payload; the client must look at a header.
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The header x-ms-documentdb-partitionkey is invalid. " + JsonInput.reason(e));
        }
    }

    /** By far the commonest key, {@code ["text"]} in ASCII without escapes, needs no parser. */
    private static boolean isOnePlainText(String header) {
        if (!header.startsWith("[\"") || !header.endsWith("\"]") || header.length() < 4) {
            return false;
        }
        for (int i = 2; i < header.length() - 2; i++) {
            char c = header.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    private static PartitionKey read(String header) {
        try (JsonParser parser = JsonInput.open(Utf8.encode(header))) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw JsonInput.invalid("It is not a JSON array", 0);
            }
            List<KeyComponent> components = new ArrayList<>(1);
            for (JsonToken token = parser.nextToken();
                    token != JsonToken.END_ARRAY;
                    token = parser.nextToken()) {
                components.add(component(parser, token));
            }
            JsonInput.requireEnd(parser);
            return components.isEmpty() ? PartitionKey.EMPTY : new PartitionKey(components);
        } catch (IOException e) {
            throw JsonInput.invalid(e);
        }
    }

    private static KeyComponent component(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> {
                if (parser.nextToken() != JsonToken.END_OBJECT) {
                    throw JsonInput.invalid(
                            "An object in it must be empty", JsonInput.offset(parser));
                }
                yield KeyComponent.UNDEFINED;
            }
            case START_ARRAY ->
                    throw JsonInput.invalid(
                            "It holds an array inside the array", JsonInput.offset(parser));
            default -> KeyFinder.component(parser, token);
        };
    }
}
