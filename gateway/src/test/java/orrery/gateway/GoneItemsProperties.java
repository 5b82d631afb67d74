package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.gateway.api.ChangePage;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.ChangedItem;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.partition.audit.StoreAudit;
import orrery.query.QueryCall;
import orrery.query.sql.SqlStatement;
import orrery.storage.StoreSnapshot;

/**
 * Random histories with expiry, unique keys, deleted keys and splits, held against a map. After
 * every step all ways to read must tell the same, whether or not the rows are purged already: that
 * goes on in the background meanwhile. {@code -Dseed=N} replays one.
 */
final class GoneItemsProperties {
    private static final int STEPS = 120;
    private static final List<String> KEYS = List.of("a", "b", "c", "d");

    private final AtomicLong clockMillis = new AtomicLong(1_800_000_000_000L);
    private final Map<String, Stored> model = new TreeMap<>();
    private int defaultSeconds = 4;

    private record Stored(String key, String id, int ttl, int unique, int n, long millis) {}

    static LongStream seeds() {
        Long only = Long.getLong("seed");
        return only != null ? LongStream.of(only) : LongStream.range(1, 4);
    }

    static LongStream manySeeds() {
        Long only = Long.getLong("seed");
        return only != null ? LongStream.of(only) : LongStream.range(4, 31);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void allWaysToReadAgreeWithTheModel(long seed, @TempDir Path directory) {
        run(seed, directory);
    }

    @Tag("long")
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("manySeeds")
    void allWaysToReadAgreeWithTheModelForLonger(long seed, @TempDir Path directory) {
        run(seed, directory);
    }

    private void run(long seed, Path directory) {
        SplittableRandom random = new SplittableRandom(seed);
        InstantSource clock = () -> Instant.ofEpochMilli(clockMillis.get());
        try (EngineFixture fixture = new EngineFixture(directory, clock)) {
            ContainerRef container = fixture.container("c", 400, definition());
            for (int step = 0; step < STEPS; step++) {
                change(fixture, container, random);
                check(fixture, container, random);
            }
            try (StoreSnapshot snapshot = fixture.replica.store().snapshot()) {
                assertThat(StoreAudit.run(snapshot)).isEmpty();
            }
        }
    }

    private ContainerDefinition definition() {
        return EngineFixture.definition("/pk")
                .withTimeToLive(new TimeToLive(defaultSeconds))
                .withUniqueKeys(List.of(new UniqueKey(List.of(PropertyPath.parse("/u")))));
    }

    private void change(EngineFixture fixture, ContainerRef container, SplittableRandom random) {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> clockMillis.addAndGet(random.nextInt(2500));
            case 4 -> {
                // A longer life would bring back what has expired, as far as it is not purged.
                awaitPurged(fixture, container);
                defaultSeconds = List.of(-1, 0, 1, 3, 6).get(random.nextInt(5));
                fixture.engine
                        .resources()
                        .replaceContainer(
                                EngineFixture.context(),
                                container,
                                definition(),
                                Precondition.NONE);
            }
            case 5 -> {
                String key = KEYS.get(random.nextInt(KEYS.size()));
                fixture.engine
                        .items()
                        .deleteItems(EngineFixture.context(), container, PartitionKey.ofText(key));
                model.values().removeIf(item -> item.key().equals(key));
            }
            case 6 -> {
                if (random.nextInt(4) == 0) {
                    split(fixture, container, random);
                }
            }
            case 7, 8 -> delete(fixture, container, random);
            default -> write(fixture, container, random);
        }
    }

