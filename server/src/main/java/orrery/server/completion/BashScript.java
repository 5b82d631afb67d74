package orrery.server.completion;

import java.nio.file.Path;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The completion script of bash, which makes zsh read it too. picocli writes it from a model of the
 * commands; ours is made anew, because picocli leaves out the opposites of switches.
 */
final class BashScript {
    private BashScript() {}

    static String write(String program, CommandTree root) {
        return AutoComplete.bash(program, new CommandLine(spec(program, root)));
    }

    private static CommandSpec spec(String name, CommandTree command) {
        CommandSpec spec = CommandSpec.create().name(name);
        command.options().forEach(option -> spec.addOption(option(option)));
        if (command.isOfFiles() || !command.arguments().isEmpty()) {
            spec.addPositional(arguments(command));
        }
        for (CommandTree each : command.subcommands()) {
            spec.addSubcommand(each.name(), spec(each.name(), each));
        }
        return spec;
    }

    private static OptionSpec option(CommandTree.Choice option) {
        OptionSpec.Builder spec =
                OptionSpec.builder(option.names().toArray(String[]::new))
                        .arity(option.hasValue() ? "1" : "0")
                        // The script names a variable by it, so each option needs its own.
                        .paramLabel(option.names().getFirst().replaceAll("\\W", ""))
                        .type(
                                !option.hasValue()
                                        ? boolean.class
                                        : option.isOfFiles() ? Path.class : String.class);
        return (option.values().isEmpty() ? spec : spec.completionCandidates(option.values()))
                .build();
    }

    private static PositionalParamSpec arguments(CommandTree command) {
        PositionalParamSpec.Builder spec =
                PositionalParamSpec.builder()
                        .index("0")
                        .type(command.isOfFiles() ? Path.class : String.class);
        List<String> words = command.arguments();
        return (words.isEmpty() ? spec : spec.completionCandidates(words)).build();
    }
}
