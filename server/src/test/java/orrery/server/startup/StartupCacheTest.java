package orrery.server.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import orrery.server.startup.StartupCache.Outcome;

/** Trains with shell scripts in the place of a JVM. */
@DisabledOnOs(OS.WINDOWS)
class StartupCacheTest {
    private static final String SUCCEEDS =
            "echo run >>\"$0/../runs\"; echo cache >\"$0/orrery.aot\"";
    private static final String FAILS =
            "echo run >>\"$0/../runs\"; echo half >\"$0/orrery.aot\"; exit 1";
    private static final String MAKES_NOTHING = "echo run >>\"$0/../runs\"";

    @TempDir Path temporary;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private Path directory() {
        return temporary.resolve("aot");
    }

    private StartupCache cache(String madeOf, String script) {
        return new StartupCache(
                directory(),
                madeOf,
                work -> List.of("sh", "-c", script, work.toString()),
                () -> now);
    }

    private int runs() throws IOException {
        Path runs = directory().resolve("runs");
        return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
    }

    @Test
    void makesACacheOnceForTheSameJdkAndJars() throws Exception {
        assertThat(cache("jars 1", SUCCEEDS).train()).isEqualTo(Outcome.TRAINED);
        assertThat(directory().resolve("orrery.aot")).hasContent("cache");
        assertThat(cache("jars 1", SUCCEEDS).train()).isEqualTo(Outcome.CURRENT);
        assertThat(runs()).isEqualTo(1);

        assertThat(cache("jars 2", SUCCEEDS).train()).isEqualTo(Outcome.TRAINED);
        assertThat(runs()).isEqualTo(2);
        assertThat(directory().resolve("work")).doesNotExist();
    }

    @Test
    void leavesNoHalfOfACache() throws Exception {
        assertThat(cache("jars 1", FAILS).train()).isEqualTo(Outcome.FAILED);
        assertThat(directory().resolve("orrery.aot")).doesNotExist();
        assertThat(cache("jars 1", MAKES_NOTHING).train()).isEqualTo(Outcome.FAILED);
        assertThat(directory().resolve("work")).doesNotExist();
    }

    @Test
    void triesAgainWithGrowingPausesAndNeverGivesUp() throws Exception {
        assertThat(cache("jars", FAILS).train()).isEqualTo(Outcome.FAILED);
        assertThat(cache("jars", FAILS).train()).as("the next start").isEqualTo(Outcome.FAILED);
        assertThat(cache("jars", FAILS).train()).isEqualTo(Outcome.PAUSED);
        assertThat(cache("other", FAILS).train()).as("other jars").isEqualTo(Outcome.FAILED);

        Duration pause = Duration.ofMinutes(1);
        assertThat(cache("jars", FAILS).train()).isEqualTo(Outcome.FAILED);
        for (int i = 2; i < 40; i++) {
            assertThat(cache("jars", FAILS).train()).isIn(Outcome.FAILED, Outcome.PAUSED);
            now = now.plus(Duration.ofDays(1));
            assertThat(cache("jars", FAILS).train()).as("a day later").isEqualTo(Outcome.FAILED);
        }
        now = now.plus(pause);
        assertThat(cache("jars", FAILS).train()).isEqualTo(Outcome.PAUSED);
        assertThat(cache("jars", SUCCEEDS).trainNow()).as("asked for").isEqualTo(Outcome.TRAINED);
        assertThat(directory().resolve("failures")).doesNotExist();
    }

    @Test
    void onlyOneProcessTrains() throws Exception {
        Files.createDirectories(directory());
        try (FileChannel file =
                        FileChannel.open(
                                directory().resolve("lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                var lock = file.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThat(cache("jars", SUCCEEDS).train()).isEqualTo(Outcome.BUSY);
        }
        assertThat(cache("jars", SUCCEEDS).train()).isEqualTo(Outcome.TRAINED);
    }

    @Test
    void endsWithItsServerAndIsNoFailureThen() throws Exception {
        Path pipe = temporary.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        // Its child waits for as long as nobody writes into the pipe. Both have opened the pipe for
        // reading when the test can open it for writing.
        StartupCache cache =
                cache("jars", "sh -c 'echo $$ >\"$0/../child\"; read x <" + pipe + "' \"$0\"");
        var outcome = CompletableFuture.supplyAsync(cache::train);
        try (var writer = Files.newOutputStream(pipe)) {
            cache.stop();
            assertThat(outcome.get(10, TimeUnit.MINUTES)).isEqualTo(Outcome.STOPPED);
            assertThat(writer).isNotNull();
        }
        long child = Long.parseLong(Files.readString(directory().resolve("child")).strip());
        ProcessHandle.of(child).ifPresent(handle -> handle.onExit().join());

        assertThat(directory().resolve("failures")).doesNotExist();
        assertThat(directory().resolve("work")).doesNotExist();
        assertThat(cache("jars", SUCCEEDS).train()).isEqualTo(Outcome.TRAINED);
        assertThat(cache.train()).isEqualTo(Outcome.CURRENT);
    }

    @Test
    void doesWithoutWhereNothingCanBeWritten() throws Exception {
        Files.writeString(directory(), "a file where the directory would be");
        assertThat(cache("jars", SUCCEEDS).train()).isEqualTo(Outcome.READ_ONLY);
    }
}
