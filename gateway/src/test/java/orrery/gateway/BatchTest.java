package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchAnswer.Result;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.PartitionMap;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;
import orrery.script.ScriptEngine;
import orrery.script.ScriptLimits;

/** Transactional batches and bulks at the engine's door. */
@Timeout(900)
class BatchTest {
    private static final PartitionKey NORTH = PartitionKey.ofText("north");
    private static final Precondition UNKNOWN = new Precondition.Impossible();

    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new EngineFixture(directory);
        container = fixture.container("c", 400, "/pk");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void anAtomicBatchIsDoneAtOneLsn() {
        BatchAnswer answer =
                atomic(
                        create("a", "north"),
                        upsert("b", "north"),
                        read("a", "north"),
                        patch("b", "north", "/x", 7),
                        delete("a", "north"));

        assertThat(statuses(answer)).containsExactly(201, 201, 200, 200, 204);
        assertThat(body(answer, 2)).isEqualTo("{\"id\":\"a\",\"pk\":\"north\"}");
        assertThat(body(answer, 3)).isEqualTo("{\"id\":\"b\",\"pk\":\"north\",\"x\":7}");
        assertThat(body(answer, 0)).isEqualTo("{\"id\":\"a\",\"pk\":\"north\"}");
        assertThat(answer.charge().ru())
                .isEqualTo(
                        answer.results().stream().mapToDouble(r -> r.charge().ru()).sum(),
                        within(1e-9));
        ItemAnswer left =
                fixture.engine
                        .items()
                        .readItem(
                                EngineFixture.context(), container, NORTH, new ItemRef.Named("b"));
        assertThat(left.sessionToken()).isEqualTo(answer.sessionToken());
    }

