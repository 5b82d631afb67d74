package orrery.query.evaluate;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.OptionalLong;

/**
 * Points in time as the service counts them: units of 100 ns since 1970, in UTC, in the years 1 to
 * 9999. The text form always has seven digits after the second.
 */
final class Ticks {
    static final long PER_MICROSECOND = 10;
    static final long PER_MILLISECOND = 10_000;
    static final long PER_SECOND = 10_000_000;
    static final long PER_MINUTE = 60 * PER_SECOND;
    static final long PER_HOUR = 60 * PER_MINUTE;
    static final long PER_DAY = 24 * PER_HOUR;

    private static final long MIN = LocalDate.of(1, 1, 1).toEpochDay() * PER_DAY;
    private static final long MAX = (LocalDate.of(9999, 12, 31).toEpochDay() + 1) * PER_DAY - 1;

    private static final int DATE_LENGTH = 10;
    private static final int TIME_LENGTH = 19;
    private static final int FRACTION_DIGITS = 7;

    private Ticks() {}

    /** The point in time, if there is one in range. */
    static OptionalLong inRange(long ticks) {
        return ticks >= MIN && ticks <= MAX ? OptionalLong.of(ticks) : OptionalLong.empty();
    }

    static long of(Instant instant) {
        return instant.getEpochSecond() * PER_SECOND + instant.getNano() / 100;
    }

    static LocalDateTime toDateTime(long ticks) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(ticks, PER_SECOND),
                (int) Math.floorMod(ticks, PER_SECOND) * 100,
                ZoneOffset.UTC);
    }

    static OptionalLong of(LocalDateTime time) {
        return time.getYear() < 1 || time.getYear() > 9999
                ? OptionalLong.empty()
                : OptionalLong.of(of(time.toInstant(ZoneOffset.UTC)));
    }

    /** A day that exists, and a time of day; empty otherwise. */
    static OptionalLong of(
            long year, long month, long day, long hour, long minute, long second, long fraction) {
        boolean isValid =
                isBetween(year, 1, 9999)
                        && isBetween(month, 1, 12)
                        && isBetween(day, 1, 31)
                        && isBetween(hour, 0, 23)
                        && isBetween(minute, 0, 59)
                        && isBetween(second, 0, 59)
                        && isBetween(fraction, 0, PER_SECOND - 1);
        if (!isValid) {
            return OptionalLong.empty();
        }
        LocalDate firstOfMonth = LocalDate.of((int) year, (int) month, 1);
        return day > firstOfMonth.lengthOfMonth()
                ? OptionalLong.empty()
                : OptionalLong.of(
                        (firstOfMonth.toEpochDay() + day - 1) * PER_DAY
                                + hour * PER_HOUR
                                + minute * PER_MINUTE
                                + second * PER_SECOND
                                + fraction);
    }

    private static boolean isBetween(long value, long min, long max) {
        return value >= min && value <= max;
    }

    /**
     * Reads {@code 2020-01-31}, or that with {@code T} or a space and {@code 23:59:59} and up to
     * seven more digits; a {@code Z} may follow. Empty for any other text.
     */
    static OptionalLong parse(String text) {
        int length = text.endsWith("Z") ? text.length() - 1 : text.length();
        if (length < DATE_LENGTH || !hasForm(text, 0, "0000-00-00")) {
            return OptionalLong.empty();
        }
        int year = number(text, 0, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, DATE_LENGTH);
        if (length == DATE_LENGTH) {
            return of(year, month, day, 0, 0, 0, 0);
        }
        boolean hasTime =
                length >= TIME_LENGTH
                        && (text.charAt(DATE_LENGTH) == 'T' || text.charAt(DATE_LENGTH) == ' ')
                        && hasForm(text, DATE_LENGTH + 1, "00:00:00");
        int digits = length - TIME_LENGTH - 1;
        boolean hasFraction =
                digits >= 1
                        && digits <= FRACTION_DIGITS
                        && hasForm(text, TIME_LENGTH, ".0000000".substring(0, digits + 1));
        if (!hasTime || (length > TIME_LENGTH && !hasFraction)) {
            return OptionalLong.empty();
        }
        long fraction = hasFraction ? number(text, TIME_LENGTH + 1, length) : 0;
        for (int i = hasFraction ? digits : FRACTION_DIGITS; i < FRACTION_DIGITS; i++) {
            fraction *= 10;
        }
        return of(
                year,
                month,
                day,
                number(text, 11, 13),
                number(text, 14, 16),
                number(text, 17, TIME_LENGTH),
                fraction);
    }

    /** Returns true if the text has a digit for each 0 of a form, and else the same characters. */
    private static boolean hasForm(String text, int from, String form) {
        for (int i = 0; i < form.length(); i++) {
            char c = text.charAt(from + i);
            char wanted = form.charAt(i);
            if (wanted == '0' ? c < '0' || c > '9' : c != wanted) {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            number = number * 10 + text.charAt(i) - '0';
        }
        return number;
    }

    static String format(long ticks) {
        LocalDateTime time = toDateTime(ticks);
        StringBuilder text = new StringBuilder(28);
        append(text, time.getYear(), 4).append('-');
        append(text, time.getMonthValue(), 2).append('-');
        append(text, time.getDayOfMonth(), 2).append('T');
        append(text, time.getHour(), 2).append(':');
        append(text, time.getMinute(), 2).append(':');
        append(text, time.getSecond(), 2).append('.');
        return append(text, time.getNano() / 100, FRACTION_DIGITS).append('Z').toString();
    }

    /** Writes leading zeros. */
    static StringBuilder append(StringBuilder text, int number, int digits) {
        String plain = Integer.toString(number);
        return text.repeat('0', Math.max(0, digits - plain.length())).append(plain);
    }
}
