package orrery.document;

import java.math.BigDecimal;

/**
 * Adds numbers of BSON. The sum has the wider type of both: int32, int64, double, decimal. Integers
 * grow to 64 bits where they must; beyond those they add as doubles, as in JSON.
 */
final class BsonSums implements PatchSums {
    static final BsonSums INSTANCE = new BsonSums();

    private BsonSums() {}

    @Override
    public Value add(Value present, Value amount, String name) throws PatchFault {
        if (!isNumber(present)) {
            throw PatchSums.notNumber(name);
        }
        if (present instanceof BsonValue.Decimal || amount instanceof BsonValue.Decimal) {
            return decimal(present, amount, name);
        }
        boolean isReal = present instanceof Value.Real || amount instanceof Value.Real;
        if (!isReal) {
            long left = integer(present);
            long right = integer(amount);
            long total = left + right;
            boolean hasOverflowed = ((left ^ total) & (right ^ total)) < 0;
            boolean isWide = present instanceof BsonValue.Int64 || left != (int) left;
            if (!hasOverflowed) {
                return isWide ? BsonCodec.int64(total) : Value.of(total);
            }
        }
        return new Value.Real(PatchSums.finite(real(present) + real(amount), name));
    }

    static boolean isNumber(Value value) {
        return value.isNumber()
                || value instanceof BsonValue.Int64
                || value instanceof BsonValue.Decimal;
    }

    private static Value decimal(Value present, Value amount, String name) throws PatchFault {
        BsonValue.Decimal total =
                BsonValue.Decimal.nearest(exact(present, name).add(exact(amount, name)));
        if (!total.isFinite()) {
            throw new PatchFault("the sum at '" + name + "' is beyond the range of a decimal");
        }
        return total;
    }

    private static BigDecimal exact(Value number, String name) throws PatchFault {
        if (number instanceof BsonValue.Decimal decimal && decimal.isFinite()) {
            return decimal.toBigDecimal();
        }
        if (number instanceof BsonValue.Decimal) {
            throw new PatchFault("'" + name + "' is not a finite number");
        }
        if (number instanceof Value.Real(double real)) {
            return new BigDecimal(PatchSums.finite(real, name));
        }
        return BigDecimal.valueOf(integer(number));
    }

    private static double real(Value number) {
        return number instanceof Value.Real(double real) ? real : integer(number);
    }

    private static long integer(Value number) {
        return number instanceof BsonValue.Int64(long narrow)
                ? narrow
                : ((Value.Int) number).value();
    }
}
