package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.cluster.api.AccountSettings;
import orrery.document.BodyFormat;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.ManyAnswer;
import orrery.gateway.api.ManyWrite;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.NamedIndex;
import orrery.model.NamedIndex.Field;
import orrery.model.NamedIndexes;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.WriteRequest;
import orrery.partition.audit.StoreAudit;
import orrery.query.Statement;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;
import orrery.query.mongo.update.MongoUpdate;
import orrery.query.mongo.update.UpdateSpec;
import orrery.query.sql.SqlStatement;
import orrery.query.write.Evaluation;
import orrery.storage.StoreSnapshot;

/** Writes to all items that a search finds, over partitions that come and go. */
@Timeout(600)
class ManyWritesTest {
    private static final FeedScope EVERYWHERE = new FeedScope.Everything();
    private static final int PAGE = 256;

    @TempDir private Path directory;
    private final AtomicLong nanos = new AtomicLong();

    @SuppressWarnings("NullAway.Init") // every test starts its own
    private EngineFixture fixture;

    @SuppressWarnings("NullAway.Init")
    private ContainerRef container;

    private void start(int requestUnits) {
        fixture = new EngineFixture(directory);
        open(requestUnits);
    }

    private void open(int requestUnits) {
        container =
                fixture.container(
                        "c",
                        requestUnits,
                        NamedIndexes.define(
                                EngineFixture.definition("/pk").withKind(ContainerKind.MONGODB),
                                List.of(new NamedIndex("a_1", List.of(Field.ascending("a"))))));
    }

    @AfterEach
    void close() {
        try (StoreSnapshot snapshot = fixture.replica.store().snapshot()) {
            assertThat(StoreAudit.run(snapshot)).isEmpty();
        } finally {
            fixture.close();
        }
    }

    private static Body bson(String json) {
        return new Body(
                Encoding.BSON,
                BodyFormat.of(Encoding.BSON)
                        .show(Body.json(Bytes.ofUtf8(json.replace('\'', '"')))));
    }

    private static Value.Obj document(String json) {
        return BsonCodec.read(bson(json).bytes());
    }

    private void insert(int count, int keys) {
        insert(
                IntStream.range(0, count)
                        .mapToObj(i -> "{'_id':%d,'pk':'k%d','a':%d}".formatted(i, i % keys, i))
                        .toList());
    }

    private void insert(List<String> documents) {
        for (int from = 0; from < documents.size(); from += 100) {
            BatchAnswer answer =
                    fixture.engine
                            .items()
                            .batch(
                                    EngineFixture.context(),
                                    container,
                                    new ItemBatch.Bulk(
                                            documents
                                                    .subList(
                                                            from,
                                                            Math.min(from + 100, documents.size()))
                                                    .stream()
                                                    .<BatchOperation>map(
                                                            json ->
                                                                    new BatchOperation.Write(
                                                                            new ItemWrite.Create(
                                                                                    bson(json),
                                                                                    Optional
                                                                                            .empty())))
                                                    .toList(),
                                            false,
                                            true));
            assertThat(answer.results())
                    .allMatch(result -> result instanceof BatchAnswer.Result.Done);
        }
    }

    private static Statement find(String filter) {
        return new FindStatement(FindOptions.of(document(filter)));
    }

    private static ManyWrite update(String filter, String update) {
        Evaluation evaluation =
                MongoUpdate.evaluation(
                        UpdateSpec.of(
                                document(filter),
                                document(update),
                                Optional.empty(),
                                Instant.EPOCH));
        return new ManyWrite(EVERYWHERE, find(filter), new ManyWrite.Change.Evaluate(evaluation));
    }

    private static ManyWrite increment() {
        return update("{'a':{'$gte':0}}", "{'$inc':{'a':1}}");
    }

    private ManyAnswer run(ManyWrite write) {
        return fixture.engine.items().changeMany(EngineFixture.context(), container, write);
    }

    private List<Integer> values() {
        return fixture.all(container, EVERYWHERE, "SELECT VALUE c.a - c._id FROM c", 1000).stream()
                .map(Integer::parseInt)
                .toList();
    }

