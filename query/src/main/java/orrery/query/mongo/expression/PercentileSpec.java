package orrery.query.mongo.expression;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;

/**
 * The wish of {@code $median} or {@code $percentile}, which are accumulators and operators alike.
 *
 * @param places from 0 to 1, the shares of the numbers that are not above a result
 * @param isSingle the result is a number and no array
 */
public record PercentileSpec(Expression input, List<Double> places, boolean isSingle) {
    private static final String MEDIAN = "$median";
    private static final String PERCENTILE = "$percentile";
    private static final int MISSING = 40414;

    public PercentileSpec {
        places = List.copyOf(places);
    }

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put(MEDIAN, (operand, reader) -> median(operand, reader::read).expression());
        table.put(
                PERCENTILE,
                (operand, reader) ->
                        percentile(operand, reader.context(), reader::read).expression());
    }

    /**
     * Reads the operand of {@code $median}.
     *
     * @param read makes an expression of its input
     */
    public static PercentileSpec median(Value operand, Function<Value, Expression> read) {
        Map<String, Value> fields = fields(MEDIAN, 7436100, 7436104, operand, "input", "method");
        return new PercentileSpec(input(MEDIAN, fields, read), List.of(0.5), true);
    }

    /**
     * Reads the operand of {@code $percentile}.
     *
     * @param context in which the places have a value
     * @param read makes an expression of its input
     */
    public static PercentileSpec percentile(
            Value operand, ExpressionContext context, Function<Value, Expression> read) {
        Map<String, Value> fields =
                fields(PERCENTILE, 7429703, 40415, operand, "input", "p", "method");
        Expression input = input(PERCENTILE, fields, read);
        Value wanted =
                read.apply(required(PERCENTILE, fields, "p"))
                        .evaluate(context.variables(new Value.Obj(Map.of())));
        if (!(wanted instanceof Value.Array(List<Value> elements)) || elements.isEmpty()) {
            throw MongoCode.failure(
                    7750301,
                    "The $percentile 'p' field must be a non-empty array of constant values, but"
                            + " found value: "
                            + ValueText.of(wanted));
        }
        return new PercentileSpec(
                input, elements.stream().map(PercentileSpec::place).toList(), false);
    }

    private static double place(Value value) {
        double place = Numbers.isNumber(value) ? Numbers.toDouble(value) : Double.NaN;
        if (!(place >= 0 && place <= 1)) {
            throw MongoCode.failure(
                    7750303,
                    "The $percentile 'p' field must be an array of numbers from [0.0, 1.0],"
                            + " but found: "
                            + ValueText.of(value));
        }
        return place;
    }

    private static Expression input(
            String name, Map<String, Value> fields, Function<Value, Expression> read) {
        Value method = required(name, fields, "method");
        if (!(method instanceof Value.Text(String text))) {
            throw MongoCode.TYPE_MISMATCH.failure(
                    "BSON field '%s.method' is the wrong type '%s', expected type 'string'"
                            .formatted(name, TypeNames.of(method)));
        }
        if (!text.equals("approximate")) {
            throw MongoCode.BAD_VALUE.failure(
                    "Currently only 'approximate' can be used as percentile 'method'.");
        }
        return read.apply(required(name, fields, "input"));
    }

    private static Map<String, Value> fields(
            String name, int notObject, int unknown, Value operand, String... allowed) {
        if (!(operand instanceof Value.Obj(Map<String, Value> fields))) {
            throw MongoCode.failure(
                    notObject,
                    "specification must be an object; found " + ValueText.field(name, operand));
        }
        for (String field : fields.keySet()) {
            if (!List.of(allowed).contains(field)) {
                throw MongoCode.failure(
                        unknown, "Unknown argument to " + name + " '" + field + "'");
            }
        }
        return fields;
    }

    private static Value required(String name, Map<String, Value> fields, String field) {
        Value value = fields.get(field);
        if (value == null) {
            throw MongoCode.failure(MISSING, "Missing value for '" + field + "' in " + name);
        }
        return value;
    }

    /** Reads an operator: its input is a number, or an array whose numbers count. */
    private Expression expression() {
        return variables -> {
            Value value = input.evaluate(variables);
            List<Value> given =
                    value instanceof Value.Array(List<Value> elements) ? elements : List.of(value);
            double[] numbers =
                    given.stream()
                            .filter(Numbers::isNumber)
                            .mapToDouble(Numbers::toDouble)
                            .filter(number -> !Double.isNaN(number))
                            .toArray();
            return result(numbers, numbers.length);
        };
    }

    /**
     * Returns what the first {@code count} numbers come to, and sorts them.
     *
     * @param numbers without NaN
     */
    public Value result(double[] numbers, int count) {
        Arrays.sort(numbers, 0, count);
        List<Value> results = new ArrayList<>();
        for (double place : places) {
            results.add(at(place, numbers, count));
        }
        return isSingle ? results.getFirst() : new Value.Array(results);
    }

    /** The least number that as many are not above as the place demands. */
    private static Value at(double place, double[] sorted, int count) {
        if (count == 0) {
            return Value.Null.NULL;
        }
        int rank = (int) Math.max(0, Math.ceil(place * count) - 1);
        return new Value.Real(sorted[Math.min(rank, count - 1)]);
    }
}
