package orrery.server;

import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.RegexTransformer;

/** Names the opposite of an option that can be switched on and off. */
public final class Negation {
    private Negation() {}

    /** Returns {@code --no-x} for {@code --x}, and the other way round. */
    public static String of(OptionSpec option) {
        return RegexTransformer.createDefault()
                .makeNegative(option.longestName(), option.command());
    }
}
