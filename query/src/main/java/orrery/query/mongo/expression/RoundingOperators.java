package orrery.query.mongo.expression;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;

/** Functions of numbers: rounding, powers, logarithms, angles. */
final class RoundingOperators {
    private static final int LEAST_PLACE = -20;
    private static final int LAST_PLACE = 100;

    private RoundingOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put("$abs", numeric("$abs", RoundingOperators::abs));
        table.put("$ceil", numeric("$ceil", value -> rounded(value, 0, RoundingMode.CEILING)));
        table.put("$floor", numeric("$floor", value -> rounded(value, 0, RoundingMode.FLOOR)));
        table.put("$round", toPlace("$round", RoundingMode.HALF_EVEN));
        table.put("$trunc", toPlace("$trunc", RoundingMode.DOWN));
        table.put("$sqrt", numeric("$sqrt", RoundingOperators::sqrt));
        table.put("$exp", real("$exp", Math::exp, _ -> true, 0, ""));
        table.put(
                "$ln",
                real(
                        "$ln",
                        Math::log,
                        value -> !(value <= 0),
                        28766,
                        "$ln's argument must be a positive number, but is "));
        table.put(
                "$log10",
                real(
                        "$log10",
                        Math::log10,
                        value -> !(value <= 0),
                        28761,
                        "$log10's argument must be a positive number, but is "));
        table.put("$log", Operands.ofTwo("$log", RoundingOperators::log));
        table.put("$pow", Operands.ofTwo("$pow", RoundingOperators::power));
        addAngles(table);
    }

    private static void addAngles(Map<String, ExpressionReader.Operator> table) {
        DoublePredicate isAny = value -> !Double.isInfinite(value);
        DoublePredicate isSine = value -> !(Math.abs(value) > 1);
        angle(table, "$sin", Math::sin, isAny, "(-inf,inf)");
        angle(table, "$cos", Math::cos, isAny, "(-inf,inf)");
        angle(table, "$tan", Math::tan, isAny, "(-inf,inf)");
        angle(table, "$asin", Math::asin, isSine, "[-1,1]");
        angle(table, "$acos", Math::acos, isSine, "[-1,1]");
        angle(table, "$atan", Math::atan, _ -> true, "");
        angle(table, "$sinh", Math::sinh, _ -> true, "");
        angle(table, "$cosh", Math::cosh, _ -> true, "");
        angle(table, "$tanh", Math::tanh, _ -> true, "");
        angle(table, "$asinh", RoundingOperators::asinh, _ -> true, "");
        angle(
                table,
                "$acosh",
                value -> Math.log(value + Math.sqrt(value * value - 1)),
                value -> !(value < 1),
                "[1,inf]");
        angle(
                table,
                "$atanh",
                value -> 0.5 * Math.log((1 + value) / (1 - value)),
                isSine,
                "[-1,1]");
        angle(table, "$degreesToRadians", Math::toRadians, _ -> true, "");
        angle(table, "$radiansToDegrees", Math::toDegrees, _ -> true, "");
        table.put(
                "$atan2",
                Operands.ofTwo(
                        "$atan2",
                        (y, x) -> {
                            requireNumber("$atan2", y);
                            requireNumber("$atan2", x);
                            return like(
                                    Numbers.width(y).or(Numbers.width(x)),
                                    Math.atan2(Numbers.toDouble(y), Numbers.toDouble(x)));
                        }));
    }

    private static double asinh(double value) {
        double size = Math.abs(value);
        return Math.copySign(Math.log(size + Math.sqrt(size * size + 1)), value);
    }

    private static void angle(
            Map<String, ExpressionReader.Operator> table,
            String name,
            DoubleUnaryOperator function,
            DoublePredicate isInRange,
            String range) {
        table.put(
                name,
                numeric(
                        name,
                        value -> {
                            double number = Numbers.toDouble(value);
                            if (!isInRange.test(number)) {
                                throw MongoCode.failure(
                                        50989,
                                        "cannot apply %s to %s, value must be in %s"
                                                .formatted(name, ValueText.of(value), range));
                            }
                            return like(Numbers.width(value), function.applyAsDouble(number));
                        }));
    }

    /** A double, or a decimal where the operand was one. */
    private static Value like(Numbers.Width width, double result) {
        return width == Numbers.Width.DECIMAL ? Decimals.of(result) : new Value.Real(result);
    }

    private static void requireNumber(String name, Value value) {
        if (!Numbers.isNumber(value)) {
            throw MongoCode.failure(
                    28765, name + " only supports numeric types, not " + TypeNames.of(value));
        }
    }

    private static ExpressionReader.Operator numeric(
            String name, java.util.function.UnaryOperator<Value> function) {
        return Operands.ofOne(
                name,
                value -> {
                    requireNumber(name, value);
                    return function.apply(value);
                });
    }

    private static ExpressionReader.Operator real(
            String name,
            DoubleUnaryOperator function,
            DoublePredicate isFine,
            int code,
            String complaint) {
        return numeric(
                name,
                value -> {
                    double number = Numbers.toDouble(value);
                    if (!isFine.test(number)) {
                        throw MongoCode.failure(code, complaint + ValueText.of(value));
                    }
                    return like(Numbers.width(value), function.applyAsDouble(number));
                });
    }

    private static Value abs(Value value) {
        return switch (value) {
            case Value.Real(double number) -> new Value.Real(Math.abs(number));
            case BsonValue.Decimal decimal ->
                    decimal.isNegative() ? Decimals.negate(decimal) : decimal;
            default -> {
                long number = Numbers.toLong(value);
                if (number == Long.MIN_VALUE) {
                    throw MongoCode.failure(28680, "can't take $abs of long long min");
                }
                yield Numbers.integer(Math.abs(number), Numbers.width(value));
            }
        };
    }

    private static Value sqrt(Value value) {
        double number = Numbers.toDouble(value);
        if (number < 0) {
            throw MongoCode.failure(28714, "$sqrt's argument must be greater than or equal to 0");
        }
        if (value instanceof BsonValue.Decimal decimal && decimal.isFinite()) {
            return Decimals.of(decimal.toBigDecimal().sqrt(Decimals.CONTEXT));
        }
        return like(Numbers.width(value), Math.sqrt(number));
    }

    private static Value log(Value value, Value base) {
        if (!Numbers.isNumber(value)) {
            throw MongoCode.failure(
                    28756, "$log's argument must be numeric, not " + TypeNames.of(value));
        }
        if (!Numbers.isNumber(base)) {
            throw MongoCode.failure(
                    28757, "$log's base must be numeric, not " + TypeNames.of(base));
        }
        double number = Numbers.toDouble(value);
        double root = Numbers.toDouble(base);
        if (number <= 0) {
            throw MongoCode.failure(
                    28758,
                    "$log's argument must be a positive number, but is " + ValueText.of(value));
        }
        if (root <= 0 || root == 1) {
            throw MongoCode.failure(
                    28759,
                    "$log's base must be a positive number not equal to 1, but is "
                            + ValueText.of(base));
        }
        return like(
                Numbers.width(value).or(Numbers.width(base)), Math.log(number) / Math.log(root));
    }

    private static Value power(Value base, Value exponent) {
        if (!Numbers.isNumber(base)) {
            throw MongoCode.failure(
                    28762, "$pow's base must be numeric, not " + TypeNames.of(base));
        }
        if (!Numbers.isNumber(exponent)) {
            throw MongoCode.failure(
                    28763, "$pow's exponent must be numeric, not " + TypeNames.of(exponent));
        }
        if (Numbers.isZero(base) && Numbers.toDouble(exponent) < 0) {
            throw MongoCode.failure(28764, "$pow cannot take a base of 0 and a negative exponent");
        }
        Numbers.Width width = Numbers.width(base).or(Numbers.width(exponent));
        if (width == Numbers.Width.INT || width == Numbers.Width.LONG) {
            return integerPower(Numbers.toLong(base), Numbers.toLong(exponent), width);
        }
        return like(width, Math.pow(Numbers.toDouble(base), Numbers.toDouble(exponent)));
    }

    /** An integer as long as it is one that fits. */
    private static Value integerPower(long base, long exponent, Numbers.Width width) {
        boolean isUnit = base == 1 || base == -1 || base == 0;
        if (exponent >= 0 && (isUnit || exponent < Long.SIZE)) {
            Value product = Numbers.integer(1, width);
            long times = isUnit && exponent > 2 ? 2 - (exponent & 1) : exponent;
            for (long i = 0; i < times; i++) {
                product =
                        Numbers.multiply(
                                product, Numbers.integer(base, width), Numbers.Overflow.NONE);
                if (!product.isDefined()) {
                    return new Value.Real(Math.pow((double) base, (double) exponent));
                }
            }
            return product;
        }
        double result = Math.pow((double) base, (double) exponent);
        return isUnit ? Numbers.integer((long) result, width) : new Value.Real(result);
    }

    private static ExpressionReader.Operator toPlace(String name, RoundingMode mode) {
        return (operand, reader) -> {
            List<Expression> operands = Operands.between(name, 1, 2, operand, reader);
            return variables -> {
                Value value = operands.getFirst().evaluate(variables);
                Value place =
                        operands.size() == 2 ? operands.getLast().evaluate(variables) : Value.of(0);
                if (Operands.isNullish(value) || Operands.isNullish(place)) {
                    return Value.Null.NULL;
                }
                if (!Numbers.isNumber(value)) {
                    throw MongoCode.failure(
                            51081,
                            name + " only supports numeric types, not " + TypeNames.of(value));
                }
                return rounded(value, place(name, place), mode);
            };
        };
    }

    private static int place(String name, Value value) {
        long place =
                MongoNumbers.whole(value)
                        .orElseThrow(
                                () ->
                                        MongoCode.failure(
                                                51082,
                                                "precision argument to "
                                                        + name
                                                        + " must be a integral value"));
        if (place < LEAST_PLACE || place > LAST_PLACE) {
            throw MongoCode.failure(
                    51083,
                    "cannot apply %s with precision value %d value must be in [-20, 100]"
                            .formatted(name, place));
        }
        return (int) place;
    }

    /** The result has the width of the number; a long that no longer fits is refused. */
    private static Value rounded(Value value, int place, RoundingMode mode) {
        return switch (value) {
            case Value.Real(double number) -> {
                if (Double.isNaN(number) || Double.isInfinite(number)) {
                    yield value;
                }
                double result = new BigDecimal(number).setScale(place, mode).doubleValue();
                yield new Value.Real(Math.copySign(result, number));
            }
            case BsonValue.Decimal decimal -> {
                if (!decimal.isFinite()) {
                    yield value;
                }
                BigDecimal number = decimal.toBigDecimal();
                yield number.scale() <= place
                        ? decimal
                        : number.precision() - number.scale() < -place
                                ? Decimals.of(
                                        number.signum() == 0 ? number : tiny(number, place, mode))
                                : Decimals.of(number.setScale(place, mode));
            }
            default -> {
                if (place >= 0) {
                    yield value;
                }
                BigDecimal result = BigDecimal.valueOf(Numbers.toLong(value)).setScale(place, mode);
                if (result.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
                    throw MongoCode.failure(
                            51080, "invalid conversion from Decimal128 result in $round");
                }
                yield Numbers.integer(result.longValue(), Numbers.width(value));
            }
        };
    }

    /** A number that is smaller than the place it is rounded to comes to none or one of it. */
    private static BigDecimal tiny(BigDecimal number, int place, RoundingMode mode) {
        BigDecimal one = BigDecimal.ONE.movePointLeft(place);
        return switch (mode) {
            case CEILING -> number.signum() > 0 ? one : BigDecimal.ZERO;
            case FLOOR -> number.signum() < 0 ? one.negate() : BigDecimal.ZERO;
            default -> BigDecimal.ZERO;
        };
    }
}
