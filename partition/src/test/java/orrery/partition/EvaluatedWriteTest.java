package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Patch;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.partition.api.BatchStep;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.StepResult;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.api.WriteResponse.Change;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.query.EncodedQuery;
import orrery.query.sql.PatchCondition;
import orrery.query.sql.SqlStatement;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;
import orrery.query.write.MergeDialect;
import orrery.query.write.PatchDialect;
import orrery.replication.CommandLog;

/** Writes that the leader evaluates: their images, their resends, and what comes between. */
final class EvaluatedWriteTest {
    @TempDir private Path directory;
    private HostFixture host;
    private ItemKey key;

    /** Writes of others, each right before the next command of the test gets into the log. */
    private final Deque<Runnable> between = new ArrayDeque<>();

    private final class Overtaken implements CommandLog<Command, Outcome> {
        private final CommandLog<Command, Outcome> log;

        Overtaken(CommandLog<Command, Outcome> log) {
            this.log = log;
        }

        @Override
        public Outcome submit(Command command, Duration timeout) {
            if (command instanceof Command.WriteItems && !between.isEmpty()) {
                between.poll().run();
            }
            return log.submit(command, timeout);
        }

        @Override
        public void close() {
            log.close();
        }
    }

    @BeforeEach
    void open() {
        host = new HostFixture(directory, HostFixture.ONE_PATH, Overtaken::new, _ -> {});
        key = host.key("i", "north");
    }

    @AfterEach
    void close() {
        host.close();
    }

    private static Bytes json(String text) {
        return Bytes.ofUtf8(text.replace('\'', '"'));
    }

    private static Evaluation merge(String document) {
        return MergeDialect.evaluation(Body.json(json(document)));
    }

    private static Evaluation increment() {
        return PatchDialect.evaluation(Patch.parse(json("[{'op':'incr','path':'/n','value':1}]")));
    }

    private static WriteAction.Evaluate evaluate(
            Evaluation evaluation, boolean upsert, Images images) {
        return new WriteAction.Evaluate(HostFixture.DATABASE, evaluation, upsert, images);
    }

    private WriteRequest.WriteItem request(WriteAction action) {
        return new WriteRequest.WriteItem(
                HostFixture.PARTITION, host.newRequest(), key, action, Precondition.NONE);
    }

    private WriteResponse.Written write(WriteAction action) {
        return (WriteResponse.Written) host.searched(request(action));
    }

    private WriteRequest.WriteFirst first(String query, WriteAction.Computed action) {
        return first(SqlStatement.parse(query, Map.of()).encoded(), action);
    }

    private WriteRequest.WriteFirst first(EncodedQuery query, WriteAction.Computed action) {
        return new WriteRequest.WriteFirst(
                HostFixture.PARTITION,
                host.newRequest(),
                key.epk(),
                key.partitionKey(),
                query,
                HostFixture.DATABASE,
                action);
    }

    private Item create(String id, String rest) {
        return host.create(
                        host.key(id, "north"),
                        json("{'id':'" + id + "','pk':'north'" + rest + "}").toUtf8())
                .item()
                .orElseThrow();
    }

    private static String body(Optional<Item> item) {
        return item.orElseThrow().body().toUtf8().replace('"', '\'');
    }

    @Test
    void theAnswerHoldsTheImagesThatWereAskedFor() {
        Item created = create("i", ",'n':1");
        for (Images images : Images.values()) {
            Item present = host.find(key).item();
            WriteResponse.Written answer = write(evaluate(increment(), false, images));

            assertThat(answer.before())
                    .isEqualTo(images.before() ? Optional.of(present) : Optional.empty());
            Item after = host.find(key).item();
            assertThat(answer.item())
                    .contains(images.after() ? after : after.withBody(Bytes.EMPTY));
        }
        assertThat(body(Optional.of(host.find(key).item())))
                .isEqualTo("{'id':'i','pk':'north','n':5}");
        assertThat(host.find(key).item().docid()).isEqualTo(created.docid());
    }

    @Test
    void aDeleteShowsWhatItDeleted() {
        create("i", ",'n':1");
        Item present = host.find(key).item();
        WriteRequest.WriteItem take = request(new WriteAction.Delete(Images.BEFORE));

        WriteResponse.Written answer = (WriteResponse.Written) host.searched(take);

        assertThat(answer.change()).isEqualTo(Change.DELETED);
        assertThat(answer.item()).isEmpty();
        assertThat(answer.before()).contains(present);
        assertThat(host.call(take)).isEqualTo(answer);
    }

