package orrery.server.completion;

import java.util.StringJoiner;

/** The completion script of fish. */
final class FishScript {
    private static final String HEAD =
            """
            # Completion of %1$s for fish. Put it into ~/.config/fish/completions/%1$s.fish

            function __%1$s_under
                set -l words (commandline -opc)[2..-1]
                test (count $argv) -eq 0; and return 0
                test (count $words) -ge (count $argv); or return 1
                for i in (seq (count $argv))
                    test "$words[$i]" = "$argv[$i]"; or return 1
                end
            end

            function __%1$s_at
                set -l words (commandline -opc)[2..-1]
                test (count $words) -eq (count $argv); and __%1$s_under $argv
            end

            complete -c %1$s -f
            """;

    private final String program;
    private final StringJoiner lines = new StringJoiner("\n", "", "\n");

    private FishScript(String program) {
        this.program = program;
    }

    static String write(String program, CommandTree root) {
        FishScript script = new FishScript(program);
        root.walk(script::add);
        return HEAD.formatted(program) + script.lines;
    }

    private void add(CommandTree command) {
        String at = condition("at", command);
        String under = condition("under", command);
        for (CommandTree each : command.subcommands()) {
            line(at + " -a " + each.name() + " -d " + quoted(each.description()));
        }
        if (command.isOfFiles()) {
            line(under + " -F");
        }
        if (!command.arguments().isEmpty()) {
            line(at + " -a " + quoted(String.join(" ", command.arguments())));
        }
        command.options().forEach(option -> line(under + option(option)));
    }

    private static String option(CommandTree.Choice option) {
        StringBuilder text = new StringBuilder();
        for (String name : option.names()) {
            text.append(name.startsWith("--") ? " -l " : " -s ")
                    .append(name.replaceFirst("^-+", ""));
        }
        if (!option.values().isEmpty()) {
            text.append(" -x -a ").append(quoted(String.join(" ", option.values())));
        } else if (option.hasValue()) {
            text.append(option.isOfFiles() ? " -r -F" : " -x");
        }
        return text.append(" -d ").append(quoted(option.description())).toString();
    }

    private String condition(String kind, CommandTree command) {
        String words = String.join(" ", command.path());
        return "-n " + quoted(("__" + program + "_" + kind + " " + words).strip());
    }

    private void line(String text) {
        lines.add("complete -c " + program + " " + text);
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
