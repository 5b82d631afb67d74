package orrery.frontend.mongo.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.BsonCodec;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Bytes;

/**
 * A document that is being put together. Drivers read some fields with one type only, so each
 * number says which it has.
 */
public final class Doc {
    private static final Value OK = new Value.Real(1.0);

    private final Map<String, Value> fields = new LinkedHashMap<>();

    public Doc put(String name, Value value) {
        fields.put(name, value);
        return this;
    }

    public Doc put(String name, Doc document) {
        return put(name, document.build());
    }

    public Doc put(String name, String text) {
        return put(name, Value.of(text));
    }

    public Doc put(String name, boolean truth) {
        return put(name, Value.of(truth));
    }

    /** Puts an int32. */
    public Doc put(String name, int number) {
        return put(name, Value.of((long) number));
    }

    /** Puts a count: an int32 where it is one, as servers do. */
    public Doc putCount(String name, long number) {
        return put(name, Value.of(number));
    }

    public Doc putInt64(String name, long number) {
        return put(name, int64(number));
    }

    public Doc putDouble(String name, double number) {
        return put(name, new Value.Real(number));
    }

    public Doc putDate(String name, long millis) {
        return put(name, new BsonValue.DateTime(millis));
    }

    public Doc put(String name, List<? extends Value> elements) {
        return put(name, new Value.Array(List.copyOf(elements)));
    }

    public Doc putTexts(String name, List<String> elements) {
        return put(name, elements.stream().map(Value::of).toList());
    }

    /** Puts all fields of another document. */
    public Doc putAll(Value.Obj other) {
        fields.putAll(other.properties());
        return this;
    }

    static Value int64(long number) {
        return number == (int) number ? new BsonValue.Int64(number) : Value.of(number);
    }

    public Value.Obj build() {
        return new Value.Obj(fields);
    }

    /** Returns the bytes of an answer to a command that has succeeded. */
    public Bytes ok() {
        return BsonCodec.write(put("ok", OK).build());
    }
}