    @Test
    void anEvaluationOnAbsenceCreatesWhereItMay() {
        Evaluation merge = merge("{'id':'i','pk':'north','a':1}");
        assertThat(HostFixture.failureOf(host.call(request(evaluate(merge, false, Images.AFTER)))))
                .isEqualTo(ErrorCode.NOT_FOUND);

        WriteResponse.Written created = write(evaluate(merge, true, Images.BOTH));
        assertThat(created.change()).isEqualTo(Change.CREATED);
        assertThat(created.before()).isEmpty();
        assertThat(body(created.item())).isEqualTo("{'id':'i','pk':'north','a':1}");

        WriteResponse.Written merged =
                write(evaluate(merge("{'id':'i','pk':'north','b':2}"), true, Images.BOTH));
        assertThat(merged.change()).isEqualTo(Change.REPLACED);
        assertThat(body(merged.before())).isEqualTo("{'id':'i','pk':'north','a':1}");
        assertThat(body(merged.item())).isEqualTo("{'id':'i','pk':'north','a':1,'b':2}");
    }

    /** Absence is a version too: an item that appears meanwhile is merged into, not replaced. */
    @Test
    void anItemThatAppearsMeanwhileIsEvaluated() {
        between.add(() -> create("i", ",'a':1"));

        WriteResponse.Written answer =
                write(evaluate(merge("{'id':'i','pk':'north','b':2}"), true, Images.BOTH));

        assertThat(answer.change()).isEqualTo(Change.REPLACED);
        assertThat(body(answer.before())).isEqualTo("{'id':'i','pk':'north','a':1}");
        assertThat(body(answer.item())).isEqualTo("{'id':'i','pk':'north','a':1,'b':2}");
    }

    @Test
    void anItemThatGoesMeanwhileIsCreatedAgain() {
        create("i", ",'a':1");
        between.add(() -> host.write(key, new WriteAction.Delete(), Precondition.NONE));

        WriteResponse.Written answer =
                write(evaluate(merge("{'id':'i','pk':'north','b':2}"), true, Images.BOTH));

        assertThat(answer.change()).isEqualTo(Change.CREATED);
        assertThat(answer.before()).isEmpty();
        assertThat(body(answer.item())).isEqualTo("{'id':'i','pk':'north','b':2}");
    }

    @Test
    void anEvaluationCannotRenameItsItem() {
        create("i", "");
        for (String other : new String[] {"{'id':'j','pk':'north'}", "{'id':'i','pk':'south'}"}) {
            assertThat(
                            HostFixture.failureOf(
                                    host.call(request(evaluate(merge(other), true, Images.NONE)))))
                    .isEqualTo(ErrorCode.BAD_REQUEST);
        }
        assertThat(host.find(key).item().lsn()).isEqualTo(2);
    }

    @Test
    void theResultMayHaveAsManyBytesAsAnItemAndNoMore() {
        String start = "{'id':'i','pk':'north','s':'";
        int room = (2 << 20) - start.length() - 2;
        create("i", ",'s':'" + "x".repeat(room - 20) + "'");

        // "t" with its quotes, colon and comma takes seven bytes besides its text.
        assertThat(merged(13)).isInstanceOf(WriteResponse.Written.class);
        assertThat(HostFixture.failureOf(merged(14))).isEqualTo(ErrorCode.TOO_LARGE);
    }

    private PartitionResponse merged(int length) {
        String document = "{'id':'i','pk':'north','t':'" + "y".repeat(length) + "'}";
        return host.call(request(evaluate(merge(document), true, Images.NONE)));
    }

    @Test
    void aResendHasTheFirstAnswerAndItsImages() {
        create("i", ",'n':1");
        WriteRequest.WriteItem request = request(evaluate(increment(), false, Images.BOTH));
        PartitionResponse first = host.call(request);
        write(evaluate(increment(), false, Images.NONE));

        assertThat(host.call(request)).isEqualTo(first);
        assertThat(body(Optional.of(host.find(key).item())))
                .isEqualTo("{'id':'i','pk':'north','n':3}");
    }

    /** The first attempt was refused as stale, so the second is the one that was carried out. */
    @Test
    void aResendFindsTheAttemptThatWasCarriedOut() {
        create("i", ",'n':1");
        Evaluation once =
                PatchDialect.evaluation(
                        Patch.parse(json("[{'op':'set','path':'/done','value':1}]")),
                        Optional.of(PatchCondition.parse("from c where not is_defined(c.done)")));
        WriteRequest.WriteItem request = request(evaluate(once, false, Images.BOTH));
        between.add(() -> write(evaluate(increment(), false, Images.NONE)));
        PartitionResponse first = host.call(request);
        assertThat(body(((WriteResponse.Written) first).item()))
                .isEqualTo("{'id':'i','pk':'north','n':2,'done':1}");

        // The condition no longer holds.
        assertThat(host.call(request)).isEqualTo(first);
        assertThat(host.call(request)).isEqualTo(first);
    }

