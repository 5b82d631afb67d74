package orrery.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.server.audit.AuditEvent.Kind;

/** What is kept of events, and what is said of those that are not. */
final class AuditLogTest {
    private static final Instant NOW = Instant.parse("2026-11-18T00:00:00Z");

    @TempDir Path temporary;

    private AuditLog log(int queue, int refusals) {
        return new AuditLog(
                temporary.resolve("audit"),
                new AuditLog.Limits(queue, 10_000, 3, refusals, Duration.ofMinutes(1)),
                InstantSource.fixed(NOW));
    }

    private static AuditEvent event(Kind kind, String link) {
        return new AuditEvent(
                NOW, kind, "id", "127.0.0.1", "none", "DELETE colls", link, 401, 5000);
    }

    private List<String> lines(String kind) {
        Path file = temporary.resolve("audit").resolve(kind + ".0.jsonl");
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file, StandardCharsets.US_ASCII)
                    : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anEventIsOneLine() {
        try (AuditLog log = log(10, 10)) {
            log.start();
            log.add(event(Kind.MANAGEMENT, "/dbs/d/colls/c"));
        }
        assertThat(lines("management"))
                .containsExactly(
                        "{\"time\":\"2026-11-18T00:00:00Z\",\"event\":\"management\","
                                + "\"activityId\":\"id\",\"client\":\"127.0.0.1\","
                                + "\"principal\":\"none\",\"operation\":\"DELETE colls\","
                                + "\"link\":\"/dbs/d/colls/c\",\"status\":401,\"substatus\":5000}");
        assertThat(lines("refused")).isEmpty();
    }

    @Test
    void eventsThatFindTheQueueFullAreCounted() {
        try (AuditLog log = log(3, 10)) {
            // Nobody takes from the queue yet.
            for (int i = 0; i < 3; i++) {
                log.add(event(Kind.MANAGEMENT, "/" + i));
            }
            log.start();
        }
        assertThat(lines("management")).hasSize(3).noneMatch(line -> line.contains("missing"));
        try (AuditLog log = log(3, 10)) {
            for (int i = 3; i < 8; i++) {
                log.add(event(Kind.MANAGEMENT, "/" + i));
            }
            log.start();
        }
        assertThat(lines("management"))
                .hasSize(7)
                .last()
                .isEqualTo(
                        "{\"time\":\"2026-11-18T00:00:00Z\",\"event\":\"management\","
                                + "\"missing\":2,\"reason\":\"could not be written\"}");
    }

    @Test
    void refusalsBeyondTheLimitAreCountedAndNothingElseIs() {
        try (AuditLog log = log(100, 2)) {
            log.start();
            for (int i = 0; i < 2; i++) {
                log.add(event(Kind.REFUSED, "/"));
            }
            log.add(event(Kind.MANAGEMENT, "/"));
        }
        assertThat(lines("refused")).hasSize(2).noneMatch(line -> line.contains("missing"));
        try (AuditLog log = log(100, 2)) {
            log.start();
            for (int i = 0; i < 50; i++) {
                log.add(event(Kind.REFUSED, "/"));
                log.add(event(Kind.MANAGEMENT, "/"));
            }
        }
        assertThat(lines("refused"))
                .hasSize(5)
                .last()
                .asString()
                .contains("\"missing\":48,\"reason\":\"too many at once\"");
        assertThat(lines("management")).hasSize(51);
    }

    @Test
    void aClientCannotWriteLinesOfItsOwn() {
        String nasty = "/a\r\n{\"event\":\"management\"}\u2028\u0085\u001b[2J\ud800\"\\";
        try (AuditLog log = log(10, 10)) {
            log.start();
            log.add(event(Kind.REFUSED, nasty));
        }
        assertThat(lines("refused")).hasSize(1);
        Value.Obj read = (Value.Obj) JsonText.parse(lines("refused").getFirst());
        assertThat(read.properties().get("link"))
                .asInstanceOf(InstanceOfAssertFactories.type(Value.Text.class))
                .extracting(Value.Text::value, InstanceOfAssertFactories.STRING)
                .startsWith("/a\r\n{\"event\":\"management\"}\u2028\u0085\u001b[2J");
    }

    @Test
    void longTextsAreCutOff() {
        try (AuditLog log = log(10, 10)) {
            log.start();
            log.add(event(Kind.REFUSED, "x".repeat(AuditEvent.MOST_CHARACTERS)));
            log.add(event(Kind.REFUSED, "x".repeat(AuditEvent.MOST_CHARACTERS + 1)));
        }
        assertThat(lines("refused").getFirst()).doesNotContain("\\u2026");
        assertThat(lines("refused").getLast()).contains("x\\u2026");
    }

    @Test
    void aLogThatCannotBeWrittenHoldsUpNobody() throws IOException {
        Path data = temporary.resolve("data");
        try (AuditLog log =
                new AuditLog(
                        data.resolve("audit"),
                        new AuditLog.Limits(10, 10_000, 3, 10, Duration.ofMinutes(1)),
                        InstantSource.fixed(NOW))) {
            log.add(event(Kind.MANAGEMENT, "/lost"));
            Files.writeString(data, "a file is in the way");
            log.start();
        }
        assertThat(data).isRegularFile();
    }
}
