package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.document.BodyFormat;
import orrery.document.BsonCodec;
import orrery.document.BsonKeys;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.FirstWrite;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.ManyAnswer;
import orrery.gateway.api.ManyWrite;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;
import orrery.query.mongo.update.MongoUpdate;
import orrery.query.mongo.update.UpdateSpec;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;

/**
 * Many clients write the same documents at the same time: no update is lost, and none made twice.
 */
@Timeout(600)
class UpdateContentionTest {
    private static final int CLIENTS = 8;
    private static final PartitionKey KEY = PartitionKey.ofText("k");

    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new EngineFixture(directory);
        container =
                fixture.container(
                        "c", 400, EngineFixture.definition("/pk").withKind(ContainerKind.MONGODB));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Value.Obj document(String json) {
        return BsonCodec.read(
                BodyFormat.of(Encoding.BSON)
                        .show(Body.json(Bytes.ofUtf8(json.replace('\'', '"')))));
    }

    private void insert(String json) {
        fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Create(
                                new Body(Encoding.BSON, BsonCodec.write(document(json))),
                                Optional.empty()));
    }

    private static Evaluation update(String filter, String update) {
        return MongoUpdate.evaluation(
                UpdateSpec.of(document(filter), document(update), Optional.empty(), Instant.EPOCH));
    }

    private static <T> List<T> together(Callable<T> client)
            throws InterruptedException, ExecutionException {
        List<T> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(threads.submit(client));
            }
            for (Future<T> each : running) {
                results.add(each.get());
            }
        }
        return results;
    }

    private List<String> values(String query) {
        return fixture.all(container, new FeedScope.Everything(), query, 1000);
    }

    @Test
    void everyIncrementOfOneDocumentCounts() throws Exception {
        insert("{'_id':1,'pk':'k','n':0}");

        together(
                () -> {
                    for (int i = 0; i < 50; i++) {
                        fixture.engine
                                .items()
                                .writeItem(
                                        EngineFixture.context(),
                                        container,
                                        new ItemWrite.Evaluate(
                                                new ItemRef.Named(BsonKeys.rowKey(Value.of(1))),
                                                KEY,
                                                update("{'_id':1}", "{'$inc':{'n':1}}"),
                                                false,
                                                Images.NONE,
                                                Precondition.NONE));
                    }
                    return true;
                });

        assertThat(values("SELECT VALUE c.n FROM c"))
                .containsExactly(Integer.toString(50 * CLIENTS));
    }

    @Test
    void everyItemOfAQueueIsTakenOnce() throws Exception {
        for (int i = 0; i < 120; i++) {
            insert("{'_id':%d,'pk':'k','taken':false}".formatted(i));
        }

        List<List<String>> taken = together(this::takeAll);

        assertThat(taken.stream().flatMap(List::stream))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 120).mapToObj(Integer::toString).toList());
    }

    /** Takes the first that nobody has taken, until there is none. */
    private List<String> takeAll() {
        List<String> mine = new ArrayList<>();
        while (true) {
            try {
                Item before =
                        fixture.engine
                                .items()
                                .writeFirst(
                                        EngineFixture.context(),
                                        container,
                                        new FirstWrite(
                                                KEY,
                                                new FindStatement(
                                                        FindOptions.of(document("{'taken':false}"))
                                                                .withSort(document("{'_id':1}"))),
                                                new FirstWrite.Change.Evaluate(
                                                        update(
                                                                "{'taken':false}",
                                                                "{'$set':{'taken':true}}"),
                                                        false,
                                                        Images.BEFORE)))
                                .before()
                                .orElseThrow();
                mine.add(JsonText.write(id(before)));
            } catch (OrreryException none) {
                assertThat(none.code()).isEqualTo(ErrorCode.NOT_FOUND);
                return mine;
            }
        }
    }

    private static Value id(Item item) {
        return BsonCodec.read(item.body()).properties().getOrDefault("_id", Value.Null.NULL);
    }

    @Test
    void writesToManyLoseNothingAgainstEachOther() throws Exception {
        for (int i = 0; i < 60; i++) {
            insert("{'_id':%d,'pk':'k','n':0}".formatted(i));
        }

        List<ManyAnswer> answers =
                together(
                        () ->
                                fixture.engine
                                        .items()
                                        .changeMany(
                                                EngineFixture.context(),
                                                container,
                                                new ManyWrite(
                                                        new FeedScope.Everything(),
                                                        new FindStatement(
                                                                FindOptions.of(
                                                                        document(
                                                                                "{'n':{'$gte':0}}"))),
                                                        new ManyWrite.Change.Evaluate(
                                                                update(
                                                                        "{'n':{'$gte':0}}",
                                                                        "{'$inc':{'n':1}}")))));

        assertThat(answers).allMatch(answer -> answer.failure().isEmpty());
        assertThat(answers).allMatch(answer -> answer.modified() == 60);
        assertThat(values("SELECT VALUE c.n FROM c"))
                .hasSize(60)
                .containsOnly(Integer.toString(CLIENTS));
    }
}
