package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.frontend.gremlin.RequestListener;
import orrery.server.audit.AuditLog;

/**
 * Requests of the Gremlin API show in the metrics, and those that were refused in the audit log.
 */
final class WatchedTraversalsTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-18T00:00:00Z"));

    private static RequestListener.Answered request(String operation, int code) {
        return new RequestListener.Answered(
                new UUID(1, 2),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 9),
                code == 401 ? "none" : "primary read-only key",
                operation,
                code == 401 ? "" : "/dbs/d/colls/g",
                code,
                2.8312,
                1_500_000);
    }

    @Test
    void keepsRefusals(@TempDir Path directory) throws Exception {
        try (AuditLog log = AuditLog.in(directory, CLOCK)) {
            WatchedTraversals watched = new WatchedTraversals(Optional.of(log), true, CLOCK);
            watched.answered(request("eval", 200));
            watched.answered(request("bytecode", 200));
            watched.answered(request("eval", 1000));
            watched.answered(request("authentication", 401));
            watched.answered(request("eval", 403));
            assertThat(watched.counts())
                    .containsExactlyInAnyOrderEntriesOf(
                            Map.of(
                                    new RequestCounts.Kind("gremlin", 200), 2L,
                                    new RequestCounts.Kind("gremlin", 401), 1L,
                                    new RequestCounts.Kind("gremlin", 403), 1L,
                                    new RequestCounts.Kind("gremlin", 1000), 1L));
        }
        assertThat(Files.readAllLines(directory.resolve("refused.0.jsonl")))
                .hasSize(2)
                .last()
                .isEqualTo(
                        "{\"time\":\"2026-11-18T00:00:00Z\",\"event\":\"refused\","
                                + "\"activityId\":\"00000000-0000-0001-0000-000000000002\","
                                + "\"client\":\"127.0.0.1\",\"principal\":\"primary read-only key\","
                                + "\"operation\":\"eval\",\"link\":\"/dbs/d/colls/g\",\"status\":403,"
                                + "\"substatus\":0}");
        assertThat(directory.resolve("management.0.jsonl"))
                .satisfiesAnyOf(
                        file -> assertThat(file).doesNotExist(),
                        file -> assertThat(file).isEmptyFile());
    }
}
