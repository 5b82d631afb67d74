package orrery.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A path to a property, written {@code /a/"b c"/d}. Segments outside letters, digits and underscore
 * stand in double quotes, or in single ones if they hold a double quote.
 */
public record PropertyPath(List<String> segments) {
    public PropertyPath {
        segments = List.copyOf(segments);
        if (segments.isEmpty()) {
            throw new IllegalArgumentException("a property path needs at least one segment");
        }
        for (String segment : segments) {
            check(segment);
        }
    }

    /** Throws IllegalArgumentException with the reason if the text is not a path. */
    public static PropertyPath parse(String text) {
        List<String> segments = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            if (text.charAt(at) != '/') {
                throw new IllegalArgumentException("each segment of a path begins with '/'");
            }
            at++;
            if (at < text.length() && isQuote(text.charAt(at))) {
                int close = text.indexOf(text.charAt(at), at + 1);
                if (close < 0) {
                    throw new IllegalArgumentException("a quoted segment of the path does not end");
                }
                segments.add(text.substring(at + 1, close));
                at = close + 1;
            } else {
                int next = text.indexOf('/', at);
                int end = next < 0 ? text.length() : next;
                segments.add(text.substring(at, end));
                at = end;
            }
        }
        return new PropertyPath(segments);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (String segment : segments) {
            String quote = quote(segment);
            text.append('/').append(quote).append(segment).append(quote);
        }
        return text.toString();
    }

    /**
     * The notation has no escapes, so a few names cannot be written, and therefore not be meant.
     */
    private static void check(String segment) {
        if (segment.isEmpty()) {
            throw new IllegalArgumentException("a path has an empty segment");
        }
        boolean bare = quote(segment).isEmpty();
        if (bare && (segment.indexOf('/') >= 0 || isQuote(segment.charAt(0)))) {
            throw new IllegalArgumentException("a segment of the path holds both kinds of quotes");
        }
    }

    private static String quote(String segment) {
        if (segment.codePoints().allMatch(PropertyPath::isPlain)) {
            return "";
        }
        if (segment.indexOf('"') < 0) {
            return "\"";
        }
        // With quotes of both kinds inside, only the bare form is left.
        return segment.indexOf('\'') < 0 ? "'" : "";
    }

    private static boolean isQuote(char c) {
        return c == '"' || c == '\'';
    }

    private static boolean isPlain(int c) {
        return c == '_' || Character.isLetterOrDigit(c);
    }
}
