package orrery.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs what the image runs, without an image: the entry point and the health check. */
@DisabledOnOs(OS.WINDOWS)
class ImageTest {
    private final Path root = SourceTree.read().root();
    @TempDir Path temporary;

    private List<String> enter(String... arguments) throws Exception {
        var launcher = temporary.resolve("orrery");
        Files.writeString(launcher, "#!/bin/sh\necho \"$@\"\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        var command =
                new ArrayList<>(
                        List.of(
                                "sh",
                                root.resolve("distribution/src/main/docker/entrypoint.sh")
                                        .toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PATH", temporary + ":" + System.getenv("PATH"));
        builder.environment().put("ORRERY_DATA", temporary.resolve("data").toString());
        var process = builder.start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return output.lines().toList();
    }

    @Test
    void startMakesKeysUnlessTheEmulatorsKeyIsWanted() throws Exception {
        var start = "start --host 0.0.0.0 --data " + temporary.resolve("data");
        assertThat(enter()).containsExactly(start + " --new-keys");
        assertThat(enter("start")).containsExactly(start + " --new-keys");
        assertThat(enter("start", "--no-throttling"))
                .containsExactly(start + " --new-keys --no-throttling");
        assertThat(enter("start", "--emulator-key")).containsExactly(start + " --emulator-key");
        assertThat(enter("keys", "show")).containsExactly("keys show");
    }

    @Test
    void healthCheckAsksWhetherTheServerIsReady() throws Exception {
        var ready = new int[] {200};
        var server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/ready",
                exchange -> {
                    exchange.sendResponseHeaders(ready[0], -1);
                    exchange.close();
                });
        server.start();
        try {
            var check = healthCheck(server.getAddress().getPort());
            assertThat(exitCode(check)).isZero();
            ready[0] = 503;
            assertThat(exitCode(check)).isNotZero();
        } finally {
            server.stop(0);
        }
        assertThat(exitCode(healthCheck(server.getAddress().getPort()))).isNotZero();
    }

    private static int exitCode(List<String> command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }

    /** The check of the Dockerfile, at another port. */
    private List<String> healthCheck(int port) throws IOException {
        var dockerfile = Files.readString(root.resolve("Dockerfile"));
        var command = Pattern.compile("(?s)HEALTHCHECK.*?CMD \\[(.*?)\\]\n").matcher(dockerfile);
        assertThat(command.find()).isTrue();
        return Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"")
                .matcher(command.group(1))
                .results()
                .map(word -> word.group(1).replaceAll("\\\\(.)", "$1"))
                .map(word -> word.replace("/8080 ", "/" + port + " "))
                .toList();
    }

    @Test
    void imageIsMadeOfFilesThatExistByAUserWhoIsNotRoot() throws IOException {
        var dockerfile = Files.readString(root.resolve("Dockerfile"));
        assertThat(root.resolve("distribution/src/main/docker/entrypoint.sh")).isExecutable();
        assertThat(dockerfile)
                .contains("COPY distribution/src/main/docker/entrypoint.sh ")
                .contains(
                        "\nUSER orrery\n",
                        "\nVOLUME /data\n",
                        "\nEXPOSE 8081 8902 10255 8901 8080\n");
    }
}