    @Test
    void aReadOnlyKeyReadsInBatchesAndWritesNothing() {
        atomic(create("a", "north"));
        List<BatchOperation> reads = List.of(read("a", "north"), read("gone", "north"));
        List<BatchOperation> withAWrite = List.of(read("a", "north"), delete("a", "north"));

        assertThat(statuses(asReader(new ItemBatch.Atomic(NORTH, reads))))
                .containsExactly(424, 404);
        assertThat(statuses(asReader(new ItemBatch.Atomic(NORTH, reads.subList(0, 1)))))
                .containsExactly(200);
        assertThat(statuses(asReader(new ItemBatch.Bulk(reads, false, true))))
                .containsExactly(200, 404);
        for (ItemBatch refused :
                List.of(
                        new ItemBatch.Atomic(NORTH, withAWrite),
                        new ItemBatch.Bulk(withAWrite, false, true))) {
            assertThatThrownBy(() -> asReader(refused))
                    .isInstanceOfSatisfying(
                            OrreryException.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.FORBIDDEN));
        }
        assertThat(statuses(atomic(read("a", "north")))).containsExactly(200);
    }

    private BatchAnswer asReader(ItemBatch batch) {
        return fixture.engine.items().batch(EngineFixture.readOnly(), container, batch);
    }

    @Test
    void aBatchThatFailsLeavesNothing() {
        atomic(create("there", "north"));

        assertThat(statuses(atomic(create("a", "north"), create("there", "north"))))
                .containsExactly(424, 409);
        assertThat(
                        statuses(
                                atomic(
                                        create("a", "north"),
                                        delete("gone", "north"),
                                        read("a", "north"))))
                .containsExactly(424, 404, 424);
        assertThat(
                        statuses(
                                atomic(
                                        create("a", "north"),
                                        new BatchOperation.Write(
                                                new ItemWrite.Delete(
                                                        new ItemRef.Named("there"),
                                                        NORTH,
                                                        new Precondition.Matches(
                                                                new Etag(1, 1)))))))
                .containsExactly(424, 412);
        assertThat(statuses(bulk(read("a", "north"), read("there", "north"))))
                .containsExactly(404, 200);
    }

    /** The gateway refuses the batch by itself, but clients expect these fields in every answer. */
    @Test
    void aBatchOfAnotherKeyIsChargedAndSaysHowFarItsPartitionIs() {
        long lsn = atomic(create("there", "north")).sessionToken().lsn(0).orElseThrow();

        BatchAnswer refused = atomic(create("a", "north"), create("b", "south"));

        assertThat(refused.charge().ru()).isPositive();
        assertThat(refused.results().get(1).charge()).isEqualTo(refused.charge());
        assertThat(refused.sessionToken().lsn(0)).hasValue(lsn);
        OrreryException tooMany =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                run(
                                        new ItemBatch.Atomic(
                                                PartitionKey.of(
                                                        KeyComponent.TRUE, KeyComponent.TRUE),
                                                List.of(create("a", "north")))));
        assertThat(tooMany.code()).isEqualTo(ErrorCode.PARTITION_KEY_MISMATCH);
        assertThat(tooMany.charge().ru()).isPositive();
    }

    @Test
    void aRefusalOfTheGatewayNeedsNoPartition() {
        PartitionService failing =
                new PartitionService() {
                    @Override
                    public PartitionResponse call(PartitionEnvelope envelope) {
                        return new PartitionResponse.Failed(
                                ErrorCode.UNAVAILABLE, "Retry.", 0, 0, Charge.NONE);
                    }
                };
        try (ScriptEngine scripts = new ScriptEngine(ScriptLimits.standard(1))) {
            Gateway gateway =
                    new Gateway(
                            fixture.catalog,
                            failing,
                            scripts,
                            new SecureRandom(),
                            InstantSource.system(),
                            System::nanoTime);

            BatchAnswer refused =
                    gateway.items()
                            .batch(
                                    EngineFixture.context(),
                                    container,
                                    new ItemBatch.Atomic(
                                            NORTH,
                                            List.of(create("a", "north"), create("b", "south"))));

            assertThat(statuses(refused)).containsExactly(424, 400);
            assertThat(refused.sessionToken()).isEqualTo(SessionToken.NOTHING);
        }
    }

    @Test
    void whatIsWrongWithAnOperationIsSaidOfIt() {
        assertThat(statuses(atomic(create("a", "north"), create("b", "south"))))
                .containsExactly(424, 400);
        assertThat(statuses(atomic(create("a", "north"), write("{\"pk\":\"north\"}"))))
                .containsExactly(424, 400);
        String large = "{\"id\":\"l\",\"pk\":\"north\",\"s\":\"" + "x".repeat(2 << 20) + "\"}";
        assertThat(statuses(atomic(create("a", "north"), write(large)))).containsExactly(424, 413);
        assertThat(statuses(bulk(create("a", "south"), write(large), create("b", "south"))))
                .containsExactly(201, 413, 201);
    }

    @Test
    void aBatchHasOneToAHundredOperations() {
        List<BatchOperation> operations = new ArrayList<>();
        for (int i = 0; i < ItemBatch.MAX_OPERATIONS; i++) {
            operations.add(upsert("i" + i, "north"));
        }
        assertThat(statuses(run(new ItemBatch.Atomic(NORTH, operations)))).containsOnly(201);
        assertThat(statuses(run(new ItemBatch.Bulk(operations, false, true)))).containsOnly(200);

        operations.add(upsert("one more", "north"));
        assertFails(ErrorCode.BAD_REQUEST, () -> new ItemBatch.Atomic(NORTH, operations));
        assertFails(ErrorCode.BAD_REQUEST, () -> new ItemBatch.Bulk(operations, false, true));
        assertFails(ErrorCode.BAD_REQUEST, () -> new ItemBatch.Atomic(NORTH, List.of()));
    }

    @Test
    void aBulkDoesEachOperationByItself() {
        BatchAnswer answer =
                bulk(
                        create("a", "north"),
                        create("a", "north"),
                        create("a", "south"),
                        read("a", "north"),
                        read("gone", "north"),
                        patch("a", "south", "/x", 1),
                        delete("a", "south"),
                        read("a", "south"));

        assertThat(statuses(answer)).containsExactly(201, 409, 201, 200, 404, 200, 204, 404);
        assertThat(answer.sessionToken().lsnByRange()).hasSize(1);
        assertThat(answer.charge().ru())
                .isEqualTo(
                        answer.results().stream().mapToDouble(r -> r.charge().ru()).sum(),
                        within(1e-9));
    }

    @Test
    void aBulkThatIsToStopStopsAtTheFirstFailure() {
        BatchAnswer answer =
                run(
                        new ItemBatch.Bulk(
                                List.of(
                                        create("a", "north"),
                                        read("gone", "north"),
                                        create("b", "south")),
                                false,
                                false));

        assertThat(statuses(answer)).containsExactly(201, 404, 424);
        assertThat(statuses(bulk(read("a", "north"), read("b", "south"))))
                .containsExactly(200, 404);
    }

    @Test
    void aKnownVersionIsNotSent() {
        BatchAnswer created = atomic(create("a", "north"));
        Etag etag = ((Result.Done) created.results().getFirst()).item().orElseThrow().etag();
        BatchOperation read = new BatchOperation.Read("a", NORTH, new Precondition.Matches(etag));

        for (BatchAnswer answer : List.of(atomic(read), bulk(read))) {
            assertThat(statuses(answer)).containsExactly(304);
            assertThat(answer.charge().ru()).isEqualTo(1.0, within(1e-9));
        }
    }

    @Test
    void anAnswerOfABulkHasFourMegabytesAtMost() {
        for (int i = 0; i < 6; i++) {
            bulk(
                    write(
                            "{\"id\":\"i"
                                    + i
                                    + "\",\"pk\":\"north\",\"s\":\""
                                    + "x".repeat(1 << 20)
                                    + "\"}"));
        }
        List<BatchOperation> reads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            reads.add(read("i" + i, "north"));
        }
        List<Integer> statuses = statuses(run(new ItemBatch.Bulk(reads, false, true)));
        assertThat(statuses).filteredOn(status -> status == 200).hasSize(3);
        assertThat(statuses).filteredOn(status -> status == 413).hasSize(3);
    }

    @Test
    void aSplitSparesEveryBatch() {
        int parent = map().partitions().getFirst().range();
        bulk(create("a", "north"), create("a", "south"));
        fixture.engine.operations().splitPartition(EngineFixture.context(), container, parent);

        assertThat(statuses(atomic(read("a", "north"), create("b", "north"))))
                .containsExactly(200, 201);
        assertThat(statuses(bulk(read("a", "north"), read("a", "south"))))
                .containsExactly(200, 200);
        assertThat(statuses(bulkOf(parent, read("a", "north"), read("a", "south"))))
                .containsExactly(200, 200);
        assertFails(ErrorCode.RANGE_GONE, () -> bulkOf(99, read("a", "north")));
    }

    private BatchAnswer bulkOf(int range, BatchOperation... operations) {
        return fixture.engine
                .items()
                .batch(
                        EngineFixture.context(),
                        container,
                        new ItemBatch.Bulk(Arrays.asList(operations), false, true)
                                .in(OptionalInt.of(range)));
    }

    @Test
    void anOperationOutsideTheRangeIsGone() {
        int parent = map().partitions().getFirst().range();
        bulk(create("a", "north"));
        fixture.engine.operations().splitPartition(EngineFixture.context(), container, parent);
        List<Integer> statuses = new ArrayList<>();
        for (var partition : map().partitions()) {
            statuses.addAll(
                    statuses(
                            fixture.engine
                                    .items()
                                    .batch(
                                            EngineFixture.context(),
                                            container,
                                            new ItemBatch.Bulk(
                                                            List.of(read("a", "north")),
                                                            false,
                                                            true)
                                                    .in(OptionalInt.of(partition.range())))));
        }
        assertThat(statuses).containsExactlyInAnyOrder(200, 410);
    }

    private PartitionMap map() {
        return fixture.engine.resources().readPartitionMap(EngineFixture.context(), container);
    }

    private BatchAnswer atomic(BatchOperation... operations) {
        return run(new ItemBatch.Atomic(NORTH, Arrays.asList(operations)));
    }

    private BatchAnswer bulk(BatchOperation... operations) {
        return run(new ItemBatch.Bulk(Arrays.asList(operations), false, true));
    }

    private BatchAnswer run(ItemBatch batch) {
        return fixture.engine.items().batch(EngineFixture.context(), container, batch);
    }

    private static BatchOperation create(String id, String key) {
        return new BatchOperation.Write(
                new ItemWrite.Create(Bytes.ofUtf8(json(id, key)), Optional.empty()));
    }

    private static BatchOperation write(String json) {
        return new BatchOperation.Write(new ItemWrite.Create(Bytes.ofUtf8(json), Optional.empty()));
    }

    private static BatchOperation upsert(String id, String key) {
        return new BatchOperation.Write(
                new ItemWrite.Upsert(
                        Bytes.ofUtf8(json(id, key)), Optional.empty(), Precondition.NONE));
    }

    private static BatchOperation read(String id, String key) {
        return new BatchOperation.Read(id, PartitionKey.ofText(key), UNKNOWN);
    }

    private static BatchOperation delete(String id, String key) {
        return new BatchOperation.Write(
                new ItemWrite.Delete(
                        new ItemRef.Named(id), PartitionKey.ofText(key), Precondition.NONE));
    }

    private static BatchOperation patch(String id, String key, String path, int value) {
        String patch = "[{\"op\":\"set\",\"path\":\"" + path + "\",\"value\":" + value + "}]";
        return new BatchOperation.Write(
                new ItemWrite.Evaluate(
                        new ItemRef.Named(id),
                        PartitionKey.ofText(key),
                        EngineFixture.patch(patch),
                        Precondition.NONE));
    }

    private static String json(String id, String key) {
        return "{\"id\":\"" + id + "\",\"pk\":\"" + key + "\"}";
    }

    private static List<Integer> statuses(BatchAnswer answer) {
        return answer.results().stream().map(BatchTest::status).toList();
    }

    private static int status(Result result) {
        return switch (result) {
            case Result.Refused(OrreryException failure) -> failure.code().status();
            case Result.NotModified _ -> 304;
            case Result.Done done ->
                    switch (done.outcome()) {
                        case READ, REPLACED, UNCHANGED -> 200;
                        case CREATED -> 201;
                        case DELETED -> 204;
                    };
        };
    }

    private static String body(BatchAnswer answer, int index) {
        return ((Result.Done) answer.results().get(index)).item().orElseThrow().body().toUtf8();
    }

    private static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        failure -> assertThat(failure.code()).isEqualTo(code));
    }
}
