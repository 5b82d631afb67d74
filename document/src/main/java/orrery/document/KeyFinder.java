package orrery.document;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;
import orrery.model.PropertyPath;

/**
 * Picks the values of the partition key out of the tokens of an item while somebody else reads
 * them. Depth is the number of objects and arrays around a token: 1 for the item's own properties.
 */
final class KeyFinder {
    private final List<PropertyPath> paths;

    /** Per path, how many of its segments lead to the object being read. */
    private final int[] matched;

    private final KeyComponent[] found;

    /** Per path, whether it goes through (or ends at) the property just named. */
    private final boolean[] named;

    private boolean isAnyNamed;

    KeyFinder(List<PropertyPath> paths) {
        this.paths = paths;
        matched = new int[paths.size()];
        named = new boolean[paths.size()];
        found = new KeyComponent[paths.size()];
        Arrays.fill(found, KeyComponent.UNDEFINED);
    }

    void name(String name, int depth) {
        for (int i = 0; i < matched.length; i++) {
            List<String> segments = paths.get(i).segments();
            named[i] =
                    matched[i] == depth - 1
                            && segments.size() >= depth
                            && segments.get(depth - 1).equals(name);
            isAnyNamed |= named[i];
        }
    }

    void scalar(JsonParser parser, JsonToken token, int depth) throws IOException {
        if (!isAnyNamed) {
            return;
        }
        isAnyNamed = false;
        for (int i = 0; i < matched.length; i++) {
            if (named[i] && paths.get(i).segments().size() == depth) {
                found[i] = component(parser, token);
            }
        }
    }

    /** An object or array begins; {@code depth} is that of its parent. */
    void start(boolean isObject, int depth) {
        if (!isAnyNamed) {
            return;
        }
        isAnyNamed = false;
        for (int i = 0; i < matched.length; i++) {
            if (named[i] && isObject) {
                matched[i] = depth;
            }
        }
    }

    /** An object or array has ended; {@code depth} is that of its parent. */
    void end(int depth) {
        for (int i = 0; i < matched.length; i++) {
            matched[i] = Math.min(matched[i], depth - 1);
        }
    }

    PartitionKey key() {
        return found.length == 0 ? PartitionKey.EMPTY : PartitionKey.of(found);
    }

    /** A key component from a scalar token. Body and header share it, so that they agree. */
    static KeyComponent component(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case VALUE_NULL -> KeyComponent.NULL;
            case VALUE_TRUE -> KeyComponent.TRUE;
            case VALUE_FALSE -> KeyComponent.FALSE;
            case VALUE_STRING -> new KeyComponent.Text(wellFormed(parser.getText()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                    new KeyComponent.Numeric(JsonInput.finiteDouble(parser));
            default -> throw new IllegalStateException("not a scalar: " + token);
        };
    }

    /**
     * Keys and ids are stored and hashed as UTF-8, where all lone surrogates would become one
     * character and different values equal.
     */
    static String wellFormed(String text) {
        if (Utf8.hasLoneSurrogate(text)) {
            throw JsonInput.invalid("An id or partition key holds half a surrogate pair");
        }
        return text;
    }
}
