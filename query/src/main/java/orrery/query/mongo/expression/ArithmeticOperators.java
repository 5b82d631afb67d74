package orrery.query.mongo.expression;

import java.util.List;
import java.util.Map;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;

/** Sums, products and what is made of them. A date and a number add up to a date. */
final class ArithmeticOperators {
    private ArithmeticOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put("$add", Operands.ofMany(ArithmeticOperators::add));
        table.put("$multiply", Operands.ofMany(ArithmeticOperators::multiply));
        table.put("$subtract", Operands.ofTwo("$subtract", ArithmeticOperators::subtract));
        table.put("$divide", Operands.ofTwo("$divide", ArithmeticOperators::divide));
        table.put("$mod", Operands.ofTwo("$mod", ArithmeticOperators::mod));
        table.put("$sum", overElements(ArithmeticOperators::sum));
        table.put("$avg", overElements(ArithmeticOperators::average));
        table.put("$stdDevPop", deviation(false));
        table.put("$stdDevSamp", deviation(true));
        table.put("$min", extreme(-1));
        table.put("$max", extreme(1));
    }

    private static Value add(List<Value> operands) {
        Value total = Value.of(0);
        long dateMillis = 0;
        boolean hasDate = false;
        for (Value operand : operands) {
            if (Operands.isNullish(operand)) {
                return Value.Null.NULL;
            }
            if (operand instanceof BsonValue.DateTime(long millis)) {
                if (hasDate) {
                    throw MongoCode.failure(16612, "only one date allowed in an $add expression");
                }
                hasDate = true;
                dateMillis = millis;
            } else {
                requireNumber("$add only supports numeric or date types, not ", operand);
                total = Numbers.add(total, operand, Numbers.Overflow.TO_DOUBLE);
            }
        }
        return hasDate ? date(dateMillis, total) : total;
    }

    static void requireNumber(String complaint, Value value) {
        if (!Numbers.isNumber(value)) {
            throw MongoCode.TYPE_MISMATCH.failure(complaint + TypeNames.of(value));
        }
    }

    private static Value date(long millis, Value more) {
        double sum = millis + Numbers.toDouble(more);
        long rounded =
                Numbers.isInteger(more)
                        ? millis + Numbers.toLong(more)
                        : millis + Math.round(Numbers.toDouble(more));
        if (!(Math.abs(sum) < 0x1p63)) {
            throw MongoCode.OVERFLOW.failure("date overflow in $add");
        }
        return new BsonValue.DateTime(rounded);
    }

    private static Value multiply(List<Value> operands) {
        Value product = Value.of(1);
        for (Value operand : operands) {
            if (Operands.isNullish(operand)) {
                return Value.Null.NULL;
            }
            requireNumber("$multiply only supports numeric types, not ", operand);
            product = Numbers.multiply(product, operand, Numbers.Overflow.TO_DOUBLE);
        }
        return product;
    }

    private static Value subtract(Value left, Value right) {
        if (left instanceof BsonValue.DateTime(long millis)) {
            if (right instanceof BsonValue.DateTime(long other)) {
                return Numbers.int64(millis - other);
            }
            if (Numbers.isNumber(right)) {
                return date(millis, Numbers.subtract(Value.of(0), right));
            }
        }
        if (!Numbers.isNumber(left) || !Numbers.isNumber(right)) {
            throw MongoCode.TYPE_MISMATCH.failure(
                    "can't $subtract %s from %s"
                            .formatted(TypeNames.of(right), TypeNames.of(left)));
        }
        return Numbers.subtract(left, right);
    }

    private static Value divide(Value left, Value right) {
        requireNumbers("$divide", MongoCode.TYPE_MISMATCH.number(), left, right);
        if (Numbers.isZero(right)) {
            throw MongoCode.BAD_VALUE.failure("can't $divide by zero");
        }
        return Numbers.width(left).or(Numbers.width(right)) == Numbers.Width.DECIMAL
                ? Decimals.divide(Numbers.toDecimal(left), Numbers.toDecimal(right))
                : new Value.Real(Numbers.toDouble(left) / Numbers.toDouble(right));
    }

    private static Value mod(Value left, Value right) {
        requireNumbers("$mod", 16611, left, right);
        if (Numbers.isZero(right)) {
            throw MongoCode.failure(16610, "can't $mod by zero");
        }
        Numbers.Width width = Numbers.width(left).or(Numbers.width(right));
        return switch (width) {
            case INT, LONG -> {
                long divisor = Numbers.toLong(right);
                long remainder = divisor == -1 ? 0 : Numbers.toLong(left) % divisor;
                yield Numbers.integer(remainder, width);
            }
            case DOUBLE -> new Value.Real(Numbers.toDouble(left) % Numbers.toDouble(right));
            case DECIMAL -> Decimals.remainder(Numbers.toDecimal(left), Numbers.toDecimal(right));
        };
    }

    private static void requireNumbers(String name, int code, Value left, Value right) {
        if (!Numbers.isNumber(left) || !Numbers.isNumber(right)) {
            throw MongoCode.failure(
                    code,
                    "%s only supports numeric types, not %s and %s"
                            .formatted(name, TypeNames.of(left), TypeNames.of(right)));
        }
    }

    /** A single operand that is an array stands for its elements. */
    private static ExpressionReader.Operator overElements(
            java.util.function.Function<List<Value>, Value> function) {
        return Operands.ofMany(operands -> function.apply(elements(operands)));
    }

    private static List<Value> elements(List<Value> operands) {
        return operands.size() == 1
                        && operands.getFirst() instanceof Value.Array(List<Value> elements)
                ? elements
                : operands;
    }

    /** What is not a number counts as nothing. */
    private static Value sum(List<Value> values) {
        Sum total = new Sum();
        values.stream().filter(Numbers::isNumber).forEach(total::add);
        return total.result();
    }

    private static Value average(List<Value> values) {
        Sum total = new Sum();
        List<Value> numbers = values.stream().filter(Numbers::isNumber).toList();
        numbers.forEach(total::add);
        return numbers.isEmpty() ? Value.Null.NULL : total.over(numbers.size());
    }

    private static ExpressionReader.Operator deviation(boolean isSample) {
        return overElements(
                values -> {
                    Deviation deviation = new Deviation();
                    for (Value value : values) {
                        if (Numbers.isNumber(value)) {
                            deviation.add(Numbers.toDouble(value));
                        }
                    }
                    return deviation.result(isSample);
                });
    }

    private static ExpressionReader.Operator extreme(int sign) {
        return (operand, reader) -> {
            List<Expression> operands = Operands.list(operand, reader);
            MongoOrder order = reader.context().order();
            return variables ->
                    elements(Operands.evaluated(operands, variables)).stream()
                            .filter(value -> !Operands.isNullish(value))
                            .max((left, right) -> sign * order.compare(left, right))
                            .orElse(Value.Null.NULL);
        };
    }
}
