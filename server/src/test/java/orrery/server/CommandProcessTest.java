package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;

/** Commands in a process of their own, which somebody ends early. */
@Timeout(900)
@DisabledOnOs(OS.WINDOWS)
final class CommandProcessTest {
    @TempDir private Path directory;
    private ServerFixture server;

    @BeforeEach
    void start() {
        server = ServerFixture.start(AccountSettings.DEFAULT.withMetering(false, false, false));
        server.createDatabase("db");
        server.createContainer("db", "c");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Process command(String... arguments) throws IOException {
        List<String> command = ServerFixture.processOf(arguments);
        command.addAll(List.of("--endpoint", server.endpoint()));
        return new ProcessBuilder(command).redirectError(directory.resolve("err").toFile()).start();
    }

    private String err() throws IOException {
        return Files.readString(directory.resolve("err"));
    }

    private static String rows(int count) {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < count; i++) {
            rows.append("{\"id\":\"%d\",\"pk\":\"é %d\"}\n".formatted(i, i));
        }
        return rows.toString();
    }

    @Test
    void anInterruptedImportSaysHowToGoOn() throws Exception {
        Process process = command("import", "-", "--into", "db/c");
        try (OutputStream in = process.getOutputStream()) {
            in.write(rows(5000).getBytes(StandardCharsets.UTF_8));
            in.flush();
            while (server.run("ls", "db/c", "-o", "json").out().startsWith("[]")) {
                Thread.onSpinWait();
            }
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
            assertThat(process.waitFor()).isEqualTo(130);
        }
        assertThat(err())
                .contains("orrery: Interrupted: ", " items", "Run the same command again")
                .doesNotContain("\tat ");
        assertThat(process.inputReader().readLine()).isNull();
    }

    @Test
    void aClosedPipeEndsAnExport() throws Exception {
        Path file = Files.writeString(directory.resolve("rows"), rows(3000));
        assertThat(server.run("import", file.toString(), "--into", "db/c").exitCode()).isZero();
        Process process = command("export", "db/c");
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).contains("\"pk\":\"é ");
        }
        assertThat(process.waitFor()).isZero();
        assertThat(err()).isEmpty();
    }
}
