package orrery.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands in messages, which people paste. */
@DisabledOnOs(OS.WINDOWS)
final class HintTest {
    @TempDir private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "orrery-data | `orrery stop`",
                "data        | `orrery stop --data data`",
                "/tmp/a-b_c.d | `orrery stop --data /tmp/a-b_c.d`",
                "my data     | `orrery stop --data 'my data'`",
                "it's        | `orrery stop --data 'it'\\''s'`",
                "$HOME       | `orrery stop --data '$HOME'`",
                "Müller      | `orrery stop --data 'Müller'`",
            })
    void theDataDirectoryIsNamedUnlessItIsTheUsualOne(String data, String hint) {
        assertThat(Hint.of("stop", Path.of(data))).isEqualTo(hint);
    }

    @Test
    void theProgramIsNamedAsItWasCalled() throws IOException {
        Path program =
                Files.createFile(
                        directory.resolve("orrery"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
        String elsewhere = directory.resolve("bin") + ":/usr/bin";
        String called = program.toString();
        assertThat(Hint.program("./orrery", elsewhere)).isEqualTo("./orrery");
        assertThat(Hint.program("../my orrery/orrery", "")).isEqualTo("'../my orrery/orrery'");
        assertThat(Hint.program(called, elsewhere)).isEqualTo(called);
        assertThat(Hint.program(called, elsewhere + ":" + directory)).isEqualTo("orrery");
        assertThat(Hint.program("", elsewhere)).isEqualTo("orrery");
    }
}
