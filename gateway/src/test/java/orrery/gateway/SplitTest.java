package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.gateway.api.ResourceRef;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RangeBoundaries;
import orrery.model.SessionToken;
import orrery.model.Throughput;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.audit.StoreAudit;
import orrery.storage.StoreSnapshot;

/** Splits and merges as a client of the gateway lives through them. */
@Timeout(900)
class SplitTest {
    private static final FeedScope EVERYWHERE = new FeedScope.Everything();
    private static final String ALL_IDS = "SELECT VALUE c.id FROM c";

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
        // Entries may still be on their way home, so not from the store itself.
        try (StoreSnapshot snapshot = fixture.replica.store().snapshot()) {
            assertThat(StoreAudit.run(snapshot)).isEmpty();
        }
        fixture.close();
    }

    private PartitionMap map() {
        return engine.resources().readPartitionMap(EngineFixture.context(), container);
    }

    private Offer offer() {
        return engine.resources()
                .findOffer(
                        EngineFixture.context(),
                        engine.resources().readContainer(EngineFixture.context(), container).rid())
                .orElseThrow();
    }

    private void scaleTo(int requestUnits) {
        engine.resources()
                .replaceOffer(
                        EngineFixture.context(),
                        offer().rid(),
                        new Throughput.Manual(requestUnits));
        awaitPartitions(requestUnits / 10_000);
    }

    private void awaitPartitions(int count) {
        PartitionMap map = map();
        while (map.partitions().size() < count) {
            fixture.catalog.awaitPartitionMap(
                    engine.resources().readContainer(EngineFixture.context(), container),
                    map.epoch(),
                    Duration.ofMinutes(5));
            map = map();
        }
    }

    private void mergeAll() {
        while (map().partitions().size() > 1) {
            try {
                engine.operations()
                        .mergePartitions(
                                EngineFixture.context(),
                                container,
                                map().partitions().getFirst().range());
            } catch (OrreryException notNow) {
                // Entries must come home first, and then it is done in the background: meanwhile
                // there is another merge under way, or the range is merged already.
                assertThat(notNow.code())
                        .isIn(ErrorCode.RETRY_WITH, ErrorCode.CONFLICT, ErrorCode.BAD_REQUEST);
            }
        }
    }

    private ItemAnswer upsert(int key, int id, int value) {
        String json = "{\"id\":\"%d\",\"pk\":\"k%d\",\"v\":%d}".formatted(id, key, value);
        return engine.items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Upsert(
                                Bytes.ofUtf8(json), Optional.empty(), Precondition.NONE));
    }

    private String read(int key, int id, Optional<SessionToken> token) {
        return engine.items()
                .readItem(
                        EngineFixture.context(token),
                        container,
                        PartitionKey.ofText("k" + key),
                        new ItemRef.Named(Integer.toString(id)))
                .item()
                .orElseThrow()
                .body()
                .toUtf8();
    }

    private List<Long> readAll(int pageSize) {
        List<Long> docids = new ArrayList<>();
        Optional<String> continuation = Optional.empty();
        do {
            continuation = feedPage(pageSize, continuation, docids);
        } while (continuation.isPresent());
        return docids;
    }

    /** The left child has the number of the segment that both children read. */
    @Test
    void theIndexHasEachItemOnce() {
        for (int i = 0; i < 100; i++) {
            upsert(i, i, i);
        }
        PhysicalPartition only = map().partitions().getFirst();
        engine.operations().splitPartition(EngineFixture.context(), container, only.range());

        assertThat(map().partitions())
                .extracting(PhysicalPartition::range)
                .contains(only.segment());
        assertThat(
                        fixture.all(
                                container,
                                new FeedScope.Everything(),
                                "SELECT VALUE c.v FROM c WHERE c.v >= 0 ORDER BY c.v",
                                1000))
                .isEqualTo(IntStream.range(0, 100).mapToObj(Integer::toString).toList());
    }

    @Test
    void moreThroughputBringsMorePartitions() {
        for (int i = 0; i < 100; i++) {
            upsert(i, i, 0);
        }

        scaleTo(50_000);

        assertThat(map().partitions()).hasSize(5);
        assertThat(map().partitions()).allMatch(p -> p.parents().contains(0));
        assertThat(engine.resources().isReplacePending(EngineFixture.context(), offer())).isFalse();
        assertThat(readAll(7)).hasSize(100).doesNotHaveDuplicates();
        assertThat(read(3, 3, Optional.empty())).contains("\"v\":0");
        scaleDownTo(1000);
        assertThat(map().partitions()).hasSize(5);
    }

    private void scaleDownTo(int requestUnits) {
        engine.resources()
                .replaceOffer(
                        EngineFixture.context(),
                        offer().rid(),
                        new Throughput.Manual(requestUnits));
    }

    /** A few items say nothing about the keys to come: the hash space is what is shared out. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void rangesOfAnAlmostEmptyContainerAreEven(int hashVersion) {
        engine.resources()
                .createContainer(
                        EngineFixture.context(),
                        new ResourceRef.Named("d"),
                        "even",
                        EngineFixture.withHashVersion(EngineFixture.definition("/pk"), hashVersion),
                        Optional.of(new Throughput.Manual(400)));
        container = EngineFixture.ref("even");
        upsert(1, 1, 1);

        scaleTo(160_000);

        assertThat(map().partitions()).hasSize(16);
        assertThat(map().partitions())
                .allSatisfy(
                        partition ->
                                assertThat(
                                                RangeBoundaries.span(
                                                        engine.resources()
                                                                .readContainer(
                                                                        EngineFixture.context(),
                                                                        container)
                                                                .definition()
                                                                .partitionKey(),
                                                        partition.keys()))
                                        .isBetween(0.06, 0.07));
    }

    @Test
    void ancestorsAreListedOldestFirst() {
        for (int i = 0; i < 100; i++) {
            upsert(i, i, 0);
        }
        engine.operations().splitPartition(EngineFixture.context(), container, 0);
        PartitionMap map =
                engine.operations().splitPartition(EngineFixture.context(), container, 1);

        assertThat(map.partitions().stream().map(PhysicalPartition::range))
                .containsExactly(3, 4, 2);
        assertThat(map.find(3).orElseThrow().parents()).containsExactly(0, 1);
        PartitionMap merged =
                engine.operations().mergePartitions(EngineFixture.context(), container, 4);
        assertThat(merged.find(5).orElseThrow().parents()).containsExactly(0, 1, 2, 4);
    }

    @Test
    void tokensOfTheParentHoldForTheChildren() {
        SessionToken token = upsert(1, 1, 1).sessionToken();
        for (int i = 0; i < 50; i++) {
            upsert(i, 100 + i, 0);
        }
        engine.operations().splitPartition(EngineFixture.context(), container, 0);

        assertThat(read(1, 1, Optional.of(token))).contains("\"v\":1");
        for (PhysicalPartition partition : map().partitions()) {
            ItemPage page =
                    engine.items()
                            .readItems(
                                    EngineFixture.context(Optional.of(token)),
                                    container,
                                    new FeedScope.Range(partition.range(), Optional.empty()),
                                    PageRequest.FIRST);
            assertThat(page.items()).isNotEmpty();
        }
    }

    @Test
    void aRangeThatIsGoneIsSaidToBeGone() {
        engine.operations().splitPartition(EngineFixture.context(), container, 0);

        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                engine.items()
                                        .readItems(
                                                EngineFixture.context(),
                                                container,
                                                new FeedScope.Range(0, Optional.empty()),
                                                PageRequest.FIRST));

        assertThat(failure.code()).isEqualTo(ErrorCode.RANGE_GONE);
    }

    @Test
    void aFeedGoesOnAfterSplitsAndMerges() {
        for (int i = 0; i < 200; i++) {
            upsert(i, i, 0);
        }
        Set<Long> docids = new HashSet<>();
        Optional<String> continuation = Optional.empty();
        int pages = 0;
        do {
            ItemPage page =
                    engine.items()
                            .readItems(
                                    EngineFixture.context(),
                                    container,
                                    new FeedScope.Everything(),
                                    new PageRequest(OptionalInt.of(9), continuation));
            page.items().forEach(item -> assertThat(docids.add(item.docid())).isTrue());
            continuation = page.continuation();
            pages++;
            if (pages % 3 == 0) {
                engine.operations()
                        .splitPartition(
                                EngineFixture.context(),
                                container,
                                map().partitions().getLast().range());
            } else if (pages % 5 == 0) {
                engine.operations()
                        .mergePartitions(
                                EngineFixture.context(),
                                container,
                                map().partitions().getFirst().range());
            }
        } while (continuation.isPresent());
        assertThat(docids).hasSize(200);
    }

    /** A token names keys and how far they have come; the merged partition has those of both. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 8})
    void aFeedGoesOnInOrderAcrossAMerge(int pagesBefore) {
        for (int i = 0; i < 50; i++) {
            upsert(i, i, 0);
        }
        engine.operations().splitPartition(EngineFixture.context(), container, 0);
        for (int i = 50; i < 100; i++) {
            upsert(i, i, 0);
        }
        List<Long> feed = readAll(1000);
        List<String> query = fixture.all(container, EVERYWHERE, ALL_IDS, 1000);
        List<Long> foundByFeed = new ArrayList<>();
        List<String> foundByQuery = new ArrayList<>();
        Optional<String> feedToken = Optional.empty();
        Optional<String> queryToken = Optional.empty();
        for (int page = 0; page < pagesBefore; page++) {
            feedToken = feedPage(9, feedToken, foundByFeed);
            queryToken = queryPage(EVERYWHERE, 9, queryToken, foundByQuery);
        }
        mergeAll();
        while (feedToken.isPresent()) {
            feedToken = feedPage(9, feedToken, foundByFeed);
        }
        while (queryToken.isPresent()) {
            queryToken = queryPage(EVERYWHERE, 9, queryToken, foundByQuery);
        }
        assertThat(foundByFeed).isEqualTo(feed).hasSize(100);
        assertThat(foundByQuery).isEqualTo(query).hasSize(100);
        // A feed that begins now has one partition, and one order.
        assertThat(readAll(9)).isEqualTo(feed.stream().sorted(Long::compareUnsigned).toList());
    }

    /** SDKs ask the merged range for the keys of the one that is gone, with that one's token. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void theTokenOfARangeIsGoodForItsKeysInTheMergedOne(int which) {
        for (int i = 0; i < 100; i++) {
            upsert(i, i, 0);
        }
        PhysicalPartition child =
                engine.operations()
                        .splitPartition(EngineFixture.context(), container, 0)
                        .partitions()
                        .get(which);
        FeedScope alone = new FeedScope.Range(child.range(), Optional.empty());
        List<String> expected = fixture.all(container, alone, ALL_IDS, 1000);
        List<String> found = new ArrayList<>();
        Optional<String> token = queryPage(alone, 7, Optional.empty(), found);
        mergeAll();
        FeedScope inMerged =
                new FeedScope.Range(
                        map().partitions().getFirst().range(), Optional.of(child.keys()));
        while (token.isPresent()) {
            token = queryPage(inMerged, 7, token, found);
        }
        assertThat(found).isEqualTo(expected).hasSizeGreaterThan(20);
    }

    private Optional<String> feedPage(int size, Optional<String> token, List<Long> found) {
        ItemPage page =
                engine.items()
                        .readItems(
                                EngineFixture.context(),
                                container,
                                EVERYWHERE,
                                new PageRequest(OptionalInt.of(size), token));
        page.items().forEach(item -> found.add(item.docid()));
        return page.continuation();
    }

    private Optional<String> queryPage(
            FeedScope scope, int size, Optional<String> token, List<String> found) {
        QueryPage page = fixture.page(container, scope, ALL_IDS, size, token);
        page.rows().forEach(row -> found.add(row.toUtf8()));
        return page.continuation();
    }

    @Test
    void oneKeyIsNotSplitForStorageAndTheNextAttemptIsFree() {
        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                engine.operations()
                                        .splitPartition(EngineFixture.context(), container, 99));
        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        OrreryException noNeighbour =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                engine.operations()
                                        .mergePartitions(EngineFixture.context(), container, 0));
        assertThat(noNeighbour.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        engine.operations().splitPartition(EngineFixture.context(), container, 0);
    }

    /** Entries have to come home first, so some of the merges wait; nothing else does. */
    @Test
    void aPolicyIsChangedWhileAMergeWaits() throws Exception {
        for (int i = 0; i < 200; i++) {
            upsert(i, i, 0);
        }
        for (int i = 0; i < 6; i++) {
            engine.operations()
                    .splitPartition(
                            EngineFixture.context(),
                            container,
                            map().partitions().getFirst().range());
        }
        ContainerDefinition before =
                engine.resources().readContainer(EngineFixture.context(), container).definition();
        ContainerDefinition without =
                new ContainerDefinition(
                        before.partitionKey(),
                        new IndexingPolicy(
                                IndexingPolicy.Mode.NONE,
                                false,
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of()),
                        before.conflictResolution(),
                        before.geospatial());
        AtomicBoolean isOver = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> changes =
                    threads.submit(
                            () -> {
                                for (int i = 0; !isOver.get(); i++) {
                                    engine.resources()
                                            .replaceContainer(
                                                    EngineFixture.context(),
                                                    container,
                                                    i % 2 == 0 ? without : before,
                                                    Precondition.NONE);
                                }
                            });
            try {
                mergeAll();
            } finally {
                isOver.set(true);
            }
            changes.get();
        }
        assertThat(readAll(50)).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    void rangesThatTheThroughputNeedsAreNotMerged() {
        scaleTo(20_000);
        int left = map().partitions().getFirst().range();

        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                engine.operations()
                                        .mergePartitions(EngineFixture.context(), container, left));

        assertThat(failure.text()).contains("Lower it");
        scaleDownTo(10_000);
        assertThat(
                        engine.operations()
                                .mergePartitions(EngineFixture.context(), container, left)
                                .partitions())
                .hasSize(1);
    }

    @Test
    void aContainerDeletedInTheMiddleLeavesNothing() {
        for (int i = 0; i < 50; i++) {
            upsert(i, i, 0);
        }
        engine.operations().splitPartition(EngineFixture.context(), container, 0);

        engine.resources().deleteContainer(EngineFixture.context(), container, Precondition.NONE);
        while (!fixture.replica.partitions().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    /** Clients never see a failure, and never read an older version than before. */
    @Test
    void clientsNoticeNothing() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        Map<Place, Integer> written = new ConcurrentHashMap<>();
        List<Future<?>> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int client = 0; client < 8; client++) {
                int number = client;
                clients.add(threads.submit(() -> writeAndReadBack(number, isOver, written)));
            }
            clients.add(threads.submit(() -> readFeeds(isOver, written)));

            try {
                scaleTo(160_000);
                scaleDownTo(1600);
                mergeAll();
                engine.operations()
                        .splitPartition(
                                EngineFixture.context(),
                                container,
                                map().partitions().getFirst().range());
            } finally {
                isOver.set(true);
            }
            for (Future<?> client : clients) {
                client.get();
            }
        }
        assertThat(written).isNotEmpty();
        assertThat(readAll(100)).hasSize(written.size()).doesNotHaveDuplicates();
        written.forEach(
                (place, value) ->
                        assertThat(read(place.key(), place.id(), Optional.empty()))
                                .contains("\"v\":" + value + "}"));
    }

    private record Place(int key, int id) {}

    private int writeAndReadBack(int client, AtomicBoolean isOver, Map<Place, Integer> written) {
        Map<Integer, Long> seen = new HashMap<>();
        int round = 0;
        while (!isOver.get()) {
            int key = client * 1000 + round % 40;
            ItemAnswer answer = upsert(key, client, round);
            written.put(new Place(key, client), round);
            seen.merge(answer.range(), answer.lsn(), Math::max);
            String body = read(key, client, Optional.of(new SessionToken(new TreeMap<>(seen))));
            assertThat(body).contains("\"v\":" + round + "}");
            round++;
        }
        return round;
    }

    /** Whatever was there before a feed began is in it once. */
    private int readFeeds(AtomicBoolean isOver, Map<Place, Integer> written) {
        int feeds = 0;
        while (!isOver.get()) {
            int least = written.size();
            List<Long> docids = readAll(13);
            assertThat(docids).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(least);
            feeds++;
        }
        return feeds;
    }
}