    /** Does something before a page of a write is sent, by the number of the page from 1 on. */
    private void beforePage(IntConsumer action) {
        AtomicInteger pages = new AtomicInteger();
        fixture.watch =
                new EngineFixture.Watch() {
                    @Override
                    public void sends(PartitionRequest request) {
                        if (request instanceof WriteRequest.ChangeMany) {
                            action.accept(pages.incrementAndGet());
                        }
                    }
                };
    }

    private List<PhysicalPartition> partitions() {
        return fixture.engine
                .resources()
                .readPartitionMap(EngineFixture.context(), container)
                .partitions();
    }

    private void split() {
        fixture.engine
                .operations()
                .splitPartition(
                        EngineFixture.context(), container, partitions().getFirst().range());
    }

    private void merge() {
        int before = partitions().size();
        while (partitions().size() == before) {
            try {
                fixture.engine
                        .operations()
                        .mergePartitions(
                                EngineFixture.context(),
                                container,
                                partitions().getFirst().range());
            } catch (OrreryException notNow) {
                // Entries must come home first.
                assertThat(notNow.code()).isIn(ErrorCode.RETRY_WITH, ErrorCode.CONFLICT);
            }
        }
    }

    /** No document crosses to the gateway, and what does has a bound that is that of a page. */
    @ParameterizedTest
    @ValueSource(ints = {400, 50_000})
    void everyDocumentIsWrittenOnce(int requestUnits) {
        start(requestUnits);
        insert(1500, 40);
        List<Integer> sizes = new ArrayList<>();
        fixture.watch =
                new EngineFixture.Watch() {
                    @Override
                    public void hears(PartitionRequest request, PartitionResponse response) {
                        sizes.add(PartitionResponse.encode(response).length());
                    }
                };

        ManyAnswer answer = run(increment());

        assertThat(answer.matched()).isEqualTo(1500);
        assertThat(answer.modified()).isEqualTo(1500);
        assertThat(answer.failure()).isEmpty();
        assertThat(answer.charge().ru()).isGreaterThan(1500 * 5);
        assertThat(sizes).hasSizeBetween(1500 / PAGE, 1500 / PAGE + 10);
        assertThat(sizes).allMatch(size -> size < 500);
        assertThat(values()).hasSize(1500).containsOnly(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 50_000})
    void splitsAndMergesRepeatNothingAndLeaveNothingOut(int requestUnits) {
        start(requestUnits);
        insert(2000, 60);
        int before = partitions().size();
        List<Integer> seen = new ArrayList<>();
        beforePage(
                page -> {
                    if (page == 2 || page == 3) {
                        split();
                    } else if (page == 6) {
                        merge();
                    }
                    seen.add(partitions().size());
                });

        ManyAnswer answer = run(increment());

        assertThat(seen).contains(before, before + 1, before + 2);
        assertThat(answer.failure()).isEmpty();
        assertThat(answer.matched()).isEqualTo(2000);
        assertThat(answer.modified()).isEqualTo(2000);
        assertThat(values()).hasSize(2000).containsOnly(1);
    }

    @Test
    void everythingIsDeleted() {
        start(50_000);
        insert(1000, 30);

        ManyAnswer answer =
                run(new ManyWrite(EVERYWHERE, find("{}"), new ManyWrite.Change.Delete()));

        assertThat(answer.matched()).isEqualTo(1000);
        assertThat(answer.modified()).isEqualTo(1000);
        assertThat(values()).isEmpty();
    }

    @Test
    void aFilterOfTheKeyAsksOnlyWhereTheKeyCanBe() {
        start(50_000);
        insert(200, 20);
        AtomicInteger pages = new AtomicInteger();
        beforePage(pages::set);

        ManyAnswer answer = run(update("{'pk':'k3'}", "{'$inc':{'a':1}}"));

        assertThat(answer.matched()).isEqualTo(10);
        assertThat(pages).hasValue(1);
        ManyAnswer scoped =
                run(
                        new ManyWrite(
                                new FeedScope.Key(PartitionKey.ofText("k4")),
                                find("{}"),
                                new ManyWrite.Change.Delete()));
        assertThat(scoped.matched()).isEqualTo(10);
        assertThat(values()).hasSize(190);
    }

