package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.frontend.mongo.MongoClient.Reply;
import orrery.query.mongo.expression.ValueText;

/** Random pipelines, whose beginnings partitions run, against the meaning of their stages. */
final class PipelineModelTest {
    @RegisterExtension static final MongoEngine ENGINE = MongoEngine.standard();

    private static MongoClient client;

    @BeforeAll
    static void open() {
        client = ENGINE.client();
    }

    private static Reply ok(String command) {
        Reply reply = client.call(command);
        assertThat(reply.isOk()).as("%s: %s", command, reply.text("errmsg")).isTrue();
        return reply;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void partitionsChangeNothing(long seed) {
        Random random = new Random(seed);
        String one = "one" + seed;
        String five = "five" + seed;
        ok(
                "{'customAction':'CreateCollection','collection':'%s','shardKey':'_id','offerThroughput':50000}"
                        .formatted(five));
        List<String> documents = NaivePipeline.documents(random, 80);
        for (String name : List.of(one, five)) {
            ok("{'insert':'%s','documents':[%s]}".formatted(name, String.join(",", documents)));
        }
        List<Value.Obj> all = read(one, "{'$sort':{'_id':1}}", 1000);
        for (int i = 0; i < 100; i++) {
            NaivePipeline pipeline = NaivePipeline.of(random);
            List<String> expected = texts(pipeline.run(all), pipeline.isInOrder());
            for (String name : List.of(one, five)) {
                List<Value.Obj> found = read(name, pipeline.text(), 1 + random.nextInt(100));
                assertThat(texts(found, pipeline.isInOrder()))
                        .as("%s of %s", pipeline.text(), name)
                        .isEqualTo(expected);
            }
        }
    }

    private static List<String> texts(List<Value.Obj> rows, boolean isInOrder) {
        List<String> texts = new ArrayList<>(rows.stream().map(PipelineModelTest::text).toList());
        if (!isInOrder) {
            texts.sort(null);
        }
        return texts;
    }

    /** A group may have any of the numbers that are equal as its id. */
    private static String text(Value.Obj row) {
        return ValueText.of(row).replaceAll("(\\d)\\.0(?=\\D)", "$1");
    }

    private static List<Value.Obj> read(String collection, String stages, int size) {
        List<Value.Obj> rows = new ArrayList<>();
        Reply reply =
                ok(
                        "{'aggregate':'%s','pipeline':[%s],'cursor':{'batchSize':%d}}"
                                .formatted(collection, stages, size));
        rows.addAll(batch(reply, "cursor.firstBatch"));
        while (id(reply) != 0) {
            reply =
                    ok(
                            "{'getMore':{'$numberLong':'%d'},'collection':'%s','batchSize':%d}"
                                    .formatted(id(reply), collection, size));
            rows.addAll(batch(reply, "cursor.nextBatch"));
        }
        return rows;
    }

    private static List<Value.Obj> batch(Reply reply, String path) {
        return ((Value.Array) reply.at(path))
                .elements().stream().map(Value.Obj.class::cast).toList();
    }

    private static long id(Reply reply) {
        return switch (reply.at("cursor.id")) {
            case BsonValue.Int64(long number) -> number;
            case Value.Int(long number) -> number;
            default -> throw new AssertionError("a cursor has an id");
        };
    }
}
