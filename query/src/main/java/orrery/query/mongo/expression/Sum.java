package orrery.query.mongo.expression;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import orrery.document.BsonValue;
import orrery.document.Value;

/**
 * Adds up numbers of all widths, each width by itself, so that the order in which they come and the
 * pieces in which they are added change nothing. Integers and decimals are exact, doubles carry the
 * part that rounding takes from them. Used by one thread.
 */
public final class Sum {
    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger GREATEST = BigInteger.valueOf(Long.MAX_VALUE);

    private Numbers.Width width = Numbers.Width.INT;
    private long whole;

    /** What did not fit into 64 bits any more. */
    private BigInteger carried = BigInteger.ZERO;

    private double real;
    private double rest;

    /** The sum without the rest, which tells infinities from each other where that is no number. */
    private double plain;

    private BsonValue.Decimal decimal = Decimals.ZERO;

    /** Adds a number. */
    public void add(Value number) {
        width = width.or(Numbers.width(number));
        switch (number) {
            case Value.Real(double value) -> addReal(value);
            case BsonValue.Decimal value -> decimal = Decimals.add(decimal, value);
            default -> addWhole(Numbers.toLong(number));
        }
    }

    private void addWhole(long value) {
        long sum = whole + value;
        if (((whole ^ sum) & (value ^ sum)) < 0) {
            carried = carried.add(BigInteger.valueOf(whole));
            whole = value;
        } else {
            whole = sum;
        }
    }

    private void addReal(double value) {
        double sum = real + value;
        double part = sum - real;
        rest += (real - (sum - part)) + (value - part);
        real = sum;
        plain += value;
    }

    private BigInteger integer() {
        return carried.add(BigInteger.valueOf(whole));
    }

    private boolean isFinite() {
        return Double.isFinite(real) && Double.isFinite(rest);
    }

    /** Returns the sum in the widest of the widths, or as a double if integers have no room. */
    public Value result() {
        return switch (width) {
            case INT, LONG -> {
                BigInteger total = integer();
                yield total.compareTo(LEAST) >= 0 && total.compareTo(GREATEST) <= 0
                        ? Numbers.integer(total.longValue(), width)
                        : new Value.Real(total.doubleValue());
            }
            case DOUBLE -> new Value.Real(toDouble());
            case DECIMAL -> toDecimal();
        };
    }

    /** Returns the mean of so many numbers. */
    public Value over(long count) {
        return width == Numbers.Width.DECIMAL
                ? Decimals.divide(toDecimal(), Numbers.toDecimal(Value.of(count)))
                : new Value.Real(toDouble() / count);
    }

    private double toDouble() {
        if (!isFinite()) {
            return plain;
        }
        BigInteger integer = integer();
        return integer.signum() == 0 && rest == 0
                ? real
                : new BigDecimal(real)
                        .add(new BigDecimal(rest))
                        .add(new BigDecimal(integer))
                        .doubleValue();
    }

    private BsonValue.Decimal toDecimal() {
        BsonValue.Decimal others =
                isFinite()
                        ? Decimals.of(
                                new BigDecimal(real)
                                        .add(new BigDecimal(rest))
                                        .add(new BigDecimal(integer())))
                        : Decimals.of(plain);
        return Decimals.add(decimal, others);
    }

    /** Writes the sum down, so that it can be added to another. */
    public Value.Obj state() {
        Map<String, Value> state = new LinkedHashMap<>();
        state.put("w", Value.of(width.ordinal()));
        state.put("i", Numbers.int64(whole));
        if (carried.signum() != 0) {
            state.put("c", Value.of(carried.toString()));
        }
        if (width.compareTo(Numbers.Width.DOUBLE) >= 0) {
            state.put("d", new Value.Real(real));
            state.put("r", new Value.Real(rest));
            state.put("p", new Value.Real(plain));
        }
        if (width == Numbers.Width.DECIMAL) {
            state.put("n", decimal);
        }
        return new Value.Obj(state);
    }

    /**
     * Adds the state of another sum.
     *
     * @throws RuntimeException for what is no state
     */
    public void merge(Map<String, Value> state) {
        Numbers.Width other =
                Numbers.Width.values()[(int) Numbers.toLong(state.getOrDefault("w", NONE))];
        width = width.or(other);
        addWhole(Numbers.toLong(state.getOrDefault("i", NONE)));
        if (state.get("c") instanceof Value.Text(String more)) {
            carried = carried.add(new BigInteger(more));
        }
        if (other.compareTo(Numbers.Width.DOUBLE) >= 0) {
            double total = plain + Numbers.toDouble(state.getOrDefault("p", NONE));
            addReal(Numbers.toDouble(state.getOrDefault("d", NONE)));
            rest += Numbers.toDouble(state.getOrDefault("r", NONE));
            plain = total;
        }
        if (state.get("n") instanceof BsonValue.Decimal more) {
            decimal = Decimals.add(decimal, more);
        }
    }

    private static final Value NONE = Value.of(0);
}
