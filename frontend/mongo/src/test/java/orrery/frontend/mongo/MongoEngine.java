package orrery.frontend.mongo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import orrery.gateway.EngineFixture;

/**
 * An engine that the tests of one class share, and a client of it that needs no login. It is there
 * before the first test of the class is made, so tests may ask for the client in their fields.
 */
final class MongoEngine implements BeforeAllCallback, AfterAllCallback {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final UnaryOperator<EngineFixture> level;
    private final boolean failPoints;
    private @Nullable Path directory;
    private @Nullable EngineFixture fixture;
    private @Nullable MongoClient client;

    private MongoEngine(UnaryOperator<EngineFixture> level, boolean failPoints) {
        this.level = level;
        this.failPoints = failPoints;
    }

    /** An engine whose store has the level of new ones. */
    static MongoEngine standard() {
        return new MongoEngine(UnaryOperator.identity(), false);
    }

    static MongoEngine ofNewestLevel() {
        return new MongoEngine(EngineFixture::withNewestLevel, false);
    }

    /** The same engine with the command by which tests make commands fail. */
    MongoEngine withFailPoints() {
        return new MongoEngine(level, true);
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        directory = Files.createTempDirectory("orrery-mongo");
        EngineFixture opened = level.apply(new EngineFixture(directory));
        fixture = opened;
        client = MongoClient.ofAnybody(opened, failPoints);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        fixture().close();
        try (Stream<Path> files = Files.walk(Objects.requireNonNull(directory))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    EngineFixture fixture() {
        return Objects.requireNonNull(fixture);
    }

    MongoClient client() {
        return Objects.requireNonNull(client);
    }

    /** Returns a name that no other test has. */
    static String newName() {
        return "c" + NAMES.incrementAndGet();
    }
}
