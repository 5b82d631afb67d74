package orrery.query.mongo.expression;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import orrery.document.BsonValue.Decimal;

/** Computes with decimals as IEEE 754 does, with 34 digits and the values that are not finite. */
final class Decimals {
    static final MathContext CONTEXT = MathContext.DECIMAL128;
    static final Decimal NAN = parse("NaN");
    static final Decimal INFINITY = parse("Infinity");
    static final Decimal NEGATIVE_INFINITY = parse("-Infinity");
    static final Decimal ZERO = parse("0");

    private Decimals() {}

    private static Decimal parse(String text) {
        return Decimal.parse(text).orElseThrow();
    }

    static Decimal of(BigDecimal number) {
        return Decimal.nearest(number.round(CONTEXT));
    }

    /** A double has 15 digits that mean something, as the server converts it. */
    static Decimal of(double number) {
        if (Double.isNaN(number)) {
            return NAN;
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? INFINITY : NEGATIVE_INFINITY;
        }
        if (number == 0) {
            return ZERO;
        }
        BigDecimal rounded =
                new BigDecimal(number).round(new MathContext(15, RoundingMode.HALF_EVEN));
        return of(rounded);
    }

    static boolean isInfinite(Decimal number) {
        return !number.isFinite() && !number.isNaN();
    }

    static int sign(Decimal number) {
        if (number.isFinite()) {
            return number.toBigDecimal().signum();
        }
        return number.isNaN() ? 0 : number.isNegative() ? -1 : 1;
    }

    static Decimal negate(Decimal number) {
        return number.isNaN() ? NAN : new Decimal(number.high() ^ Long.MIN_VALUE, number.low());
    }

    static Decimal add(Decimal left, Decimal right) {
        if (left.isFinite() && right.isFinite()) {
            return of(left.toBigDecimal().add(right.toBigDecimal()));
        }
        if (left.isNaN() || right.isNaN()) {
            return NAN;
        }
        if (isInfinite(left) && isInfinite(right)) {
            return left.isNegative() == right.isNegative() ? left : NAN;
        }
        return isInfinite(left) ? left : right;
    }

    static Decimal subtract(Decimal left, Decimal right) {
        return add(left, negate(right));
    }

    static Decimal multiply(Decimal left, Decimal right) {
        if (left.isFinite() && right.isFinite()) {
            return of(left.toBigDecimal().multiply(right.toBigDecimal()));
        }
        int sign = sign(left) * sign(right);
        if (left.isNaN() || right.isNaN() || sign == 0) {
            return NAN;
        }
        return sign > 0 ? INFINITY : NEGATIVE_INFINITY;
    }

    /** The divisor is not zero. */
    static Decimal divide(Decimal left, Decimal right) {
        if (left.isFinite() && right.isFinite()) {
            return of(left.toBigDecimal().divide(right.toBigDecimal(), CONTEXT));
        }
        if (left.isNaN() || right.isNaN() || (isInfinite(left) && isInfinite(right))) {
            return NAN;
        }
        if (isInfinite(right)) {
            return ZERO;
        }
        return sign(left) * (right.isNegative() ? -1 : 1) > 0 ? INFINITY : NEGATIVE_INFINITY;
    }

    /** The remainder has the sign of the dividend. The divisor is not zero. */
    static Decimal remainder(Decimal left, Decimal right) {
        if (!left.isFinite() || right.isNaN()) {
            return NAN;
        }
        if (isInfinite(right)) {
            return left;
        }
        BigDecimal dividend = left.toBigDecimal();
        BigDecimal divisor = right.toBigDecimal();
        // The quotient of numbers of very different size has thousands of digits, and is not kept.
        int digits = exponent(dividend) - exponent(divisor);
        if (digits < 0) {
            return left;
        }
        return digits > 1000 ? NAN : of(dividend.remainder(divisor));
    }

    private static int exponent(BigDecimal number) {
        return number.precision() - number.scale();
    }
}
