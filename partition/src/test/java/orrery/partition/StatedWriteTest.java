package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.document.Patch;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.model.Statement;
import orrery.partition.api.BatchStep;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.StepResult;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.api.WriteResponse.Change;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.query.sql.SqlStatement;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;
import orrery.query.write.PatchDialect;
import orrery.replication.CommandLog;
import orrery.storage.Cursor;
import orrery.storage.Table;
import orrery.storage.format.Keys;

/**
 * Writes of sessions at the leader: however often one comes, it is made once and answered alike.
 */
final class StatedWriteTest {
    private static final Bytes SESSION = Bytes.ofHex("0102030405060708090A0B0C0D0E0F10");

    /** The time of a fixture that was just opened. */
    private static final long WRITTEN = 1_800_000_000_000L;

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
        host.replica().raiseLevel(HostFixture.PATIENCE);
        key = host.key("i", "north");
    }

    @AfterEach
    void close() {
        host.close();
    }

    private static Statement statement(long transaction) {
        return Statement.of(SESSION, transaction, 0);
    }

    private static Bytes json(String text) {
        return Bytes.ofUtf8(text.replace('\'', '"'));
    }

    private static WriteAction.Evaluate increment(boolean upsert, Images images) {
        Evaluation increment =
                PatchDialect.evaluation(Patch.parse(json("[{'op':'incr','path':'/n','value':1}]")));
        return new WriteAction.Evaluate(HostFixture.DATABASE, increment, upsert, images);
    }

    private PartitionResponse send(Statement statement, WriteAction action) {
        return host.call(
                new WriteRequest.Stated(
                        statement,
                        new WriteRequest.WriteItem(
                                HostFixture.PARTITION,
                                host.newRequest(),
                                key,
                                action,
                                Precondition.NONE)));
    }

    private PartitionResponse sendFirst(
            Statement statement, String query, WriteAction.Computed action) {
        return host.call(
                new WriteRequest.Stated(
                        statement,
                        new WriteRequest.WriteFirst(
                                HostFixture.PARTITION,
                                host.newRequest(),
                                key.epk(),
                                key.partitionKey(),
                                SqlStatement.parse(query, Map.of()).encoded(),
                                HostFixture.DATABASE,
                                action)));
    }

    private void create(int number) {
        host.create(key, "{\"id\":\"i\",\"pk\":\"north\",\"n\":" + number + "}");
    }

    private String stored() {
        return ((ReadResponse.Found) host.read(key, 0)).item().body().toUtf8();
    }

    private static WriteResponse.Written remembered(PartitionResponse response) {
        return ((WriteResponse.Remembered) response).first();
    }

    private static String text(Optional<Item> item) {
        return item.orElseThrow().body().toUtf8();
    }

    @Test
    void anUpdateIsMadeOnceAndAnsweredAlike() {
        create(1);
        WriteResponse.Written first =
                (WriteResponse.Written) send(statement(1), increment(false, Images.BOTH));

        WriteResponse.Remembered again =
                (WriteResponse.Remembered) send(statement(1), increment(false, Images.BOTH));

        assertThat(again.first().change()).isEqualTo(Change.REPLACED);
        assertThat(again.first().item()).isEqualTo(first.item());
        assertThat(again.first().before()).isEqualTo(first.before());
        assertThat(again.item()).isEqualTo(key.rowKey());
        assertThat(stored()).contains("\"n\":2");
        assertThat(again.charge().ru()).isLessThan(first.charge().ru());
    }

    @Test
    void theAnswerOutlivesARestart() {
        create(1);
        send(statement(1), increment(false, Images.AFTER));

        host.restart();

        assertThat(text(remembered(send(statement(1), increment(false, Images.AFTER))).item()))
                .contains("\"n\":2");
        assertThat(stored()).contains("\"n\":2");
    }

    @Test
    void createsAndDeletesAreRemembered() {
        WriteAction create = new WriteAction.Create(json("{'id':'i','pk':'north'}"));
        assertThat(send(statement(1), create)).isInstanceOf(WriteResponse.Written.class);
        assertThat(remembered(send(statement(1), create)).change()).isEqualTo(Change.CREATED);

        WriteAction delete = new WriteAction.Delete();
        assertThat(send(statement(2), delete)).isInstanceOf(WriteResponse.Written.class);
        assertThat(remembered(send(statement(2), delete)).change()).isEqualTo(Change.DELETED);
    }

    @Test
    void aDeleteShowsItsItemAgain() {
        create(7);
        send(statement(1), new WriteAction.Delete(Images.BEFORE));

        WriteResponse.Written again =
                remembered(send(statement(1), new WriteAction.Delete(Images.BEFORE)));

        assertThat(text(again.before())).contains("\"n\":7");
        assertThat(again.item()).isEmpty();
    }

    @Test
    void aSearchThatNoLongerFindsTheItemIsAnsweredAll() {
        create(1);
        String query = "SELECT * FROM c WHERE c.n = 1";
        assertThat(sendFirst(statement(1), query, increment(false, Images.BEFORE)))
                .isInstanceOf(WriteResponse.Written.class);

        WriteResponse.Written again =
                remembered(sendFirst(statement(1), query, increment(false, Images.BEFORE)));

        assertThat(text(again.before())).contains("\"n\":1");
        assertThat(stored()).contains("\"n\":2");
    }

    /** Both looked before either was made. */
    @Test
    void ofTwoThatRaceOneIsMadeAndBothAreAnsweredAlike() {
        create(1);
        WriteResponse[] other = new WriteResponse[1];
        between.add(
                () ->
                        other[0] =
                                (WriteResponse) send(statement(1), increment(false, Images.AFTER)));

        WriteResponse.Written loser =
                remembered(send(statement(1), increment(false, Images.AFTER)));

        assertThat(other[0]).isInstanceOf(WriteResponse.Written.class);
        assertThat(loser.item()).isEqualTo(((WriteResponse.Written) other[0]).item());
        assertThat(stored()).contains("\"n\":2");
    }

    /** The loser of the race finds nothing to do, and must hear what the winner did. */
    @Test
    void aRaceForASearchIsAnsweredAlike() {
        create(1);
        String query = "SELECT * FROM c WHERE c.n = 1";
        between.add(() -> sendFirst(statement(1), query, increment(false, Images.AFTER)));

        WriteResponse.Written loser =
                remembered(sendFirst(statement(1), query, increment(false, Images.AFTER)));

        assertThat(text(loser.item())).contains("\"n\":2");
        assertThat(stored()).contains("\"n\":2");
    }

    @Test
    void whatFoundNothingIsMadeLater() {
        assertThat(HostFixture.failureOf(send(statement(1), increment(false, Images.NONE))))
                .isEqualTo(ErrorCode.NOT_FOUND);
        create(1);

        assertThat(send(statement(1), increment(false, Images.NONE)))
                .isInstanceOf(WriteResponse.Written.class);
        assertThat(stored()).contains("\"n\":2");
    }

    @Test
    void anOlderTransactionIsRefused() {
        create(1);
        send(statement(2), increment(false, Images.NONE));

        assertThat(HostFixture.failureOf(send(statement(1), increment(false, Images.NONE))))
                .isEqualTo(ErrorCode.TRANSACTION_TOO_OLD);
        assertThat(stored()).contains("\"n\":2");
    }

    /** Beyond what is kept for a minute with a request that no session names. */
    @Test
    void anImageMayBeAsLargeAsAnItem() {
        String filler = "x".repeat(1_900_000);
        host.create(key, "{\"id\":\"i\",\"pk\":\"north\",\"n\":1,\"f\":\"" + filler + "\"}");
        WriteResponse.Written first =
                (WriteResponse.Written) send(statement(1), increment(false, Images.BEFORE));

        WriteResponse.Written again =
                remembered(send(statement(1), increment(false, Images.BEFORE)));

        assertThat(again.before()).isEqualTo(first.before());
        assertThat(text(again.before())).hasSizeGreaterThan(1_900_000);
    }

    @Test
    void aBatchIsRefusedAsAWholeAndEachOfItsStepsIsRemembered() {
        Statement both = new Statement(SESSION, 1, 0, 2, false);
        ItemKey other = host.key("j", "north");
        WriteAction one = new WriteAction.Create(json("{'id':'i','pk':'north'}"));
        WriteAction two = new WriteAction.Create(json("{'id':'j','pk':'north'}"));
        List<BatchStep> steps =
                List.of(
                        new BatchStep.Write(key, one, Precondition.NONE),
                        new BatchStep.Write(other, two, Precondition.NONE));
        WriteResponse.Batch first = (WriteResponse.Batch) batch(both, steps);
        assertThat(first.steps()).hasOnlyElementsOfType(StepResult.Done.class);

        assertThat(HostFixture.failureOf(batch(both, steps))).isEqualTo(ErrorCode.STATEMENT_DONE);
        key = other;
        WriteResponse.Written again = remembered(send(Statement.of(SESSION, 1, 1), two));
        assertThat(again.item().orElseThrow().etag())
                .isEqualTo(((StepResult.Done) first.steps().get(1)).item().orElseThrow().etag());
    }

    private PartitionResponse batch(Statement statement, List<BatchStep> steps) {
        return host.call(
                new WriteRequest.Stated(
                        statement,
                        new WriteRequest.Batch(
                                HostFixture.PARTITION, host.newRequest(), steps, 0)));
    }

    @Test
    void aStatementIsFoundWithoutItsKey() {
        create(1);
        Statement sought = statement(1).sought();
        ReadRequest.FindStatement find =
                new ReadRequest.FindStatement(HostFixture.PARTITION, sought);
        assertThat(HostFixture.failureOf(host.call(find))).isEqualTo(ErrorCode.NOT_FOUND);

        send(sought, new WriteAction.Delete());

        WriteResponse.Remembered found = (WriteResponse.Remembered) host.call(find);
        assertThat(found.first().change()).isEqualTo(Change.DELETED);
        assertThat(found.item()).isEqualTo(key.rowKey());
    }

    /** The worker walks, finds what is over, and rests. */
    @Test
    void whatNoLongerCountsIsForgottenInTheBackground() throws InterruptedException {
        create(1);
        send(statement(1), increment(false, Images.NONE));
        assertThat(rows()).isEqualTo(1);

        walkAfter(Duration.ofMinutes(29));
        assertThat(rows()).isEqualTo(1);
        walkAfter(Duration.ofMinutes(30));
        assertThat(rows()).isZero();
    }

    private void walkAfter(Duration time) throws InterruptedException {
        Semaphore walks = new Semaphore(0);
        InstantSource later = InstantSource.fixed(Instant.ofEpochMilli(WRITTEN).plus(time));
        try (SessionWorker _ =
                new SessionWorker(
                        host.replica(),
                        new PartitionTimes(host.replica(), later, () -> 0),
                        _ -> {
                            walks.release();
                            Thread.onSpinWait();
                        })) {
            // The second rest comes after the first walk.
            walks.acquire(2);
        }
    }

    private int rows() {
        int count = 0;
        try (Cursor rows =
                host.replica()
                        .store()
                        .scan(Table.META, Keys.allSessions(), Keys.after(Keys.allSessions()))) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }
}
