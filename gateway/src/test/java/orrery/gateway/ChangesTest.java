package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ChangePage;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.Bytes;
import orrery.model.ChangedItem;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.ItemVersion;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.SizeLimits;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.ReadRequest;

/** Changes as readers follow them, with the continuations they keep. */
@Timeout(900)
class ChangesTest {
    private static final FeedScope ALL = new FeedScope.Everything();

    @TempDir Path directory;
    private EngineFixture fixture;
    private Gateway engine;
    private ContainerRef container;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        engine = fixture.engine;
        container = fixture.container("c", 400, "/pk");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private PartitionMap map() {
        return engine.resources().readPartitionMap(EngineFixture.context(), container);
    }

    private void split(int range) {
        engine.operations().splitPartition(EngineFixture.context(), container, range);
    }

    private void put(int id, int value) {
        String json = "{\"id\":\"%d\",\"pk\":\"k%d\",\"v\":%d}".formatted(id, id, value);
        engine.items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Upsert(
                                Bytes.ofUtf8(json), Optional.empty(), Precondition.NONE));
    }

    private ChangePage<ChangedItem> read(FeedScope scope, ChangeRequest request) {
        return engine.items().readChanges(EngineFixture.context(), container, scope, request);
    }

    private List<String> readAll(FeedScope scope, ChangeRequest start, int pageSize) {
        List<String> bodies = new ArrayList<>();
        ChangePage<ChangedItem> page = read(scope, start.withMaxItems(pageSize));
        while (!page.changes().isEmpty()) {
            page.changes().forEach(change -> bodies.add(change.item().body().toUtf8()));
            page = read(scope, ChangeRequest.after(page.continuation()).withMaxItems(pageSize));
        }
        return bodies;
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000_000_000_000_000_000L, Long.MAX_VALUE - 10, Long.MAX_VALUE})
    void behindWhatNoLsnReachesIsNothing(long lsn) {
        put(1, 1);

        ChangePage<ChangedItem> page = read(ALL, ChangeRequest.after(Long.toString(lsn)));
        put(2, 2);

        assertThat(page.changes()).isEmpty();
        assertThat(page.hasMore()).isFalse();
        assertThat(read(ALL, ChangeRequest.after(page.continuation())).changes()).isEmpty();
    }

    @Test
    void aNumberBeyond64BitsIsNoContinuation() {
        assertThat(
                        catchThrowableOfType(
                                        OrreryException.class,
                                        () -> read(ALL, ChangeRequest.after("9999999999999999999")))
                                .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void onePartitionIsContinuedByItsLsn() {
        put(1, 1);
        put(2, 2);
        ChangePage<ChangedItem> page = read(ALL, ChangeRequest.FROM_BEGINNING.withMaxItems(1));
        assertThat(page.continuation()).isEqualTo("2");
        assertThat(page.sessionToken().format()).isEqualTo("0:-1#3");
        assertThat(page.range()).hasValue(0);
        ChangePage<ChangedItem> rest = read(ALL, ChangeRequest.after(page.continuation()));
        assertThat(rest.changes()).hasSize(1);
        ChangePage<ChangedItem> none = read(ALL, ChangeRequest.after(rest.continuation()));
        assertThat(none.changes()).isEmpty();
        assertThat(none.continuation()).isEqualTo("3");
    }

    private ContainerRef keeping() {
        return fixture.container(
                "versions", 400, EngineFixture.definition("/pk").withChangeRetention(60));
    }

    @Test
    void allVersionsAreFollowedAcrossASplitAndAMerge() {
        container = keeping();
        ChangePage<ItemVersion> page =
                engine.items()
                        .readVersions(
                                EngineFixture.context(), container, ALL, ChangeRequest.FROM_NOW);
        assertThat(page.changes()).isEmpty();
        for (int i = 0; i < 10; i++) {
            put(i, 1);
        }
        split(0);
        for (int i = 0; i < 10; i++) {
            put(i, 2);
        }
        engine.operations()
                .mergePartitions(
                        EngineFixture.context(), container, map().partitions().getFirst().range());
        for (int i = 0; i < 10; i++) {
            put(i, 3);
        }
        List<String> seen = new ArrayList<>();
        do {
            page =
                    engine.items()
                            .readVersions(
                                    EngineFixture.context(),
                                    container,
                                    ALL,
                                    ChangeRequest.after(page.continuation()).withMaxItems(4));
            page.changes().forEach(v -> seen.add(v.operation() + " " + v.item().body().toUtf8()));
        } while (!page.changes().isEmpty() || page.hasMore());
        assertThat(seen).hasSize(30).doesNotHaveDuplicates();
        assertThat(seen).filteredOn(text -> text.startsWith("CREATE")).hasSize(10);
    }

    /** All messages of the fixture go through their bytes, so one above 50 MB would be refused. */
    @Test
    void aTransactionWhoseImagesAreLargerThanAMessageIsFollowedAcrossASplit() {
        container = keeping();
        for (int i = 0; i < 20; i++) {
            put(i, 1);
        }
        int bytes = 2 * ReadRequest.MAX_PAGE_BYTES / 5;
        int count = 1 + SizeLimits.MAX_MESSAGE_BYTES / bytes;
        List<BatchOperation> deletes = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            createLarge(i, bytes);
            deletes.add(delete("large" + i));
            expected.add("DELETE large" + i);
        }
        ChangePage<ItemVersion> page = versions(ChangeRequest.FROM_NOW);
        engine.items()
                .batch(
                        EngineFixture.context(),
                        container,
                        new ItemBatch.Atomic(PartitionKey.ofText("one"), deletes));
        page = versions(ChangeRequest.after(page.continuation()));
        assertThat(page.changes()).hasSize(2);
        assertThat(page.continuation()).as("a place within an LSN").hasSizeGreaterThan(19);
        split(0);
        put(20, 1);
        expected.add("CREATE 20");

        List<String> seen = new ArrayList<>();
        while (!page.changes().isEmpty() || page.hasMore()) {
            page.changes()
                    .forEach(each -> seen.add(each.operation() + " " + each.key().rowKey().text()));
            page = versions(ChangeRequest.after(page.continuation()));
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(expected);
    }

    private void createLarge(int number, int bytes) {
        String json =
                "{\"id\":\"large%d\",\"pk\":\"one\",\"s\":\"%s\"}"
                        .formatted(number, "x".repeat(bytes));
        engine.items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Create(Bytes.ofUtf8(json), Optional.empty()));
    }

    private static BatchOperation delete(String id) {
        return new BatchOperation.Write(
                new ItemWrite.Delete(
                        new ItemRef.Named(id), PartitionKey.ofText("one"), Precondition.NONE));
    }

    private ChangePage<ItemVersion> versions(ChangeRequest request) {
        return engine.items().readVersions(EngineFixture.context(), container, ALL, request);
    }

    @Test
    void allVersionsBeginNeitherAtTheBeginningNorAtATime() {
        container = keeping();
        for (ChangeRequest request :
                List.of(
                        ChangeRequest.FROM_BEGINNING,
                        ChangeRequest.FROM_NOW.since(Instant.EPOCH),
                        ChangeRequest.after("1").since(Instant.EPOCH))) {
            OrreryException refusal =
                    catchThrowableOfType(
                            OrreryException.class,
                            () ->
                                    engine.items()
                                            .readVersions(
                                                    EngineFixture.context(),
                                                    container,
                                                    ALL,
                                                    request));
            assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        }
    }

    @Test
    void fromNowIsPinnedInEveryPartition() {
        split(0);
        for (int i = 0; i < 20; i++) {
            put(i, 0);
        }
        ChangePage<ChangedItem> now = read(ALL, ChangeRequest.FROM_NOW);
        assertThat(now.changes()).isEmpty();
        for (int i = 0; i < 20; i++) {
            put(i, 1);
        }
        assertThat(readAll(ALL, ChangeRequest.after(now.continuation()), 3))
                .hasSize(20)
                .doesNotHaveDuplicates()
                .allMatch(body -> body.endsWith("\"v\":1}"));
    }

    @Test
    void oneKeyHasALsnForItsContinuationWhateverBecomesOfItsPartition() {
        for (int i = 0; i < 20; i++) {
            put(i, 0);
        }
        FeedScope key = new FeedScope.Key(PartitionKey.ofText("k7"));
        ChangePage<ChangedItem> page = read(key, ChangeRequest.FROM_BEGINNING);
        assertThat(page.changes()).hasSize(1);
        split(0);
        put(7, 1);
        ChangePage<ChangedItem> next = read(key, ChangeRequest.after(page.continuation()));
        assertThat(next.changes()).hasSize(1);
        assertThat(Long.parseLong(next.continuation()))
                .isGreaterThan(Long.parseLong(page.continuation()));
    }

    @Test
    void aRangeThatIsGoneSaysSoAndItsContinuationIsGoodForItsChildren() {
        for (int i = 0; i < 40; i++) {
            put(i, 0);
        }
        FeedScope parent = new FeedScope.Range(0, Optional.empty());
        ChangePage<ChangedItem> page = read(parent, ChangeRequest.FROM_BEGINNING.withMaxItems(10));
        ChangeRequest next = ChangeRequest.after(page.continuation());
        split(0);
        OrreryException gone =
                catchThrowableOfType(OrreryException.class, () -> read(parent, next));
        assertThat(gone.code()).isEqualTo(ErrorCode.RANGE_GONE);
        List<String> rest = new ArrayList<>();
        for (PhysicalPartition child : map().partitions()) {
            rest.addAll(readAll(new FeedScope.Range(child.range(), Optional.empty()), next, 7));
        }
        assertThat(rest).hasSize(30).doesNotHaveDuplicates();
    }

    @Test
    void afterAMergeEachHalfGoesOnFromItsOwnLsn() {
        split(0);
        for (int i = 0; i < 40; i++) {
            put(i, 0);
        }
        // One half is read to its end, the other not at all.
        PhysicalPartition left = map().partitions().getFirst();
        PhysicalPartition right = map().partitions().getLast();
        ChangePage<ChangedItem> read =
                read(
                        new FeedScope.Range(left.range(), Optional.empty()),
                        ChangeRequest.FROM_BEGINNING);
        int merged =
                engine.operations()
                        .mergePartitions(EngineFixture.context(), container, left.range())
                        .partitions()
                        .getFirst()
                        .range();
        assertThat(
                        readAll(
                                new FeedScope.Range(merged, Optional.of(left.keys())),
                                ChangeRequest.after(read.continuation()),
                                5))
                .isEmpty();
        assertThat(
                        readAll(
                                new FeedScope.Range(merged, Optional.of(right.keys())),
                                ChangeRequest.FROM_BEGINNING,
                                5))
                .hasSize(40 - read.changes().size());
    }

    @Test
    void aTimeHoldsOnEveryPage() {
        put(1, 0);
        Instant future = Instant.now().plusSeconds(3600);
        assertThat(read(ALL, ChangeRequest.FROM_BEGINNING.since(future)).changes()).isEmpty();
        assertThat(read(ALL, ChangeRequest.after("0").since(future)).changes()).isEmpty();
        assertThat(
                        read(ALL, ChangeRequest.FROM_BEGINNING.since(future.minusSeconds(7200)))
                                .changes())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "12a", "99999999999999999999", "AAAA"})
    void aStrangeContinuationIsRefused(String token) {
        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class, () -> read(ALL, ChangeRequest.after(token)));
        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void keysThatTheRangeDoesNotHaveAreRefused() {
        split(0);
        PhysicalPartition left = map().partitions().getFirst();
        PhysicalPartition right = map().partitions().getLast();
        FeedScope scope = new FeedScope.Range(left.range(), Optional.of(right.keys()));
        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class, () -> read(scope, ChangeRequest.FROM_BEGINNING));
        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    /** A reader of everything and one of half the keys, while all kinds of things happen. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void nothingIsMissedSeenTwiceOrOutOfOrder(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        KeyRange half = new KeyRange(EffectiveKey.MIN, EffectiveKey.ofHex("20"));
        List<Reader> readers = List.of(new Reader(ALL), new Reader(new FeedScope.Keys(half)));
        Map<String, Integer> written = new TreeMap<>();
        for (int round = 0; round < 400; round++) {
            int chance = random.nextInt(100);
            if (chance < 70) {
                int id = random.nextInt(60);
                put(id, round);
                written.put(Integer.toString(id), round);
            } else if (chance < 95) {
                readers.get(random.nextInt(2)).step(1 + random.nextInt(9));
            } else {
                reshape(random);
            }
        }
        readers.forEach(Reader::catchUp);
        assertThat(readers.getFirst().values).isEqualTo(written);
        Map<String, Integer> below = new HashMap<>(written);
        below.keySet().retainAll(readers.getLast().values.keySet());
        assertThat(readers.getLast().values).isEqualTo(below).isNotEmpty();
        assertThat(readers.getLast().values.size()).isLessThan(written.size());
    }

    private void reshape(RandomGenerator random) {
        List<PhysicalPartition> partitions = map().partitions();
        int place = random.nextInt(partitions.size());
        try {
            if (place + 1 < partitions.size() && random.nextBoolean()) {
                engine.operations()
                        .mergePartitions(
                                EngineFixture.context(), container, partitions.get(place).range());
            } else if (partitions.size() < 8) {
                split(partitions.get(place).range());
            }
        } catch (OrreryException notNow) {
            assertThat(notNow.code())
                    .isIn(ErrorCode.RETRY_WITH, ErrorCode.CONFLICT, ErrorCode.BAD_REQUEST);
        }
    }

    private final class Reader {
        private final FeedScope scope;
        private final Map<String, Integer> values = new TreeMap<>();
        private ChangeRequest next = ChangeRequest.FROM_BEGINNING;

        Reader(FeedScope scope) {
            this.scope = scope;
        }

        boolean step(int pageSize) {
            ChangePage<ChangedItem> page = read(scope, next.withMaxItems(pageSize));
            page.changes().forEach(this::see);
            next = ChangeRequest.after(page.continuation());
            return !page.changes().isEmpty();
        }

        void catchUp() {
            while (step(10)) {
                // until nothing is new
            }
        }

        /** Values only ever grow, so one that does not was seen before. */
        private void see(ChangedItem change) {
            String body = change.item().body().toUtf8();
            String id = body.substring(7, body.indexOf('"', 7));
            int value =
                    Integer.parseInt(body.substring(body.lastIndexOf(':') + 1, body.length() - 1));
            Integer before = values.put(id, value);
            assertThat(value).as("value of %s", id).isGreaterThan(before == null ? -1 : before);
        }
    }
}
