package orrery.query.evaluate;

import java.time.LocalDateTime;

/**
 * The custom formats of DATETIMEFORMAT, which are those of .NET as far as they are numbers: {@code
 * yyyy MM dd HH mm ss fff FFF}. A backslash takes the next character as it is; so is any character
 * that means nothing.
 */
final class DateFormat {
    private static final int FRACTION_DIGITS = 7;

    private DateFormat() {}

    static String format(long ticks, String format) {
        LocalDateTime time = Ticks.toDateTime(ticks);
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < format.length()) {
            char c = format.charAt(at);
            if (c == '\\' && at + 1 < format.length()) {
                text.append(format.charAt(at + 1));
                at += 2;
                continue;
            }
            int end = at + 1;
            while (end < format.length() && format.charAt(end) == c) {
                end++;
            }
            append(text, ticks, time, c, end - at);
            at = end;
        }
        return text.toString();
    }

    private static void append(
            StringBuilder text, long ticks, LocalDateTime time, char specifier, int count) {
        switch (specifier) {
            case 'y' ->
                    Ticks.append(text, count <= 2 ? time.getYear() % 100 : time.getYear(), count);
            case 'M' -> Ticks.append(text, time.getMonthValue(), Math.min(count, 2));
            case 'd' -> Ticks.append(text, time.getDayOfMonth(), Math.min(count, 2));
            case 'H' -> Ticks.append(text, time.getHour(), Math.min(count, 2));
            case 'h' -> Ticks.append(text, (time.getHour() + 11) % 12 + 1, Math.min(count, 2));
            case 'm' -> Ticks.append(text, time.getMinute(), Math.min(count, 2));
            case 's' -> Ticks.append(text, time.getSecond(), Math.min(count, 2));
            case 'f' -> text.append(fraction(ticks, count));
            case 'F' -> appendShort(text, fraction(ticks, count));
            default -> text.repeat(specifier, count);
        }
    }

    private static String fraction(long ticks, int count) {
        StringBuilder digits = new StringBuilder();
        int fraction = (int) Math.floorMod(ticks, Ticks.PER_SECOND);
        Ticks.append(digits, fraction, FRACTION_DIGITS);
        return digits.substring(0, Math.min(count, FRACTION_DIGITS));
    }

    /** Leaves out zeros at the end. The point before them stays, other than with .NET. */
    private static void appendShort(StringBuilder text, String fraction) {
        int end = fraction.length();
        while (end > 0 && fraction.charAt(end - 1) == '0') {
            end--;
        }
        text.append(fraction, 0, end);
    }
}
