package orrery.document;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import orrery.model.Bytes;

/**
 * Bytes that two values share exactly if MongoDB compares them as equal: the tag of their kind,
 * then what tells them apart. The order of properties counts, the width of a number does not. Row
 * keys and tagged components of partition keys have them. Stored; the layout is in
 * docs/formats/keys.md.
 */
final class CanonicalValue {
    private static final int END = 0x00;
    private static final int MORE = 0x01;

    private CanonicalValue() {}

    static Bytes of(Value value) {
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
}