    @Test
    void unchangedDocumentsMatchAndAreNotModified() {
        start(400);
        insert(20, 3);

        ManyAnswer answer = run(update("{'a':{'$lt':10}}", "{'$set':{'a':5}}"));

        assertThat(answer.matched()).isEqualTo(10);
        assertThat(answer.modified()).isEqualTo(9);
    }

    @Test
    void aDocumentThatCannotBeChangedEndsTheWriteAndTheAnswerHasTheCounts() {
        start(400);
        insert(300, 1);
        insert(List.of("{'_id':300,'pk':'k0','a':'text'}", "{'_id':301,'pk':'k0','a':301}"));

        ManyAnswer answer = run(update("{}", "{'$inc':{'a':1}}"));

        assertThat(answer.failure().orElseThrow().languageCode()).hasValue(14);
        assertThat(answer.matched()).isEqualTo(300);
        assertThat(answer.modified()).isEqualTo(300);
        assertThat(
                        fixture.all(
                                container,
                                EVERYWHERE,
                                "SELECT VALUE c.a FROM c WHERE c._id = 301",
                                10))
                .containsExactly("301");
    }

    @Test
    void aWriteThatHasBegunWaitsForTheBudget() {
        fixture = new EngineFixture(directory, AccountSettings.DEFAULT, nanos::get);
        open(400);
        insert(40, 4);
        insertAsBudgetAllows(560);
        List<Duration> waits = new ArrayList<>();
        fixture.rest =
                time -> {
                    waits.add(time);
                    nanos.addAndGet(time.toNanos());
                };
        nanos.addAndGet(Duration.ofHours(1).toNanos());

        ManyAnswer answer = run(increment());

        assertThat(answer.failure()).isEmpty();
        assertThat(answer.matched()).isEqualTo(600);
        assertThat(waits).isNotEmpty();

        OrreryException refusal =
                catchThrowableOfType(OrreryException.class, () -> run(increment()));

        assertThat(refusal.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        assertThat(values()).hasSize(600).containsOnly(1);
    }

    private void insertAsBudgetAllows(int count) {
        for (int i = 40; i < 40 + count; i++) {
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            insert(List.of("{'_id':%d,'pk':'k%d','a':%d}".formatted(i, i % 4, i)));
        }
        nanos.addAndGet(Duration.ofHours(1).toNanos());
    }

    @Test
    void aClientThatLeavesEndsTheWriteBetweenTwoPages() {
        start(400);
        insert(600, 5);
        Cancellation client = new Cancellation();
        beforePage(
                page -> {
                    if (page == 2) {
                        client.cancel();
                    }
                });

        ManyAnswer answer = client.during(() -> run(increment()));

        assertThat(answer.failure()).map(OrreryException::code).contains(ErrorCode.TIMEOUT);
        assertThat(answer.matched()).isEqualTo(PAGE);
        fixture.watch = new EngineFixture.Watch() {};
        assertThat(values().stream().filter(value -> value == 1)).hasSize(PAGE);
    }

    @Test
    void itemsOfJsonAreWrittenInTheSameWay() {
        fixture = new EngineFixture(directory);
        container = fixture.container("j", 50_000, "/pk");
        for (int i = 0; i < 300; i++) {
            fixture.create(
                    container,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"_id\":%d,\"a\":%d}".formatted(i, i % 9, i, i));
        }

        ManyAnswer answer =
                run(
                        new ManyWrite(
                                EVERYWHERE,
                                SqlStatement.parse("SELECT * FROM c WHERE c.a >= 0", Map.of()),
                                new ManyWrite.Change.Evaluate(
                                        EngineFixture.patch(
                                                "[{\"op\":\"incr\",\"path\":\"/a\",\"value\":1}]"))));

        assertThat(answer.matched()).isEqualTo(300);
        assertThat(values()).hasSize(300).containsOnly(1);
    }
}
