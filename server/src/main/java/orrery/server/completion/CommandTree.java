package orrery.server.completion;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import orrery.server.Negation;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A command as a completion script sees it.
 *
 * @param path the words that lead to it, without that of the program
 * @param isOfFiles true if one of its arguments is a file
 */
record CommandTree(
        List<String> path,
        String description,
        boolean isOfFiles,
        List<String> arguments,
        List<Choice> options,
        List<CommandTree> subcommands) {
    /**
     * An option.
     *
     * @param values those it takes, where they are known
     */
    record Choice(
            List<String> names,
            String description,
            boolean hasValue,
            boolean isOfFiles,
            List<String> values) {}

    static CommandTree of(CommandSpec spec) {
        return of(spec, List.of());
    }

    private static CommandTree of(CommandSpec spec, List<String> path) {
        List<CommandTree> subcommands = new ArrayList<>();
        spec.subcommands()
                .forEach(
                        (name, command) -> {
                            CommandSpec inner = command.getCommandSpec();
                            if (!inner.usageMessage().hidden()) {
                                List<String> deeper = new ArrayList<>(path);
                                deeper.add(name);
                                subcommands.add(of(inner, deeper));
                            }
                        });
        return new CommandTree(
                path,
                first(spec.usageMessage().header(), spec.usageMessage().description()),
                spec.positionalParameters().stream().anyMatch(CommandTree::isFile),
                spec.positionalParameters().stream()
                        .flatMap(argument -> values(argument.completionCandidates()).stream())
                        .toList(),
                spec.options().stream()
                        .filter(option -> !option.hidden())
                        .map(CommandTree::choice)
                        .toList(),
                subcommands);
    }

    private static Choice choice(OptionSpec option) {
        return new Choice(
                names(option),
                first(option.description()),
                option.arity().max() > 0,
                option.paramLabel().contains("FILE") || option.paramLabel().equals("DIR"),
                values(option.completionCandidates()));
    }

    private static List<String> names(OptionSpec option) {
        List<String> names = new ArrayList<>(Arrays.asList(option.names()));
        if (option.negatable()) {
            names.add(Negation.of(option));
        }
        return names;
    }

    private static boolean isFile(PositionalParamSpec argument) {
        return argument.paramLabel().equals("FILE");
    }

    private static List<String> values(@Nullable Iterable<String> values) {
        return values == null
                ? List.of()
                : StreamSupport.stream(values.spliterator(), false).toList();
    }

    /** The first sentence of the first text there is. */
    private static String first(String[]... texts) {
        for (String[] lines : texts) {
            if (lines.length > 0) {
                String text = lines[0].replace("%%", "%").replaceAll("\\s*\\(default:.*", ".");
                int end = text.indexOf(". ");
                return (end < 0 ? text : text.substring(0, end)).replaceAll("\\.+$", "");
            }
        }
        return "";
    }

    /** Shows this command and all below it. */
    void walk(Consumer<CommandTree> visitor) {
        visitor.accept(this);
        subcommands.forEach(each -> each.walk(visitor));
    }

    String name() {
        return path.getLast();
    }
}
