package orrery.query.evaluate;

import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.syntax.Scalar;

/** Operators on values that are there already. Operands of the wrong type give undefined. */
final class Operators {
    private static final Value UNDEFINED = Value.Undefined.UNDEFINED;

    private Operators() {}

    static Value prefix(Scalar.PrefixOperator operator, Value operand) {
        return switch (operator) {
            case NOT -> operand instanceof Value.Bool(boolean value) ? Value.of(!value) : UNDEFINED;
            case PLUS -> operand.isNumber() ? operand : UNDEFINED;
            case MINUS ->
                    switch (operand) {
                        case Value.Int(long value) when value != Long.MIN_VALUE -> Value.of(-value);
                        case Value.Int(long value) -> Value.of(-(double) value);
                        case Value.Real(double value) -> Value.of(-value);
                        case Value.Undefined _,
                                Value.Null _,
                                Value.Bool _,
                                Value.Text _,
                                Value.Array _,
                                Value.Obj _,
                                BsonValue _ ->
                                UNDEFINED;
                    };
            case COMPLEMENT -> operand.isNumber() ? Value.of((long) ~toInt32(operand)) : UNDEFINED;
        };
    }

    static Value infix(Scalar.InfixOperator operator, Value left, Value right) {
        return switch (operator) {
            case EQUAL -> equal(left, right);
            case NOT_EQUAL -> prefix(Scalar.PrefixOperator.NOT, equal(left, right));
            case LESS, GREATER, LESS_OR_EQUAL, GREATER_OR_EQUAL -> compare(operator, left, right);
            case CONCAT ->
                    left instanceof Value.Text(String a) && right instanceof Value.Text(String b)
                            ? new BoundedText().append(a).append(b).toValue()
                            : UNDEFINED;
            default ->
                    left.isNumber() && right.isNumber()
                            ? arithmetic(operator, left, right)
                            : UNDEFINED;
        };
    }

    /** Values of different types are unequal; only undefined has no answer. */
    static Value equal(Value left, Value right) {
        return left.isDefined() && right.isDefined()
                ? Value.of(ValueOrder.equal(left, right))
                : UNDEFINED;
    }

    private static Value compare(Scalar.InfixOperator operator, Value left, Value right) {
        boolean isComparable =
                switch (left) {
                    case Value.Null _ -> right instanceof Value.Null;
                    case Value.Bool _ -> right instanceof Value.Bool;
                    case Value.Int _, Value.Real _ -> right.isNumber();
                    case Value.Text _ -> right instanceof Value.Text;
                    case Value.Undefined _, Value.Array _, Value.Obj _, BsonValue _ -> false;
                };
        if (!isComparable) {
            return UNDEFINED;
        }
        if (isNan(left) || isNan(right)) {
            return Value.of(false);
        }
        int order = ValueOrder.INSTANCE.compare(left, right);
        return Value.of(
                switch (operator) {
                    case LESS -> order < 0;
                    case GREATER -> order > 0;
                    case LESS_OR_EQUAL -> order <= 0;
                    default -> order >= 0;
                });
    }

    static Value between(Value value, Value low, Value high) {
        return and(
                compare(Scalar.InfixOperator.GREATER_OR_EQUAL, value, low),
                compare(Scalar.InfixOperator.LESS_OR_EQUAL, value, high));
    }

    /** False wins over undefined; whatever is no boolean counts as undefined. */
    static Value and(Value left, Value right) {
        if (isFalse(left) || isFalse(right)) {
            return Value.of(false);
        }
        return isTrue(left) && isTrue(right) ? Value.of(true) : UNDEFINED;
    }

    /** True wins over undefined; whatever is no boolean counts as undefined. */
    static Value or(Value left, Value right) {
        if (isTrue(left) || isTrue(right)) {
            return Value.of(true);
        }
        return isFalse(left) && isFalse(right) ? Value.of(false) : UNDEFINED;
    }

    static boolean isTrue(Value value) {
        return value instanceof Value.Bool(boolean is) && is;
    }

    static boolean isFalse(Value value) {
        return value instanceof Value.Bool(boolean is) && !is;
    }

    private static boolean isNan(Value value) {
        return value instanceof Value.Real(double number) && Double.isNaN(number);
    }

    private static Value arithmetic(Scalar.InfixOperator operator, Value left, Value right) {
        if (left instanceof Value.Int(long a) && right instanceof Value.Int(long b)) {
            Value exact = exact(operator, a, b);
            if (exact.isDefined()) {
                return exact;
            }
        }
        double a = toDouble(left);
        double b = toDouble(right);
        return switch (operator) {
            case MULTIPLY -> Value.of(a * b);
            case DIVIDE -> Value.of(a / b);
            case REMAINDER -> Value.of(a % b);
            case ADD -> Value.of(a + b);
            case SUBTRACT -> Value.of(a - b);
            case BIT_AND -> Value.of((long) (toInt32(left) & toInt32(right)));
            case BIT_OR -> Value.of((long) (toInt32(left) | toInt32(right)));
            case BIT_XOR -> Value.of((long) (toInt32(left) ^ toInt32(right)));
            // Java takes the distance modulo 32 as JavaScript does.
            case SHIFT_LEFT -> Value.of((long) (toInt32(left) << toInt32(right)));
            case SHIFT_RIGHT -> Value.of((long) (toInt32(left) >> toInt32(right)));
            case SHIFT_RIGHT_UNSIGNED ->
                    Value.of(Integer.toUnsignedLong(toInt32(left) >>> toInt32(right)));
            default -> throw new IllegalStateException("no arithmetic: " + operator);
        };
    }

    /** The integer result, if there is one; undefined means to try doubles. */
    private static Value exact(Scalar.InfixOperator operator, long a, long b) {
        return switch (operator) {
            case ADD -> {
                long sum = a + b;
                yield ((a ^ sum) & (b ^ sum)) < 0 ? UNDEFINED : Value.of(sum);
            }
            case SUBTRACT -> {
                long difference = a - b;
                yield ((a ^ b) & (a ^ difference)) < 0 ? UNDEFINED : Value.of(difference);
            }
            case MULTIPLY -> {
                long product = a * b;
                boolean fits = Math.multiplyHigh(a, b) == product >> 63;
                yield fits ? Value.of(product) : UNDEFINED;
            }
            case DIVIDE ->
                    b != 0 && a % b == 0 && !(a == Long.MIN_VALUE && b == -1)
                            ? Value.of(a / b)
                            : UNDEFINED;
            case REMAINDER -> b != 0 ? Value.of(a % b) : UNDEFINED;
            default -> UNDEFINED;
        };
    }

    static double toDouble(Value number) {
        return number instanceof Value.Int(long value) ? value : ((Value.Real) number).value();
    }

    /**
     * Converts like JavaScript: the whole part modulo 2 to the power of 32; NaN and infinities
     * become 0.
     */
    static int toInt32(Value number) {
        if (number instanceof Value.Int(long value)) {
            return (int) value;
        }
        double value = ((Value.Real) number).value();
        if (!Double.isFinite(value)) {
            return 0;
        }
        double whole = value < 0 ? Math.ceil(value) : Math.floor(value);
        return (int) (long) (whole % 0x1p32);
    }
}
