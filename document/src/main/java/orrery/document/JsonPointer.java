package orrery.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A place in a JSON document as a patch writes it ({@code /a/0/b~1c}, RFC 6901). */
public record JsonPointer(List<String> segments) {
    public JsonPointer {
        segments = List.copyOf(segments);
        if (segments.isEmpty()) {
            throw new IllegalArgumentException("a patch never means the whole document");
        }
    }

    /** Empty if the text is no pointer, or points to the whole document. */
    public static Optional<JsonPointer> parse(String text) {
        if (text.isEmpty() || text.charAt(0) != '/') {
            return Optional.empty();
        }
        List<String> segments = new ArrayList<>();
        int start = 1;
        while (start <= text.length()) {
            int slash = text.indexOf('/', start);
            int end = slash < 0 ? text.length() : slash;
            String segment = text.substring(start, end);
            if (!isEscapedRight(segment)) {
                return Optional.empty();
            }
            // In this order: "~01" is "~1", not "/".
            segments.add(segment.replace("~1", "/").replace("~0", "~"));
            start = end + 1;
        }
        return Optional.of(new JsonPointer(segments));
    }

    private static boolean isEscapedRight(String segment) {
        for (int at = segment.indexOf('~'); at >= 0; at = segment.indexOf('~', at + 1)) {
            if (at + 1 == segment.length() || "01".indexOf(segment.charAt(at + 1)) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns true if this is the other place, or lies around it. */
    boolean isPrefixOf(List<String> other) {
        return segments.size() <= other.size()
                && segments.equals(other.subList(0, segments.size()));
    }

    boolean startsWith(List<String> prefix) {
        return segments.size() >= prefix.size()
                && prefix.equals(segments.subList(0, prefix.size()));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (String segment : segments) {
            text.append('/').append(segment.replace("~", "~0").replace("/", "~1"));
        }
        return text.toString();
    }
}
