package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.metering.KeyAmount;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.SplitAim;

/** The largest keys are known again after a start. */
@Timeout(900)
final class KeySurveyTest {
    /** More than a page. */
    private static final int KEYS = 1200;

    @TempDir Path directory;

    /** Actions for the rests of the survey, one each; the first rest is before its first page. */
    private final Queue<Runnable> rests = new ConcurrentLinkedQueue<>();

    private HostFixture open() {
        return new HostFixture(
                directory,
                HostFixture.ONE_PATH,
                UnaryOperator.identity(),
                _ -> {},
                _ -> {
                    Runnable next = rests.poll();
                    if (next != null) {
                        next.run();
                    }
                });
    }

    private static List<KeyAmount> largest(HostFixture host, int range) {
        PartitionResponse seen =
                host.call(
                        new ControlRequest.Inspect(
                                new PartitionId(HostFixture.PARTITION.container(), range), 4));
        return seen instanceof ControlResponse.Inspection inspection
                ? inspection.largestKeys()
                : List.of();
    }

    private static void create(HostFixture host, String key, int bytes) {
        host.create(
                host.key("i", key),
                "{\"id\":\"i\",\"pk\":\"%s\",\"t\":\"%s\"}".formatted(key, "x".repeat(bytes)));
    }

    private static void fill(HostFixture host) {
        for (int i = 0; i < KEYS; i++) {
            create(host, "k" + i, i % 300 == 50 ? 2000 + i : 10);
        }
    }

    @Test
    void theLargestAreFoundAgain() {
        try (HostFixture host = open()) {
            fill(host);
            List<KeyAmount> before = largest(host, 0);
            assertThat(before.getFirst().key()).isEqualTo(PartitionKey.ofText("k950"));

            host.restart();
            while (!largest(host, 0).equals(before)) {
                assertThat(Thread.interrupted()).as("it takes too long").isFalse();
            }
        }
    }

    @Test
    void heirsOfARangeThatIsSplitMeanwhileKnowThemToo() {
        List<KeyAmount> before;
        try (HostFixture host = open()) {
            fill(host);
            before = largest(host, 0);
        }
        CompletableFuture<HostFixture> opened = new CompletableFuture<>();
        rests.add(opened::join);
        rests.add(
                () ->
                        opened.join()
                                .call(
                                        new ControlRequest.Split(
                                                HostFixture.PARTITION,
                                                1,
                                                2,
                                                1,
                                                2,
                                                SplitAim.OPERATOR)));
        try (HostFixture host = open()) {
            opened.complete(host);

            List<KeyAmount> found = List.of();
            while (!found.equals(before)) {
                assertThat(Thread.interrupted()).as("it takes too long").isFalse();
                found =
                        Stream.concat(largest(host, 1).stream(), largest(host, 2).stream())
                                .sorted(Comparator.comparingDouble(KeyAmount::amount).reversed())
                                .limit(before.size())
                                .toList();
            }
            assertThat(rests).isEmpty();
        }
    }
}
