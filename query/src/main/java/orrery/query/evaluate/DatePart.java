package orrery.query.evaluate;

import java.time.LocalDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A part of a date, which is also a unit of time. */
enum DatePart {
    YEAR,
    MONTH,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    MILLISECOND,
    MICROSECOND,
    NANOSECOND;

    private static final Map<String, DatePart> BY_NAME =
            Map.ofEntries(
                    Map.entry("year", YEAR),
                    Map.entry("yyyy", YEAR),
                    Map.entry("yy", YEAR),
                    Map.entry("month", MONTH),
                    Map.entry("mm", MONTH),
                    Map.entry("m", MONTH),
                    Map.entry("day", DAY),
                    Map.entry("dd", DAY),
                    Map.entry("d", DAY),
                    Map.entry("hour", HOUR),
                    Map.entry("hh", HOUR),
                    Map.entry("minute", MINUTE),
                    Map.entry("mi", MINUTE),
                    Map.entry("n", MINUTE),
                    Map.entry("second", SECOND),
                    Map.entry("ss", SECOND),
                    Map.entry("s", SECOND),
                    Map.entry("millisecond", MILLISECOND),
                    Map.entry("ms", MILLISECOND),
                    Map.entry("microsecond", MICROSECOND),
                    Map.entry("mcs", MICROSECOND),
                    Map.entry("nanosecond", NANOSECOND),
                    Map.entry("ns", NANOSECOND));

    /** By a name of any case. */
    static Optional<DatePart> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name.toLowerCase(Locale.ROOT)));
    }

    /** Returns the number of months in the unit; zero for units that are not made of months. */
    int months() {
        return switch (this) {
            case YEAR -> 12;
            case MONTH -> 1;
            default -> 0;
        };
    }

    /** Returns the length of the unit; only for units from day down to microsecond. */
    long ticks() {
        return switch (this) {
            case DAY -> Ticks.PER_DAY;
            case HOUR -> Ticks.PER_HOUR;
            case MINUTE -> Ticks.PER_MINUTE;
            case SECOND -> Ticks.PER_SECOND;
            case MILLISECOND -> Ticks.PER_MILLISECOND;
            case MICROSECOND -> Ticks.PER_MICROSECOND;
            case YEAR, MONTH, NANOSECOND ->
                    throw new IllegalStateException("no number of ticks: " + this);
        };
    }

    /** Returns this part of a point in time; fractions count from the last full second. */
    long of(long ticks) {
        LocalDateTime time = Ticks.toDateTime(ticks);
        return switch (this) {
            case YEAR -> time.getYear();
            case MONTH -> time.getMonthValue();
            case DAY -> time.getDayOfMonth();
            case HOUR -> time.getHour();
            case MINUTE -> time.getMinute();
            case SECOND -> time.getSecond();
            case MILLISECOND -> time.getNano() / 1_000_000;
            case MICROSECOND -> time.getNano() / 1_000;
            case NANOSECOND -> time.getNano();
        };
    }
}
