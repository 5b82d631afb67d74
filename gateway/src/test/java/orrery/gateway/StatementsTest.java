package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Patch;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.Statement;
import orrery.model.resource.PartitionMap;
import orrery.query.write.Images;
import orrery.query.write.PatchDialect;

/** Writes of sessions through the door: however often one is sent, it is made once. */
@Timeout(900)
class StatementsTest {
    private static final Bytes SESSION = Bytes.ofHex("0102030405060708090A0B0C0D0E0F10");
    private static final int KEYS = 12;

    private EngineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new EngineFixture(directory).withNewestLevel();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Statement statement(long transaction, int number) {
        return Statement.of(SESSION, transaction, number);
    }

    private static ItemWrite increment(int key) {
        return new ItemWrite.Evaluate(
                new ItemRef.Named("i"),
                PartitionKey.ofText("key-" + key),
                PatchDialect.evaluation(
                        Patch.parse(
                                Bytes.ofUtf8("[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1}]"))),
                false,
                Images.AFTER,
                Precondition.NONE);
    }

    private static String body(int key) {
        return "{\"id\":\"i\",\"pk\":\"key-" + key + "\",\"n\":0}";
    }

    private ItemAnswer write(ContainerRef container, ItemWrite write, Statement statement) {
        return fixture.engine
                .items()
                .writeItem(EngineFixture.context(), container, write, Optional.of(statement));
    }

    private String stored(ContainerRef container, int key) {
        return fixture.engine
                .items()
                .readItem(
                        EngineFixture.context(),
                        container,
                        PartitionKey.ofText("key-" + key),
                        new ItemRef.Named("i"))
                .item()
                .orElseThrow()
                .body()
                .toUtf8();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 50_000})
    void aWriteThatIsSentAgainIsAnsweredAlike(int throughput) {
        ContainerRef container = fixture.container("c", throughput, "/pk");
        for (int key = 0; key < KEYS; key++) {
            fixture.create(container, body(key));
            ItemAnswer first = write(container, increment(key), statement(key, 0));

            ItemAnswer again = write(container, increment(key), statement(key, 0));

            assertThat(first.remembered()).isEmpty();
            assertThat(again.remembered()).isPresent();
            assertThat(again.outcome()).isEqualTo(first.outcome());
            assertThat(again.item()).isEqualTo(first.item());
            assertThat(stored(container, key)).contains("\"n\":1");
        }
    }

    @Test
    void statementsOutliveSplitsAndMerges() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        List<ItemAnswer> first = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            fixture.create(container, body(key));
            first.add(write(container, increment(key), statement(1, key)));
        }

        PartitionMap halves =
                fixture.engine.operations().splitPartition(EngineFixture.context(), container, 0);
        assertThat(halves.partitions()).hasSize(2);
        for (int key = 0; key < KEYS; key++) {
            ItemAnswer again = write(container, increment(key), statement(1, key));
            assertThat(again.item()).isEqualTo(first.get(key).item());
        }
        PartitionMap whole =
                fixture.engine
                        .operations()
                        .mergePartitions(
                                EngineFixture.context(),
                                container,
                                halves.partitions().getFirst().range());
        assertThat(whole.partitions()).hasSize(1);
        for (int key = 0; key < KEYS; key++) {
            ItemAnswer again = write(container, increment(key), statement(1, key));
            assertThat(again.item()).isEqualTo(first.get(key).item());
            assertThat(stored(container, key)).contains("\"n\":1");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 50_000})
    void aStatementIsSoughtInAllPartitions(int throughput) {
        ContainerRef container = fixture.container("c", throughput, "/pk");
        for (int key = 0; key < KEYS; key++) {
            fixture.create(container, body(key));
            Statement sought = statement(key, 0).sought();
            assertThat(find(container, sought)).isEmpty();

            write(
                    container,
                    new ItemWrite.Delete(
                            new ItemRef.Named("i"),
                            PartitionKey.ofText("key-" + key),
                            Precondition.NONE),
                    sought);

            assertThat(find(container, sought).orElseThrow().outcome())
                    .isEqualTo(ItemAnswer.Outcome.DELETED);
        }
    }

    private Optional<ItemAnswer> find(ContainerRef container, Statement sought) {
        return fixture.engine
                .items()
                .findStatement(EngineFixture.context(), container, sought)
                .answer();
    }

    @Test
    void aBulkTellsWhatWasMadeBefore() {
        ContainerRef container = fixture.container("c", 50_000, "/pk");
        for (int key = 0; key < KEYS; key++) {
            fixture.create(container, body(key));
        }
        write(container, increment(3), statement(1, 3));
        List<BatchOperation> operations = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            operations.add(
                    new BatchOperation.Write(increment(key), Optional.of(statement(1, key))));
        }

        BatchAnswer answer =
                fixture.engine
                        .items()
                        .batch(
                                EngineFixture.context(),
                                container,
                                new ItemBatch.Bulk(operations, false, true));

        for (int key = 0; key < KEYS; key++) {
            BatchAnswer.Result.Done done = (BatchAnswer.Result.Done) answer.results().get(key);
            assertThat(done.isRemembered()).isEqualTo(key == 3);
            assertThat(stored(container, key)).contains("\"n\":1");
        }
    }

    @Test
    void anAtomicBatchIsMadeOnce() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        ItemBatch.Atomic batch =
                new ItemBatch.Atomic(
                        PartitionKey.ofText("key-1"),
                        List.of(
                                new BatchOperation.Write(create("a")),
                                new BatchOperation.Write(create("b"))),
                        OptionalLong.empty(),
                        Optional.of(new Statement(SESSION, 1, 0, 2, false)));
        fixture.engine.items().batch(EngineFixture.context(), container, batch);

        OrreryException again =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                fixture.engine
                                        .items()
                                        .batch(EngineFixture.context(), container, batch));

        assertThat(again.code()).isEqualTo(ErrorCode.STATEMENT_DONE);
        ItemAnswer second = write(container, create("b"), statement(1, 1));
        assertThat(second.remembered()).isPresent();
        assertThat(second.outcome()).isEqualTo(ItemAnswer.Outcome.CREATED);
    }

    private static ItemWrite create(String id) {
        return new ItemWrite.Create(
                Bytes.ofUtf8("{\"id\":\"" + id + "\",\"pk\":\"key-1\"}"), Optional.empty());
    }
}
