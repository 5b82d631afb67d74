package orrery.query.evaluate;

import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.Value;
import orrery.query.syntax.BuiltIn;

/** Functions on dates and times. What is no date, no part or out of range gives undefined. */
final class DateFunctions {
    private static final Value UNDEFINED = Value.Undefined.UNDEFINED;
    private static final long NANOS_PER_TICK = 100;

    /** Binning cannot start earlier; the service's documented limit. */
    private static final long MIN_ORIGIN = Ticks.parse("1601-01-01").orElseThrow();

    private DateFunctions() {}

    /**
     * @param now in ticks; for the STATIC functions the beginning of the query
     */
    static Value apply(BuiltIn function, List<Value> arguments, long now) {
        return switch (function) {
            case GETCURRENTDATETIME, GETCURRENTDATETIMESTATIC -> Value.of(Ticks.format(now));
            case GETCURRENTTICKS, GETCURRENTTICKSSTATIC -> Value.of(now);
            case GETCURRENTTIMESTAMP, GETCURRENTTIMESTAMPSTATIC ->
                    Value.of(Math.floorDiv(now, Ticks.PER_MILLISECOND));
            case NOW -> now(arguments, now);
            case AGO -> add(arguments.get(0), arguments.get(1), OptionalLong.of(now), -1);
            case DATETIMEADD -> add(arguments.get(0), arguments.get(1), date(arguments.get(2)), 1);
            case DATETIMEBIN -> bin(arguments);
            case DATETIMEDIFF -> difference(arguments);
            case DATETIMEFORMAT -> format(arguments);
            case DATETIMEFROMPARTS -> fromParts(arguments);
            case DATETIMEPART -> part(arguments.get(0), arguments.get(1));
            case YEAR, MONTH, DAY -> part(Value.of(function.name()), arguments.getFirst());
            case DATETIMETOTICKS -> {
                OptionalLong ticks = date(arguments.getFirst());
                yield ticks.isPresent() ? Value.of(ticks.getAsLong()) : UNDEFINED;
            }
            case DATETIMETOTIMESTAMP -> {
                OptionalLong ticks = date(arguments.getFirst());
                yield ticks.isPresent()
                        ? Value.of(Math.floorDiv(ticks.getAsLong(), Ticks.PER_MILLISECOND))
                        : UNDEFINED;
            }
            case TICKSTODATETIME -> fromNumber(arguments.getFirst(), 1);
            case TIMESTAMPTODATETIME -> fromNumber(arguments.getFirst(), Ticks.PER_MILLISECOND);
            default -> throw new IllegalStateException("no function on dates: " + function);
        };
    }

    private static OptionalLong date(Value value) {
        return value instanceof Value.Text(String text) ? Ticks.parse(text) : OptionalLong.empty();
    }

    private static Optional<DatePart> datePart(Value value) {
        return value instanceof Value.Text(String name) ? DatePart.find(name) : Optional.empty();
    }

    private static Value text(OptionalLong ticks) {
        return ticks.isPresent() ? Value.of(Ticks.format(ticks.getAsLong())) : UNDEFINED;
    }

    private static Value now(List<Value> arguments, long now) {
        return switch (arguments.size()) {
            case 0 -> Value.of(Ticks.format(now));
            case 2 -> add(arguments.get(0), arguments.get(1), OptionalLong.of(now), 1);
            // A part without a number of them.
            default -> UNDEFINED;
        };
    }

    private static Value fromNumber(Value number, long unit) {
        return number instanceof Value.Int(long count)
                        && Math.abs((double) count * unit) < Long.MAX_VALUE
                ? text(Ticks.inRange(count * unit))
                : UNDEFINED;
    }

    private static Value part(Value part, Value date) {
        OptionalLong ticks = date(date);
        Optional<DatePart> wanted = datePart(part);
        return ticks.isPresent() && wanted.isPresent()
                ? Value.of(wanted.get().of(ticks.getAsLong()))
                : UNDEFINED;
    }

    // ---- Adding and counting -------------------------------------------------------------------

    private static Value add(Value part, Value number, OptionalLong date, int sign) {
        Optional<DatePart> unit = datePart(part);
        if (unit.isEmpty()
                || date.isEmpty()
                || !(number instanceof Value.Int(long count))
                || count == Long.MIN_VALUE) {
            return UNDEFINED;
        }
        return text(add(unit.get(), sign * count, date.getAsLong()));
    }

    /** A month later is the same day, or the last of a month that has no such day. */
    private static OptionalLong add(DatePart unit, long count, long ticks) {
        if (unit == DatePart.NANOSECOND) {
            return Ticks.inRange(ticks + count / NANOS_PER_TICK);
        }
        // No unit fits more often than this between the years 1 and 9999.
        if (Math.abs((double) count) > 1e18 / (unit.months() > 0 ? 1e12 : unit.ticks())) {
            return OptionalLong.empty();
        }
        return unit.months() > 0
                ? Ticks.of(Ticks.toDateTime(ticks).plusMonths(count * unit.months()))
                : Ticks.inRange(ticks + count * unit.ticks());
    }

