package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.gateway.ReshapeSteps.Step;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.PageRequest;
import orrery.model.EffectiveKey;
import orrery.model.PartitionKey;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.audit.StoreAudit;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreOptions;
import orrery.storage.StoreSnapshot;

/**
 * Kills an engine with SIGKILL at each step of a split and of a merge, and looks at what it left:
 * every acknowledged write exactly once, ranges that tile the key space, counters that equal a
 * recount. What it had begun is then finished, and the next process goes on with the same data.
 */
final class ReshapeCrashTest {
    static final AccountSettings LIMITS = AccountSettings.DEFAULT.withMetering(false, false, false);

    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final Pattern ITEM =
            Pattern.compile("\"id\":\"(\\d+)\",\"pk\":\"k\\d+\",\"v\":(\\d+)");

    @TempDir Path directory;
    private final Random random = new Random(SEED);

    /**
     * Versions of items that are known to be stored. A write that was cut off may have happened or
     * not.
     */
    private final Map<Integer, Integer> acknowledged = new TreeMap<>();

    private final Map<Integer, Integer> tried = new TreeMap<>();
    private int nextVersion = 2;

    /** The range that was last decided to be split or merged. */
    private OptionalInt reshaping = OptionalInt.empty();

    @Test
    @Timeout(900)
    void everyStepSurvivesSigkill() throws Exception {
        rounds(1);
    }

    @Test
    @Tag("long")
    void everyStepSurvivesManySigkills() throws Exception {
        rounds(25);
    }

    private void rounds(int rounds) throws Exception {
        for (int round = 0; round < rounds; round++) {
            for (Step step : Step.values()) {
                String description = "%s, round %d, seed %d".formatted(step, round, SEED);
                try {
                    runUntilKilledAt(step);
                    checkStopped();
                    checkRestarted();
                } catch (AssertionError e) {
                    throw new AssertionError(description, e);
                }
            }
        }
    }

    private void runUntilKilledAt(Step step) throws IOException, InterruptedException {
        reshaping = OptionalInt.empty();
        Process process = start(step);
        boolean reached = false;
        List<String> other = new ArrayList<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split("[ .]", -1);
                if (!line.endsWith(".")) {
                    continue;
                }
                switch (words[0]) {
                    case "try" -> tried.put(number(words, 1), number(words, 2));
                    case "ack" -> acknowledged.put(number(words, 1), number(words, 2));
                    case "intended" -> reshaping = OptionalInt.of(number(words, 1));
                    case "reached" -> {
                        reached = true;
                        // The writers go on meanwhile, so the kill meets them anywhere.
                        LockSupport.parkNanos(random.nextInt(20_000_000));
                        // Unlike the process, its handle leaves what is in the pipe to be read.
                        process.toHandle().destroyForcibly();
                    }
                    default -> other.add(line);
                }
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(other).isEmpty();
        assertThat(reached).as("came to the step").isTrue();
        nextVersion = 1 + tried.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    private static int number(String[] words, int place) {
        return Integer.parseInt(words[place]);
    }

    private Process start(Step step) throws IOException {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DoomedEngine.class.getName(),
                        directory.toString(),
                        step.name(),
                        Long.toString(random.nextLong()),
                        Integer.toString(nextVersion));
        return new ProcessBuilder(command)
                .redirectError(new File(directory.toFile(), "stderr.txt"))
                .start();
    }

    /** Does what {@code orrery check} does. */
    private void checkStopped() {
        try (ReplicaStore store =
                ReplicaStore.open(directory.resolve("set"), StoreOptions.DEFAULT)) {
            assertThat(StoreAudit.run(store)).isEmpty();
        }
    }

    private void checkRestarted() {
        try (EngineFixture fixture = new EngineFixture(directory, LIMITS)) {
            ContainerRef container = EngineFixture.ref(DoomedEngine.CONTAINER);
            checkItems(fixture, container);
            checkTiles(map(fixture, container));
            awaitReshaped(fixture, container);
            checkTiles(map(fixture, container));
            checkItems(fixture, container);
            awaitDeleted(fixture, container);
            try (StoreSnapshot snapshot = fixture.replica.store().snapshot()) {
                assertThat(StoreAudit.run(snapshot)).isEmpty();
            }
        }
    }

    private static PartitionMap map(EngineFixture fixture, ContainerRef container) {
        return fixture.engine.resources().readPartitionMap(EngineFixture.context(), container);
    }

    /** Waits until the map no longer has the old range. */
    private void awaitReshaped(EngineFixture fixture, ContainerRef container) {
        PartitionMap map = map(fixture, container);
        while (reshaping.isPresent() && map.find(reshaping.getAsInt()).isPresent()) {
            assertThat(
                            fixture.catalog.awaitPartitionMap(
                                    fixture.engine
                                            .resources()
                                            .readContainer(EngineFixture.context(), container),
                                    map.epoch(),
                                    Duration.ofMinutes(10)))
                    .as("range %s is still there: %s", reshaping, map.partitions())
                    .isTrue();
            map = map(fixture, container);
        }
    }

    private static void awaitDeleted(EngineFixture fixture, ContainerRef container) {
        int number =
                fixture.engine
                        .resources()
                        .readContainer(EngineFixture.context(), container)
                        .number();
        while (fixture.replica.partitions().keySet().stream()
                .anyMatch(id -> id.container() != number)) {
            Thread.onSpinWait();
        }
    }

    private static void checkTiles(PartitionMap map) {
        EffectiveKey end = map.partitions().getFirst().keys().min();
        assertThat(end).isEqualTo(EffectiveKey.MIN);
        for (PhysicalPartition partition : map.partitions()) {
            assertThat(partition.keys().min()).as("%s", map.partitions()).isEqualTo(end);
            end = partition.keys().max();
        }
        assertThat(end).as("%s", map.partitions()).isEqualTo(EffectiveKey.MAX);
    }

    private void checkItems(EngineFixture fixture, ContainerRef container) {
        Map<Integer, Integer> found = new TreeMap<>();
        Optional<String> continuation = Optional.empty();
        do {
            ItemPage page =
                    fixture.engine
                            .items()
                            .readItems(
                                    EngineFixture.context(),
                                    container,
                                    new FeedScope.Everything(),
                                    new PageRequest(OptionalInt.of(100), continuation));
            page.items()
                    .forEach(
                            item -> {
                                Matcher body = match(item.body().toUtf8());
                                int id = Integer.parseInt(body.group(1));
                                int version = Integer.parseInt(body.group(2));
                                assertThat(found.put(id, version)).as("%s came twice", id).isNull();
                            });
            continuation = page.continuation();
        } while (continuation.isPresent());

        tried.forEach(
                (id, last) -> {
                    if (last.equals(found.get(id))) {
                        acknowledged.put(id, last);
                    }
                });
        tried.clear();
        tried.putAll(acknowledged);
        assertThat(found).isEqualTo(acknowledged);
        acknowledged.forEach(
                (id, version) ->
                        assertThat(read(fixture, container, id)).as("%s", id).isEqualTo(version));
    }

    private static int read(EngineFixture fixture, ContainerRef container, int id) {
        String body =
                fixture.engine
                        .items()
                        .readItem(
                                EngineFixture.context(),
                                container,
                                PartitionKey.ofText("k" + id),
                                new ItemRef.Named(Integer.toString(id)))
                        .item()
                        .orElseThrow()
                        .body()
                        .toUtf8();
        return Integer.parseInt(match(body).group(2));
    }

    private static Matcher match(String body) {
        Matcher matcher = ITEM.matcher(body);
        assertThat(matcher.find()).as(body).isTrue();
        return matcher;
    }
}
