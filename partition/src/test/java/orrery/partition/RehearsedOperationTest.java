package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.document.Patch;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.Precondition;
import orrery.model.Statement;
import orrery.model.TransactionWrite;
import orrery.partition.api.BatchStep;
import orrery.partition.api.ItemRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.StepResult;
import orrery.partition.api.TransactedRequest;
import orrery.partition.api.TransactedResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.query.EncodedQuery;
import orrery.query.sql.SqlStatement;
import orrery.query.write.Images;
import orrery.query.write.PatchDialect;

/** Operations of a transaction at the partition, which keeps nothing of them until the commit. */
final class RehearsedOperationTest {
    private static final Bytes SESSION = Bytes.ofHex("0102030405060708090A0B0C0D0E0F10");

    @TempDir private Path directory;
    private HostFixture host;
    private OptionalLong lastWrite = OptionalLong.empty();
    private final List<TransactionWrite> writes = new ArrayList<>();

    @BeforeEach
    void open() {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
        host.replica().raiseLevel(HostFixture.PATIENCE);
        create("a", "north", 1);
        create("b", "north", 2);
        create("c", "south", 3);
    }

    @AfterEach
    void close() {
        host.close();
    }

    private ItemKey key(String id) {
        return host.key(id, "north");
    }

    private static String body(String id, String pk, int n) {
        return "{\"id\":\"" + id + "\",\"pk\":\"" + pk + "\",\"n\":" + n + "}";
    }

    private void create(String id, String pk, int n) {
        host.create(host.key(id, pk), body(id, pk, n));
    }

    private PartitionResponse send(ItemRequest operation) {
        PartitionResponse response =
                host.call(
                        new TransactedRequest(
                                key("a").partitionKey(), lastWrite, writes, operation));
        if (response instanceof TransactedResponse(var answer, long seen, var more)) {
            lastWrite = OptionalLong.of(seen);
            writes.addAll(more);
            return HostFixture.ofSearch(answer);
        }
        return response;
    }

    private WriteRequest.WriteItem write(String id, WriteAction action) {
        return new WriteRequest.WriteItem(
                HostFixture.PARTITION, host.newRequest(), key(id), action, Precondition.NONE);
    }

    private PartitionResponse insert(String id, int n) {
        return send(write(id, new WriteAction.Create(Bytes.ofUtf8(body(id, "north", n)))));
    }

    private static WriteAction.Evaluate increment(Images images) {
        return new WriteAction.Evaluate(
                HostFixture.DATABASE,
                PatchDialect.evaluation(
                        Patch.parse(
                                Bytes.ofUtf8("[{\"op\":\"incr\",\"path\":\"/n\",\"value\":10}]"))),
                false,
                images);
    }

    private static EncodedQuery query(String text) {
        return SqlStatement.parse(text, Map.of()).encoded();
    }

    private WriteRequest.ChangeMany many(String search, WriteAction.Computed action) {
        return new WriteRequest.ChangeMany(
                HostFixture.PARTITION,
                host.newRequest(),
                query(search),
                HostFixture.DATABASE,
                KeyRange.FULL,
                Optional.of(key("a").partitionKey()),
                action,
                Optional.empty(),
                10,
                1000);
    }

    private ReadResponse.QueryPage page(String text, Optional<Bytes> after, int rows) {
        return (ReadResponse.QueryPage)
                send(
                        new ReadRequest.Query(
                                HostFixture.PARTITION,
                                HostFixture.DATABASE,
                                query(text),
                                KeyRange.FULL,
                                Optional.of(key("a").partitionKey()),
                                after,
                                Optional.empty(),
                                Optional.empty(),
                                rows,
                                1 << 20,
                                0,
                                List.of()));
    }

    private List<String> found(String text) {
        return page(text, Optional.empty(), 100).rows().stream().map(Bytes::toUtf8).toList();
    }

    private PartitionResponse commit(int transaction) {
        return host.call(
                new WriteRequest.Stated(
                        Statement.of(SESSION, transaction, 0).sought(),
                        new WriteRequest.Commit(
                                HostFixture.PARTITION,
                                host.newRequest(),
                                key("a").epk(),
                                key("a").partitionKey(),
                                lastWrite.orElseThrow(),
                                writes)));
    }

    private PartitionResponse stored(String id) {
        return host.read(key(id), 0);
    }

    private static ErrorCode refusal(PartitionResponse response) {
        return HostFixture.failureOf(response);
    }

