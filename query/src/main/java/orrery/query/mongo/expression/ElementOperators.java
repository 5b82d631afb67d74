package orrery.query.mongo.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;

/** Operators that look at each element of an array: map, filter, reduce, zip. */
final class ElementOperators {
    private ElementOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put("$map", ElementOperators::map);
        table.put("$filter", ElementOperators::filter);
        table.put("$reduce", ElementOperators::reduce);
        table.put("$zip", ElementOperators::zip);
    }

    private static String variable(Map<String, Value> fields) {
        Value as = fields.get("as");
        if (as == null) {
            return "this";
        }
        if (as instanceof Value.Text(String name)) {
            return ExpressionReader.variableName(name);
        }
        throw MongoCode.FAILED_TO_PARSE.failure("'as' must be a string");
    }

    private static Value required(
            String operator, int code, Map<String, Value> fields, String name) {
        Value value = fields.get(name);
        if (value == null) {
            throw MongoCode.failure(code, "Missing '" + name + "' parameter to " + operator);
        }
        return value;
    }

    private static Expression map(Value operand, ExpressionReader reader) {
        Map<String, Value> fields =
                Operands.fields("$map", 16878, 16879, operand, "input", "as", "in");
        Expression input = reader.read(required("$map", 16880, fields, "input"));
        String name = variable(fields);
        Expression each = reader.with(name).read(required("$map", 16882, fields, "in"));
        return variables -> {
            Value array = input.evaluate(variables);
            if (Operands.isNullish(array)) {
                return Value.Null.NULL;
            }
            if (!(array instanceof Value.Array(List<Value> elements))) {
                throw MongoCode.failure(
                        16883, "input to $map must be an array not " + TypeNames.of(array));
            }
            List<Value> made = new ArrayList<>(elements.size());
            for (Value element : elements) {
                Operands.pause();
                Value value = each.evaluate(variables.with(name, element));
                made.add(value.isDefined() ? value : Value.Null.NULL);
            }
            return new Value.Array(made);
        };
    }

    private static Expression filter(Value operand, ExpressionReader reader) {
        Map<String, Value> fields =
                Operands.fields("$filter", 28646, 28647, operand, "input", "as", "cond", "limit");
        Expression input = reader.read(required("$filter", 28648, fields, "input"));
        String name = variable(fields);
        Expression condition = reader.with(name).read(required("$filter", 28650, fields, "cond"));
        Expression limit = reader.read(fields.getOrDefault("limit", Value.Null.NULL));
        return variables -> {
            Value array = input.evaluate(variables);
            if (Operands.isNullish(array)) {
                return Value.Null.NULL;
            }
            if (!(array instanceof Value.Array(List<Value> elements))) {
                throw MongoCode.failure(
                        28651, "input to $filter must be an array not " + TypeNames.of(array));
            }
            long most = limit(limit.evaluate(variables));
            List<Value> kept = new ArrayList<>();
            for (Value element : elements) {
                Operands.pause();
                if (kept.size() < most
                        && Expression.isTrue(condition.evaluate(variables.with(name, element)))) {
                    kept.add(element);
                }
            }
            return new Value.Array(kept);
        };
    }

    private static long limit(Value limit) {
        if (Operands.isNullish(limit)) {
            return Long.MAX_VALUE;
        }
        long most = MongoNumbers.whole(limit).orElse(0);
        if (most <= 0) {
            throw MongoCode.failure(
                    327392, "$filter: limit must be greater than 0: " + ValueText.of(limit));
        }
        return most;
    }

    private static Expression reduce(Value operand, ExpressionReader reader) {
        Map<String, Value> fields =
                Operands.fields("$reduce", 40075, 40076, operand, "input", "initialValue", "in");
        Expression input = reader.read(required("$reduce", 40077, fields, "input"));
        Expression initial = reader.read(required("$reduce", 40078, fields, "initialValue"));
        Expression step =
                reader.with("this").with("value").read(required("$reduce", 40079, fields, "in"));
        return variables -> {
            Value array = input.evaluate(variables);
            if (Operands.isNullish(array)) {
                return Value.Null.NULL;
            }
            if (!(array instanceof Value.Array(List<Value> elements))) {
                throw MongoCode.failure(
                        40080,
                        "$reduce requires that 'input' be an array, found: " + ValueText.of(array));
            }
            Value value = initial.evaluate(variables);
            for (Value element : elements) {
                Operands.pause();
                value = step.evaluate(variables.with("this", element).with("value", value));
            }
            return value;
        };
    }

    private static Expression zip(Value operand, ExpressionReader reader) {
        Map<String, Value> fields =
                Operands.fields(
                        "$zip", 34460, 34464, operand, "inputs", "defaults", "useLongestLength");
        if (!(fields.get("inputs") instanceof Value.Array(List<Value> listed))
                || listed.isEmpty()) {
            throw MongoCode.failure(34465, "$zip requires at least one input array");
        }
        List<Expression> inputs = listed.stream().map(reader::read).toList();
        Value longest = fields.getOrDefault("useLongestLength", Value.of(false));
        if (!(longest instanceof Value.Bool(boolean useLongest))) {
            throw MongoCode.failure(
                    34463, "useLongestLength must be a bool, found " + TypeNames.of(longest));
        }
        List<Expression> defaults = defaults(fields.get("defaults"), reader);
        if (!defaults.isEmpty() && !useLongest) {
            throw MongoCode.failure(
                    34466, "cannot specify defaults unless useLongestLength is true");
        }
        if (!defaults.isEmpty() && defaults.size() != inputs.size()) {
            throw MongoCode.failure(34467, "defaults and inputs must have the same length");
        }
        return variables -> zipped(inputs, defaults, useLongest, variables);
    }

    private static List<Expression> defaults(@Nullable Value defaults, ExpressionReader reader) {
        if (defaults == null) {
            return List.of();
        }
        if (!(defaults instanceof Value.Array(List<Value> listed))) {
            throw MongoCode.failure(
                    34462,
                    "defaults must be an array of expressions, found " + TypeNames.of(defaults));
        }
        return listed.stream().map(reader::read).toList();
    }

    private static Value zipped(
            List<Expression> inputs,
            List<Expression> defaults,
            boolean useLongest,
            Variables variables) {
        List<List<Value>> arrays = new ArrayList<>();
        for (Value array : Operands.evaluated(inputs, variables)) {
            if (Operands.isNullish(array)) {
                return Value.Null.NULL;
            }
            if (!(array instanceof Value.Array(List<Value> elements))) {
                throw MongoCode.failure(
                        34468,
                        "$zip found a non-array expression in input: " + ValueText.of(array));
            }
            arrays.add(elements);
        }
        var sizes = arrays.stream().mapToInt(List::size).summaryStatistics();
        int length = useLongest ? sizes.getMax() : sizes.getMin();
        Operands.requireRoom(7L * length * arrays.size());
        List<Value> fill = Operands.evaluated(defaults, variables);
        List<Value> rows = new ArrayList<>(length);
        for (int row = 0; row < length; row++) {
            List<Value> values = new ArrayList<>(arrays.size());
            for (int i = 0; i < arrays.size(); i++) {
                Value other = fill.isEmpty() ? Value.Null.NULL : fill.get(i);
                values.add(row < arrays.get(i).size() ? arrays.get(i).get(row) : other);
            }
            rows.add(new Value.Array(values.stream().map(ElementOperators::orNull).toList()));
        }
        return new Value.Array(rows);
    }

    private static Value orNull(Value value) {
        return value.isDefined() ? value : Value.Null.NULL;
    }
}
