package orrery.query.mongo.expression;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HexFormat;
import java.util.Locale;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;

/** Converts values from one type to another, as {@code $convert} does. */
final class Conversions {
    private Conversions() {}

    /** The value is not null. Throws 241 if it has no such form in the type. */
    static Value convert(Value value, BsonType type) {
        if (BsonType.of(value) == type) {
            return value;
        }
        return switch (type) {
            case BOOL -> Value.of(Expression.isTrue(value) || !isCounted(value));
            case INT -> integer(value, type, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case LONG -> integer(value, type, Long.MIN_VALUE, Long.MAX_VALUE);
            case DOUBLE -> toDouble(value);
            case DECIMAL -> toDecimal(value);
            case STRING -> Value.of(toText(value));
            case DATE -> toDate(value);
            case OBJECT_ID -> toObjectId(value);
            default -> throw unsupported(value, type);
        };
    }

    /** Returns true for values that may be false: all others are true. */
    private static boolean isCounted(Value value) {
        return Numbers.isNumber(value) || value instanceof Value.Bool;
    }

    private static OrreryException unsupported(Value value, BsonType type) {
        return MongoCode.CONVERSION_FAILURE.failure(
                "Unsupported conversion from %s to %s in $convert with no onError value"
                        .formatted(TypeNames.of(value), type.alias()));
    }

    private static OrreryException overflow(Value value, BsonType type) {
        return MongoCode.CONVERSION_FAILURE.failure(
                "Conversion would overflow target type in $convert with no onError value: "
                        + ValueText.of(value)
                        + " to "
                        + type.alias());
    }

    private static OrreryException unreadable(String text, String what) {
        return MongoCode.CONVERSION_FAILURE.failure(
                "Failed to parse %s '%s' in $convert with no onError value".formatted(what, text));
    }

    private static Value integer(Value value, BsonType type, long least, long greatest) {
        long number =
                switch (value) {
                    case Value.Bool(boolean truth) -> truth ? 1 : 0;
                    case BsonValue.DateTime(long millis) when type == BsonType.LONG -> millis;
                    case Value.Text(String text) -> parsed(text);
                    case Value.Int _, Value.Real _, BsonValue.Int64 _, BsonValue.Decimal _ ->
                            MongoNumbers.truncated(value).orElseThrow(() -> overflow(value, type));
                    default -> throw unsupported(value, type);
                };
        if (number < least || number > greatest) {
            throw overflow(value, type);
        }
        return type == BsonType.INT ? Value.of(number) : Numbers.int64(number);
    }

    private static long parsed(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notOne) {
            throw unreadable(text, "number");
        }
    }

    private static Value toDouble(Value value) {
        return switch (value) {
            case Value.Bool(boolean truth) -> new Value.Real(truth ? 1 : 0);
            case BsonValue.DateTime(long millis) -> new Value.Real(millis);
            case Value.Text(String text) -> new Value.Real(parsedDouble(text));
            case Value.Int _, BsonValue.Int64 _, BsonValue.Decimal _ -> {
                double number = Numbers.toDouble(value);
                boolean wasFinite =
                        !(value instanceof BsonValue.Decimal decimal) || decimal.isFinite();
                if (wasFinite && Double.isInfinite(number)) {
                    throw overflow(value, BsonType.DOUBLE);
                }
                yield new Value.Real(number);
            }
            default -> throw unsupported(value, BsonType.DOUBLE);
        };
    }

    /** Java reads more than the server does: blanks, hexadecimal digits and suffixes. */
    private static double parsedDouble(String text) {
        String plain = text.toLowerCase(Locale.ROOT);
        switch (plain) {
            case "nan" -> {
                return Double.NaN;
            }
            case "inf", "+inf", "infinity", "+infinity" -> {
                return Double.POSITIVE_INFINITY;
            }
            case "-inf", "-infinity" -> {
                return Double.NEGATIVE_INFINITY;
            }
            default -> {}
        }
        boolean isPlain = plain.chars().allMatch(each -> "0123456789+-.e".indexOf(each) >= 0);
        try {
            if (isPlain) {
                return Double.parseDouble(plain);
            }
        } catch (NumberFormatException notOne) {
            throw unreadable(text, "number");
        }
        throw unreadable(text, "number");
    }

