package orrery.document;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;

/**
 * Bytes that two values share exactly if MongoDB compares them as equal: the tag of their kind,
 * then what tells them apart. The order of properties counts, the width of a number does not. Row
 * keys and tagged components of partition keys have them. Stored; the layout is in
 * docs/formats/keys.md.
 */
public final class CanonicalValue {
    private static final int END = 0x00;
    private static final int MORE = 0x01;

    private CanonicalValue() {}

    public static Bytes of(Value value) {
        return switch (value) {
            case Value.Text(String text) -> ofText(text);
            case BsonValue.Symbol(String name) -> ofText(name);
            case Value.Undefined _,
                    Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Array _,
                    Value.Obj _,
                    BsonValue _ -> {
                ByteSink out = new ByteSink(32);
                put(value, out);
                yield out.toBytes();
            }
        };
    }

    /** A text alone needs no mark of its end, and so is the same in all APIs. */
    private static Bytes ofText(String text) {
        return new ByteSink(32)
                .put(ValueTag.STRING)
                .put(text.getBytes(StandardCharsets.UTF_8))
                .toBytes();
    }

    private static void put(Value value, ByteSink out) {
        switch (value) {
            case Value.Array(List<Value> elements) -> {
                out.put(ValueTag.ARRAY);
                elements.forEach(element -> put(element, out.put(MORE)));
                out.put(END);
            }
            case Value.Obj(Map<String, Value> properties) ->
                    putProperties(properties, out.put(ValueTag.OBJECT));
            case BsonValue.ScopedCode(String code, Value.Obj(Map<String, Value> scope)) -> {
                out.put(ValueTag.SCOPED_CODE).put(IndexValue.encodeWhole(Value.of(code)));
                putProperties(scope, out);
            }
            case Value.Undefined _,
                    Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Text _,
                    BsonValue _ ->
                    out.put(IndexValue.encodeWhole(value));
        }
    }

    private static void putProperties(Map<String, Value> properties, ByteSink out) {
        properties.forEach(
                (name, value) -> {
                    out.put(MORE).put(IndexValue.encodeWhole(Value.of(name)));
                    put(value, out);
                });
        out.put(END);
    }

    /**
     * The value that has these bytes. Of values that are equal it is the one that JSON has, or the
     * narrowest. Bytes that are not canonical may have one too, which then has others. Throws
     * MalformedRecordException for those that have none.
     */
    static Value parse(Bytes canonical) {
        byte[] bytes = canonical.unsafeArray();
        if (bytes.length > 0 && bytes[0] == ValueTag.STRING) {
            return Value.of(new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8));
        }
        try {
            Parser parser = new Parser(bytes);
            Value value = parser.value(0);
            if (parser.at != bytes.length) {
                throw malformed();
            }
            return value;
        } catch (IndexOutOfBoundsException _) {
            throw malformed();
        }
    }

    private static MalformedRecordException malformed() {
        return new MalformedRecordException("the bytes of a key are not those of a value");
    }

    private static final class Parser {
        private final byte[] bytes;
        private int at;

        Parser(byte[] bytes) {
            this.bytes = bytes;
        }

        Value value(int depth) {
            if (depth > BsonCodec.MAX_DEPTH) {
                throw malformed();
            }
            switch (bytes[at]) {
                case ValueTag.ARRAY -> {
                    at++;
                    List<Value> elements = new ArrayList<>();
                    while (hasMore()) {
                        elements.add(value(depth + 1));
                    }
                    return new Value.Array(elements);
                }
                case ValueTag.OBJECT -> {
                    at++;
                    return properties(depth);
                }
                case ValueTag.SCOPED_CODE -> {
                    at++;
                    return new BsonValue.ScopedCode(text(), properties(depth));
                }
                case ValueTag.UNDEFINED -> throw malformed();
                default -> {
                    return scalar();
                }
            }
        }

        private boolean hasMore() {
            return switch (bytes[at++]) {
                case MORE -> true;
                case END -> false;
                default -> throw malformed();
            };
        }

        private Value.Obj properties(int depth) {
            Map<String, Value> properties = new LinkedHashMap<>();
            while (hasMore()) {
                properties.put(text(), value(depth + 1));
            }
            return new Value.Obj(properties);
        }

        private String text() {
            if (scalar() instanceof Value.Text(String text)) {
                return text;
            }
            throw malformed();
        }

        private Value scalar() {
            IndexValue.Decoded decoded = IndexValue.decode(bytes, at);
            at = decoded.end();
            return decoded.value();
        }
    }
}
