package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.frontend.mongo.CommandListener;
import orrery.server.audit.AuditLog;

/** Commands of the MongoDB API show in the logs and in the metrics. */
final class WatchedCommandsTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-18T00:00:00Z"));

    private static CommandListener.Answered command(String name, boolean isManagement, int code) {
        return new CommandListener.Answered(
                new UUID(1, 2),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 9),
                code == 0 ? "primary read-write key" : "none",
                name,
                "shop.orders",
                isManagement,
                code,
                2.8312,
                1_500_000);
    }

    @Test
    void keepsChangesAndRefusals(@TempDir Path directory) throws Exception {
        try (AuditLog log = AuditLog.in(directory, CLOCK)) {
            WatchedCommands watched = new WatchedCommands(Optional.of(log), false, CLOCK);
            watched.answered(command("find", false, 0));
            watched.answered(command("drop", true, 0));
            watched.answered(command("drop", true, 26));
            watched.answered(command("saslContinue", false, 18));
            watched.answered(command("drop", true, 13));
            assertThat(watched.counts())
                    .containsExactlyInAnyOrderEntriesOf(
                            Map.of(
                                    new RequestCounts.Kind("mongodb", 0), 2L,
                                    new RequestCounts.Kind("mongodb", 13), 1L,
                                    new RequestCounts.Kind("mongodb", 18), 1L,
                                    new RequestCounts.Kind("mongodb", 26), 1L));
        }
        assertThat(Files.readAllLines(directory.resolve("management.0.jsonl")))
                .hasSize(2)
                .first()
                .isEqualTo(
                        "{\"time\":\"2026-11-18T00:00:00Z\",\"event\":\"management\","
                                + "\"activityId\":\"00000000-0000-0001-0000-000000000002\","
                                + "\"client\":\"127.0.0.1\",\"principal\":\"primary read-write key\","
                                + "\"operation\":\"drop\",\"link\":\"shop.orders\",\"status\":0,"
                                + "\"substatus\":0}");
        assertThat(Files.readAllLines(directory.resolve("refused.0.jsonl"))).hasSize(2);
    }

    @Test
    void writesLinesIfWanted() {
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord line) {
                        lines.add(line.getMessage());
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        Logger logger = Logger.getLogger(RequestLog.NAME);
        logger.addHandler(handler);
        try {
            new WatchedCommands(Optional.empty(), false, CLOCK).answered(command("find", false, 0));
            new WatchedCommands(Optional.empty(), true, CLOCK).answered(command("find", false, 2));
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(lines)
                .containsExactly(
                        "find shop.orders 2/0 2.83 RU 1.5 ms 00000000-0000-0001-0000-000000000002");
    }
}
