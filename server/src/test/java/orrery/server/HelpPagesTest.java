package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the pages that launchers print with what the command line says. */
class HelpPagesTest {
    private static final Path COMMITTED = Path.of("../distribution/src/main/dist/help");

    /** Written by hand. */
    private static final String OVERVIEW = "overview.txt";

    @Test
    void committedPagesAreWhatTheCommandLineSays() throws IOException {
        var committed = new TreeMap<String, String>();
        try (Stream<Path> files = Files.list(COMMITTED)) {
            for (Path file : files.toList()) {
                committed.put(String.valueOf(file.getFileName()), Files.readString(file));
            }
        }
        assertThat(committed).containsKey(OVERVIEW);
        committed.remove(OVERVIEW);
        assertThat(committed)
                .as("commands or options have changed: run `./orrery pages` and commit its pages")
                .isEqualTo(HelpPages.all());
    }

    @Test
    void overviewNamesCommandsThatExist() throws IOException {
        var commands = Main.commandLine().getSubcommands().keySet();
        var named =
                Pattern.compile("(?m)^  orrery ([a-z]+)")
                        .matcher(Files.readString(COMMITTED.resolve(OVERVIEW)))
                        .results()
                        .map(match -> match.group(1))
                        .toList();
        assertThat(named).contains("start");
        assertThat(commands).containsAll(named);
    }

    @Test
    void oneCommandIsReadAsAllOfThemWouldBe() {
        for (var command : Main.commandLine().getSubcommands().entrySet()) {
            // Completion is about all of them.
            if (!command.getKey().equals("completion")) {
                assertThat(Main.commandLine(command.getKey()).getSubcommands().keySet())
                        .containsExactly(command.getKey());
            }
        }
        assertThat(Main.commandLine("no-such-command").getSubcommands()).hasSizeGreaterThan(5);
    }
}