    private static Value toDecimal(Value value) {
        return switch (value) {
            case Value.Bool(boolean truth) -> Decimals.of(truth ? BigDecimal.ONE : BigDecimal.ZERO);
            case BsonValue.DateTime(long millis) -> Decimals.of(BigDecimal.valueOf(millis));
            case Value.Text(String text) ->
                    BsonValue.Decimal.parse(text).orElseThrow(() -> unreadable(text, "number"));
            case Value.Int _, Value.Real _, BsonValue.Int64 _ -> Numbers.toDecimal(value);
            default -> throw unsupported(value, BsonType.DECIMAL);
        };
    }

    /** The shortest text that is read as the same double. */
    static String text(double number) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "Infinity" : "-Infinity";
        }
        if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            return number == 0 && 1 / number < 0 ? "-0" : Long.toString((long) number);
        }
        BigDecimal exact = new BigDecimal(Double.toString(number));
        return Math.abs(number) < 1e-5 || Math.abs(number) >= 1e15
                ? scientific(exact)
                : exact.stripTrailingZeros().toPlainString();
    }

    private static String scientific(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        int exponent = stripped.precision() - stripped.scale() - 1;
        String digits =
                stripped.movePointLeft(exponent)
                        .setScale(Math.max(0, stripped.precision() - 1), RoundingMode.HALF_EVEN)
                        .toPlainString();
        return digits
                + "e"
                + (exponent < 0 ? "-" : "+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }

    private static String toText(Value value) {
        return switch (value) {
            case Value.Bool(boolean truth) -> Boolean.toString(truth);
            case Value.Int(long number) -> Long.toString(number);
            case BsonValue.Int64(long number) -> Long.toString(number);
            case Value.Real(double number) -> text(number);
            case BsonValue.Decimal decimal -> decimal.toString();
            case BsonValue.ObjectId(Bytes id) -> ValueText.hex(id);
            case BsonValue.DateTime(long millis) -> ValueText.iso(millis);
            case BsonValue.Symbol(String name) -> name;
            default -> throw unsupported(value, BsonType.STRING);
        };
    }

    private static Value toDate(Value value) {
        return switch (value) {
            case Value.Int(long millis) when millis != (int) millis ->
                    new BsonValue.DateTime(millis);
            case BsonValue.Int64(long millis) -> new BsonValue.DateTime(millis);
            case Value.Real _, BsonValue.Decimal _ ->
                    new BsonValue.DateTime(
                            MongoNumbers.truncated(value)
                                    .orElseThrow(() -> overflow(value, BsonType.DATE)));
            case BsonValue.ObjectId(Bytes id) -> new BsonValue.DateTime(1000L * seconds(id));
            case BsonValue.Timestamp(int seconds, int _) ->
                    new BsonValue.DateTime(1000L * Integer.toUnsignedLong(seconds));
            case Value.Text(String text) ->
                    new BsonValue.DateTime(
                            DateTexts.parse(text).orElseThrow(() -> unreadable(text, "date")));
            default -> throw unsupported(value, BsonType.DATE);
        };
    }

    /** An ObjectId begins with the seconds since 1970. */
    static long seconds(Bytes id) {
        byte[] bytes = id.unsafeArray();
        return ((bytes[0] & 0xFFL) << 24)
                | ((bytes[1] & 0xFFL) << 16)
                | ((bytes[2] & 0xFFL) << 8)
                | (bytes[3] & 0xFFL);
    }

    private static Value toObjectId(Value value) {
        if (!(value instanceof Value.Text(String text))) {
            throw unsupported(value, BsonType.OBJECT_ID);
        }
        boolean isHex =
                text.length() == 2 * BsonValue.ObjectId.LENGTH
                        && text.chars().allMatch(HexFormat::isHexDigit);
        if (!isHex) {
            throw unreadable(text, "objectId");
        }
        return new BsonValue.ObjectId(Bytes.wrap(HexFormat.of().parseHex(text)));
    }
}
