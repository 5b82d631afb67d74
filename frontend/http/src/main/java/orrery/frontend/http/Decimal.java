package orrery.frontend.http;

import java.util.OptionalLong;

/**
 * Numbers in headers and queries: ASCII digits and nothing else. The JDK's own parsers also take
 * signs and the digits of every other script.
 */
public final class Decimal {
    /** Every number of so many digits fits a long. */
    private static final int MAX_DIGITS = 18;

    private Decimal() {}

    /** Empty for what is not a number, and for one beyond every limit that there is here. */
    public static OptionalLong parse(String text) {
        if (text.isEmpty() || text.length() > MAX_DIGITS) {
            return OptionalLong.empty();
        }
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return OptionalLong.empty();
            }
            value = 10 * value + (c - '0');
        }
        return OptionalLong.of(value);
    }

    /** Like {@link #parse}, but also empty for numbers that are not between the bounds. */
    public static OptionalLong parse(String text, long least, long most) {
        OptionalLong value = parse(text);
        return value.isPresent() && value.getAsLong() >= least && value.getAsLong() <= most
                ? value
                : OptionalLong.empty();
    }
}
