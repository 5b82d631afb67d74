package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.frontend.mongo.MongoClient.Reply;

/** Cursors over sorted documents of several partitions, whose batches have different sizes. */
final class SortedCursorTest {
    private static final int COUNT = 30;

    @RegisterExtension static final MongoEngine ENGINE = MongoEngine.standard();

    private static MongoClient client;

    /**
     * The small batch follows the index of the order and stands behind a document; the large one
     * sorts what matches, and must not begin with that document again.
     */
    @BeforeAll
    static void open() {
        client = ENGINE.client();
        call(
                "{'customAction':'CreateCollection','collection':'c','offerThroughput':50000,'shardKey':'k'}");
        call("{'createIndexes':'c','indexes':[{'key':{'k':1,'n':1},'name':'kn'}]}");
        String documents =
                IntStream.range(0, COUNT)
                        .mapToObj(n -> "{'_id':%d,'k':'a%d','n':%d}".formatted(n, n % 3, n))
                        .collect(Collectors.joining(","));
        call("{'insert':'c','documents':[" + documents + "]}");
    }

    private static Reply call(String command) {
        Reply reply = client.call(command);
        assertThat(reply.isOk()).as(reply.toString()).isTrue();
        return reply;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'find':'c','filter':{'k':{'$in':['a0','a1','a2']}},'sort':{'n':1},'batchSize':5}",
                "{'find':'c','filter':{'k':{'$gte':'a'}},'sort':{'n':1},'batchSize':3}",
                "{'aggregate':'c','pipeline':[{'$match':{'k':{'$gte':'a'}}},{'$sort':{'n':1}}],"
                        + "'cursor':{'batchSize':7}}"
            })
    void givesEachDocumentOnce(String read) {
        Reply first = call(read);
        List<Value> rows = new ArrayList<>(rows(first, "cursor.firstBatch"));
        Reply rest =
                call(
                        "{'getMore':{'$numberLong':'%d'},'collection':'c'}"
                                .formatted(first.number("cursor.id")));
        rows.addAll(rows(rest, "cursor.nextBatch"));

        assertThat(rest.number("cursor.id")).isZero();
        assertThat(rows)
                .extracting(row -> ((Value.Obj) row).properties().get("n"))
                .containsExactlyElementsOf(IntStream.range(0, COUNT).mapToObj(Value::of).toList());
    }

    private static List<Value> rows(Reply reply, String path) {
        return ((Value.Array) reply.at(path)).elements();
    }
}
