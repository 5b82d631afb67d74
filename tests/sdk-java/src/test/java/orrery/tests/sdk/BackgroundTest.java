package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Servers that run on when the command that started them has ended. */
class BackgroundTest {
    private static final Pattern LAST_LINE =
            Pattern.compile(
                    "In the background: pid (\\d+), log (.+), stop with `.+/orrery stop --data '(.+)'`");

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{86}==");

    private final Path data = RunningServer.temporaryDirectory().resolve("some data");

    @AfterEach
    void stop() {
        if (Files.isDirectory(data)) {
            orrery("stop", "--timeout", "240", "--force");
        }
    }

    private Distribution.Output orrery(String command, String... more) {
        List<String> all = new ArrayList<>(List.of(command, "--data", data.toString()));
        all.addAll(List.of(more));
        return Distribution.run(all.toArray(String[]::new));
    }

    private Distribution.Output start(String... more) {
        List<String> all =
                new ArrayList<>(List.of("--background", "--port", "0", "--status-port", "0"));
        all.addAll(List.of(more));
        return orrery("start", all.toArray(String[]::new));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // has no signal of a closed terminal
    void aServerRunsOnUntilItIsStopped() throws IOException, InterruptedException {
        Distribution.Output started = start("--limits", "2018");
        assertThat(started.exitCode()).as(started.all()).isZero();
        assertThat(started.out()).containsPattern(RunningServer.READY_LINE).contains("Status: ");
        Matcher last = LAST_LINE.matcher(started.out().lines().toList().getLast());
        assertThat(last.matches()).as(started.out()).isTrue();
        String pid = last.group(1);
        assertThat(Path.of(last.group(2))).exists();
        assertThat(last.group(3)).isEqualTo(data.toString());

        assertThat(new ProcessBuilder("kill", "-HUP", pid).start().waitFor()).isZero();
        Distribution.Output status = orrery("status");
        assertThat(status.exitCode()).as(status.all()).isZero();
        assertThat(status.out()).containsPattern("pid +" + pid + "\n");

        Distribution.Output second = start();
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.err()).contains("is using the data directory");

        Distribution.Output stopped = orrery("stop", "--timeout", "240");
        assertThat(stopped.exitCode()).as(stopped.all()).isZero();
        assertThat(stopped.out()).contains(pid);
        assertThat(orrery("status").exitCode()).isEqualTo(3);
        assertThat(orrery("stop").exitCode()).isZero();
        assertThat(orrery("check").exitCode()).isZero();

        Distribution.Output other = start("--limits", "2017");
        assertThat(other.exitCode()).isZero();
        assertThat(other.out())
                .contains("--limits 2017 is not what this account has (2018)")
                .contains("orrery account set --limits 2017 --data '" + data + "'`");
    }

    @Test
    void aServerInTheForegroundIsStoppedToo() {
        try (RunningServer server = RunningServer.start()) {
            String directory = server.data().toString();
            assertThat(Distribution.run("status", "--data", directory).out())
                    .containsPattern("pid +" + server.pid() + "\\R");
            Distribution.Output stopped =
                    Distribution.run("stop", "--data", directory, "--timeout", "240");
            assertThat(stopped.exitCode()).as(stopped.all()).isZero();
            assertThat(server.isRunning()).isFalse();
        }
    }

    @Test
    void aStartThatFailsSaysWhy() {
        Distribution.Output refused = start("--host", "0.0.0.0");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("orrery keys new").doesNotContain("\tat ");
        assertThat(orrery("status").exitCode()).isEqualTo(3);
    }

    /** The start of a container image. */
    @Test
    void newKeysArePrintedOnce() {
        String[] flags = {"--host", "0.0.0.0", "--new-keys"};
        Distribution.Output first =
                orrery(
                        "start",
                        "--background=true",
                        "--port",
                        "0",
                        "--status-port",
                        "0",
                        "--host",
                        "0.0.0.0",
                        "--new-keys");
        assertThat(first.exitCode()).as(first.all()).isZero();
        List<String> keys =
                KEY.matcher(first.out()).results().map(MatchResult::group).distinct().toList();
        assertThat(keys).hasSize(4);
        assertThat(orrery("stop", "--timeout", "240").exitCode()).isZero();
        Distribution.Output second = start(flags);
        assertThat(second.exitCode()).as(second.all()).isZero();
        assertThat(second.all()).doesNotContain(keys).doesNotContainPattern(KEY);
    }
}
