package orrery.document;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;

/**
 * Picks a few properties out of a body that was checked before it was stored. A query does this for
 * each item it meets: to make a parser for it, and to take all tokens apart that nobody wants,
 * would be most of the work. Values that are more than a plain text or number go to the parser.
 */
final class StoredBody {
    /** Longer integers may not fit 64 bits. */
    private static final int MAX_DIGITS = 18;

    private final byte[] text;
    private int at;

    private StoredBody(byte[] text) {
        this.text = text;
    }

    /** Reads the wanted properties; it stops after the last of them. */
    static Map<String, Value> read(Bytes body, PropertyNames wanted) {
        try {
            return new StoredBody(body.unsafeArray()).properties(wanted);
        } catch (IOException | IndexOutOfBoundsException e) {
            throw new IllegalStateException("a stored body is not JSON", e);
        }
    }

    private Map<String, Value> properties(PropertyNames wanted) throws IOException {
        Map<String, Value> found = new LinkedHashMap<>();
        if (wanted.ofBody() == 0) {
            return found;
        }
        skipTo('{');
        skipSpace();
        while (text[at] != '}') {
            String name = name(wanted);
            skipTo(':');
            skipSpace();
            if (name == null) {
                skipValue();
            } else {
                found.put(name, value());
                if (found.size() == wanted.ofBody()) {
                    break;
                }
            }
            skipSpace();
            if (text[at] == ',') {
                at++;
                skipSpace();
            }
        }
        return found;
    }

    /** The name that begins here, if it is wanted. */
    private @Nullable String name(PropertyNames wanted) throws IOException {
        int start = at;
        if (skipText()) {
            return wanted.find(((Value.Text) parse(start)).value());
        }
        return wanted.find(text, start + 1, at - 1);
    }

    private Value value() throws IOException {
        int start = at;
        switch (text[at]) {
            case '"' -> {
                boolean hasEscapes = skipText();
                return hasEscapes
                        ? parse(start)
                        : Value.of(
                                new String(
                                        text, start + 1, at - start - 2, StandardCharsets.UTF_8));
            }
            case '{', '[' -> {
                skipNested();
                return parse(start);
            }
            default -> {
                skipPlain();
                return isInteger(start) ? Value.of(integer(start)) : parse(start);
            }
        }
    }

    /** Returns true if only digits of a 64-bit integer stand between there and here. */
    private boolean isInteger(int start) {
        // A sign may be that of -0, which is no integer.
        if (at - start > MAX_DIGITS) {
            return false;
        }
        for (int i = start; i < at; i++) {
            if (text[i] < '0' || text[i] > '9') {
                return false;
            }
        }
        return true;
    }

    private long integer(int start) {
        long number = 0;
        for (int i = start; i < at; i++) {
            number = number * 10 + (text[i] - '0');
        }
        return number;
    }

    /** The value from there to here. */
    private Value parse(int start) throws IOException {
        try (JsonParser parser = JsonInput.openTrusted(text, start, at - start)) {
            return JsonText.read(parser, parser.nextToken());
        }
    }

    private void skipValue() {
        switch (text[at]) {
            case '"' -> skipText();
            case '{', '[' -> skipNested();
            default -> skipPlain();
        }
    }

    /** Returns whether the text has escapes. */
    private boolean skipText() {
        boolean hasEscapes = false;
        at++;
        while (text[at] != '"') {
            if (text[at] == '\\') {
                hasEscapes = true;
                at++;
            }
            at++;
        }
        at++;
        return hasEscapes;
    }

    private void skipNested() {
        int depth = 0;
        do {
            switch (text[at]) {
                case '"' -> skipText();
                case '{', '[' -> {
                    depth++;
                    at++;
                }
                case '}', ']' -> {
                    depth--;
                    at++;
                }
                default -> at++;
            }
        } while (depth > 0);
    }

    private void skipPlain() {
        while (text[at] > ' ' && text[at] != ',' && text[at] != '}' && text[at] != ']') {
            at++;
        }
    }

    private void skipSpace() {
        while (text[at] <= ' ' && text[at] >= 0) {
            at++;
        }
    }

    private void skipTo(char mark) {
        skipSpace();
        if (text[at] != mark) {
            throw new IllegalStateException("a stored body is not JSON");
        }
        at++;
    }
}
