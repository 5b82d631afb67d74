package orrery.query.evaluate;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Matcher;
import orrery.model.OrreryException;
import orrery.query.syntax.QueryError;

/**
 * A pattern of REGEXMATCH. RE2 matches in time linear in the text, whatever the pattern; the price
 * is that it has no back references and no look-around.
 */
final class RegexPattern {
    /**
     * In instructions of the compiled pattern; what fits 512 KB of pattern could take gigabytes.
     */
    private static final int MAX_PROGRAM = 10_000;

    private static final int MAX_PATTERN = 4096;

    /** A count such as {2,1000}. RE2 repeats what it belongs to, also counts inside it. */
    private static final java.util.regex.Pattern COUNT =
            java.util.regex.Pattern.compile("\\{(\\d{1,4})(?:,(\\d{0,4}))?\\}");

    private final Pattern pattern;

    private RegexPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * Fails with BAD_REQUEST for what is no pattern, no modifiers, or more than one row should pay
     * for.
     *
     * @param modifiers any of {@code m}, {@code s}, {@code i} and {@code x}
     */
    static RegexPattern compile(String pattern, String modifiers) {
        int flags = 0;
        String text = pattern;
        for (int i = 0; i < modifiers.length(); i++) {
            switch (modifiers.charAt(i)) {
                case 'm' -> flags |= Pattern.MULTILINE;
                case 's' -> flags |= Pattern.DOTALL;
                case 'i' -> flags |= Pattern.CASE_INSENSITIVE;
                case 'x' -> text = withoutSpace(pattern);
                default ->
                        throw QueryError.engine(
                                "The modifiers of REGEXMATCH are m, s, i and x, but not '"
                                        + modifiers.charAt(i)
                                        + "'.");
            }
        }
        if (pattern.length() > MAX_PATTERN || size(text) > MAX_PROGRAM) {
            throw tooComplex();
        }
        try {
            Pattern compiled = Pattern.compile(text, flags);
            if (compiled.programSize() > MAX_PROGRAM) {
                throw tooComplex();
            }
            return new RegexPattern(compiled);
        } catch (PatternSyntaxException e) {
            throw QueryError.engine(
                    "The pattern of REGEXMATCH is invalid or uses what is not supported: "
                            + e.getDescription());
        }
    }

    private static OrreryException tooComplex() {
        return QueryError.engine("The pattern of REGEXMATCH is too complex.");
    }

    /** About how many characters the pattern has with everything repeated that has a count. */
    private static long size(String pattern) {
        Deque<Long> open = new ArrayDeque<>();
        Matcher counts = COUNT.matcher(pattern);
        long sum = 0;
        long last = 0;
        int at = 0;
        while (at < pattern.length() && sum <= MAX_PROGRAM) {
            char c = pattern.charAt(at);
            if (c == '{' && counts.find(at) && counts.start() == at) {
                String upper = Optional.ofNullable(counts.group(2)).orElse("");
                long count = Long.parseLong(upper.isEmpty() ? counts.group(1) : upper);
                sum += last * Math.max(0, count - 1);
                last *= Math.max(1, count);
                at = counts.end();
                continue;
            }
            if (c == '(') {
                open.push(sum);
                last = 0;
            } else if (c == ')' && !open.isEmpty()) {
                last = sum - open.pop();
            } else {
                last = 1;
            }
            sum++;
            at += c == '\\' ? 2 : 1;
        }
        return sum;
    }

    /** Applies the flag x: drops white space outside of classes, and comments, unless escaped. */
    private static String withoutSpace(String pattern) {
        StringBuilder rest = new StringBuilder();
        boolean inClass = false;
        int at = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at++);
            if (c == '\\' && at < pattern.length()) {
                rest.append(c).append(pattern.charAt(at++));
            } else if (!inClass && c == '#') {
                while (at < pattern.length() && pattern.charAt(at) != '\n') {
                    at++;
                }
            } else if (inClass || !Character.isWhitespace(c)) {
                inClass = c == '[' || (inClass && c != ']');
                rest.append(c);
            }
        }
        return rest.toString();
    }

    /** Each instruction may look at each character, and that costs more than comparing one. */
    long work(String text) {
        return 10L * text.length() * pattern.programSize();
    }

    /** Returns true if the pattern is found anywhere. */
    boolean find(String text) {
        return pattern.matcher(text).find();
    }
}
