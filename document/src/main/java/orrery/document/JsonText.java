package orrery.document;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Predicate;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * JSON text to {@link Value} and back. Reading is strict: one value, UTF-8, numbers within the
 * range of a double; anything else is BAD_REQUEST with the place and the reason. Where a name comes
 * twice in an object, the last one counts.
 */
public final class JsonText {
    /** Objects and arrays inside each other; the service's documented limit. */
    public static final int MAX_DEPTH = 128;

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private JsonText() {}

    public static Value parse(Bytes json) {
        return parse(json.unsafeArray());
    }

    public static Value parse(byte[] json) {
        try (JsonParser parser = JsonInput.open(json)) {
            JsonToken token = parser.nextToken();
            if (token == null) {
                throw JsonInput.invalid("It is empty", 0);
            }
            Value value = read(parser, token);
            JsonInput.requireEnd(parser);
            return value;
        } catch (IOException e) {
            throw JsonInput.invalid(e);
        }
    }

    public static Value parse(String json) {
        return parse(Utf8.encode(json));
    }

    /**
     * The properties of a body that was checked before it was stored, as far as somebody wants
     * them: the rest is passed over without building anything, and what comes behind the last of
     * them is not looked at.
     *
     * @param atMost how many are wanted; no name comes twice
     */
    public static Map<String, Value> parseStored(
            Bytes body, Predicate<String> isWanted, int atMost) {
        try (JsonParser parser = JsonInput.openTrusted(body.unsafeArray())) {
            parser.nextToken();
            Map<String, Value> properties = new LinkedHashMap<>();
            while (properties.size() < atMost) {
                String name = parser.nextFieldName();
                if (name == null) {
                    break;
                }
                JsonToken token = parser.nextToken();
                if (isWanted.test(name)) {
                    properties.put(name, read(parser, token));
                } else {
                    parser.skipChildren();
                }
            }
            return properties;
        } catch (IOException e) {
            throw new IllegalStateException("a stored body is not JSON", e);
        }
    }

    /** Recursion is safe: the parser refuses to go deeper than {@link #MAX_DEPTH}. */
    static Value read(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> {
                SequencedMap<String, Value> properties = new LinkedHashMap<>();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    properties.putLast(name, read(parser, parser.nextToken()));
                }
                yield new Value.Obj(properties);
            }
            case START_ARRAY -> {
                List<Value> elements = new ArrayList<>();
                for (JsonToken next = parser.nextToken();
                        next != JsonToken.END_ARRAY;
                        next = parser.nextToken()) {
                    elements.add(read(parser, next));
                }
                yield new Value.Array(elements);
            }
            default -> scalar(parser, token);
        };
    }

    /** The value of a token that is neither object nor array. */
    static Value scalar(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case VALUE_STRING -> Value.of(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> JsonInput.number(parser, token);
            case VALUE_TRUE -> Value.of(true);
            case VALUE_FALSE -> Value.of(false);
            case VALUE_NULL -> Value.Null.NULL;
            default -> throw new IllegalStateException("the parser gave " + token);
        };
    }

    public static String write(Value value) {
        return writeBytes(value).toUtf8();
    }

    public static Bytes writeBytes(Value value) {
        ByteSink out = new ByteSink();
        write(value, out);
        return out.toBytes();
    }

    /**
     * Kinds that JSON lacks are written in their {@link JsonForm}. Properties that are undefined
     * are left out; in an array the slot must stay, so undefined is written null there. Throws
     * BAD_REQUEST for a number that is not finite: JSON has no text for it.
     */
    public static void write(Value value, ByteSink out) {
        switch (value) {
            case Value.Undefined _, Value.Null _ -> out.putAscii("null");
            case Value.Bool(boolean truth) -> out.putAscii(truth ? "true" : "false");
            case Value.Int(long number) -> out.putAscii(Long.toString(number));
            case Value.Real(double number) -> writeDouble(number, out);
            case Value.Text(String text) -> writeText(text, out);
            case BsonValue bson -> write(JsonForm.of(bson), out);
            case Value.Array(List<Value> elements) -> {
                out.put('[');
                for (int i = 0; i < elements.size(); i++) {
                    if (i > 0) {
                        out.put(',');
                    }
                    write(elements.get(i), out);
                }
                out.put(']');
            }
            case Value.Obj(Map<String, Value> properties) -> {
                out.put('{');
                boolean isFirst = true;
                for (Map.Entry<String, Value> property : properties.entrySet()) {
                    if (!property.getValue().isDefined()) {
                        continue;
                    }
                    if (!isFirst) {
                        out.put(',');
                    }
                    isFirst = false;
                    writeText(property.getKey(), out);
                    out.put(':');
                    write(property.getValue(), out);
                }
                out.put('}');
            }
        }
    }

    /** The shortest digits that read back to the same double, in the service's dress. */
    private static void writeDouble(double number, ByteSink out) {
        if (!Double.isFinite(number)) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "A result is not a finite number, which JSON cannot express.");
        }
        if (number == 0) {
            out.put('0');
            return;
        }
        String text = Double.toString(number);
        int exponentAt = text.indexOf('E');
        String mantissa = exponentAt < 0 ? text : text.substring(0, exponentAt);
        out.putAscii(
                mantissa.endsWith(".0") ? mantissa.substring(0, mantissa.length() - 2) : mantissa);
        if (exponentAt >= 0) {
            out.put('e');
            if (text.charAt(exponentAt + 1) != '-') {
                out.put('+');
            }
            out.putAscii(text.substring(exponentAt + 1));
        }
    }

    /**
     * In quotes. Only what JSON demands is escaped, and surrogates without a partner, which UTF-8
     * cannot hold.
     */
    static void writeText(String text, ByteSink out) {
        out.put('"');
        for (int i = out.putPlain(text); i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit < 0x80) {
                writeAscii(unit, out);
            } else if (!Character.isSurrogate(unit)) {
                Utf8.put(unit, out);
            } else if (Utf8.isPairAt(text, i)) {
                Utf8.put(text.codePointAt(i), out);
                i++;
            } else {
                writeEscape(unit, out);
            }
        }
        out.put('"');
    }

    private static void writeAscii(char unit, ByteSink out) {
        switch (unit) {
            case '"' -> out.putAscii("\\\"");
            case '\\' -> out.putAscii("\\\\");
            case '\n' -> out.putAscii("\\n");
            case '\r' -> out.putAscii("\\r");
            case '\t' -> out.putAscii("\\t");
            case '\b' -> out.putAscii("\\b");
            case '\f' -> out.putAscii("\\f");
            default -> {
                if (unit < 0x20) {
                    writeEscape(unit, out);
                } else {
                    out.put(unit);
                }
            }
        }
    }

    private static void writeEscape(char unit, ByteSink out) {
        out.putAscii("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.put(HEX[(unit >> shift) & 0xF]);
        }
    }
}
