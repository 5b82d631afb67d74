package orrery.document;

import java.util.OptionalLong;

/**
 * The text of a moment from 1970 to 9999, as {@code 2026-11-17T04:30:00.125Z}. The thousandths are
 * left out where they are 0.
 */
final class IsoTime {
    private static final long FIRST_AFTER = 253_402_300_800_000L;
    private static final int DAY_MILLIS = 86_400_000;
    private static final String SHORT = "dddd-dd-ddTdd:dd:ddZ";
    private static final String LONG = "dddd-dd-ddTdd:dd:dd.dddZ";

    /** Days from 0000-03-01 to 1970-01-01; years are counted from March, so leap days come last. */
    private static final int EPOCH_DAYS = 719_468;

    private static final int ERA_DAYS = 146_097;

    private IsoTime() {}

    static boolean hasText(long millis) {
        return millis >= 0 && millis < FIRST_AFTER;
    }

    static String format(long millis) {
        if (!hasText(millis)) {
            throw new IllegalArgumentException("a moment outside the years 1970 to 9999");
        }
        int days = (int) (millis / DAY_MILLIS) + EPOCH_DAYS;
        int inDay = (int) (millis % DAY_MILLIS);
        int era = days / ERA_DAYS;
        int inEra = days % ERA_DAYS;
        int yearInEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365;
        int inYear = inEra - (365 * yearInEra + yearInEra / 4 - yearInEra / 100);
        int fromMarch = (5 * inYear + 2) / 153;
        int day = inYear - (153 * fromMarch + 2) / 5 + 1;
        int month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
        int year = era * 400 + yearInEra + (month <= 2 ? 1 : 0);
        StringBuilder out = new StringBuilder(LONG.length());
        digits(out, year, 4).append('-');
        digits(out, month, 2).append('-');
        digits(out, day, 2).append('T');
        digits(out, inDay / 3_600_000, 2).append(':');
        digits(out, inDay / 60_000 % 60, 2).append(':');
        digits(out, inDay / 1000 % 60, 2);
        if (inDay % 1000 != 0) {
            digits(out.append('.'), inDay % 1000, 3);
        }
        return out.append('Z').toString();
    }

    private static StringBuilder digits(StringBuilder out, int number, int count) {
        String text = Integer.toString(number);
        return out.append("0".repeat(count - text.length())).append(text);
    }

    /** Empty if the text is not such a moment. Drivers leave out zeros at the end of a fraction. */
    static OptionalLong parse(String given) {
        int missing = LONG.length() - given.length();
        boolean isShortened = missing > 0 && missing < 3 && given.endsWith("Z");
        String text =
                isShortened
                        ? given.substring(0, given.length() - 1) + "0".repeat(missing) + "Z"
                        : given;
        if (!matches(text, SHORT) && !matches(text, LONG)) {
            return OptionalLong.empty();
        }
        int year = number(text, 0, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, 10);
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, 19);
        int thousandths = text.length() == LONG.length() ? number(text, 20, 23) : 0;
        if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) {
            return OptionalLong.empty();
        }
        int marchYear = month <= 2 ? year - 1 : year;
        int fromMarch = month > 2 ? month - 3 : month + 9;
        int era = Math.floorDiv(marchYear, 400);
        int yearInEra = marchYear - era * 400;
        int inYear = (153 * fromMarch + 2) / 5 + day - 1;
        int inEra = yearInEra * 365 + yearInEra / 4 - yearInEra / 100 + inYear;
        long days = (long) era * ERA_DAYS + inEra - EPOCH_DAYS;
        long millis =
                days * DAY_MILLIS + ((hour * 60L + minute) * 60 + second) * 1000 + thousandths;
        // A day that its month does not have comes back as another one.
        return hasText(millis) && format(millis).startsWith(text.substring(0, 19))
                ? OptionalLong.of(millis)
                : OptionalLong.empty();
    }

    private static boolean matches(String text, String pattern) {
        if (text.length() != pattern.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            boolean isDigit = unit >= '0' && unit <= '9';
            if (pattern.charAt(i) == 'd' ? !isDigit : unit != pattern.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, 10);
    }
}
