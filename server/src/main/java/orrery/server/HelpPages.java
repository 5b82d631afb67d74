package orrery.server;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/**
 * Writes the help of every command to files that are committed: the launchers print those, so that
 * help needs no build and no JVM. {@code bin/help.sh} describes the index.
 */
@Command(name = "pages", hidden = true, description = "Writes the help pages for the launchers.")
final class HelpPages implements Callable<Integer> {
    static final String INDEX = "index";

    @Parameters(paramLabel = "DIR", description = "The directory for the pages.")
    private Path directory;

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(directory);
        for (Map.Entry<String, String> page : all().entrySet()) {
            Files.writeString(directory.resolve(page.getKey()), page.getValue());
        }
        return 0;
    }

    /** Returns the content of each file by its name. */
    static SortedMap<String, String> all() {
        SortedMap<String, String> pages = new TreeMap<>();
        StringBuilder index = new StringBuilder();
        add("", Main.commandLine(), pages, index);
        pages.put(INDEX, index.toString());
        return pages;
    }

    private static void add(
            String path,
            CommandLine command,
            SortedMap<String, String> pages,
            StringBuilder index) {
        CommandSpec spec = command.getCommandSpec();
        String name = path.isEmpty() ? spec.name() : path;
        index.append(name).append(' ').append(arguments(command)).append('\n');
        if (spec.usageMessage().hidden()) {
            return;
        }
        pages.put(name + ".txt", command.getUsageMessage(Ansi.OFF));
        command.getSubcommands()
                .forEach(
                        (child, line) ->
                                add(
                                        path.isEmpty() ? child : path + "." + child,
                                        line,
                                        pages,
                                        index));
    }

    private static String arguments(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        StringJoiner words = new StringJoiner(" ");
        for (OptionSpec option : spec.options()) {
            for (String name : option.names()) {
                words.add(name + mark(option));
            }
            if (option.negatable()) {
                words.add(Negation.of(option));
            }
        }
        if (!spec.positionalParameters().isEmpty()) {
            words.add("+");
        }
        Object user = spec.userObject();
        boolean runs =
                user instanceof Runnable || user instanceof Callable<?> || user instanceof Method;
        return runs ? words.toString() : words.add("!").toString();
    }

    private static String mark(ArgSpec option) {
        int least = option.arity().min();
        int most = option.arity().max();
        return most == 0 ? "" : least == 1 && most == 1 ? "=" : "~";
    }
}