    private void awaitPurged(EngineFixture fixture, ContainerRef container) {
        long deadline = System.nanoTime() + Duration.ofMinutes(10).toNanos();
        while (fixture.engine.resources().readUsage(EngineFixture.context(), container).items()
                != present().count()) {
            assertThat(System.nanoTime()).as("time to purge").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void split(
            EngineFixture fixture, ContainerRef container, SplittableRandom random) {
        List<Integer> ranges =
                fixture
                        .engine
                        .resources()
                        .readPartitionMap(EngineFixture.context(), container)
                        .partitions()
                        .stream()
                        .map(partition -> partition.range())
                        .toList();
        fixture.engine
                .operations()
                .splitPartition(
                        EngineFixture.context(),
                        container,
                        ranges.get(random.nextInt(ranges.size())));
    }

    private void delete(EngineFixture fixture, ContainerRef container, SplittableRandom random) {
        String key = KEYS.get(random.nextInt(KEYS.size()));
        String id = Integer.toString(random.nextInt(4));
        boolean isThere = find(key, id).isPresent();
        Optional<ErrorCode> failure =
                failure(
                        () ->
                                fixture.engine
                                        .items()
                                        .writeItem(
                                                EngineFixture.context(),
                                                container,
                                                new ItemWrite.Delete(
                                                        new ItemRef.Named(id),
                                                        PartitionKey.ofText(key),
                                                        Precondition.NONE)));
        assertThat(failure)
                .isEqualTo(isThere ? Optional.empty() : Optional.of(ErrorCode.NOT_FOUND));
        model.remove(key + id);
    }

    private void write(EngineFixture fixture, ContainerRef container, SplittableRandom random) {
        Stored item =
                new Stored(
                        KEYS.get(random.nextInt(KEYS.size())),
                        Integer.toString(random.nextInt(4)),
                        List.of(0, 0, 0, -1, 1, 2, 5).get(random.nextInt(7)),
                        random.nextInt(6),
                        random.nextInt(10),
                        clockMillis.get());
        Bytes body =
                Bytes.ofUtf8(
                        """
                        {"id":"%s","pk":"%s","u":%d,"n":%d%s}"""
                                .formatted(
                                        item.id(),
                                        item.key(),
                                        item.unique(),
                                        item.n(),
                                        item.ttl() == 0 ? "" : ",\"ttl\":" + item.ttl()));
        boolean isCreate = random.nextBoolean();
        boolean isThere = find(item.key(), item.id()).isPresent();
        boolean isTaken =
                present()
                        .anyMatch(
                                other ->
                                        other.key().equals(item.key())
                                                && !other.id().equals(item.id())
                                                && other.unique() == item.unique());
        ItemWrite write =
                isCreate
                        ? new ItemWrite.Create(body, Optional.empty())
                        : new ItemWrite.Upsert(body, Optional.empty(), Precondition.NONE);
        Optional<ErrorCode> failure =
                failure(
                        () ->
                                fixture.engine
                                        .items()
                                        .writeItem(EngineFixture.context(), container, write));
        if (isCreate && isThere) {
            assertThat(failure).contains(ErrorCode.CONFLICT);
        } else if (isTaken) {
            assertThat(failure).contains(ErrorCode.UNIQUE_KEY_VIOLATION);
        } else {
            assertThat(failure).isEmpty();
            model.put(item.key() + item.id(), item);
        }
    }

    private static Optional<ErrorCode> failure(Runnable action) {
        try {
            action.run();
            return Optional.empty();
        } catch (OrreryException failure) {
            return Optional.of(failure.code());
        }
    }

    private Stream<Stored> present() {
        return model.values().stream().filter(this::isThere);
    }

    private Optional<Stored> find(String key, String id) {
        return Optional.ofNullable(model.get(key + id)).filter(this::isThere);
    }

    private boolean isThere(Stored item) {
        int seconds = item.ttl() == 0 ? defaultSeconds : item.ttl();
        return defaultSeconds == 0
                || seconds == -1
                || item.millis() + seconds * 1000L > clockMillis.get();
    }

    private void check(EngineFixture fixture, ContainerRef container, SplittableRandom random) {
        model.values().removeIf(item -> !isThere(item));
        List<String> wanted = present().map(item -> item.key() + item.id()).toList();
        assertThat(feed(fixture, container)).as("feed").isEqualTo(wanted);
        assertThat(changes(fixture, container)).as("change feed").isEqualTo(wanted);
        assertThat(query(fixture, container, "SELECT VALUE CONCAT(c.pk, c.id) FROM c"))
                .as("query")
                .containsExactlyInAnyOrderElementsOf(quoted(wanted));
        assertThat(query(fixture, container, "SELECT VALUE COUNT(1) FROM c"))
                .as("count")
                .containsExactly(Integer.toString(wanted.size()));
        assertThat(query(fixture, container, "SELECT VALUE c.n FROM c ORDER BY c.n"))
                .as("order by")
                .isEqualTo(present().map(Stored::n).sorted().map(String::valueOf).toList());
        assertThat(query(fixture, container, "SELECT VALUE MAX(c.n) FROM c WHERE c.n < 8"))
                .as("max")
                .isEqualTo(
                        present()
                                .map(Stored::n)
                                .filter(n -> n < 8)
                                .max(Integer::compare)
                                .map(n -> List.of(n.toString()))
                                .orElse(List.of()));
        int n = random.nextInt(10);
        assertThat(query(fixture, container, "SELECT VALUE COUNT(1) FROM c WHERE c.n = " + n))
                .as("count by index")
                .containsExactly(Long.toString(present().filter(item -> item.n() == n).count()));
        for (String key : KEYS) {
            long ofKey = present().filter(item -> item.key().equals(key)).count();
            assertThat(
                            query(
                                    fixture,
                                    container,
                                    "SELECT VALUE COUNT(1) FROM c WHERE c.pk = '" + key + "'"))
                    .as("count of key " + key)
                    .containsExactly(Long.toString(ofKey));
            for (int id = 0; id < 4; id++) {
                String item = Integer.toString(id);
                assertThat(
                                failure(
                                        () ->
                                                fixture.engine
                                                        .items()
                                                        .readItem(
                                                                EngineFixture.context(),
                                                                container,
                                                                PartitionKey.ofText(key),
                                                                new ItemRef.Named(item))))
                        .as("read of " + key + item)
                        .isEqualTo(
                                find(key, item).isPresent()
                                        ? Optional.empty()
                                        : Optional.of(ErrorCode.NOT_FOUND));
            }
        }
    }

    private static List<String> quoted(List<String> texts) {
        return texts.stream().map(text -> '"' + text + '"').toList();
    }

    private static List<String> feed(EngineFixture fixture, ContainerRef container) {
        List<String> found = new ArrayList<>();
        Optional<String> continuation = Optional.empty();
        do {
            ItemPage page =
                    fixture.engine
                            .items()
                            .readItems(
                                    EngineFixture.context(),
                                    container,
                                    new FeedScope.Everything(),
                                    new PageRequest(OptionalInt.of(3), continuation));
            page.items().forEach(item -> found.add(name(item.body())));
            continuation = page.continuation();
        } while (continuation.isPresent());
        return found.stream().sorted().toList();
    }

    private static List<String> changes(EngineFixture fixture, ContainerRef container) {
        List<String> found = new ArrayList<>();
        ChangeRequest request =
                new ChangeRequest(
                        new ChangeRequest.Start.Beginning(),
                        Optional.empty(),
                        OptionalInt.of(1000));
        ChangePage<ChangedItem> page =
                fixture.engine
                        .items()
                        .readChanges(
                                EngineFixture.context(),
                                container,
                                new FeedScope.Everything(),
                                request);
        while (page.hasMore() || !page.changes().isEmpty()) {
            page.changes().forEach(change -> found.add(name(change.item().body())));
            page =
                    fixture.engine
                            .items()
                            .readChanges(
                                    EngineFixture.context(),
                                    container,
                                    new FeedScope.Everything(),
                                    ChangeRequest.after(page.continuation()));
        }
        return found.stream().sorted().toList();
    }

    private static String name(Bytes body) {
        String text = body.toUtf8();
        String id = text.substring(7, 8);
        return text.substring(text.indexOf("pk") + 5, text.indexOf("pk") + 6) + id;
    }

    private static List<String> query(EngineFixture fixture, ContainerRef container, String text) {
        List<String> found = new ArrayList<>();
        Optional<String> continuation = Optional.empty();
        do {
            QueryPage page =
                    fixture.engine
                            .items()
                            .query(
                                    EngineFixture.context(),
                                    container,
                                    new FeedScope.Everything(),
                                    QueryCall.of(SqlStatement.parse(text, Map.of())),
                                    new PageRequest(OptionalInt.of(100), continuation));
            IntStream.range(0, page.rows().size())
                    .forEach(i -> found.add(page.rows().get(i).toUtf8()));
            continuation = page.continuation();
        } while (continuation.isPresent());
        return found;
    }
}
