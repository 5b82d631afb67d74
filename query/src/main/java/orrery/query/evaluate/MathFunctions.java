package orrery.query.evaluate;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import orrery.document.Value;
import orrery.query.syntax.BuiltIn;

/**
 * Functions on numbers. Those that only round leave an integer alone. {@link StrictMath} gives
 * every replica the same digits, whatever its processor.
 */
final class MathFunctions {
    private static final Value UNDEFINED = Value.Undefined.UNDEFINED;

    private MathFunctions() {}

    static Value apply(BuiltIn function, List<Value> arguments) {
        for (Value argument : arguments) {
            if (!argument.isNumber()) {
                return UNDEFINED;
            }
        }
        return switch (function) {
            case ABS, CEILING, FLOOR, ROUND, TRUNC -> round(function, arguments.getFirst());
            case INTADD,
                    INTSUB,
                    INTMUL,
                    INTDIV,
                    INTMOD,
                    INTBITAND,
                    INTBITOR,
                    INTBITXOR,
                    INTBITNOT,
                    INTBITLEFTSHIFT,
                    INTBITRIGHTSHIFT ->
                    integer(function, arguments);
            case NUMBERBIN -> bin(arguments);
            case PI -> Value.of(Math.PI);
            case RAND -> Value.of(ThreadLocalRandom.current().nextDouble());
            case ATN2, POWER -> binary(function, arguments);
            case LOG ->
                    arguments.size() == 1
                            ? unary(function, arguments)
                            : binary(function, arguments);
            default -> unary(function, arguments);
        };
    }

    private static Value unary(BuiltIn function, List<Value> arguments) {
        double x = Operators.toDouble(arguments.getFirst());
        return Value.of(
                switch (function) {
                    case ACOS -> StrictMath.acos(x);
                    case ASIN -> StrictMath.asin(x);
                    case ATAN -> StrictMath.atan(x);
                    case COS -> StrictMath.cos(x);
                    case COT -> 1 / StrictMath.tan(x);
                    case DEGREES -> Math.toDegrees(x);
                    case EXP -> StrictMath.exp(x);
                    case LOG -> StrictMath.log(x);
                    case LOG10 -> StrictMath.log10(x);
                    case RADIANS -> Math.toRadians(x);
                    case SIGN -> Math.signum(x);
                    case SIN -> StrictMath.sin(x);
                    case SQRT -> StrictMath.sqrt(x);
                    case SQUARE -> x * x;
                    case TAN -> StrictMath.tan(x);
                    default ->
                            throw new IllegalStateException("no function on numbers: " + function);
                });
    }

    private static Value binary(BuiltIn function, List<Value> arguments) {
        double x = Operators.toDouble(arguments.get(0));
        double y = Operators.toDouble(arguments.get(1));
        return Value.of(
                switch (function) {
                    case ATN2 -> StrictMath.atan2(x, y);
                    case LOG -> StrictMath.log(x) / StrictMath.log(y);
                    case POWER -> StrictMath.pow(x, y);
                    default ->
                            throw new IllegalStateException("no function on numbers: " + function);
                });
    }

    private static Value round(BuiltIn function, Value number) {
        if (number instanceof Value.Int(long value)) {
            if (function != BuiltIn.ABS || value >= 0) {
                return number;
            }
            return value == Long.MIN_VALUE ? Value.of(-(double) value) : Value.of(-value);
        }
        double value = ((Value.Real) number).value();
        return Value.of(
                switch (function) {
                    case ABS -> Math.abs(value);
                    case CEILING -> Math.ceil(value);
                    case FLOOR -> Math.floor(value);
                    case TRUNC -> truncate(value);
                    case ROUND -> roundAway(value);
                    default -> throw new IllegalStateException("no rounding: " + function);
                });
    }

    private static double truncate(double value) {
        return value < 0 ? Math.ceil(value) : Math.floor(value);
    }

    /** Half away from zero. Adding 0.5 instead would lift 0.49999999999999994 to 1. */
    private static double roundAway(double value) {
        double whole = truncate(value);
        return Math.abs(value - whole) >= 0.5 ? whole + Math.signum(value) : whole;
    }

    private static Value bin(List<Value> arguments) {
        double x = Operators.toDouble(arguments.getFirst());
        double size = arguments.size() > 1 ? Operators.toDouble(arguments.get(1)) : 1;
        return size == 0 ? UNDEFINED : Value.of(Math.floor(x / size) * size);
    }

    private static Value integer(BuiltIn function, List<Value> arguments) {
        if (!(arguments.getFirst() instanceof Value.Int(long a)
                && arguments.getLast() instanceof Value.Int(long b))) {
            return UNDEFINED;
        }
        return switch (function) {
            case INTADD -> Value.of(a + b);
            case INTSUB -> Value.of(a - b);
            case INTMUL -> Value.of(a * b);
            case INTDIV -> b == 0 ? UNDEFINED : Value.of(a / b);
            case INTMOD -> b == 0 ? UNDEFINED : Value.of(a % b);
            case INTBITAND -> Value.of(a & b);
            case INTBITOR -> Value.of(a | b);
            case INTBITXOR -> Value.of(a ^ b);
            case INTBITNOT -> Value.of(~a);
            case INTBITLEFTSHIFT -> Value.of(a << b);
            case INTBITRIGHTSHIFT -> Value.of(a >> b);
            default -> throw new IllegalStateException("no function on integers: " + function);
        };
    }
}
