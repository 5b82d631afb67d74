package orrery.query.mongo.aggregate;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import orrery.document.Value;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Numbers;
import orrery.query.mongo.expression.TypeNames;

/** A series of numbers of which the bounds of {@code $bucketAuto} are to be members. */
sealed interface Granularity {
    /** The smallest member above a number. */
    double above(double number);

    /** The greatest member below a number. */
    double below(double number);

    /** Returns the series of a name. */
    static Granularity of(Value operand) {
        if (!(operand instanceof Value.Text(String name))) {
            throw MongoCode.failure(
                    40261,
                    "The $bucketAuto 'granularity' field must be a string, but found type: "
                            + BsonType.of(operand).alias());
        }
        if (name.equals("POWERSOF2")) {
            return new PowersOfTwo();
        }
        int[] members = Preferred.SERIES.get(name);
        if (members == null) {
            throw MongoCode.failure(40257, "Unknown rounding granularity '" + name + "'");
        }
        return new Preferred(IntStream.of(members).mapToObj(BigDecimal::valueOf).toList());
    }

    /** Throws if a value has no place in a series: there are no members below zero. */
    static void requirePlace(Value value) {
        if (!MongoOrder.isNumber(value)) {
            throw MongoCode.failure(
                    40258,
                    "$bucketAuto can specify a 'granularity' with numeric boundaries only, but"
                            + " found a value with type: "
                            + TypeNames.of(value));
        }
        if (MongoOrder.isNaN(value)) {
            throw MongoCode.failure(
                    40259,
                    "$bucketAuto can specify a 'granularity' with numeric boundaries only, but"
                            + " found a NaN");
        }
        if (Numbers.toDouble(value) < 0) {
            throw MongoCode.failure(
                    40260,
                    "$bucketAuto can specify a 'granularity' with non-negative numbers only, but"
                            + " found a negative number");
        }
    }

    default Value above(Value value) {
        return rounded(value, true);
    }

    default Value below(Value value) {
        return rounded(value, false);
    }

    /** Nothing is nearer to zero than zero, and what has no end has no next. */
    private Value rounded(Value value, boolean isUp) {
        double number = Numbers.toDouble(value);
        if (number == 0 || Double.isInfinite(number)) {
            return value;
        }
        return new Value.Real(isUp ? above(number) : below(number));
    }

    record PowersOfTwo() implements Granularity {
        @Override
        public double above(double number) {
            return Math.scalb(1.0, Math.getExponent(number) + 1);
        }

        @Override
        public double below(double number) {
            double power = Math.scalb(1.0, Math.getExponent(number));
            return power < number ? power : power / 2;
        }
    }

    /**
     * Members that come again for each power of ten.
     *
     * @param members of one power, in their order
     */
    record Preferred(List<BigDecimal> members) implements Granularity {
        /** The digits of the members, in the words of the standards they are from. */
        private static final Map<String, int[]> SERIES =
                Map.ofEntries(
                        Map.entry("R5", series(10, 16, 25, 40, 63)),
                        Map.entry("R10", series(100, 125, 160, 200, 250, 315, 400, 500, 630, 800)),
                        Map.entry(
                                "R20",
                                series(
                                        100, 112, 125, 140, 160, 180, 200, 224, 250, 280, 315, 355,
                                        400, 450, 500, 560, 630, 710, 800, 900)),
                        Map.entry(
                                "R40",
                                series(
                                        100, 106, 112, 118, 125, 132, 140, 150, 160, 170, 180, 190,
                                        200, 212, 224, 236, 250, 265, 280, 300, 315, 335, 355, 375,
                                        400, 425, 450, 475, 500, 530, 560, 600, 630, 670, 710, 750,
                                        800, 850, 900, 950)),
                        Map.entry(
                                "R80",
                                series(
                                        100, 103, 106, 109, 112, 115, 118, 122, 125, 128, 132, 136,
                                        140, 145, 150, 155, 160, 165, 170, 175, 180, 185, 190, 195,
                                        200, 206, 212, 218, 224, 230, 236, 243, 250, 258, 265, 272,
                                        280, 290, 300, 307, 315, 325, 335, 345, 355, 365, 375, 387,
                                        400, 412, 425, 437, 450, 462, 475, 487, 500, 515, 530, 545,
                                        560, 580, 600, 615, 630, 650, 670, 690, 710, 730, 750, 775,
                                        800, 825, 850, 875, 900, 925, 950, 975)),
                        Map.entry("1-2-5", series(10, 20, 50)),
                        Map.entry("E6", series(10, 15, 22, 33, 47, 68)),
                        Map.entry("E12", series(10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)),
                        Map.entry(
                                "E24",
                                series(
                                        10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39,
                                        43, 47, 51, 56, 62, 68, 75, 82, 91)),
                        Map.entry("E48", divided(48)),
                        Map.entry("E96", divided(96)),
                        Map.entry("E192", divided(192)));

        private static int[] series(int... members) {
            return members;
        }

        /** Steps of equal ratio, rounded to three digits; the standard has one by itself. */
        private static int[] divided(int steps) {
            return IntStream.range(0, steps)
                    .map(i -> (int) Math.round(100 * Math.pow(10, (double) i / steps)))
                    .map(member -> member == 919 ? 920 : member)
                    .toArray();
        }

        @Override
        public double above(double number) {
            for (int power = power(number) - 1; ; power++) {
                for (BigDecimal member : members) {
                    double scaled = member.scaleByPowerOfTen(power).doubleValue();
                    if (scaled > number) {
                        return scaled;
                    }
                }
            }
        }

        @Override
        public double below(double number) {
            for (int power = power(number) + 1; ; power--) {
                for (BigDecimal member : members.reversed()) {
                    double scaled = member.scaleByPowerOfTen(power).doubleValue();
                    if (scaled < number) {
                        return scaled;
                    }
                }
            }
        }

        /** The power by which the first member is about as large as a number. */
        private int power(double number) {
            return (int) Math.floor(Math.log10(number)) - (members.getFirst().precision() - 1);
        }
    }
}