    /** Counts how often the unit changed on the way, not how much of it went by. */
    private static Value difference(List<Value> arguments) {
        Optional<DatePart> unit = datePart(arguments.get(0));
        OptionalLong start = date(arguments.get(1));
        OptionalLong end = date(arguments.get(2));
        if (unit.isEmpty() || start.isEmpty() || end.isEmpty()) {
            return UNDEFINED;
        }
        long from = start.getAsLong();
        long to = end.getAsLong();
        return switch (unit.get()) {
            case YEAR -> Value.of(DatePart.YEAR.of(to) - DatePart.YEAR.of(from));
            case MONTH -> Value.of(monthNumber(to) - monthNumber(from));
            // Nine thousand years have more nanoseconds than 64 bits count.
            case NANOSECOND -> {
                long ticks = to - from;
                yield Math.abs(ticks) <= Long.MAX_VALUE / NANOS_PER_TICK
                        ? Value.of(ticks * NANOS_PER_TICK)
                        : Value.of((double) ticks * NANOS_PER_TICK);
            }
            case DAY, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND -> {
                long length = unit.get().ticks();
                yield Value.of(Math.floorDiv(to, length) - Math.floorDiv(from, length));
            }
        };
    }

    private static long monthNumber(long ticks) {
        LocalDateTime time = Ticks.toDateTime(ticks);
        return time.getYear() * 12L + time.getMonthValue() - 1;
    }

    // ---- Binning -------------------------------------------------------------------------------

    private static Value bin(List<Value> arguments) {
        OptionalLong date = date(arguments.get(0));
        Optional<DatePart> unit = datePart(arguments.get(1));
        Value size = arguments.size() > 2 ? arguments.get(2) : Value.of(1);
        OptionalLong origin = arguments.size() > 3 ? date(arguments.get(3)) : OptionalLong.of(0);
        if (date.isEmpty()
                || unit.isEmpty()
                || origin.isEmpty()
                || origin.getAsLong() < MIN_ORIGIN
                || !(size instanceof Value.Int(long count))
                || count <= 0) {
            return UNDEFINED;
        }
        return text(bin(date.getAsLong(), unit.get(), count, origin.getAsLong()));
    }

    /** The last point at or before the date that is a multiple of the unit from the origin. */
    private static OptionalLong bin(long ticks, DatePart unit, long count, long origin) {
        if (unit.months() > 0) {
            LocalDateTime start = Ticks.toDateTime(origin);
            long months = monthNumber(ticks) - monthNumber(origin);
            if (start.plusMonths(months).isAfter(Ticks.toDateTime(ticks))) {
                months--;
            }
            // No date is more than 120,000 months from another: a longer bin has them all.
            long length = Math.min(count, 120_000) * unit.months();
            return Ticks.of(start.plusMonths(Math.floorDiv(months, length) * length));
        }
        long distance = ticks - origin;
        if (unit == DatePart.NANOSECOND) {
            return Ticks.inRange(origin + binNanos(distance, count));
        }
        double length = (double) count * unit.ticks();
        return length > 0x1p62
                ? Ticks.inRange(distance < 0 ? Long.MIN_VALUE : origin)
                : Ticks.inRange(
                        origin
                                + Math.floorDiv(distance, count * unit.ticks())
                                        * count
                                        * unit.ticks());
    }

    /** In ticks: the last one at or before the multiple. */
    private static long binNanos(long distance, long count) {
        BigInteger nanos =
                BigInteger.valueOf(distance).multiply(BigInteger.valueOf(NANOS_PER_TICK));
        BigInteger bin = nanos.subtract(nanos.mod(BigInteger.valueOf(count)));
        return bin.subtract(bin.mod(BigInteger.valueOf(NANOS_PER_TICK)))
                .divide(BigInteger.valueOf(NANOS_PER_TICK))
                .longValueExact();
    }

    // ---- Making and writing --------------------------------------------------------------------

    private static Value fromParts(List<Value> arguments) {
        long[] parts = new long[7];
        for (int i = 0; i < arguments.size(); i++) {
            if (!(arguments.get(i) instanceof Value.Int(long part))) {
                return UNDEFINED;
            }
            parts[i] = part;
        }
        return text(Ticks.of(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6]));
    }

    private static Value format(List<Value> arguments) {
        OptionalLong date = date(arguments.get(0));
        return date.isPresent() && arguments.get(1) instanceof Value.Text(String format)
                ? Value.of(DateFormat.format(date.getAsLong(), format))
                : UNDEFINED;
    }
}
