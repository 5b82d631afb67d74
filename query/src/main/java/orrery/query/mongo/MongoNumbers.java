package orrery.query.mongo;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.OptionalLong;
import orrery.document.BsonValue;
import orrery.document.Value;

/** Numbers of any width as 64-bit integers. */
public final class MongoNumbers {
    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger GREATEST = BigInteger.valueOf(Long.MAX_VALUE);

    /** No decimal with more digits before its point is a 64-bit integer. */
    private static final int MAX_DIGITS = 20;

    private MongoNumbers() {}

    /** Returns the integer that is left without the fraction; empty if 64 bits cannot hold it. */
    public static OptionalLong truncated(Value number) {
        return switch (number) {
            case Value.Int(long value) -> OptionalLong.of(value);
            case BsonValue.Int64(long value) -> OptionalLong.of(value);
            case Value.Real(double value) ->
                    value >= -0x1p63 && value < 0x1p63
                            ? OptionalLong.of((long) value)
                            : OptionalLong.empty();
            case BsonValue.Decimal decimal when decimal.isFinite() ->
                    truncated(decimal.toBigDecimal());
            default -> OptionalLong.empty();
        };
    }

    private static OptionalLong truncated(BigDecimal number) {
        if (number.precision() - number.scale() > MAX_DIGITS) {
            return OptionalLong.empty();
        }
        BigInteger whole = number.setScale(0, RoundingMode.DOWN).unscaledValue();
        return whole.compareTo(LEAST) >= 0 && whole.compareTo(GREATEST) <= 0
                ? OptionalLong.of(whole.longValue())
                : OptionalLong.empty();
    }

    /** Returns the integer that a number is; empty if it is none that 64 bits hold. */
    public static OptionalLong whole(Value number) {
        OptionalLong truncated = truncated(number);
        return truncated.isPresent()
                        && MongoOrder.compareNumbers(number, Value.of(truncated.getAsLong())) == 0
                ? truncated
                : OptionalLong.empty();
    }
}
