package orrery.query.evaluate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import orrery.document.Value;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Scalar;

/** Functions on arrays and objects. Undefined elements of an array are as good as absent. */
final class ArrayFunctions {
    private static final Value UNDEFINED = Value.Undefined.UNDEFINED;

    private ArrayFunctions() {}

    static Value apply(BuiltIn function, List<Value> arguments) {
        return switch (function) {
            case CHOOSE -> choose(arguments);
            case DOCUMENTID -> documentId(arguments.getFirst());
            case OBJECTTOARRAY -> objectToArray(arguments);
            default ->
                    arguments.getFirst() instanceof Value.Array(List<Value> elements)
                            ? applyToArray(function, elements, arguments)
                            : UNDEFINED;
        };
    }

    private static Value applyToArray(
            BuiltIn function, List<Value> elements, List<Value> arguments) {
        return switch (function) {
            case ARRAY_AVG, ARRAY_MEDIAN, ARRAY_SUM -> statistic(function, elements);
            case ARRAY_CONCAT -> concat(arguments);
            case ARRAY_CONTAINS -> contains(elements, arguments);
            case ARRAY_CONTAINS_ALL ->
                    containsAll(elements, arguments.subList(1, arguments.size()));
            case ARRAY_CONTAINS_ANY ->
                    containsAny(elements, arguments.subList(1, arguments.size()));
            case ARRAY_LENGTH -> length(elements);
            case ARRAY_MAX -> extreme(elements, 1);
            case ARRAY_MIN -> extreme(elements, -1);
            case ARRAY_SLICE -> slice(elements, arguments);
            case SETDIFFERENCE, SETEQUAL, SETINTERSECT, SETUNION ->
                    arguments.get(1) instanceof Value.Array(List<Value> others)
                            ? set(function, elements, others)
                            : UNDEFINED;
            default -> throw new IllegalStateException("no function on arrays: " + function);
        };
    }

    private static Value length(List<Value> elements) {
        long length = 0;
        for (Value element : elements) {
            if (element.isDefined()) {
                length++;
            }
        }
        return Value.of(length);
    }

    private static Value concat(List<Value> arguments) {
        List<Value> result = new ArrayList<>();
        for (Value argument : arguments) {
            if (!(argument instanceof Value.Array(List<Value> elements))) {
                return UNDEFINED;
            }
            if (result.size() + elements.size() > BoundedText.MAX_ELEMENTS) {
                throw BoundedText.tooLarge();
            }
            result.addAll(elements);
        }
        return new Value.Array(result);
    }

    private static Value contains(List<Value> elements, List<Value> arguments) {
        Value wanted = arguments.get(1);
        Value partial = arguments.size() > 2 ? arguments.get(2) : UNDEFINED;
        if (!wanted.isDefined() || !(partial instanceof Value.Bool || !partial.isDefined())) {
            return UNDEFINED;
        }
        if (Operators.isTrue(partial)
                && wanted instanceof Value.Obj(Map<String, Value> properties)) {
            for (Value element : elements) {
                if (containsProperties(element, properties)) {
                    return Value.of(true);
                }
            }
            return Value.of(false);
        }
        return has(elements, wanted);
    }

    private static boolean containsProperties(Value element, Map<String, Value> properties) {
        if (!(element instanceof Value.Obj(Map<String, Value> others))) {
            return false;
        }
        for (Map.Entry<String, Value> property : properties.entrySet()) {
            Value other = others.getOrDefault(property.getKey(), UNDEFINED);
            if (!ValueOrder.equal(property.getValue(), other)) {
                return false;
            }
        }
        return true;
    }

    /** Undefined if the value is. */
    private static Value has(List<Value> elements, Value wanted) {
        if (!wanted.isDefined()) {
            return UNDEFINED;
        }
        for (Value element : elements) {
            if (ValueOrder.equal(element, wanted)) {
                return Value.of(true);
            }
        }
        return Value.of(false);
    }

    private static Value containsAll(List<Value> elements, List<Value> wanted) {
        Value result = Value.of(true);
        for (Value each : wanted) {
            result = Operators.and(result, has(elements, each));
        }
        return result;
    }

    private static Value containsAny(List<Value> elements, List<Value> wanted) {
        Value result = Value.of(false);
        for (Value each : wanted) {
            result = Operators.or(result, has(elements, each));
        }
        return result;
    }

    private static Value slice(List<Value> elements, List<Value> arguments) {
        if (!(arguments.get(1) instanceof Value.Int(long start))) {
            return UNDEFINED;
        }
        long length = elements.size();
        if (arguments.size() > 2) {
            if (!(arguments.get(2) instanceof Value.Int(long wanted))) {
                return UNDEFINED;
            }
            length = Math.max(wanted, 0);
        }
        int size = elements.size();
        // Clamping first keeps the sums below from overflowing.
        long first = Math.clamp(start, -size, size);
        int from = (int) (first < 0 ? first + size : first);
        int to = (int) Math.min(size, from + Math.min(length, size));
        return new Value.Array(elements.subList(from, to));
    }

