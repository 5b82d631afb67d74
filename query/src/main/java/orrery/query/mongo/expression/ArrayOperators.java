package orrery.query.mongo.expression;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import orrery.document.Value;
import orrery.query.mongo.ElementSort;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;
import orrery.query.mongo.MongoOrder;

/** Operators on whole arrays: parts, places, order. */
final class ArrayOperators {
    private ArrayOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put(
                "$isArray",
                Operands.ofAny("$isArray", value -> Value.of(value instanceof Value.Array)));
        table.put("$size", Operands.ofAny("$size", ArrayOperators::size));
        table.put("$arrayElemAt", Operands.ofTwo("$arrayElemAt", ArrayOperators::elementAt));
        table.put("$first", Operands.ofOne("$first", value -> end("$first", 0, value)));
        table.put("$last", Operands.ofOne("$last", value -> end("$last", -1, value)));
        table.put("$concatArrays", Operands.ofMany(ArrayOperators::concat));
        table.put("$reverseArray", Operands.ofOne("$reverseArray", ArrayOperators::reversed));
        table.put("$in", ArrayOperators::in);
        table.put("$indexOfArray", ArrayOperators::indexOf);
        table.put("$slice", ArrayOperators::slice);
        table.put("$range", ArrayOperators::range);
        table.put("$sortArray", ArrayOperators::sort);
        table.put("$firstN", some("$firstN", false, false));
        table.put("$lastN", some("$lastN", true, false));
        table.put("$minN", some("$minN", false, true));
        table.put("$maxN", some("$maxN", true, true));
    }

    private static Value size(Value value) {
        if (value instanceof Value.Array(List<Value> elements)) {
            return Value.of(elements.size());
        }
        throw MongoCode.failure(
                17124,
                "The argument to $size must be an array, but was of type: " + TypeNames.of(value));
    }

    private static Value elementAt(Value array, Value place) {
        if (!(array instanceof Value.Array(List<Value> elements))) {
            throw MongoCode.failure(
                    28689,
                    "$arrayElemAt's first argument must be an array, but is "
                            + TypeNames.of(array));
        }
        if (!Numbers.isNumber(place)) {
            throw MongoCode.failure(
                    28690,
                    "$arrayElemAt's second argument must be a numeric value, but is "
                            + TypeNames.of(place));
        }
        long index =
                MongoNumbers.whole(place)
                        .orElseThrow(
                                () ->
                                        MongoCode.failure(
                                                28691,
                                                "$arrayElemAt's second argument must be"
                                                        + " representable as a 32-bit integer: "
                                                        + ValueText.of(place)));
        return at(elements, index);
    }

    private static Value at(List<Value> elements, long index) {
        long place = index < 0 ? elements.size() + index : index;
        return place >= 0 && place < elements.size()
                ? elements.get((int) place)
                : Value.Undefined.UNDEFINED;
    }

    private static Value end(String name, int index, Value array) {
        if (array instanceof Value.Array(List<Value> elements)) {
            return at(elements, index);
        }
        throw MongoCode.failure(
                28689, name + "'s argument must be an array, but is " + TypeNames.of(array));
    }

    private static Value concat(List<Value> operands) {
        List<Value> all = new ArrayList<>();
        for (Value operand : operands) {
            if (Operands.isNullish(operand)) {
                return Value.Null.NULL;
            }
            if (!(operand instanceof Value.Array(List<Value> elements))) {
                throw MongoCode.failure(
                        28664, "$concatArrays only supports arrays, not " + TypeNames.of(operand));
            }
            Operands.requireRoom(2L * (all.size() + elements.size()));
            all.addAll(elements);
        }
        return new Value.Array(all);
    }

    private static Value reversed(Value value) {
        if (!(value instanceof Value.Array(List<Value> elements))) {
            throw MongoCode.failure(
                    34435,
                    "The argument to $reverseArray must be an array, but was of type: "
                            + TypeNames.of(value));
        }
        return new Value.Array(elements.reversed());
    }

    private static Expression in(Value operand, ExpressionReader reader) {
        List<Expression> both = Operands.exactly("$in", 2, operand, reader);
        MongoOrder order = reader.context().order();
        return variables -> {
            Value wanted = both.getFirst().evaluate(variables);
            Value array = both.getLast().evaluate(variables);
            if (!(array instanceof Value.Array(List<Value> elements))) {
                throw MongoCode.failure(
                        40081,
                        "$in requires an array as a second argument, found: "
                                + TypeNames.of(array));
            }
            return Value.of(elements.stream().anyMatch(each -> order.equal(each, wanted)));
        };
    }

    private static Expression indexOf(Value operand, ExpressionReader reader) {
        List<Expression> operands = Operands.between("$indexOfArray", 2, 4, operand, reader);
        MongoOrder order = reader.context().order();
        return variables -> {
            List<Value> values = Operands.evaluated(operands, variables);
            if (Operands.isNullish(values.getFirst())) {
                return Value.Null.NULL;
            }
            if (!(values.getFirst() instanceof Value.Array(List<Value> elements))) {
                throw MongoCode.failure(
                        40090,
                        "$indexOfArray requires an array as a first argument, found: "
                                + TypeNames.of(values.getFirst()));
            }
            long from =
                    values.size() > 2
                            ? SubstringOperators.bound("$indexOfArray", "starting", values.get(2))
                            : 0;
            long end =
                    values.size() > 3
                            ? SubstringOperators.bound("$indexOfArray", "ending", values.get(3))
                            : elements.size();
            for (long i = from; i < Math.min(end, elements.size()); i++) {
                if (order.equal(elements.get((int) i), values.get(1))) {
                    return Value.of(i);
                }
            }
            return Value.of(-1);
        };
    }

    private static Expression slice(Value operand, ExpressionReader reader) {
        List<Expression> operands = Operands.between("$slice", 2, 3, operand, reader);
        return variables -> {
            List<Value> values = Operands.evaluated(operands, variables);
            if (values.stream().anyMatch(Operands::isNullish)) {
                return Value.Null.NULL;
            }
            if (!(values.getFirst() instanceof Value.Array(List<Value> elements))) {
                throw MongoCode.failure(
                        28724,
                        "First argument to $slice must be an array, but is of type: "
                                + TypeNames.of(values.getFirst()));
            }
            long second = sliceNumber(28725, 28726, "Second", values.get(1));
            if (values.size() == 2) {
                return new Value.Array(
                        second >= 0
                                ? part(elements, 0, second)
                                : part(elements, elements.size() + second, -second));
            }
            long count = sliceNumber(28727, 28728, "Third", values.get(2));
            if (count <= 0) {
                throw MongoCode.failure(
                        28729, "Third argument to $slice must be positive: " + count);
            }
            return new Value.Array(
                    part(elements, second < 0 ? elements.size() + second : second, count));
        };
    }

    private static List<Value> part(List<Value> elements, long from, long count) {
        int size = elements.size();
        int start = Math.clamp(from, 0, size);
        return elements.subList(start, (int) Math.min(size, start + count));
    }

    private static long sliceNumber(int notNumber, int notWhole, String which, Value value) {
        if (!Numbers.isNumber(value)) {
            throw MongoCode.failure(
                    notNumber,
                    which
                            + " argument to $slice must be a numeric value, but is of type: "
                            + TypeNames.of(value));
        }
        long number =
                MongoNumbers.whole(value)
                        .orElseThrow(
                                () ->
                                        MongoCode.failure(
                                                notWhole,
                                                which
                                                        + " argument to $slice can't be represented"
                                                        + " as a 32-bit integer: "
                                                        + ValueText.of(value)));
        return Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private static Expression range(Value operand, ExpressionReader reader) {
        List<Expression> operands = Operands.between("$range", 2, 3, operand, reader);
        return variables -> {
            List<Value> values = Operands.evaluated(operands, variables);
            long start = rangeNumber(34443, 34444, "starting", values.get(0));
            long end = rangeNumber(34445, 34446, "ending", values.get(1));
            long step = values.size() > 2 ? rangeNumber(34447, 34448, "step", values.get(2)) : 1;
            if (step == 0) {
                throw MongoCode.failure(34449, "$range requires a non-zero step value");
            }
            Operands.requireRoom(
                    step > 0 ? 7 * ((end - start) / step) : 7 * ((start - end) / -step));
            List<Value> numbers = new ArrayList<>();
            for (long each = start; step > 0 ? each < end : each > end; each += step) {
                numbers.add(Value.of(each));
            }
            return new Value.Array(numbers);
        };
    }

    private static long rangeNumber(int notNumber, int notWhole, String which, Value value) {
        if (!Numbers.isNumber(value)) {
            throw MongoCode.failure(
                    notNumber,
                    "$range requires a numeric %s value, found value of type: %s"
                            .formatted(which, TypeNames.of(value)));
        }
        long number = MongoNumbers.whole(value).orElse(Long.MAX_VALUE);
        if (number != (int) number) {
            throw MongoCode.failure(
                    notWhole,
                    "$range requires a %s value that can be represented as a 32-bit integer, found value: %s"
                            .formatted(which, ValueText.of(value)));
        }
        return number;
    }

    private static Expression sort(Value operand, ExpressionReader reader) {
        Map<String, Value> fields =
                Operands.fields("$sortArray", 2942500, 2942501, operand, "input", "sortBy");
        Value pattern = fields.get("sortBy");
        Value input = fields.get("input");
        if (input == null || pattern == null) {
            throw MongoCode.failure(
                    input == null ? 2942502 : 2942503,
                    "$sortArray requires '"
                            + (input == null ? "input" : "sortBy")
                            + "' to be specified");
        }
        Expression array = reader.read(input);
        var order = ElementSort.of(pattern, reader.context().order());
        return variables -> {
            Value value = array.evaluate(variables);
            if (Operands.isNullish(value)) {
                return Value.Null.NULL;
            }
            if (!(value instanceof Value.Array(List<Value> elements))) {
                throw MongoCode.failure(
                        2942504,
                        "The input argument to $sortArray must be an array, but was of type: "
                                + TypeNames.of(value));
            }
            List<Value> sorted = new ArrayList<>(elements);
            sorted.sort(order);
            return new Value.Array(sorted);
        };
    }

    /** Some elements of an array, from one end of it or of its order. */
    private static ExpressionReader.Operator some(String name, boolean fromEnd, boolean isSorted) {
        return (operand, reader) -> {
            Operands.Named named =
                    Operands.named(name, 5787801, 5787901, operand, reader, "n", "input");
            Expression count = named.required("n", 5787906);
            Expression input = named.required("input", 5787907);
            MongoOrder order = reader.context().order();
            return variables -> {
                Value n = count.evaluate(variables);
                Value array = input.evaluate(variables);
                long wanted = MongoNumbers.whole(n).orElse(0);
                if (wanted <= 0) {
                    throw MongoCode.failure(
                            5787908,
                            "'n' must be greater than 0, found "
                                    + ValueText.of(n)
                                    + " for "
                                    + name);
                }
                if (!(array instanceof Value.Array(List<Value> elements))) {
                    throw MongoCode.failure(5788200, "Input must be an array for " + name);
                }
                return new Value.Array(
                        isSorted
                                ? sortedSome(elements, wanted, fromEnd, order)
                                : fromEnd
                                        ? part(elements, elements.size() - wanted, wanted)
                                        : part(elements, 0, wanted));
            };
        };
    }

    private static List<Value> sortedSome(
            List<Value> elements, long wanted, boolean fromEnd, MongoOrder order) {
        List<Value> sorted = new ArrayList<>(elements);
        sorted.removeIf(Operands::isNullish);
        sorted.sort(fromEnd ? Collections.reverseOrder(order) : order);
        return part(sorted, 0, wanted);
    }
}