    @Test
    void imagesThatAreTooLongToBeKeptAreNotMadeUp() {
        create("i", ",'n':1,'s':'" + "x".repeat(70_000) + "'");
        WriteRequest.WriteItem before = request(evaluate(increment(), false, Images.BEFORE));
        WriteRequest.WriteItem after = request(evaluate(increment(), false, Images.AFTER));
        assertThat(host.call(before)).isInstanceOf(WriteResponse.Written.class);
        PartitionResponse last = host.call(after);

        assertThat(HostFixture.failureOf(host.call(before))).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(host.call(after)).isEqualTo(last);
    }

    @Test
    void aBatchHoldsEvaluationsAndTheirImages() {
        create("i", ",'n':1");
        ItemKey other = host.key("j", "north");
        WriteRequest.Batch batch =
                new WriteRequest.Batch(
                        HostFixture.PARTITION,
                        host.newRequest(),
                        List.of(
                                step(key, evaluate(increment(), false, Images.BOTH)),
                                step(key, evaluate(increment(), false, Images.BOTH)),
                                step(
                                        other,
                                        evaluate(
                                                merge("{'id':'j','pk':'north'}"),
                                                true,
                                                Images.NONE)),
                                step(key, new WriteAction.Delete(Images.BEFORE))),
                        0);
        between.add(() -> write(evaluate(increment(), false, Images.NONE)));

        WriteResponse.Batch answer = (WriteResponse.Batch) host.call(batch);

        assertThat(body(done(answer, 0).before())).isEqualTo("{'id':'i','pk':'north','n':2}");
        assertThat(body(done(answer, 0).item())).isEqualTo("{'id':'i','pk':'north','n':3}");
        assertThat(body(done(answer, 1).before())).isEqualTo("{'id':'i','pk':'north','n':3}");
        assertThat(done(answer, 2).item().orElseThrow().body().isEmpty()).isTrue();
        assertThat(body(done(answer, 3).before())).isEqualTo("{'id':'i','pk':'north','n':4}");
        assertThat(host.call(batch)).isEqualTo(answer);
        assertThat(HostFixture.failureOf(host.read(key, 0))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    private static BatchStep step(ItemKey key, WriteAction action) {
        return new BatchStep.Write(key, action, Precondition.NONE);
    }

    private static StepResult.Done done(WriteResponse.Batch answer, int step) {
        return (StepResult.Done) answer.steps().get(step);
    }

    @Test
    void theFirstInOrderIsWritten() {
        create("a", ",'rank':3,'n':0");
        create("b", ",'rank':1,'n':0");
        create("c", ",'rank':2,'n':0");
        host.create(
                host.key("other", "south"),
                json("{'id':'other','pk':'south','rank':0,'n':0}").toUtf8());
        WriteRequest.WriteFirst request =
                first(
                        "SELECT * FROM c WHERE c.n = 0 ORDER BY c.rank",
                        evaluate(increment(), false, Images.BOTH));

        WriteResponse.Written answer = (WriteResponse.Written) host.searched(request);

        assertThat(body(answer.before())).contains("'id':'b'").contains("'n':0");
        assertThat(body(answer.item())).contains("'id':'b'").contains("'n':1");
        assertThat(answer.charge().ru())
                .isGreaterThan(
                        write(evaluate(merge("{'id':'i','pk':'north'}"), true, Images.NONE))
                                .charge()
                                .ru());
        assertThat(host.searched(request)).isEqualTo(answer);
    }

    @Test
    void theItemThatWasFoundMayBeTakenByAnother() {
        create("a", ",'rank':1,'n':0");
        create("b", ",'rank':2,'n':0");
        between.add(
                () ->
                        host.write(
                                host.key("a", "north"),
                                new WriteAction.Delete(),
                                Precondition.NONE));

        WriteResponse.Written answer =
                (WriteResponse.Written)
                        host.searched(
                                first(
                                        "SELECT * FROM c WHERE c.n = 0 ORDER BY c.rank",
                                        new WriteAction.Delete(Images.BEFORE)));

        assertThat(body(answer.before())).contains("'id':'b'");
    }

    @Test
    void nothingFoundIsNotFoundAndCostsTheSearch() {
        create("a", ",'n':0");
        PartitionResponse answer =
                host.call(
                        first(
                                "SELECT * FROM c WHERE c.n = 7",
                                evaluate(increment(), false, Images.AFTER)));

        assertThat(HostFixture.failureOf(answer)).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(((PartitionResponse.Failed) answer).charge().ru()).isGreaterThan(2);
    }

    @Test
    void aSearchThatFindsNothingMayCreate() {
        WriteRequest.WriteFirst request =
                first(
                        "SELECT * FROM c WHERE c.n = 7",
                        evaluate(merge("{'id':'new','pk':'north','n':7}"), true, Images.BOTH));

        WriteResponse.Written answer = (WriteResponse.Written) host.searched(request);

        assertThat(answer.change()).isEqualTo(Change.CREATED);
        assertThat(host.find(host.key("new", "north")).item())
                .isEqualTo(answer.item().orElseThrow());
        assertThat(host.searched(request)).isEqualTo(answer);
    }

    /** Two that search for the same never both create. */
    @Test
    void aMatchThatAppearsMeanwhileIsFound() {
        between.add(() -> create("a", ",'n':7"));

        WriteResponse.Written answer =
                (WriteResponse.Written)
                        host.searched(
                                first(
                                        "SELECT * FROM c WHERE c.n = 7",
                                        evaluate(
                                                merge("{'id':'a','pk':'north','m':1}"),
                                                true,
                                                Images.BOTH)));
        assertThat(answer.change()).isEqualTo(Change.REPLACED);
        assertThat(body(answer.item())).isEqualTo("{'id':'a','pk':'north','n':7,'m':1}");
    }

    @Test
    void anIdThatIsTakenIsAConflict() {
        create("new", ",'n':0");
        assertThat(
                        HostFixture.failureOf(
                                host.call(
                                        first(
                                                "SELECT * FROM c WHERE c.n = 7",
                                                evaluate(
                                                        merge("{'id':'new','pk':'north'}"),
                                                        true,
                                                        Images.NONE)))))
                .isEqualTo(ErrorCode.CONFLICT);
    }

    /** Rows that have no value do not count, and OFFSET passes over those that have. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE c.n FROM c",
                "SELECT c.n FROM c WHERE IS_DEFINED(c.n)",
                "SELECT VALUE c.n FROM c ORDER BY c.n",
                "SELECT VALUE x FROM c JOIN x IN c.list WHERE x = 2",
                "SELECT * FROM c OFFSET 1 LIMIT 5"
            })
    void aSearchMayShowAnythingOfItsItems(String query) {
        create("a", "");
        create("b", ",'n':1,'list':[1,2,2]");
        create("c", ",'n':2,'list':[2]");

        WriteResponse.Written answer =
                (WriteResponse.Written)
                        host.searched(first(query, new WriteAction.Delete(Images.BEFORE)));

        assertThat(body(answer.before())).contains("'id':'b'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT COUNT(1) FROM c",
                "SELECT c.n FROM c GROUP BY c.n",
                "SELECT DISTINCT c.n FROM c",
                "SELECT VALUE 1"
            })
    void aSearchForSomethingElseThanItemsIsRefused(String query) {
        create("a", ",'n':0");
        assertThat(HostFixture.failureOf(host.call(first(query, new WriteAction.Delete()))))
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(host.find(host.key("a", "north")).item().lsn()).isEqualTo(2);
    }

    @Test
    void aSearchInAnUnknownLanguageIsRefused() {
        create("a", ",'n':0");
        PartitionResponse answer =
                host.call(
                        first(
                                new EncodedQuery("klingon", 1, Bytes.EMPTY),
                                new WriteAction.Delete()));

        assertThat(HostFixture.failureOf(answer)).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(((PartitionResponse.Failed) answer).text()).contains("klingon");
        assertThat(host.find(host.key("a", "north")).item().lsn()).isEqualTo(2);
    }

    @Test
    void aSearchEndsWhenTheTimeIsOver() {
        create("a", ",'n':0");
        PartitionRequest request = first("SELECT * FROM c", new WriteAction.Delete());

        assertThat(
                        HostFixture.failureOf(
                                host.call(PartitionEnvelope.ofNode(1, request, Duration.ZERO))))
                .isEqualTo(ErrorCode.TIMEOUT);
        assertThat(host.find(host.key("a", "north")).item().lsn()).isEqualTo(2);
    }
}
