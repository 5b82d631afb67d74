package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;

/** A data directory tells of its server; other tests start processes. */
final class StatusCommandTest {
    @TempDir Path temporary;

    private ServerFixture.Output run(String command, Path data) {
        return ServerFixture.command(command, "--data", data.toString());
    }

    @Test
    void aRunningServerIsDescribed() {
        Path data = temporary.resolve("data");
        try (ServerFixture server =
                ServerFixture.start(Optional.of(data), AccountSettings.DEFAULT)) {
            ServerFixture.Output status = run("status", data);
            assertThat(status.exitCode()).isZero();
            assertThat(status.out())
                    .containsPattern("status +running\n")
                    .containsPattern("pid +" + ProcessHandle.current().pid() + "\n")
                    .contains(server.server().endpoint().toString())
                    .contains(
                            "DefaultEndpointsProtocol=http;AccountName=localhost;AccountKey=<see"
                                    + " `orrery keys show --data ")
                    .contains(";TableEndpoint=" + server.server().tableEndpoint().orElseThrow())
                    .containsPattern(
                            "mongodb +mongodb://localhost:<key>@\\S+&replicaSet=globaldb\n")
                    .contains(server.server().gremlinEndpoint().orElseThrow().toString())
                    .contains(data.toString())
                    .containsPattern("uptime +\\S+")
                    .containsPattern("disk +\\d+ MB used, \\d+ MB free")
                    .doesNotContain(server.keys().primary());
            assertThat(json("status", data))
                    .startsWith(
                            "{\"status\":\"running\",\"pid\":"
                                    + ProcessHandle.current().pid()
                                    + ",")
                    .containsPattern("\"uptimeSeconds\":\\d+,")
                    .containsPattern("\"usedBytes\":\\d+,\"freeBytes\":\\d+}");
            // Looking does not let a second server in.
            assertThat(run("check", data).err())
                    .contains("is using the data directory")
                    .contains("Stop it with `orrery stop --data " + data + "`");
            assertThat(run("cert", data).out())
                    .contains("curl http://127.0.0.1:" + server.server().port() + "/_orrery/ca");
            // This process is the server of this test, and not to be stopped.
            assertThat(run("stop", data).exitCode()).isEqualTo(1);
        }
        assertThat(data.resolve(RunFile.NAME)).doesNotExist();
        assertThat(run("status", data).exitCode()).isEqualTo(3);
        assertThat(run("status", data).out()).containsPattern("status +not running\n");
        assertThat(run("stop", data).exitCode()).isZero();
        assertThat(json("stop", data)).isEqualToIgnoringNewLines("{}");
        assertThat(json("check", data)).contains("\"partitions\":0,\"items\":0,\"findings\":[]}");
        assertThat(json("cert", data)).contains("\"certificate\":\"-----BEGIN CERTIFICATE-----");
    }

    private static String json(String command, Path data) {
        return ServerFixture.command(command, "--data", data.toString(), "--output", "json").out();
    }

    /** A crash leaves the file, with a pid that may be somebody else's by now. */
    @Test
    void aFileWithoutALockIsNotBelieved() throws IOException {
        Path data = temporary.resolve("data");
        String left;
        try (ServerFixture _ = ServerFixture.start(Optional.of(data), AccountSettings.DEFAULT)) {
            left = Files.readString(data.resolve(RunFile.NAME));
        }
        Files.writeString(data.resolve(RunFile.NAME), left);
        assertThat(run("status", data).exitCode()).isEqualTo(3);
        assertThat(run("stop", data).out()).contains("No server runs");
        assertThat(ServerFixture.command("account", "show", "--data", data.toString()).exitCode())
                .isZero();
    }
}
