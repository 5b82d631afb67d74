package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.document.BodyFormat;
import orrery.document.BsonCodec;
import orrery.document.JsonForm;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.KeyViolation;
import orrery.model.NamedIndex;
import orrery.model.NamedIndex.Field;
import orrery.model.NamedIndexes;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.audit.StoreAudit;
import orrery.storage.StoreSnapshot;

/** Unique indexes that come to containers with items. */
class UniqueIndexBuildTest {
    private static final NamedIndex MAIL =
            new NamedIndex("mail", List.of(Field.ascending("pk"), Field.ascending("mail")))
                    .withUnique(true);

    private Path directory;
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open(@TempDir Path directory) {
        this.directory = directory;
        fixture = new EngineFixture(directory);
        container =
                fixture.container(
                        "c",
                        20_000,
                        NamedIndexes.define(
                                EngineFixture.definition("/pk").withKind(ContainerKind.MONGODB),
                                List.of()));
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

    private void insert(String json) {
        fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Create(bson(json), Optional.empty()));
    }

    private void insert(String id, String key, String rest) {
        insert("{'_id':'" + id + "','pk':'" + key + "'," + rest + "}");
    }

    private void create(NamedIndex... more) {
        fixture.engine
                .resources()
                .indexes()
                .change(
                        EngineFixture.context(),
                        container,
                        present -> {
                            List<NamedIndex> all = new ArrayList<>(present);
                            all.addAll(List.of(more));
                            return all;
                        });
    }

    private List<NamedIndex> indexes() {
        return fixture.engine
                .resources()
                .readContainer(EngineFixture.context(), container)
                .definition()
                .indexes();
    }

