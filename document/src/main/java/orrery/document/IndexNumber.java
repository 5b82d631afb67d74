package orrery.document;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import orrery.model.codec.MalformedRecordException;

/** The bytes of a number behind its tag: the nearest double, and the difference from it. */
final class IndexNumber {
    private static final int EXACT = 0x80;
    private static final int ABOVE = 0x81;
    private static final int BELOW = 0x7F;
    private static final int EXPONENT_BIAS = 0x8000;
    private static final int DIGITS_END = 0x00;
    private static final BigInteger HUNDRED = BigInteger.valueOf(100);

    /**
     * Decimals have 34 digits. Two of them with the same nearest double still differ in the first
     * 36 digits of their differences from it, so more need not be kept.
     */
    private static final MathContext KEPT_DIGITS = new MathContext(40, RoundingMode.DOWN);

    private static final BigDecimal LARGEST = new BigDecimal(Double.MAX_VALUE);

    private IndexNumber() {}

    /** The offset behind the number that begins at this one, behind its tag. */
    static int end(byte[] bytes, int offset, int flip) {
        int tieAt = offset + Double.BYTES;
        int tie = (bytes[tieAt] ^ flip) & 0xFF;
        if (tie == EXACT) {
            return tieAt + 1;
        }
        int last = tie == BELOW ? ~DIGITS_END : DIGITS_END;
        int at = tieAt + 3; // behind the exponent
        while ((byte) (bytes[at] ^ flip) != (byte) last) {
            at++;
        }
        return at + 1;
    }

    static void putDouble(double number, ByteSink out) {
        putNearest(number, out);
        out.put(EXACT);
    }

    static void putLong(long number, ByteSink out) {
        double nearest = number;
        // The cast saturates at 2^63, which is no long: only that double may look exact and not be.
        if ((long) nearest == number && nearest != 0x1p63) {
            putDouble(nearest, out);
        } else {
            putNumber(nearest, BigDecimal.valueOf(number).subtract(new BigDecimal(nearest)), out);
        }
    }

    /** A number that lies {@code difference} above its nearest double. */
    static void putNumber(double nearest, BigDecimal difference, ByteSink out) {
        putNearest(nearest, out);
        switch (difference.signum()) {
            case 0 -> out.put(EXACT);
            case 1 -> {
                out.put(ABOVE);
                putMagnitude(difference, out);
            }
            default -> {
                out.put(BELOW);
                int start = out.length();
                putMagnitude(difference.negate(), out);
                out.complementFrom(start); // the further below, the smaller
            }
        }
    }

    /**
     * A decimal beyond the largest double has that one as its nearest, and all of itself as the
     * difference: those are larger than the differences of the decimals that round to it.
     */
    static void putDecimal(BsonValue.Decimal decimal, ByteSink out) {
        if (decimal.isNaN()) {
            putDouble(Double.NaN, out);
            return;
        }
        if (!decimal.isFinite()) {
            putDouble(
                    decimal.isNegative() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY,
                    out);
            return;
        }
        BigDecimal number = decimal.toBigDecimal();
        double nearest = number.doubleValue();
        if (Double.isInfinite(nearest)) {
            putNumber(nearest > 0 ? Double.MAX_VALUE : -Double.MAX_VALUE, number, out);
        } else {
            putNumber(nearest, number.subtract(new BigDecimal(nearest)).round(KEPT_DIGITS), out);
        }
    }

    /**
     * A double has its sign bit flipped, or all bits if it is negative: then bytes sort right. NaN
     * comes first.
     */
    private static void putNearest(double nearest, ByteSink out) {
        out.put(ValueTag.NUMBER);
        if (Double.isNaN(nearest)) {
            out.putLong(0);
            return;
        }
        long bits = Double.doubleToLongBits(nearest == 0 ? 0.0 : nearest);
        out.putLong(bits ^ ((bits >> 63) | Long.MIN_VALUE));
    }

    /**
     * A positive number as 0.ddd... times a power of 100: the exponent, then the digits in base 100
     * without trailing zeros, each one more than it is so that the end sorts first.
     */
    private static void putMagnitude(BigDecimal magnitude, ByteSink out) {
        BigInteger digits = magnitude.unscaledValue();
        int scale = magnitude.scale();
        if (scale % 2 != 0) {
            digits = digits.multiply(BigInteger.TEN);
            scale++;
        }
        byte[] reversed = new byte[digits.bitLength() / 6 + 1];
        int count = 0;
        while (digits.signum() != 0) {
            BigInteger[] parts = digits.divideAndRemainder(HUNDRED);
            digits = parts[0];
            reversed[count++] = parts[1].byteValue();
        }
        int exponent = EXPONENT_BIAS + count - scale / 2;
        out.put(exponent >> 8).put(exponent);
        int last = 0;
        while (reversed[last] == 0) {
            last++;
        }
        for (int i = count - 1; i >= last; i--) {
            out.put(reversed[i] + 1);
        }
        out.put(DIGITS_END);
    }

    static IndexValue.Decoded decode(byte[] bytes, int offset) {
        long bits = 0;
        for (int i = 0; i < 8; i++) {
            bits = bits << 8 | (bytes[offset + i] & 0xFF);
        }
        double nearest = Double.longBitsToDouble(bits < 0 ? bits ^ Long.MIN_VALUE : ~bits);
        int at = offset + 8;
        int tie = bytes[at++] & 0xFF;
        if (tie == EXACT) {
            return new IndexValue.Decoded(Value.of(nearest), true, at);
        }
        if ((tie != ABOVE && tie != BELOW) || !Double.isFinite(nearest)) {
            throw new MalformedRecordException("an index number cannot lie beside its double so");
        }
        int mask = tie == ABOVE ? 0x00 : 0xFF;
        int exponent = ((bytes[at++] ^ mask) & 0xFF) << 8;
        exponent |= (bytes[at++] ^ mask) & 0xFF;
        BigInteger digits = BigInteger.ZERO;
        int count = 0;
        for (int digit = (bytes[at++] ^ mask) & 0xFF;
                digit != DIGITS_END;
                digit = (bytes[at++] ^ mask) & 0xFF) {
            digits = digits.multiply(HUNDRED).add(BigInteger.valueOf(digit - 1));
            count++;
        }
        BigDecimal magnitude = new BigDecimal(digits, 2 * (count - (exponent - EXPONENT_BIAS)));
        BigDecimal difference = tie == ABOVE ? magnitude : magnitude.negate();
        boolean isBeyond =
                Math.abs(nearest) == Double.MAX_VALUE && magnitude.compareTo(LARGEST) > 0;
        BigDecimal exact = isBeyond ? difference : new BigDecimal(nearest).add(difference);
        return new IndexValue.Decoded(number(exact), true, at);
    }

    private static Value number(BigDecimal exact) {
        try {
            return Value.of(exact.longValueExact());
        } catch (ArithmeticException _) {
            return BsonValue.Decimal.nearest(exact);
        }
    }
}
