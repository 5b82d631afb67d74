package orrery.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

class HelpTest {
    @Test
    void committedPageIsWhatTheCommandLineSays() throws IOException {
        assertThat(Files.readString(Path.of("help.txt")))
                .as("the command has changed: run `./orrery pages` and commit its pages")
                .isEqualTo(new CommandLine(new Main()).getUsageMessage(Ansi.OFF));
    }
}
