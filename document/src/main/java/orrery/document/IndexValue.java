package orrery.document;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;

/**
 * The bytes of a value in an index term: they sort, as unsigned bytes, as the values do, and none
 * is the beginning of another, so several may follow each other. Stored; the layout is in
 * docs/formats/index.md.
 */
public final class IndexValue {
    /** Encoded bytes of a string that are kept; what is longer must be compared with the item. */
    public static final int MAX_TEXT_BYTES = 256;

    private static final int WHOLE_TEXT_BYTES = Integer.MAX_VALUE / 2;

    private static final int TEXT_MARK = 0x00;
    private static final int TEXT_NUL = 0xFF;
    private static final int TEXT_END = 0x01;
    private static final int TEXT_CUT = 0x02;

    private static final int EXACT = 0x80;
    private static final int ABOVE = 0x81;
    private static final int BELOW = 0x7F;
    private static final int EXPONENT_BIAS = 0x8000;
    private static final int DIGITS_END = 0x00;
    private static final BigInteger HUNDRED = BigInteger.valueOf(100);

    private static final int EMPTY = 0x00;
    private static final int NOT_EMPTY = 0x01;

    private IndexValue() {}

    /**
     * The value that the bytes encode.
     *
     * @param value for an array or object, an empty one
     * @param isExact whether that is all of the value: false for a string that was cut, and for an
     *     array or object with contents
     * @param end offset behind the bytes
     */
    public record Decoded(Value value, boolean isExact, int end) {}

    public static Bytes encode(Value value) {
        ByteSink out = new ByteSink(32);
        put(value, out);
        return out.toBytes();
    }

    /**
     * Returns the first bytes of every string that starts with this one. A prefix that is too long
     * is cut like a string.
     */
    public static Bytes encodePrefix(String prefix) {
        ByteSink out = new ByteSink(32);
        char[] units = prefix.toCharArray();
        putText(units, 0, units.length, out);
        out.truncate(out.length() - 2); // the mark of its end
        return out.toBytes();
    }

    /**
     * Like {@link #encode}, but keeps all of a string. Strings that share an index term still have
     * different places in an order.
     */
    public static Bytes encodeWhole(Value value) {
        if (!(value instanceof Value.Text(String text))) {
            return encode(value);
        }
        ByteSink out = new ByteSink(32);
        char[] units = text.toCharArray();
        putText(units, 0, units.length, WHOLE_TEXT_BYTES, out);
        return out.toBytes();
    }

    /**
     * Puts what {@link #encode} makes of a value, from what {@link #encodeWhole} made of it.
     *
     * @param isFlipped whether all bits are, here and there
     * @return the offset behind the value
     */
    public static int putShortened(byte[] bytes, int offset, boolean isFlipped, ByteSink out) {
        int flip = flip(isFlipped);
        int end = end(bytes, offset, isFlipped);
        int cut = offset + 1 + MAX_TEXT_BYTES;
        boolean isLong = (bytes[offset] ^ flip) == ValueTag.STRING && cut + 2 < end;
        if (isLong && isMark(bytes, cut - 1, flip, TEXT_NUL)) {
            cut++;
            isLong = cut + 2 < end;
        }
        for (int i = offset; i < (isLong ? cut : end); i++) {
            out.put(bytes[i]);
        }
        if (isLong) {
            out.put(TEXT_MARK ^ flip).put(TEXT_CUT ^ flip);
        }
        return end;
    }

    /**
     * The offset behind the value that begins at this one, whole or cut.
     *
     * @param isFlipped whether all bits are
     */
    public static int end(byte[] bytes, int offset, boolean isFlipped) {
        int flip = flip(isFlipped);
        try {
            int at = offset + 1;
            return switch ((byte) (bytes[offset] ^ flip)) {
                case ValueTag.UNDEFINED, ValueTag.NULL, ValueTag.FALSE, ValueTag.TRUE -> at;
                case ValueTag.ARRAY, ValueTag.OBJECT -> at + 1;
                case ValueTag.NUMBER -> endOfNumber(bytes, at + Double.BYTES, flip);
                case ValueTag.STRING -> {
                    while ((bytes[at] ^ flip) != TEXT_MARK || isMark(bytes, at, flip, TEXT_NUL)) {
                        at += (bytes[at] ^ flip) == TEXT_MARK ? 2 : 1;
                    }
                    yield at + 2;
                }
                default -> throw new MalformedRecordException("unknown index value tag");
            };
        } catch (IndexOutOfBoundsException _) {
            throw new MalformedRecordException("an index value ends too early");
        }
    }

