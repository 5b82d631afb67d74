package orrery.query.regex;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Matcher;
import orrery.model.OrreryException;

/** Makes patterns of texts for one owner with its modifiers, and refuses what is too large. */
final class RegexCompiler {
    /**
     * In instructions of the compiled pattern; what fits 512 KB of pattern could take gigabytes.
     */
    private static final int MAX_PROGRAM = 10_000;

    private static final int MAX_PATTERN = 4096;

    /** A count such as {2,1000}. RE2 repeats what it belongs to, also counts inside it. */
    private static final java.util.regex.Pattern COUNT =
            java.util.regex.Pattern.compile("\\{(\\d{1,4})(?:,(\\d{0,4}))?\\}");

    private final RegexOwner owner;
    private int linearFlags;

    /** Only a line feed ends a line, and letters of all alphabets have cases: as with RE2. */
    private int backtrackingFlags =
            java.util.regex.Pattern.UNIX_LINES | java.util.regex.Pattern.UNICODE_CASE;

    private boolean ignoresSpace;

    RegexCompiler(RegexOwner owner, String modifiers) {
        this.owner = owner;
        for (int i = 0; i < modifiers.length(); i++) {
            switch (modifiers.charAt(i)) {
                case 'm' -> add(Pattern.MULTILINE, java.util.regex.Pattern.MULTILINE);
                case 's' -> add(Pattern.DOTALL, java.util.regex.Pattern.DOTALL);
                case 'i' -> add(Pattern.CASE_INSENSITIVE, java.util.regex.Pattern.CASE_INSENSITIVE);
                case 'x' -> ignoresSpace = true;
                default ->
                        throw owner.refuses(
                                "The modifiers of "
                                        + owner.name()
                                        + " are m, s, i and x, but not '"
                                        + modifiers.charAt(i)
                                        + "'.");
            }
        }
    }

    private void add(int linear, int backtracking) {
        linearFlags |= linear;
        backtrackingFlags |= backtracking;
    }

    RegexPattern compile(String pattern) {
        String text = ignoresSpace ? withoutSpace(pattern) : pattern;
        if (pattern.length() > MAX_PATTERN || size(text) > MAX_PROGRAM) {
            throw tooComplex();
        }
        try {
            Pattern compiled = Pattern.compile(text, linearFlags);
            if (compiled.programSize() > MAX_PROGRAM) {
                throw tooComplex();
            }
            return new RegexPattern.Linear(compiled, owner);
        } catch (PatternSyntaxException notForRe2) {
            return backtracking(text, notForRe2);
        }
    }

    private RegexPattern backtracking(String text, PatternSyntaxException notForRe2) {
        try {
            return new RegexPattern.Backtracking(
                    java.util.regex.Pattern.compile(text, backtrackingFlags), owner);
        } catch (java.util.regex.PatternSyntaxException invalid) {
            throw owner.refuses(
                    "The pattern of "
                            + owner.name()
                            + " is invalid or uses what is not supported: "
                            + notForRe2.getDescription());
        } catch (StackOverflowError tooDeep) {
            throw tooComplex();
        }
    }

    private OrreryException tooComplex() {
        return owner.refuses("The pattern of " + owner.name() + " is too complex.");
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

    /** Removes white space outside of classes, and comments, unless they are escaped. */
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
}
