package orrery.query.evaluate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.query.syntax.QueryError;

/**
 * A pattern of LIKE: {@code %} any run, {@code _} one character, {@code [a-f]} one of a set, {@code
 * [^a-f]} one outside it. Matching takes time in the product of both lengths at worst, and fails
 * where that is too much.
 */
public final class LikePattern {
    /** Comparisons of one character each: about a second. */
    private static final long MAX_STEPS = 300_000_000;

    private sealed interface Part {}

    private record Exactly(char c) implements Part {}

    private record AnyOne() implements Part {}

    private record AnyRun() implements Part {}

    /**
     * @param ranges pairs of first and last character
     */
    private record OneOf(String ranges, boolean isNegated) implements Part {
        boolean contains(char c) {
            for (int i = 0; i < ranges.length(); i += 2) {
                if (ranges.charAt(i) <= c && c <= ranges.charAt(i + 1)) {
                    return !isNegated;
                }
            }
            return isNegated;
        }
    }

    private final List<Part> parts;

    /** The text between the runs at the beginning and the end, if it is plain. */
    private final @Nullable String middle;

    private final boolean startsWithRun;
    private final boolean endsWithRun;

    private LikePattern(List<Part> parts) {
        this.parts = List.copyOf(parts);
        this.startsWithRun = !parts.isEmpty() && parts.getFirst() instanceof AnyRun;
        this.endsWithRun = !parts.isEmpty() && parts.getLast() instanceof AnyRun;
        this.middle = middle();
    }

    private @Nullable String middle() {
        StringBuilder text = new StringBuilder();
        int end = parts.size() - (endsWithRun ? 1 : 0);
        for (int i = startsWithRun ? 1 : 0; i < end; i++) {
            if (!(parts.get(i) instanceof Exactly(char c))) {
                return null;
            }
            text.append(c);
        }
        return text.toString();
    }

    /** Returns the beginning of every text that the pattern matches. */
    public String prefix() {
        StringBuilder prefix = new StringBuilder();
        for (Part part : parts) {
            if (!(part instanceof Exactly(char c))) {
                break;
            }
            prefix.append(c);
        }
        return prefix.toString();
    }

    /** Returns true if the pattern matches its {@link #prefix} and nothing else. */
    public boolean isLiteral() {
        return prefix().length() == parts.size();
    }

    /** Returns true if the pattern matches all that begins with its {@link #prefix}. */
    public boolean isPrefix() {
        return endsWithRun && prefix().length() == parts.size() - 1;
    }

    public static LikePattern compile(String pattern, Optional<Character> escape) {
        List<Part> parts = new ArrayList<>();
        int at = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at++);
            if (escape.isPresent() && c == escape.get() && at < pattern.length()) {
                parts.add(new Exactly(pattern.charAt(at++)));
                continue;
            }
            switch (c) {
                case '%' -> {
                    if (parts.isEmpty() || !(parts.getLast() instanceof AnyRun)) {
                        parts.add(new AnyRun());
                    }
                }
                case '_' -> parts.add(new AnyOne());
                case '[' -> {
                    int close = pattern.indexOf(']', at);
                    if (close < 0) {
                        parts.add(new Exactly(c));
                    } else {
                        parts.add(set(pattern.substring(at, close)));
                        at = close + 1;
                    }
                }
                default -> parts.add(new Exactly(c));
            }
        }
        return new LikePattern(parts);
    }

    private static OneOf set(String members) {
        boolean isNegated = members.startsWith("^");
        StringBuilder ranges = new StringBuilder();
        int at = isNegated ? 1 : 0;
        while (at < members.length()) {
            char first = members.charAt(at);
            boolean isRange = at + 2 < members.length() && members.charAt(at + 1) == '-';
            ranges.append(first).append(isRange ? members.charAt(at + 2) : first);
            at += isRange ? 3 : 1;
        }
        return new OneOf(ranges.toString(), isNegated);
    }

    /** About the steps to match a text; what takes many more fails on its own. */
    long work(String text) {
        return (middle == null ? 20L : 1L) * text.length();
    }

    public boolean matches(String text) {
        if (middle == null) {
            return matchesParts(text);
        }
        if (startsWithRun) {
            return endsWithRun ? TextSearch.indexOf(text, middle, 0) >= 0 : text.endsWith(middle);
        }
        return endsWithRun ? text.startsWith(middle) : text.equals(middle);
    }

    private boolean matchesParts(String text) {
        // After a mismatch only the last run needs to grow: what earlier runs took is as good as
        // anything else they could take.
        int at = 0;
        int part = 0;
        int afterRun = -1;
        int runEnd = 0;
        long steps = 0;
        while (at < text.length()) {
            if (++steps > MAX_STEPS) {
                throw QueryError.engine("A pattern of LIKE takes too long to match.");
            }
            if (part < parts.size() && parts.get(part) instanceof AnyRun) {
                afterRun = ++part;
                runEnd = at;
            } else if (part < parts.size() && accepts(parts.get(part), text.charAt(at))) {
                part++;
                at++;
            } else if (afterRun >= 0) {
                part = afterRun;
                at = ++runEnd;
            } else {
                return false;
            }
        }
        while (part < parts.size() && parts.get(part) instanceof AnyRun) {
            part++;
        }
        return part == parts.size();
    }

    private static boolean accepts(Part part, char c) {
        return switch (part) {
            case Exactly(char wanted) -> wanted == c;
            case AnyOne _ -> true;
            case OneOf set -> set.contains(c);
            case AnyRun _ -> throw new IllegalStateException("a run is no character");
        };
    }
}