    private static OrreryException refusal(ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call);
    }

    /**
     * A start takes an index back in the catalog first, and partitions hear of it a moment later.
     */
    private void insertWhenTaken(String id, String key, String fields) {
        OrreryException refused = refusal(() -> insert(id, key, fields));
        while (refused != null) {
            assertThat(refused.code()).isEqualTo(ErrorCode.UNIQUE_KEY_VIOLATION);
            refused = refusal(() -> insert(id, key, fields));
        }
    }

    private static String key(OrreryException refusal) {
        assertThat(refusal.code()).isEqualTo(ErrorCode.UNIQUE_KEY_VIOLATION);
        KeyViolation violation = refusal.takenKey().orElseThrow();
        String key = JsonText.write(JsonForm.of(BsonCodec.read(violation.key())));
        return violation.index() + " " + key.replace('"', '\'');
    }

    @Test
    void anIndexOverDistinctItemsHoldsFromThenOn() {
        for (int i = 0; i < 150; i++) {
            insert("i" + i, "k" + i % 3, "'mail':'m" + i + "'");
        }
        create(MAIL);
        assertThat(indexes()).containsExactly(MAIL);

        assertThat(key(refusal(() -> insert("new", "k1", "'mail':'m1'"))))
                .isEqualTo("mail {'pk':'k1','mail':'m1'}");
        insert("new", "k2", "'mail':'m1'"); // another key has items of its own
        insert("other", "k1", "'mail':'free'");
        fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Delete(
                                new ItemRef.Named("i1"),
                                PartitionKey.ofText("k1"),
                                Precondition.NONE));
        insert("again", "k1", "'mail':'m1'");
    }

    @Test
    void dataThatViolatesItKeepsItFromBeingMade() {
        for (int i = 0; i < 150; i++) {
            insert("i" + i, "k", "'mail':'m" + i + "'");
        }
        insert("twice", "k", "'mail':'m42'");
        assertThat(key(refusal(() -> create(MAIL)))).isEqualTo("mail {'pk':'k','mail':'m42'}");
        assertThat(indexes()).isEmpty();
        insert("thrice", "k", "'mail':'m42'");
        awaitReindexed();
    }

    private void awaitReindexed() {
        int percent = 0;
        while (percent < 100) {
            percent =
                    fixture.engine
                            .resources()
                            .readUsage(EngineFixture.context(), container)
                            .indexingProgressPercent();
        }
    }

    @Test
    void elementsOfArraysAreUniqueAcrossItems() {
        NamedIndex tags =
                new NamedIndex("tags", List.of(Field.ascending("tags"), Field.ascending("pk")))
                        .withUnique(true);
        insert("1", "k", "'tags':['a','b','a']");
        create(tags);
        assertThat(key(refusal(() -> insert("2", "k", "'tags':['c','b']"))))
                .isEqualTo("tags {'tags':'b','pk':'k'}");
        insert("2", "k", "'tags':['c']");
        assertThat(key(refusal(() -> insert("3", "k", "'tags':'c'"))))
                .isEqualTo("tags {'tags':'c','pk':'k'}");
        insert("4", "k", "'other':1");
        assertThat(refusal(() -> insert("5", "k", "'other':2")).code())
                .isEqualTo(ErrorCode.UNIQUE_KEY_VIOLATION);
    }

    @Test
    void arraysSideBySideAreRefused() {
        NamedIndex both =
                new NamedIndex(
                                "both",
                                List.of(
                                        Field.ascending("a"),
                                        Field.ascending("b"),
                                        Field.ascending("pk")))
                        .withUnique(true);
        create(both);
        assertThat(refusal(() -> insert("1", "k", "'a':[1],'b':[2]")).languageCode()).hasValue(171);
    }

    @Test
    void aPartialIndexIsForWhatItsFilterMatches() {
        Value.Obj active = new Value.Obj(Map.of("active", Value.of(true)));
        NamedIndex partial = MAIL.withFilter(BsonCodec.write(active));
        insert("1", "k", "'mail':'x','active':true");
        insert("2", "k", "'mail':'x','active':false");
        insert("3", "k", "'mail':'x'");
        create(partial);
        insert("4", "k", "'mail':'x'");
        assertThat(key(refusal(() -> insert("5", "k", "'mail':'x','active':true"))))
                .isEqualTo("mail {'pk':'k','mail':'x'}");
        insert("6", "k", "'mail':'y','active':true");
        // The item leaves the filter, and its value is free.
        fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Replace(
                                new ItemRef.Named("1"),
                                Optional.of(PartitionKey.ofText("k")),
                                bson("{'_id':'1','pk':'k','mail':'x'}"),
                                Precondition.NONE));
        insert("5", "k", "'mail':'x','active':true");
    }

    @Test
    void aBatchIsToldTheKeyToo() {
        create(MAIL);
        insert("1", "k", "'mail':'x'");
        BatchAnswer answer =
                fixture.engine
                        .items()
                        .batch(
                                EngineFixture.context(),
                                container,
                                new ItemBatch.Bulk(
                                        List.of(
                                                new BatchOperation.Write(
                                                        new ItemWrite.Create(
                                                                bson(
                                                                        "{'_id':'2','pk':'k','mail':'x'}"),
                                                                Optional.empty()))),
                                        true,
                                        true,
                                        OptionalInt.empty()));
        assertThat(answer.results().getFirst())
                .isInstanceOfSatisfying(
                        BatchAnswer.Result.Refused.class,
                        refused ->
                                assertThat(key(refused.failure()))
                                        .isEqualTo("mail {'pk':'k','mail':'x'}"));
    }

    @Test
    void droppedAndMadeAgainItStartsAnew() {
        create(MAIL);
        insert("1", "k", "'mail':'x'");
        fixture.engine
                .resources()
                .indexes()
                .change(EngineFixture.context(), container, _ -> List.of());
        insert("2", "k", "'mail':'x'");
        assertThat(key(refusal(() -> create(MAIL)))).isEqualTo("mail {'pk':'k','mail':'x'}");
        fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Delete(
                                new ItemRef.Named("1"),
                                PartitionKey.ofText("k"),
                                Precondition.NONE));
        create(MAIL);
        assertThat(refusal(() -> insert("3", "k", "'mail':'x'")).code())
                .isEqualTo(ErrorCode.UNIQUE_KEY_VIOLATION);
        awaitReindexed();
    }

    /** The intent is in the catalog: whoever starts next finishes the index or takes it back. */
    @Test
    void anIndexThatWasInterruptedIsFinishedByTheNextStart() {
        for (int i = 0; i < 100; i++) {
            insert("i" + i, "k", "'mail':'m" + i + "'");
        }
        begin(MAIL);
        reopen();
        assertThat(awaited()).containsExactly(MAIL);
        assertThat(refusal(() -> insert("new", "k", "'mail':'m1'")).code())
                .isEqualTo(ErrorCode.UNIQUE_KEY_VIOLATION);
        awaitReindexed();
    }

    @Test
    void anIndexThatWasInterruptedIsTakenBackByTheNextStart() {
        insert("1", "k", "'mail':'x'");
        insert("2", "k", "'mail':'x'");
        begin(MAIL);
        reopen();
        assertThat(awaited()).isEmpty();
        insertWhenTaken("3", "k", "'mail':'x'");
        awaitReindexed();
    }

    /** Writes the intent, as a server does that is killed right behind it. */
    private void begin(NamedIndex index) {
        var present = fixture.engine.resources().readContainer(EngineFixture.context(), container);
        fixture.catalog.replaceContainer(
                EngineFixture.context(),
                present,
                NamedIndexes.define(
                        present.definition(), List.of(index.withState(NamedIndex.State.BUILDING))),
                Precondition.NONE);
    }

    private void reopen() {
        fixture.close();
        fixture = new EngineFixture(directory);
    }

    private List<NamedIndex> awaited() {
        List<NamedIndex> now = indexes();
        while (now.stream().anyMatch(index -> index.state() == NamedIndex.State.BUILDING)) {
            now = indexes();
        }
        return now;
    }

    private void split() {
        int before = partitions().size();
        while (partitions().size() == before) {
            reshaped(
                    () ->
                            fixture.engine
                                    .operations()
                                    .splitPartition(
                                            EngineFixture.context(),
                                            container,
                                            partitions().getFirst().range()));
        }
    }

    private void merge() {
        int before = partitions().size();
        while (partitions().size() == before) {
            reshaped(
                    () ->
                            fixture.engine
                                    .operations()
                                    .mergePartitions(
                                            EngineFixture.context(),
                                            container,
                                            partitions().getFirst().range()));
        }
    }

    private static void reshaped(ThrowingCallable reshape) {
        OrreryException notNow = refusal(reshape);
        if (notNow != null) {
            // Entries are still on their way.
            assertThat(notNow.code()).isIn(ErrorCode.RETRY_WITH, ErrorCode.CONFLICT);
        }
    }

    private List<PhysicalPartition> partitions() {
        return fixture.engine
                .resources()
                .readPartitionMap(EngineFixture.context(), container)
                .partitions();
    }

    /** The index is in the definition and not yet finished while partitions come and go. */
    @Test
    void splitsAndMergesWhileItIsBuiltLeaveItWhole() {
        for (int i = 0; i < 400; i++) {
            insert("i" + i, "k" + i % 40, "'mail':'m" + i + "'");
        }
        begin(MAIL);
        split();
        split();
        merge();
        reopen();

        assertThat(awaited()).containsExactly(MAIL);
        for (int i = 0; i < 400; i++) {
            int taken = i;
            assertThat(
                            key(
                                    refusal(
                                            () ->
                                                    insert(
                                                            "late" + taken,
                                                            "k" + taken % 40,
                                                            "'mail':'m" + taken + "'"))))
                    .isEqualTo("mail {'pk':'k%d','mail':'m%d'}".formatted(i % 40, i));
        }
        awaitReindexed();
    }

    @Test
    void splitsAndMergesDoNotHideWhatViolatesIt() {
        for (int i = 0; i < 400; i++) {
            insert("i" + i, "k" + i % 40, "'mail':'m" + i + "'");
        }
        insert("twice", "k39", "'mail':'m39'");
        begin(MAIL);
        split();
        merge();
        reopen();

        assertThat(awaited()).isEmpty();
        insertWhenTaken("thrice", "k39", "'mail':'m39'");
        awaitReindexed();
        assertThat(key(refusal(() -> create(MAIL)))).isEqualTo("mail {'pk':'k39','mail':'m39'}");
        awaitReindexed();
    }

    /** Writers race with the index: no pair of equal keys is left where the index was made. */
    @Test
    void nothingSlipsInBetween() throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            insert("i" + i, "k" + i % 4, "'mail':'m" + i + "'");
        }
        AtomicInteger refused = new AtomicInteger();
        List<Thread> writers = new ArrayList<>();
        for (int w = 0; w < 3; w++) {
            int writer = w;
            writers.add(
                    Thread.startVirtualThread(
                            () -> {
                                for (int i = 0; i < 100; i++) {
                                    int at = i;
                                    OrreryException failure =
                                            refusal(
                                                    () ->
                                                            insert(
                                                                    "w" + writer + "-" + at,
                                                                    "k" + at % 4,
                                                                    "'mail':'n" + at + "'"));
                                    if (failure != null) {
                                        refused.incrementAndGet();
                                    }
                                }
                            }));
        }
        OrreryException failure = refusal(() -> create(MAIL));
        for (Thread writer : writers) {
            writer.join();
        }
        long items =
                fixture.engine.resources().readUsage(EngineFixture.context(), container).items();
        assertThat(items).isEqualTo(600 - refused.get());
        if (failure == null) {
            assertThat(items).isEqualTo(400);
        } else {
            assertThat(failure.code()).isEqualTo(ErrorCode.UNIQUE_KEY_VIOLATION);
            assertThat(indexes()).isEmpty();
        }
        awaitReindexed();
    }
}
