package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;

/** {@code account} and {@code keys} where the environment names a server. */
@Timeout(900)
final class AccountOfEnvironmentTest {
    @TempDir private Path directory;

    private String run(ServerFixture server, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = ServerFixture.processOf(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectError(directory.resolve("err").toFile());
        builder.environment().put("ORRERY_ENDPOINT", server.endpoint());
        builder.environment().put("ORRERY_KEY", server.keys().primary());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(Files.readString(directory.resolve("err"))).isZero();
        return out;
    }

    /** With a data directory of the usual name in the working directory, which stays as it is. */
    @Test
    void theyAskThatServer() throws Exception {
        Path usual = directory.resolve("orrery-data");
        ServerFixture.start(Optional.of(usual), AccountSettings.DEFAULT).close();
        Path other = directory.resolve("other");
        ServerFixture.command("keys", "new", "--data", other.toString());
        try (ServerFixture server =
                ServerFixture.start(Optional.of(other), AccountSettings.DEFAULT)) {
            run(server, "account", "set", "--no-throttling");
            assertThat(server.server().settings().throttling()).isFalse();
            assertThat(run(server, "keys", "show")).contains(server.keys().secondary());
            // An option counts more.
            assertThat(run(server, "account", "show", "--data", usual.toString()))
                    .containsPattern("throttling +on\n");
        }
    }
}
