package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.StreamEvent;
import orrery.gateway.api.StreamPage;
import orrery.gateway.api.StreamRequest;
import orrery.gateway.api.StreamRequest.Start;
import orrery.gateway.api.StreamScope;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.ItemVersion;
import orrery.model.ItemVersion.Operation;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.PartitionRequest;

/** Streams of changes: what they show, where they go on, and how they wait. */
final class StreamsTest {
    private static final StreamScope.OneContainer C = new StreamScope.OneContainer("d", "c");
    private static final StreamScope D = new StreamScope.OneDatabase("d");
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir Path directory;
    private EngineFixture fixture;
    private Gateway engine;

    @BeforeEach
    void open() {
        reopen();
    }

    private void reopen() {
        fixture = new EngineFixture(directory).withNewestLevel();
        engine = fixture.engine;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private ContainerRef create(String name, int requestUnits) {
        return fixture.container(
                name, requestUnits, EngineFixture.definition("/k").withKind(ContainerKind.MONGODB));
    }

    private static Bytes document(int id, int key, int value) {
        return BsonCodec.write(
                new Value.Obj(
                        new TreeMap<>(
                                Map.of(
                                        "_id", Value.of(id),
                                        "k", Value.of("k" + key),
                                        "v", Value.of(value)))));
    }

    private void put(ContainerRef container, int id, int key, int value) {
        engine.items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Upsert(
                                new orrery.model.Body(Encoding.BSON, document(id, key, value)),
                                Optional.empty(),
                                Precondition.NONE));
    }

    private StreamPage read(StreamScope scope, Start start, int most, Duration patience) {
        return engine.streams()
                .read(EngineFixture.context(), new StreamRequest(scope, start, most, patience));
    }

    private String now(StreamScope scope) {
        engine.streams().watch(EngineFixture.context(), scope);
        return read(scope, new Start.Now(), 10, Duration.ZERO).token();
    }

    /** All that is behind a token. */
    private List<StreamEvent> behind(StreamScope scope, String token) {
        List<StreamEvent> events = new ArrayList<>();
        StreamPage page = read(scope, new Start.After(token), 3, Duration.ZERO);
        while (!page.events().isEmpty()) {
            events.addAll(page.events());
            if (page.isEnded()) {
                return events;
            }
            page = read(scope, new Start.After(page.token()), 3, Duration.ZERO);
        }
        return events;
    }

    private static String text(StreamEvent event) {
        return switch (event) {
            case StreamEvent.Changed(String _, var container, ItemVersion version, var _) ->
                    container.name()
                            + " "
                            + version.operation()
                            + " "
                            + value(version)
                            + version.previous()
                                    .map(before -> " was " + value(before.body()))
                                    .orElse("");
            case StreamEvent.Dropped dropped -> "dropped " + dropped.container();
            case StreamEvent.Renamed renamed -> renamed.from() + " is " + renamed.to();
            case StreamEvent.DatabaseDropped dropped -> "dropped all of " + dropped.database();
            case StreamEvent.Ended _ -> "end";
        };
    }

    private static String value(ItemVersion version) {
        return value(version.item().body());
    }

    private static String value(Bytes body) {
        Map<String, Value> fields = BsonCodec.read(body).properties();
        return ((Value.Int) fields.getOrDefault("_id", Value.of(0))).value()
                + "="
                + ((Value.Int) fields.getOrDefault("v", Value.of(0))).value();
    }

    private static List<String> texts(List<StreamEvent> events) {
        return events.stream().map(StreamsTest::text).toList();
    }

    @Test
    void aReplaceHasTheVersionBeforeAlsoWhereThatWasNotKept() {
        ContainerRef c = create("c", 400);
        put(c, 1, 1, 1);
        String token = now(C);
        put(c, 1, 1, 2);

        assertThat(texts(behind(C, token))).containsExactly("c REPLACE 1=2 was 1=1");
    }

    /** Somebody else than MongoDB's clients writes, too. */
    @Test
    void aPatchIsAnUpdate() {
        ContainerRef c = create("c", 400);
        put(c, 1, 1, 1);
        String token = now(C);
        patch(c, 2);
        put(c, 1, 1, 3);

        assertThat(behind(C, token)).extracting(StreamsTest::isUpdate).containsExactly(true, false);
    }

    private static boolean isUpdate(StreamEvent event) {
        return ((StreamEvent.Changed) event).version().mark().isUpdate();
    }

