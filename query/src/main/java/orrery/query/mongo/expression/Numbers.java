package orrery.query.mongo.expression;

import java.math.BigDecimal;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.mongo.MongoOrder;

/**
 * The numbers of MongoDB and their widths. The result of an operation has the widest of the widths
 * of its operands; integers that do not fit 32 bits become 64 bits wide.
 */
public final class Numbers {
    private Numbers() {}

    /** From the narrowest to the widest. */
    public enum Width {
        INT,
        LONG,
        DOUBLE,
        DECIMAL;

        Width or(Width other) {
            return compareTo(other) >= 0 ? this : other;
        }
    }

    public static boolean isNumber(Value value) {
        return MongoOrder.isNumber(value);
    }

    /** Of a number only. */
    public static Width width(Value number) {
        return switch (number) {
            case Value.Int(long value) -> value == (int) value ? Width.INT : Width.LONG;
            case BsonValue.Int64 _ -> Width.LONG;
            case Value.Real _ -> Width.DOUBLE;
            case BsonValue.Decimal _ -> Width.DECIMAL;
            default -> throw notOne();
        };
    }

    public static boolean isInteger(Value value) {
        return value instanceof Value.Int || value instanceof BsonValue.Int64;
    }

    /** An int64 in the kind that keeps its width. */
    public static Value int64(long number) {
        return number == (int) number ? new BsonValue.Int64(number) : Value.of(number);
    }

    /** An integer of a width; one that does not fit 32 bits has 64. */
    static Value integer(long number, Width width) {
        return width == Width.INT ? Value.of(number) : int64(number);
    }

    /** Of an integer only. */
    public static long toLong(Value integer) {
        return switch (integer) {
            case Value.Int(long number) -> number;
            case BsonValue.Int64(long number) -> number;
            default -> throw notOne();
        };
    }

    public static double toDouble(Value number) {
        return switch (number) {
            case Value.Real(double real) -> real;
            case BsonValue.Decimal decimal -> toDouble(decimal);
            default -> toLong(number);
        };
    }

    private static double toDouble(BsonValue.Decimal decimal) {
        if (decimal.isFinite()) {
            double number = decimal.toBigDecimal().doubleValue();
            return number == 0 && decimal.isNegative() ? -0.0 : number;
        }
        if (decimal.isNaN()) {
            return Double.NaN;
        }
        return decimal.isNegative() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }

    static BsonValue.Decimal toDecimal(Value number) {
        return switch (number) {
            case BsonValue.Decimal decimal -> decimal;
            case Value.Real(double real) -> Decimals.of(real);
            default -> Decimals.of(BigDecimal.valueOf(toLong(number)));
        };
    }

    static boolean isZero(Value number) {
        return switch (number) {
            case Value.Real(double real) -> real == 0;
            case BsonValue.Decimal decimal -> decimal.isFinite() && Decimals.sign(decimal) == 0;
            default -> toLong(number) == 0;
        };
    }

    /** What becomes of integers that do not fit 64 bits. */
    public enum Overflow {
        /** They become doubles, as in expressions. */
        TO_DOUBLE,
        /** There is no result, as in updates. */
        NONE
    }

    /** Undefined if integers do not fit and may not become doubles. */
    public static Value add(Value left, Value right, Overflow overflow) {
        Width width = width(left).or(width(right));
        return switch (width) {
            case INT, LONG -> {
                long a = toLong(left);
                long b = toLong(right);
                long sum = a + b;
                yield ((a ^ sum) & (b ^ sum)) < 0
                        ? overflown(overflow, (double) a + b)
                        : integer(sum, width);
            }
            case DOUBLE -> new Value.Real(toDouble(left) + toDouble(right));
            case DECIMAL -> Decimals.add(toDecimal(left), toDecimal(right));
        };
    }

    /** Undefined if integers do not fit and may not become doubles. */
    public static Value multiply(Value left, Value right, Overflow overflow) {
        Width width = width(left).or(width(right));
        return switch (width) {
            case INT, LONG -> {
                long a = toLong(left);
                long b = toLong(right);
                long high = Math.multiplyHigh(a, b);
                long low = a * b;
                boolean fits = (high == 0 && low >= 0) || (high == -1 && low < 0);
                yield fits ? integer(low, width) : overflown(overflow, (double) a * b);
            }
            case DOUBLE -> new Value.Real(toDouble(left) * toDouble(right));
            case DECIMAL -> Decimals.multiply(toDecimal(left), toDecimal(right));
        };
    }

    static Value subtract(Value left, Value right) {
        Width width = width(left).or(width(right));
        return switch (width) {
            case INT, LONG -> {
                long a = toLong(left);
                long b = toLong(right);
                long difference = a - b;
                yield ((a ^ b) & (a ^ difference)) < 0
                        ? new Value.Real((double) a - b)
                        : integer(difference, width);
            }
            case DOUBLE -> new Value.Real(toDouble(left) - toDouble(right));
            case DECIMAL -> Decimals.subtract(toDecimal(left), toDecimal(right));
        };
    }

    private static Value overflown(Overflow overflow, double result) {
        return overflow == Overflow.NONE ? Value.Undefined.UNDEFINED : new Value.Real(result);
    }

    private static IllegalStateException notOne() {
        return new IllegalStateException("not a number");
    }
}
