package orrery.query.regex;

import com.google.re2j.Pattern;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;

/**
 * A pattern of a regular expression. RE2 matches in time linear in the text, whatever the pattern,
 * but it has no back references and no look-around. The JDK's engine takes the patterns that need
 * those. It backtracks, and a limit for the characters that it looks at keeps it from running away.
 */
public sealed interface RegexPattern {
    /**
     * Finds one match after the other.
     *
     * @param next goes to the first match, or to the one behind the last
     * @param start of a group, -1 if it took no part in the match; group 0 is the whole match
     */
    record Finder(BooleanSupplier next, IntUnaryOperator start, IntUnaryOperator end) {}

    /**
     * @param pay is told the steps of looking at characters
     */
    Finder finder(String text, LongConsumer pay);

    /** The number of pairs of parentheses that capture. */
    int groups();

    /** A pattern for RE2. */
    record Linear(Pattern pattern, RegexOwner owner) implements RegexPattern {
        /** Each instruction may look at each character, and that costs more than comparing one. */
        private static final long STEPS_PER_INSTRUCTION = 10;

        @Override
        public Finder finder(String text, LongConsumer pay) {
            PaidText paid =
                    PaidText.paidOnTheWay(
                            text, pay, owner, STEPS_PER_INSTRUCTION * pattern.programSize());
            com.google.re2j.Matcher matcher = pattern.matcher(paid);
            return new Finder(
                    () -> {
                        boolean isFound = matcher.find();
                        paid.payRest();
                        return isFound;
                    },
                    matcher::start,
                    matcher::end);
        }

        @Override
        public int groups() {
            return pattern.groupCount();
        }
    }

    /** A pattern for the JDK's engine. */
    record Backtracking(java.util.regex.Pattern pattern, RegexOwner owner) implements RegexPattern {
        private static final int STEPS_PER_CHARACTER = 10;

        /**
         * Five times what a pattern takes that looks once at each character of the largest item.
         */
        private static final long MAX_CHARACTERS = 10_000_000;

        @Override
        public Finder finder(String text, LongConsumer pay) {
            PaidText paid =
                    PaidText.paidAtTheEnd(text, pay, owner, STEPS_PER_CHARACTER, MAX_CHARACTERS);
            Matcher matcher = pattern.matcher(paid);
            return new Finder(
                    () -> {
                        boolean isFound;
                        try {
                            isFound = matcher.find();
                        } catch (StackOverflowError tooDeep) {
                            // The engine calls itself for repeated groups. Nothing but the engine
                            // and the counting text is on the stack, so nothing is left half done.
                            throw PaidText.tooMuch(owner);
                        }
                        paid.payRest();
                        return isFound;
                    },
                    matcher::start,
                    matcher::end);
        }

        @Override
        public int groups() {
            return pattern.matcher("").groupCount();
        }
    }

    /**
     * Fails for what is no pattern, no modifiers, or more than one row should pay for.
     *
     * @param owner says how it fails
     * @param modifiers any of {@code m}, {@code s}, {@code i} and {@code x}
     */
    static RegexPattern compile(RegexOwner owner, String pattern, String modifiers) {
        return new RegexCompiler(owner, modifiers).compile(pattern);
    }
}