    private static int endOfNumber(byte[] bytes, int tieAt, int flip) {
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

    private static int flip(boolean isFlipped) {
        return isFlipped ? -1 : 0;
    }

    private static boolean isMark(byte[] bytes, int at, int flip, int kind) {
        return (bytes[at] ^ flip) == TEXT_MARK && (byte) (bytes[at + 1] ^ flip) == (byte) kind;
    }

    /** Returns true if the value between these offsets is a string that was cut. */
    public static boolean isCut(byte[] bytes, int offset, int end, boolean isFlipped) {
        int flip = flip(isFlipped);
        return (bytes[offset] ^ flip) == ValueTag.STRING && isMark(bytes, end - 2, flip, TEXT_CUT);
    }

    /** Returns true if these are the bytes of a string that was cut. */
    public static boolean isCut(Bytes encoded) {
        return isCut(encoded.unsafeArray(), 0, encoded.length(), false);
    }

    public static void put(Value value, ByteSink out) {
        switch (value) {
            case Value.Undefined _ -> out.put(ValueTag.UNDEFINED);
            case Value.Null _ -> out.put(ValueTag.NULL);
            case Value.Bool(boolean truth) -> out.put(truth ? ValueTag.TRUE : ValueTag.FALSE);
            case Value.Int(long number) -> putLong(number, out);
            case Value.Real(double number) -> putDouble(number, out);
            case Value.Text(String text) -> {
                char[] units = text.toCharArray();
                putText(units, 0, units.length, out);
            }
            case Value.Array(List<Value> elements) -> putArray(!elements.isEmpty(), out);
            case Value.Obj(Map<String, Value> properties) -> putObject(!properties.isEmpty(), out);
        }
    }

    static void putArray(boolean hasElements, ByteSink out) {
        out.put(ValueTag.ARRAY).put(hasElements ? NOT_EMPTY : EMPTY);
    }

    static void putObject(boolean hasProperties, ByteSink out) {
        out.put(ValueTag.OBJECT).put(hasProperties ? NOT_EMPTY : EMPTY);
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

    /** A double has its sign bit flipped, or all bits if it is negative: then bytes sort right. */
    private static void putNearest(double nearest, ByteSink out) {
        long bits = Double.doubleToLongBits(nearest == 0 ? 0.0 : nearest);
        out.put(ValueTag.NUMBER).putLong(bits ^ ((bits >> 63) | Long.MIN_VALUE));
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

    /** Each UTF-16 unit in UTF-8's manner, because strings sort by units and not by code points. */
    static void putText(char[] units, int offset, int count, ByteSink out) {
        putText(units, offset, count, MAX_TEXT_BYTES, out);
    }

    private static void putText(char[] units, int offset, int count, int maxBytes, ByteSink out) {
        out.put(ValueTag.STRING);
        int limit = out.length() + maxBytes;
        boolean isCut = false;
        for (int i = 0; i < count && !isCut; i++) {
            if (out.length() >= limit) {
                isCut = true;
            } else if (units[offset + i] == 0) {
                out.put(TEXT_MARK).put(TEXT_NUL); // may pass the limit by one: a pair is not split
            } else {
                Utf8.put(units[offset + i], out);
                if (out.length() > limit) {
                    out.truncate(limit);
                    isCut = true;
                }
            }
        }
        out.put(TEXT_MARK).put(isCut ? TEXT_CUT : TEXT_END);
    }

    public static Decoded decode(Bytes bytes) {
        return decode(bytes.unsafeArray(), 0);
    }

    /** Throws MalformedRecordException if no value that can be written today begins there. */
    public static Decoded decode(byte[] bytes, int offset) {
        try {
            int at = offset + 1;
            return switch (bytes[offset]) {
                case ValueTag.UNDEFINED -> new Decoded(Value.Undefined.UNDEFINED, true, at);
                case ValueTag.NULL -> new Decoded(Value.Null.NULL, true, at);
                case ValueTag.FALSE -> new Decoded(Value.of(false), true, at);
                case ValueTag.TRUE -> new Decoded(Value.of(true), true, at);
                case ValueTag.NUMBER -> decodeNumber(bytes, at);
                case ValueTag.STRING -> decodeText(bytes, at);
                case ValueTag.ARRAY ->
                        new Decoded(new Value.Array(List.of()), bytes[at] == EMPTY, at + 1);
                case ValueTag.OBJECT ->
                        new Decoded(new Value.Obj(Map.of()), bytes[at] == EMPTY, at + 1);
                default -> throw new MalformedRecordException("unknown index value tag");
            };
        } catch (IndexOutOfBoundsException _) {
            throw new MalformedRecordException("an index value ends too early");
        }
    }

    private static Decoded decodeNumber(byte[] bytes, int offset) {
        long bits = 0;
        for (int i = 0; i < 8; i++) {
            bits = bits << 8 | (bytes[offset + i] & 0xFF);
        }
        double nearest = Double.longBitsToDouble(bits < 0 ? bits ^ Long.MIN_VALUE : ~bits);
        int at = offset + 8;
        int tie = bytes[at++] & 0xFF;
        if (tie == EXACT) {
            return new Decoded(Value.of(nearest), true, at);
        }
        if (tie != ABOVE && tie != BELOW) {
            throw new MalformedRecordException("unknown tie byte of an index number");
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
        BigDecimal exact =
                new BigDecimal(nearest).add(tie == ABOVE ? magnitude : magnitude.negate());
        try {
            return new Decoded(Value.of(exact.longValueExact()), true, at);
        } catch (ArithmeticException _) {
            throw new MalformedRecordException("an index number is neither a double nor int64");
        }
    }

    private static Decoded decodeText(byte[] bytes, int offset) {
        StringBuilder text = new StringBuilder();
        int at = offset;
        while (true) {
            int first = bytes[at] & 0xFF;
            if (first == TEXT_MARK) {
                int second = bytes[at + 1] & 0xFF;
                at += 2;
                if (second != TEXT_NUL) {
                    return new Decoded(Value.of(text.toString()), second == TEXT_END, at);
                }
                text.append('\0');
                continue;
            }
            int length = first < 0x80 ? 1 : first < 0xE0 ? 2 : 3;
            int unit = length == 1 ? first : first & (length == 2 ? 0x1F : 0x0F);
            int next = at + 1;
            while (next < at + length && bytes[next] != TEXT_MARK) {
                unit = unit << 6 | (bytes[next] & 0x3F);
                next++;
            }
            if (next == at + length) { // else the cut fell inside this unit
                text.append((char) unit);
            }
            at = next;
        }
    }
}
