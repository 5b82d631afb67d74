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

    /** The launchers refuse an option that the index lacks, whatever the page says. */
    @Test
    void everyOptionThatAPageShowsIsInTheIndex() throws IOException {
        var indexed = new TreeMap<String, String>();
        for (String line : Files.readAllLines(COMMITTED.resolve(HelpPages.INDEX))) {
            indexed.put(line.substring(0, line.indexOf(' ')), line + " ");
        }
        for (var page : HelpPages.all().entrySet()) {
            var name = page.getKey().replace(".txt", "");
            if (!indexed.containsKey(name)) {
                continue;
            }
            Pattern.compile("(?m)^ +(?:-\\w, +)?--(\\[no-\\])?([a-z-]+)")
                    .matcher(page.getValue())
                    .results()
                    .forEach(
                            option -> {
                                assertThat(indexed.get(name))
                                        .containsPattern(" --" + option.group(2) + "[=~ ]");
                                if (option.group(1) != null) {
                                    assertThat(indexed.get(name))
                                            .contains(" --no-" + option.group(2) + " ");
                                }
                            });
        }
        assertThat(indexed.get("start")).contains(" --throttling ", " --no-throttling ");
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
