package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;

/** Starts with less free space than the reserve. The reserve is chosen so that it is the half. */
class LowDiskTest {
    @Test
    void aFirstStartGoesThroughAndLaterOnesToo(@TempDir Path directory) throws IOException {
        long reserve = 2 * Files.getFileStore(directory).getUsableSpace();
        Path data = directory.resolve("data");
        for (int start = 0; start < 2; start++) {
            try (ServerFixture server =
                    ServerFixture.start(Optional.of(data), AccountSettings.DEFAULT, reserve)) {
                HttpResponse<String> refused =
                        server.sqlReply("POST", "dbs", "", "dbs", "{\"id\":\"d\"}");
                assertThat(refused.statusCode()).isEqualTo(503);
                assertThat(refused.body()).contains("nearly full");
            }
        }
    }
}
