package orrery.document;

import java.util.List;
import java.util.Map;
import orrery.model.Bytes;

/**
 * About how many bytes of the heap things take. The numbers are those of a 64-bit machine with
 * compressed references, rounded up.
 */
public final class HeapSize {
    /**
     * The most heap that values take for each byte of the JSON text they are read from: short
     * arrays of short numbers take most, {@code [1,2],} some hundred bytes.
     */
    public static final int BYTES_PER_JSON_BYTE = 16;

    private static final long NUMBER = 24;
    private static final long TEXT = 48;
    private static final long ARRAY = 64;
    private static final long OBJECT = 128;
    private static final long REFERENCE = 8;
    private static final long PROPERTY = 96;

    private HeapSize() {}

    public static long of(Value value) {
        return switch (value) {
            case Value.Text(String text) -> text(text);
            case Value.Array(List<Value> elements) -> {
                long sum = ARRAY;
                for (Value element : elements) {
                    sum += REFERENCE + of(element);
                }
                yield sum;
            }
            case Value.Obj(Map<String, Value> properties) -> {
                long sum = OBJECT;
                for (Value property : properties.values()) {
                    sum += PROPERTY + of(property);
                }
                yield sum;
            }
            case Value.Int _,
                    Value.Real _,
                    BsonValue.Int64 _,
                    BsonValue.Decimal _,
                    BsonValue.DateTime _,
                    BsonValue.Timestamp _ ->
                    NUMBER;
            case BsonValue.Binary(int _, Bytes data) -> TEXT + data.length();
            case BsonValue.ObjectId _ -> TEXT + BsonValue.ObjectId.LENGTH;
            case BsonValue.Symbol(String name) -> text(name);
            case BsonValue.Code(String code) -> text(code);
            case BsonValue.Regex(String pattern, String options) -> text(pattern) + text(options);
            case BsonValue.Pointer(String namespace, BsonValue.ObjectId id) ->
                    text(namespace) + of(id);
            case BsonValue.ScopedCode(String code, Value.Obj scope) -> text(code) + of(scope);
            case Value.Bool _,
                    Value.Null _,
                    Value.Undefined _,
                    BsonValue.MinKey _,
                    BsonValue.MaxKey _,
                    BsonValue.Undef _ ->
                    0;
        };
    }

    private static long text(String text) {
        return TEXT + 2L * text.length();
    }
}
