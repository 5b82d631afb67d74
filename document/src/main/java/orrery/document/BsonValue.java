package orrery.document;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;
import org.bson.types.Decimal128;
import orrery.model.Bytes;

/**
 * A value of a kind that BSON has and JSON lacks. SQL sees such a value in its JSON form, see
 * {@link JsonForm}. Numbers of BSON are kept so that they can be written back as they were: an
 * int32 is an {@link Value.Int} in its range, a double is a {@link Value.Real} even where it is
 * integral, and an int64 that an int32 could hold is an {@link Int64}.
 */
public sealed interface BsonValue extends Value {
    /** Sorts below every other value. */
    enum MinKey implements BsonValue {
        MIN_KEY
    }

    /** Sorts above every other value. */
    enum MaxKey implements BsonValue {
        MAX_KEY
    }

    /** A property that is there and holds the deprecated value undefined. */
    enum Undef implements BsonValue {
        UNDEF
    }

    /** An integer stored in 64 bits although 32 would do. Larger ones are {@link Value.Int}. */
    record Int64(long value) implements BsonValue {}

    record Binary(int subtype, Bytes data) implements BsonValue {
        public Binary {
            if (subtype < 0 || subtype > 0xFF) {
                throw new IllegalArgumentException("the subtype of a binary is one byte");
            }
        }
    }

    record ObjectId(Bytes value) implements BsonValue {
        public static final int LENGTH = 12;

        public ObjectId {
            if (value.length() != LENGTH) {
                throw new IllegalArgumentException("an ObjectId has 12 bytes");
            }
        }
    }

    /** Milliseconds since 1970. */
    record DateTime(long millis) implements BsonValue {}

    /** Both parts are unsigned. */
    record Timestamp(int seconds, int increment) implements BsonValue {}

    record Regex(String pattern, String options) implements BsonValue {}

    record Code(String code) implements BsonValue {}

    record ScopedCode(String code, Value.Obj scope) implements BsonValue {}

    record Symbol(String name) implements BsonValue {}

    record Pointer(String namespace, ObjectId id) implements BsonValue {}

    /**
     * The 128 bits of a decimal as IEEE 754 lays them out with a binary significand. Records are
     * equal if the bits are: {@code 1.0} and {@code 1.00} are equal in order and not here.
     */
    record Decimal(long high, long low) implements BsonValue {
        private static final int DIGITS = 34;

        /** Rounds to 34 digits; what is out of range is infinite or zero. */
        public static Decimal nearest(BigDecimal number) {
            BigDecimal rounded = number.round(new MathContext(DIGITS));
            if (rounded.signum() == 0) {
                return of(new Decimal128(0));
            }
            int exponent = rounded.precision() - rounded.scale();
            if (exponent > 6145) {
                return of(
                        rounded.signum() > 0
                                ? Decimal128.POSITIVE_INFINITY
                                : Decimal128.NEGATIVE_INFINITY);
            }
            if (exponent < -6175) {
                return of(new Decimal128(0));
            }
            return of(
                    new Decimal128(
                            rounded.scale() > 6176
                                    ? rounded.setScale(6176, RoundingMode.HALF_EVEN)
                                    : rounded));
        }

        /** Empty if the text is not a decimal, or not one that 128 bits hold exactly. */
        public static Optional<Decimal> parse(String text) {
            try {
                return Optional.of(of(Decimal128.parse(text)));
            } catch (NumberFormatException notOne) {
                return Optional.empty();
            }
        }

        private static Decimal of(Decimal128 decimal) {
            return new Decimal(decimal.getHigh(), decimal.getLow());
        }

        private Decimal128 decimal() {
            return Decimal128.fromIEEE754BIDEncoding(high, low);
        }

        public boolean isNaN() {
            return decimal().isNaN();
        }

        public boolean isFinite() {
            return decimal().isFinite();
        }

        public boolean isNegative() {
            return decimal().isNegative();
        }

        /** The exact number; only for those that are finite. Zero loses its sign. */
        public BigDecimal toBigDecimal() {
            Decimal128 decimal = decimal();
            if (!decimal.isFinite()) {
                throw new IllegalStateException("not a finite number");
            }
            // The library refuses a negative zero, which BigDecimal does not know.
            return decimal.isNegative()
                    ? Decimal128.fromIEEE754BIDEncoding(high & Long.MAX_VALUE, low)
                            .bigDecimalValue()
                            .negate()
                    : decimal.bigDecimalValue();
        }

        /** All digits, also zeros at the end, as drivers print them. */
        @Override
        public String toString() {
            return decimal().toString();
        }
    }
}