    @Test
    void eachOperationSeesThoseBeforeIt() {
        assertThat(((WriteResponse.Written) insert("d", 4)).change())
                .isEqualTo(WriteResponse.Change.CREATED);
        var changed = (WriteResponse.Written) send(write("d", increment(Images.BOTH)));
        assertThat(changed.before().orElseThrow().body().toUtf8()).contains("\"n\":4");
        assertThat(changed.item().orElseThrow().body().toUtf8()).contains("\"n\":14");
        var first =
                (WriteResponse.Written)
                        send(
                                new WriteRequest.WriteFirst(
                                        HostFixture.PARTITION,
                                        host.newRequest(),
                                        key("a").epk(),
                                        key("a").partitionKey(),
                                        query("SELECT * FROM c WHERE c.n > 1 ORDER BY c.n"),
                                        HostFixture.DATABASE,
                                        new WriteAction.Delete(Images.BEFORE)));
        assertThat(first.before().orElseThrow().body().toUtf8()).contains("\"id\":\"b\"");
        var all = (WriteResponse.ManyChanged) send(many("SELECT * FROM c", increment(Images.NONE)));
        assertThat(all.matched()).isEqualTo(2);
        assertThat(found("SELECT VALUE c.n FROM c WHERE c.n > 10 ORDER BY c.n"))
                .containsExactly("11", "24");
        assertThat(found("SELECT VALUE COUNT(1) FROM c WHERE c.n < 10")).containsExactly("0");
        assertThat(refusal(send(new ReadRequest.ReadItem(HostFixture.PARTITION, key("b"), 0))))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(refusal(stored("d"))).isEqualTo(ErrorCode.NOT_FOUND);

        assertThat(commit(1)).isInstanceOf(WriteResponse.Committed.class);

        assertThat(((ReadResponse.Found) stored("d")).item().body().toUtf8()).contains("\"n\":24");
        assertThat(refusal(stored("b"))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(((ReadResponse.Found) stored("d")).item().lsn())
                .isEqualTo(((ReadResponse.Found) stored("a")).item().lsn());
    }

    @Test
    void aRefusedOperationWritesNothing() {
        List<BatchStep> steps =
                List.of(
                        new BatchStep.Write(
                                key("d"),
                                new WriteAction.Create(Bytes.ofUtf8(body("d", "north", 4))),
                                Precondition.NONE),
                        new BatchStep.Write(
                                key("a"),
                                new WriteAction.Create(Bytes.ofUtf8(body("a", "north", 4))),
                                Precondition.NONE));
        var answer =
                (WriteResponse.Batch)
                        send(
                                new WriteRequest.Batch(
                                        HostFixture.PARTITION, host.newRequest(), steps, 0));

        assertThat(((StepResult.Refused) answer.steps().get(1)).code())
                .isEqualTo(ErrorCode.CONFLICT);
        assertThat(writes).isEmpty();
        assertThat(found("SELECT VALUE c.id FROM c")).containsExactly("\"a\"", "\"b\"");
    }

    @Test
    void aWriteOfSomebodyElseIsAConflictAtOnce() {
        insert("d", 4);
        create("e", "south", 1);
        assertThat(insert("f", 5)).isInstanceOf(WriteResponse.Written.class);
        create("g", "north", 1);

        assertThat(refusal(insert("h", 5))).isEqualTo(ErrorCode.KEY_CHANGED);
        assertThat(refusal(commit(1))).isEqualTo(ErrorCode.KEY_CHANGED);
        assertThat(refusal(stored("d"))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void aCommitIsMadeOnce() {
        insert("d", 4);
        assertThat(commit(1)).isInstanceOf(WriteResponse.Committed.class);
        host.call(write("d", new WriteAction.Delete()));

        assertThat(commit(1)).isInstanceOf(WriteResponse.Committed.class);
        assertThat(refusal(stored("d"))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(
                        host.call(
                                new ReadRequest.FindStatement(
                                        HostFixture.PARTITION,
                                        Statement.of(SESSION, 1, 0).sought())))
                .isInstanceOf(WriteResponse.Remembered.class);
        writes.clear();
        lastWrite = OptionalLong.empty();
        insert("e", 4);
        commit(2);
        assertThat(refusal(commit(1))).isEqualTo(ErrorCode.TRANSACTION_TOO_OLD);
    }

    /** Items that others create under other keys would move up those of the transaction. */
    @Test
    void aWalkMeetsNoItemTwice() {
        insert("d", 4);
        insert("e", 5);
        String all = "SELECT VALUE c.id FROM c";
        ReadResponse.QueryPage first = page(all, Optional.empty(), 3);
        for (int i = 0; i < 5; i++) {
            create("x" + i, "south", i);
        }

        ReadResponse.QueryPage second = page(all, first.next(), 3);

        assertThat(first.rows().stream().map(Bytes::toUtf8))
                .containsExactly("\"a\"", "\"b\"", "\"d\"");
        assertThat(second.rows().stream().map(Bytes::toUtf8)).containsExactly("\"e\"");
    }

    @Test
    void onlyOneKeyCanBeMeant() {
        TransactedRequest other =
                new TransactedRequest(
                        host.key("c", "south").partitionKey(),
                        OptionalLong.empty(),
                        List.of(),
                        write("a", new WriteAction.Delete()));
        assertThat(refusal(host.call(other))).isEqualTo(ErrorCode.OUTSIDE_TRANSACTION);
        assertThat(
                        catchThrowable(
                                () ->
                                        send(
                                                new ReadRequest.ReadLastWrite(
                                                        HostFixture.PARTITION,
                                                        key("a").epk(),
                                                        key("a").partitionKey(),
                                                        0))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
