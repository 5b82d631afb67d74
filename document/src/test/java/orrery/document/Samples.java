package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;

/** Generated values and items that the property tests share, and small wrappers. */
final class Samples {
    /** Few, so that generated policies and paths meet generated items. */
    static final List<String> NAMES =
            List.of("a", "b", "c", "id2", "é x", "\u0000\u0001\u0003", "😀", "_ts2", "");

    private static final List<Long> EDGES =
            List.of(0L, 1L << 53, 1L << 54, 1L << 62, Long.MAX_VALUE - 600, Long.MIN_VALUE + 600);

    private static final String UNITS =
            "\u0000\u0001ab\"\\\n\u007f\u0080\ud83d\ude00\ud800\udfff\ue000\uffff";

    private Samples() {}

    // Made by hand from one source of randomness: composed generators of nested items spend minutes
    // on shrinking.

    static Arbitrary<Value> numbers() {
        return Arbitraries.randomValue(Samples::number);
    }

    static Arbitrary<Value> texts() {
        return Arbitraries.randomValue(random -> Value.of(text(random)));
    }

    static Arbitrary<Value> values(int depth) {
        return Arbitraries.randomValue(random -> value(random, depth));
    }

    static Arbitrary<Value.Obj> items() {
        return Arbitraries.randomValue(Samples::item);
    }

    static Value.Obj item(Random random) {
        Map<String, Value> properties = new LinkedHashMap<>(properties(random, 3));
        properties.put("id", Value.of("1"));
        return new Value.Obj(properties);
    }

    static <T> T pick(Random random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static Value value(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 9)) {
            case 0 -> Value.Null.NULL;
            case 1 -> Value.of(random.nextBoolean());
            case 2, 3 -> number(random);
            case 4 -> Value.of(text(random));
            case 5, 6 -> {
                List<Value> elements = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    elements.add(value(random, depth - 1));
                }
                yield new Value.Array(elements);
            }
            default -> new Value.Obj(properties(random, depth - 1));
        };
    }

    private static Map<String, Value> properties(Random random, int depth) {
        Map<String, Value> properties = new LinkedHashMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            properties.put(pick(random, NAMES), value(random, depth));
        }
        return properties;
    }

    private static Value number(Random random) {
        long nearEdge = pick(random, EDGES) + random.nextInt(-600, 601);
        return switch (random.nextInt(8)) {
            case 0 -> Value.of(random.nextLong());
            case 1 -> Value.of(nearEdge);
            case 2 -> Value.of(-nearEdge);
            case 3 -> Value.of((double) nearEdge);
            case 4 -> Value.of(random.nextInt(-3, 4));
            case 5 -> Value.of(random.nextDouble(-10, 10));
            case 6 ->
                    Value.of(pick(random, List.of(0.0, -0.0, Double.MIN_VALUE, Double.MAX_VALUE)));
            default -> {
                double any = Double.longBitsToDouble(random.nextLong());
                yield Value.of(Double.isFinite(any) ? any : 0.5);
            }
        };
    }

    static String text(Random random) {
        StringBuilder text = new StringBuilder();
        if (random.nextInt(4) == 0) {
            String unit = pick(random, List.of("x", "é", "€", "\u0000"));
            text.append(unit.repeat(random.nextInt(80, 261)));
        }
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(
                    random.nextInt(3) == 0
                            ? (char) random.nextInt(0x10000)
                            : UNITS.charAt(random.nextInt(UNITS.length())));
        }
        return text.toString();
    }

    static PartitionKeyDefinition keyed(String... paths) {
        return new PartitionKeyDefinition(
                List.of(paths).stream().map(PropertyPath::parse).toList(),
                paths.length > 1
                        ? PartitionKeyDefinition.Kind.MULTI_HASH
                        : PartitionKeyDefinition.Kind.HASH,
                2,
                false);
    }

    /** Runs what must be refused with 400, and returns the text the client sees. */
    static String refusal(ThrowingCallable call) {
        OrreryException refusal = catchThrowableOfType(OrreryException.class, call);
        assertThat(refusal).as("must be refused").isNotNull();
        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        return refusal.text();
    }

    static String nested(int depth) {
        return "{\"a\":".repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
    }
}
