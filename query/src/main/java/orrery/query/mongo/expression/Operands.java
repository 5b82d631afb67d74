package orrery.query.mongo.expression;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import orrery.document.Value;
import orrery.model.Cancellation;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;

/** Reads operands of operators, and the shapes that many operators share. */
final class Operands {
    /** A result may not hold more than a document of the server. */
    static final int MAX_BYTES = 16 << 20;

    private Operands() {}

    /** The operands of an operator that takes a list; a single one needs no brackets. */
    static List<Expression> list(Value operand, ExpressionReader reader) {
        return operand instanceof Value.Array(List<Value> elements)
                ? elements.stream().map(reader::read).toList()
                : List.of(reader.read(operand));
    }

    static List<Expression> exactly(
            String name, int count, Value operand, ExpressionReader reader) {
        List<Expression> operands = list(operand, reader);
        if (operands.size() != count) {
            throw MongoCode.failure(
                    16020,
                    "Expression %s takes exactly %d arguments. %d were passed in."
                            .formatted(name, count, operands.size()));
        }
        return operands;
    }

    static List<Expression> between(
            String name, int least, int most, Value operand, ExpressionReader reader) {
        List<Expression> operands = list(operand, reader);
        if (operands.size() < least || operands.size() > most) {
            throw MongoCode.failure(
                    28667,
                    "Expression %s takes at least %d arguments, and at most %d, but %d were passed in."
                            .formatted(name, least, most, operands.size()));
        }
        return operands;
    }

    static List<Value> evaluated(List<Expression> operands, Variables variables) {
        List<Value> values = new ArrayList<>(operands.size());
        for (Expression operand : operands) {
            values.add(operand.evaluate(variables));
        }
        return values;
    }

    static boolean isNullish(Value value) {
        return MongoOrder.isNullish(value);
    }

    /** An operator of one operand that makes null of null. */
    static ExpressionReader.Operator ofOne(String name, UnaryOperator<Value> function) {
        return ofAny(name, value -> isNullish(value) ? Value.Null.NULL : function.apply(value));
    }

    /** An operator of one operand, whatever it is. */
    static ExpressionReader.Operator ofAny(String name, UnaryOperator<Value> function) {
        return (operand, reader) -> {
            Expression only = exactly(name, 1, operand, reader).getFirst();
            return variables -> function.apply(only.evaluate(variables));
        };
    }

    /** An operator of two operands that makes null of null. */
    static ExpressionReader.Operator ofTwo(String name, BinaryOperator<Value> function) {
        return (operand, reader) -> {
            List<Expression> both = exactly(name, 2, operand, reader);
            return variables -> {
                Value left = both.getFirst().evaluate(variables);
                Value right = both.getLast().evaluate(variables);
                return isNullish(left) || isNullish(right)
                        ? Value.Null.NULL
                        : function.apply(left, right);
            };
        };
    }

    /** An operator of any number of operands. */
    static ExpressionReader.Operator ofMany(Function<List<Value>, Value> function) {
        return (operand, reader) -> {
            List<Expression> operands = list(operand, reader);
            return variables -> function.apply(evaluated(operands, variables));
        };
    }

    /** The operands of an operator that names them. */
    record Named(String operator, Map<String, Expression> values) {
        Expression required(String name, int code) {
            return find(name)
                    .orElseThrow(
                            () ->
                                    MongoCode.failure(
                                            code,
                                            "Missing '" + name + "' parameter to " + operator));
        }

        Optional<Expression> find(String name) {
            return Optional.ofNullable(values.get(name));
        }

        Expression or(String name, Value fallback) {
            return find(name).orElse(new Expression.Constant(fallback));
        }
    }

    /** Reads named operands, all of which are expressions. */
    static Named named(
            String operator,
            int notObject,
            int unknown,
            Value operand,
            ExpressionReader reader,
            String... allowed) {
        Map<String, Expression> values = new LinkedHashMap<>();
        fields(operator, notObject, unknown, operand, allowed)
                .forEach((name, value) -> values.put(name, reader.read(value)));
        return new Named(operator, values);
    }

    /** Named operands that were not read yet. */
    static Map<String, Value> fields(
            String operator, int notObject, int unknown, Value operand, String... allowed) {
        if (!(operand instanceof Value.Obj(Map<String, Value> fields))) {
            throw MongoCode.failure(
                    notObject,
                    operator
                            + " only supports an object as its argument, found: "
                            + TypeNames.of(operand));
        }
        for (String name : fields.keySet()) {
            if (!Arrays.asList(allowed).contains(name)) {
                throw MongoCode.failure(
                        unknown, "Unrecognized parameter to " + operator + ": " + name);
            }
        }
        return fields;
    }

    /** Lets a caller who has gone end long work. */
    static void pause() {
        Cancellation.current().check();
    }

    /** Refuses a result that no document could hold. */
    static void requireRoom(long bytes) {
        if (bytes > MAX_BYTES) {
            throw MongoCode.BSON_OBJECT_TOO_LARGE.failure(
                    "The result of an expression has more than 16777216 bytes");
        }
    }

    static String text(Value value) {
        return ((Value.Text) value).value();
    }
}