    private static Value statistic(BuiltIn function, List<Value> elements) {
        List<Value> numbers = new ArrayList<>();
        Value sum = Value.of(0);
        for (Value element : elements) {
            if (element.isNumber()) {
                numbers.add(element);
                sum = Operators.infix(Scalar.InfixOperator.ADD, sum, element);
            } else if (element.isDefined()) {
                return UNDEFINED;
            }
        }
        if (function == BuiltIn.ARRAY_SUM) {
            return sum;
        }
        if (numbers.isEmpty()) {
            return UNDEFINED;
        }
        if (function == BuiltIn.ARRAY_AVG) {
            return Operators.infix(
                    Scalar.InfixOperator.DIVIDE, sum, Value.of((long) numbers.size()));
        }
        numbers.sort(ValueOrder.INSTANCE);
        Value upper = numbers.get(numbers.size() / 2);
        if (numbers.size() % 2 == 1) {
            return upper;
        }
        Value lower = numbers.get(numbers.size() / 2 - 1);
        return Operators.infix(
                Scalar.InfixOperator.DIVIDE,
                Operators.infix(Scalar.InfixOperator.ADD, lower, upper),
                Value.of(2));
    }

    /**
     * @param sign of the comparison that makes an element the better one
     */
    private static Value extreme(List<Value> elements, int sign) {
        Value best = UNDEFINED;
        for (Value element : elements) {
            if (element instanceof Value.Array || element instanceof Value.Obj) {
                return UNDEFINED;
            }
            if (element.isDefined()
                    && (!best.isDefined()
                            || ValueOrder.INSTANCE.compare(element, best) * sign > 0)) {
                best = element;
            }
        }
        return best;
    }

    private static Value set(BuiltIn function, List<Value> left, List<Value> right) {
        return switch (function) {
            case SETUNION -> {
                List<Value> both = new ArrayList<>(left);
                both.addAll(right);
                yield new Value.Array(distinct(both, Set.of()));
            }
            case SETINTERSECT -> {
                Set<Value> wanted = sorted(left);
                yield new Value.Array(
                        distinct(right.stream().filter(wanted::contains).toList(), Set.of()));
            }
            case SETDIFFERENCE -> new Value.Array(distinct(left, sorted(right)));
            // By the order of values, not by the equality of records, for which 1 is not 1.0.
            case SETEQUAL -> {
                Set<Value> wanted = sorted(left);
                Set<Value> found = sorted(right);
                yield Value.of(wanted.size() == found.size() && wanted.containsAll(found));
            }
            default -> throw new IllegalStateException("no function on sets: " + function);
        };
    }

    private static Set<Value> sorted(Collection<Value> values) {
        Set<Value> sorted = new TreeSet<>(ValueOrder.INSTANCE);
        sorted.addAll(values);
        sorted.remove(UNDEFINED);
        return sorted;
    }

    /** The first of each value in the order given, without the unwanted ones. */
    private static List<Value> distinct(List<Value> values, Set<Value> unwanted) {
        Set<Value> seen = sorted(unwanted);
        List<Value> result = new ArrayList<>();
        for (Value value : values) {
            if (value.isDefined() && seen.add(value)) {
                result.add(value);
            }
        }
        return result;
    }

    private static Value choose(List<Value> arguments) {
        return arguments.getFirst() instanceof Value.Int(long at)
                        && at >= 1
                        && at < arguments.size()
                ? arguments.get((int) at)
                : UNDEFINED;
    }

    private static Value objectToArray(List<Value> arguments) {
        Value name = arguments.size() > 1 ? arguments.get(1) : Value.of("k");
        Value value = arguments.size() > 2 ? arguments.get(2) : Value.of("v");
        if (!(arguments.getFirst() instanceof Value.Obj(Map<String, Value> properties)
                && name instanceof Value.Text(String nameOfName)
                && value instanceof Value.Text(String nameOfValue))) {
            return UNDEFINED;
        }
        List<Value> result = new ArrayList<>();
        for (Map.Entry<String, Value> property : properties.entrySet()) {
            Map<String, Value> pair = new LinkedHashMap<>();
            pair.put(nameOfName, Value.of(property.getKey()));
            pair.put(nameOfValue, property.getValue());
            result.add(new Value.Obj(pair));
        }
        return new Value.Array(result);
    }

    /** The bytes 8 to 15 of the item's resource id, as a little-endian number. */
    private static Value documentId(Value item) {
        if (!(item instanceof Value.Obj(Map<String, Value> properties)
                && properties.get("_rid") instanceof Value.Text(String rid))) {
            return UNDEFINED;
        }
        byte[] bytes;
        try {
            // Resource ids write the slash of Base64 as a dash.
            bytes = Base64.getDecoder().decode(rid.replace('-', '/'));
        } catch (IllegalArgumentException e) {
            // A text that is no resource id has no number.
            return UNDEFINED;
        }
        return bytes.length < 16
                ? UNDEFINED
                : Value.of(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(8));
    }
}