    private void patch(ContainerRef container, int value) {
        engine.items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Evaluate(
                                new ItemRef.Named(rowKey(1)),
                                PartitionKey.ofText("k1"),
                                EngineFixture.patch(
                                        "[{\"op\":\"set\",\"path\":\"/v\",\"value\":"
                                                + value
                                                + "}]"),
                                Precondition.NONE));
    }

    /** A set that was not raised yet goes on as before. */
    @Test
    void anEarlierLevelTellsUpdatesAsReplaces() {
        fixture.close();
        fixture = new EngineFixture(directory.resolve("other"));
        engine = fixture.engine;
        ContainerRef c = create("c", 400);
        put(c, 1, 1, 1);
        String token = now(C);
        patch(c, 2);
        patch(c, 3);

        assertThat(texts(behind(C, token)))
                .containsExactly("c REPLACE 1=2", "c REPLACE 1=3 was 1=2");
        assertThat(behind(C, token)).noneMatch(StreamsTest::isUpdate);
    }

    @Test
    void aContainerKeepsNothingBeforeSomebodyWatches() {
        ContainerRef c = create("c", 400);
        put(c, 1, 1, 1);

        assertThat(codeOf(() -> read(C, new Start.At(Instant.EPOCH), 1, Duration.ZERO)))
                .isEqualTo(ErrorCode.VERSIONS_NOT_KEPT);
        now(C);
        assertThat(codeOf(() -> read(C, new Start.At(Instant.EPOCH), 1, Duration.ZERO)))
                .isEqualTo(ErrorCode.VERSIONS_LOST);
    }

    private static ErrorCode codeOf(Runnable call) {
        return catchThrowableOfType(OrreryException.class, call::run).code();
    }

    @Test
    void aReaderCannotTurnVersionsOn() {
        create("c", 400);
        assertThat(codeOf(() -> engine.streams().watch(EngineFixture.readOnly(), C)))
                .isEqualTo(ErrorCode.FORBIDDEN);
        now(C);
        engine.streams().watch(EngineFixture.readOnly(), C);
        assertThat(codeOf(() -> engine.streams().watch(EngineFixture.readOnly(), D)))
                .isEqualTo(ErrorCode.FORBIDDEN);
    }

    @Test
    void aTokenIsOfOneScope() {
        create("c", 400);
        create("e", 400);
        String token = now(C);
        assertThat(codeOf(() -> read(D, new Start.After(token), 1, Duration.ZERO)))
                .isEqualTo(ErrorCode.PLACE_UNKNOWN);
        StreamScope other = new StreamScope.OneContainer("d", "e");
        assertThat(codeOf(() -> read(other, new Start.After(token), 1, Duration.ZERO)))
                .isEqualTo(ErrorCode.PLACE_UNKNOWN);
    }

    @Test
    void aStreamOfADatabaseGoesOnWithoutWhatIsDropped() {
        ContainerRef c = create("c", 400);
        String token = now(D);
        ContainerRef e = create("e", 400);
        put(c, 1, 1, 1);
        put(e, 2, 2, 2);
        assertThat(texts(behind(D, token)))
                .containsExactlyInAnyOrder("c CREATE 1=1", "e CREATE 2=2");
        engine.resources().deleteContainer(EngineFixture.context(), c, Precondition.NONE);
        put(e, 2, 2, 3);

        assertThat(texts(behind(D, token)))
                .containsExactly("dropped c", "e CREATE 2=2", "e REPLACE 2=3 was 2=2");
        String knew = read(D, new Start.After(token), 10, Duration.ZERO).token();
        engine.resources()
                .deleteDatabase(
                        EngineFixture.context(),
                        new orrery.gateway.api.ResourceRef.Named("d"),
                        Precondition.NONE);
        assertThat(texts(behind(D, knew))).containsExactly("dropped e", "dropped all of d", "end");
    }

    @Test
    void aChangeWakesWhoWaits() throws Exception {
        ContainerRef c = create("c", 50_000);
        String token = now(C);
        CountDownLatch waiting = new CountDownLatch(5);
        fixture.watch = waits(waiting);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<StreamPage> page =
                    CompletableFuture.supplyAsync(
                            () -> read(C, new Start.After(token), 10, LONG), threads);
            waiting.await();
            put(c, 1, 1, 1);

            assertThat(texts(page.join().events())).containsExactly("c CREATE 1=1");
        }
    }

    private static EngineFixture.Watch waits(CountDownLatch waiting) {
        return new EngineFixture.Watch() {
            @Override
            public void sends(PartitionRequest request) {
                if (request instanceof ControlRequest.AwaitChange) {
                    waiting.countDown();
                }
            }
        };
    }

    @Test
    void aSplitWakesWhoWaitsAndLosesNothing() throws Exception {
        ContainerRef c = create("c", 400);
        String token = now(C);
        CountDownLatch waiting = new CountDownLatch(1);
        fixture.watch = waits(waiting);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<StreamPage> page =
                    CompletableFuture.supplyAsync(
                            () -> read(C, new Start.After(token), 10, LONG), threads);
            waiting.await();
            engine.operations().splitPartition(EngineFixture.context(), c, 0);
            put(c, 1, 1, 1);

            assertThat(texts(page.join().events())).containsExactly("c CREATE 1=1");
        }
    }

    @Test
    void aDropWakesWhoWaits() throws Exception {
        ContainerRef c = create("c", 400);
        String token = now(C);
        CountDownLatch waiting = new CountDownLatch(1);
        fixture.watch = waits(waiting);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<StreamPage> page =
                    CompletableFuture.supplyAsync(
                            () -> read(C, new Start.After(token), 10, LONG), threads);
            waiting.await();
            engine.resources().deleteContainer(EngineFixture.context(), c, Precondition.NONE);

            assertThat(texts(page.join().events())).containsExactly("dropped c", "end");
            assertThat(page.join().isEnded()).isTrue();
        }
    }

    @Test
    void aNewContainerWakesWhoWaitsForADatabase() throws Exception {
        create("c", 400);
        String token = now(D);
        CountDownLatch waiting = new CountDownLatch(1);
        fixture.watch = waits(waiting);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<StreamPage> page =
                    CompletableFuture.supplyAsync(
                            () -> read(D, new Start.After(token), 10, LONG), threads);
            waiting.await();
            put(create("e", 400), 1, 1, 1);

            assertThat(texts(page.join().events())).containsExactly("e CREATE 1=1");
        }
    }

    @Test
    void whoLeavesDoesNotWaitOn() throws Exception {
        create("c", 50_000);
        String token = now(C);
        CountDownLatch waiting = new CountDownLatch(5);
        fixture.watch = waits(waiting);
        Cancellation request = new Cancellation();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<ErrorCode> code =
                    CompletableFuture.supplyAsync(
                            () ->
                                    codeOf(
                                            () ->
                                                    request.during(
                                                            () ->
                                                                    read(
                                                                            C,
                                                                            new Start.After(token),
                                                                            10,
                                                                            LONG))),
                            threads);
            waiting.await();
            request.cancel();

            assertThat(code.join()).isEqualTo(ErrorCode.TIMEOUT);
        }
    }

    /**
     * Histories of writes with splits, merges and restarts. The events of each key are those of the
     * model, in order and once, also where the reader begins anew at the token of any event.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void eventsAreThoseOfTheModel(long seed) {
        Random random = new Random(seed);
        ContainerRef c = create("c", 400);
        String token = now(C);
        Model model = new Model();
        List<StreamEvent> seen = new ArrayList<>();
        for (int step = 0; step < 120; step++) {
            switch (random.nextInt(20)) {
                case 0 -> split(c, random);
                case 1 -> merge(c, random);
                case 2 -> {
                    fixture.close();
                    reopen();
                }
                case 3, 4, 5 -> {
                    StreamPage page =
                            read(C, new Start.After(token), 1 + random.nextInt(4), Duration.ZERO);
                    seen.addAll(page.events());
                    token = page.token();
                }
                case 6 -> {
                    if (!seen.isEmpty()) {
                        int last = random.nextInt(seen.size());
                        token = seen.get(last).token();
                        seen = new ArrayList<>(seen.subList(0, last + 1));
                    }
                }
                default -> model.write(c, random);
            }
        }
        seen.addAll(behind(C, token));

        assertThat(byKey(seen)).as("seed %d", seed).isEqualTo(model.events);
    }

    private static Map<String, List<String>> byKey(List<StreamEvent> events) {
        Map<String, List<String>> byKey = new HashMap<>();
        for (StreamEvent event : events) {
            ItemVersion version = ((StreamEvent.Changed) event).version();
            Value key =
                    BsonCodec.read(version.item().body())
                            .properties()
                            .getOrDefault("k", Value.of(""));
            byKey.computeIfAbsent(((Value.Text) key).value(), _ -> new ArrayList<>())
                    .add(text(event));
        }
        return byKey;
    }

    private List<PhysicalPartition> partitions(ContainerRef c) {
        return engine.resources().readPartitionMap(EngineFixture.context(), c).partitions();
    }

    private void split(ContainerRef c, Random random) {
        List<PhysicalPartition> all = partitions(c);
        engine.operations()
                .splitPartition(
                        EngineFixture.context(), c, all.get(random.nextInt(all.size())).range());
    }

    private void merge(ContainerRef c, Random random) {
        List<PhysicalPartition> all = partitions(c);
        if (all.size() > 1) {
            engine.operations()
                    .mergePartitions(
                            EngineFixture.context(),
                            c,
                            all.get(random.nextInt(all.size() - 1)).range());
        }
    }

    /** The documents that are there, and what happened to those of each key. */
    private final class Model {
        private final Map<Integer, Integer> values = new HashMap<>();
        private final Map<String, List<String>> events = new HashMap<>();

        void write(ContainerRef c, Random random) {
            int id = random.nextInt(12);
            int key = id % 4;
            Integer before = values.get(id);
            List<String> ofKey = events.computeIfAbsent("k" + key, _ -> new ArrayList<>());
            if (before != null && random.nextInt(4) == 0) {
                engine.items()
                        .writeItem(
                                EngineFixture.context(),
                                c,
                                new ItemWrite.Delete(
                                        new ItemRef.Named(rowKey(id)),
                                        PartitionKey.ofText("k" + key),
                                        Precondition.NONE));
                values.remove(id);
                ofKey.add("c " + Operation.DELETE + " " + id + "=" + before);
                return;
            }
            int value = random.nextInt(1000);
            put(c, id, key, value);
            values.put(id, value);
            ofKey.add(
                    before == null
                            ? "c CREATE " + id + "=" + value
                            : "c REPLACE " + id + "=" + value + " was " + id + "=" + before);
        }
    }

    private static RowKey rowKey(int id) {
        return orrery.document.BsonKeys.rowKey(Value.of(id));
    }
}
