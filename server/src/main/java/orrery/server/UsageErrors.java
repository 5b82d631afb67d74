package orrery.server;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import orrery.server.client.Hint;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says in one line what is wrong with a command, and what was probably meant. The whole help would
 * push that off the screen.
 */
final class UsageErrors {
    private static final int EXIT_CODE = 2;

    private UsageErrors() {}

    static int explain(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        command.getErr().println("orrery: " + sentences(failure, command, arguments));
        command.getErr().flush();
        return EXIT_CODE;
    }

    private static String sentences(
            ParameterException failure, CommandLine command, String[] arguments) {
        CommandSpec spec = command.getCommandSpec();
        String name = Hint.program() + spec.qualifiedName().substring(spec.root().name().length());
        if (failure instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String word = unmatched.getUnmatched().getFirst();
            if (unmatched.isUnknownOption()) {
                String bare = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
                return "`%s` has no option '%s'.%s `%s --help` lists the options."
                        .formatted(name, bare, didYouMean("", bare, options(command)), name);
            }
            if (!command.getSubcommands().isEmpty()) {
                String before = name.substring(name.indexOf(' ') + 1) + " ";
                String parent = name.contains(" ") ? before : "";
                return "there is no command '%s%s'.%s `%s --help` lists the commands."
                        .formatted(parent, word, didYouMean(parent, word, visible(command)), name);
            }
            return "`%s` has no use for '%s'. `%s --help` says how.".formatted(name, word, name);
        }
        String message = ValueError.of(failure, arguments).orElseGet(() -> bare(failure));
        return "%s%s `%s --help` says how."
                .formatted(message, message.matches("(?s).*[.!?]") ? "" : ".", name);
    }

    private static String bare(ParameterException failure) {
        return String.valueOf(failure.getMessage()).strip().replaceFirst("^Error: ", "");
    }

    private static String didYouMean(String before, String word, Collection<String> known) {
        return nearest(word, known)
                .map(near -> " Did you mean '" + before + near + "'?")
                .orElse("");
    }

    private static List<String> options(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .flatMap(option -> Stream.of(option.names()))
                .filter(option -> option.startsWith("--"))
                .toList();
    }

    private static List<String> visible(CommandLine command) {
        return command.getSubcommands().entrySet().stream()
                .filter(child -> !child.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Finds the known word that was most likely meant; {@code bin/help.sh} does the same. */
    static Optional<String> nearest(String word, Collection<String> known) {
        int least = (word.length() + 2) / 3 + 1;
        Optional<String> nearest = Optional.empty();
        for (String candidate : known) {
            boolean isBeginning = word.length() > 2 && candidate.startsWith(word);
            int distance =
                    isBeginning
                            ? Math.min(1, distance(word, candidate))
                            : distance(word, candidate);
            if (distance < least) {
                least = distance;
                nearest = Optional.of(candidate);
            }
        }
        return nearest;
    }

    /** Counts the letters to change, leave out, add or swap. */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] =
                        Math.min(d[i - 1][j - 1] + change, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
                boolean isSwap =
                        i > 1
                                && j > 1
                                && a.charAt(i - 1) == b.charAt(j - 2)
                                && a.charAt(i - 2) == b.charAt(j - 1);
                if (isSwap) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
