package orrery.document;

import java.util.List;
import java.util.Map;

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
            case Value.Text(String text) -> TEXT + 2L * text.length();
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
            case Value.Int _, Value.Real _ -> NUMBER;
            case Value.Bool _, Value.Null _, Value.Undefined _ -> 0;
        };
    }
}
