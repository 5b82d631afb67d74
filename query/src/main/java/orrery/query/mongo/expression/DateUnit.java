package orrery.query.mongo.expression;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;

/** The units in which dates are added, compared and cut. */
enum DateUnit {
    YEAR(ChronoUnit.YEARS, 1),
    QUARTER(ChronoUnit.MONTHS, 3),
    MONTH(ChronoUnit.MONTHS, 1),
    WEEK(ChronoUnit.WEEKS, 1),
    DAY(ChronoUnit.DAYS, 1),
    HOUR(ChronoUnit.HOURS, 1),
    MINUTE(ChronoUnit.MINUTES, 1),
    SECOND(ChronoUnit.SECONDS, 1),
    MILLISECOND(ChronoUnit.MILLIS, 1);

    /** Intervals of several units are counted from here. */
    private static final LocalDate ORIGIN = LocalDate.of(2000, 1, 1);

    private final ChronoUnit unit;
    private final int factor;

    DateUnit(ChronoUnit unit, int factor) {
        this.unit = unit;
        this.factor = factor;
    }

    static DateUnit of(String operator, Value value) {
        if (value instanceof Value.Text(String name)) {
            for (DateUnit each : values()) {
                if (each.name().toLowerCase(Locale.ROOT).equals(name)) {
                    return each;
                }
            }
            throw MongoCode.FAILED_TO_PARSE.failure("unknown time unit value: " + name);
        }
        throw MongoCode.failure(
                5439013,
                operator + " requires 'unit' to be a string, but got " + TypeNames.of(value));
    }

    ZonedDateTime add(ZonedDateTime date, long amount) {
        return date.plus(Math.multiplyExact(amount, factor), unit);
    }

    /** The number of borders of units between two moments. */
    long between(ZonedDateTime from, ZonedDateTime to, DayOfWeek weekStart) {
        return switch (this) {
            case YEAR -> (long) to.getYear() - from.getYear();
            case QUARTER -> Math.floorDiv(months(to), 3L) - Math.floorDiv(months(from), 3L);
            case MONTH -> months(to) - months(from);
            case WEEK ->
                    ChronoUnit.WEEKS.between(
                            weekStart(from.toLocalDate(), weekStart),
                            weekStart(to.toLocalDate(), weekStart));
            case DAY -> to.toLocalDate().toEpochDay() - from.toLocalDate().toEpochDay();
            case HOUR, MINUTE, SECOND, MILLISECOND ->
                    Math.floorDiv(localMillis(to), millis())
                            - Math.floorDiv(localMillis(from), millis());
        };
    }

    private static LocalDate weekStart(LocalDate day, DayOfWeek start) {
        return day.with(TemporalAdjusters.previousOrSame(start));
    }

    private static long months(ZonedDateTime date) {
        return 12L * date.getYear() + date.getMonthValue() - 1;
    }

    private long millis() {
        return unit.getDuration().toMillis();
    }

    private static long localMillis(ZonedDateTime date) {
        return date.toInstant().toEpochMilli() + 1000L * date.getOffset().getTotalSeconds();
    }

    /** The beginning of the interval of some units that holds a moment. */
    ZonedDateTime cut(ZonedDateTime date, long size, DayOfWeek weekStart) {
        ZoneId zone = date.getZone();
        LocalDate day = date.toLocalDate();
        return switch (this) {
            case YEAR, QUARTER, MONTH -> {
                long months = Math.multiplyExact(size, this == YEAR ? 12L : (long) factor);
                long since = months(date) - 12L * ORIGIN.getYear();
                yield ORIGIN.plusMonths(Math.floorDiv(since, months) * months).atStartOfDay(zone);
            }
            case WEEK, DAY -> {
                LocalDate origin =
                        this == DAY ? ORIGIN : ORIGIN.with(TemporalAdjusters.nextOrSame(weekStart));
                long days = Math.multiplyExact(size, this == DAY ? 1L : 7L);
                long since = ChronoUnit.DAYS.between(origin, day);
                yield origin.plusDays(Math.floorDiv(since, days) * days).atStartOfDay(zone);
            }
            case HOUR, MINUTE, SECOND, MILLISECOND -> {
                long origin = localMillis(ORIGIN.atStartOfDay(zone));
                long length = Math.multiplyExact(size, millis());
                long since = localMillis(date) - origin;
                yield date.plus(Math.floorDiv(since, length) * length - since, ChronoUnit.MILLIS);
            }
        };
    }
}
