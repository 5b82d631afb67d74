package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.IndexingPolicy;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.partition.api.BatchStep;
import orrery.partition.api.Budget;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.PartitionDefinition;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.SplitAim;
import orrery.partition.api.StepOutcome;
import orrery.partition.api.StepResult;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;

/** Batches: all of their steps or none, each seeing those before it. */
@Timeout(900)
class BatchTest {
    private static final Precondition UNKNOWN = new Precondition.Impossible();

    private HostFixture host;

    @BeforeEach
    void open(@TempDir Path directory) {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
    }

    @AfterEach
    void close() {
        host.close();
    }

    @Test
    void everyStepSeesThoseBeforeItAndAllShareOneLsn() {
        long before = host.create(key("old"), "{\"id\":\"old\",\"pk\":\"north\"}").headLsn();

        WriteResponse.Batch done =
                batch(
                        create("a", "{'id':'a','pk':'north','n':1}"),
                        patch("a", "[{'op':'incr','path':'/n','value':4}]"),
                        read("a"),
                        read("old"),
                        replace("old", "{'id':'old','pk':'north','v':2}", Precondition.NONE),
                        read("old"),
                        delete("old", Precondition.NONE),
                        upsert("old", "{'id':'old','pk':'north','v':3}"));

        assertThat(outcomes(done))
                .containsExactly(
                        StepOutcome.CREATED,
                        StepOutcome.REPLACED,
                        StepOutcome.READ,
                        StepOutcome.READ,
                        StepOutcome.REPLACED,
                        StepOutcome.READ,
                        StepOutcome.DELETED,
                        StepOutcome.CREATED);
        assertThat(done.headLsn()).isEqualTo(before + 1);
        assertThat(item(done, 1).body()).isEqualTo(json("{'id':'a','pk':'north','n':5}"));
        assertThat(item(done, 2)).isEqualTo(item(done, 1));
        assertThat(item(done, 3).body()).isEqualTo(json("{'id':'old','pk':'north'}"));
        assertThat(item(done, 3).lsn()).isEqualTo(before);
        assertThat(item(done, 5).body()).isEqualTo(json("{'id':'old','pk':'north','v':2}"));
        assertThat(host.find(key("a")).item()).isEqualTo(item(done, 1));
        assertThat(host.find(key("old")).item().etag()).isEqualTo(item(done, 7).etag());
        assertThat(host.find(key("old")).headLsn()).isEqualTo(before + 1);
    }

    @Test
    void theStepAtFaultHasItsOwnCodeAndTheOthersFailWithIt() {
        host.create(key("there"), "{\"id\":\"there\",\"pk\":\"north\"}");

        assertFailsAt(
                1,
                ErrorCode.CONFLICT,
                create("a", "{'id':'a','pk':'north'}"),
                create("there", "{}"));
        assertFailsAt(
                1,
                ErrorCode.NOT_FOUND,
                create("a", "{'id':'a','pk':'north'}"),
                replace("gone", "{'id':'gone','pk':'north'}", Precondition.NONE));
        assertFailsAt(
                2,
                ErrorCode.PRECONDITION_FAILED,
                create("a", "{'id':'a','pk':'north'}"),
                read("a"),
                delete("there", new Precondition.Matches(new Etag(1, 1))));
        assertFailsAt(1, ErrorCode.NOT_FOUND, create("a", "{'id':'a','pk':'north'}"), read("gone"));
        assertFailsAt(0, ErrorCode.NOT_FOUND, read("gone"), create("a", "{'id':'a','pk':'north'}"));
        assertFailsAt(1, ErrorCode.NOT_FOUND, read("there"), read("gone"));
        assertFailsAt(
                2,
                ErrorCode.NOT_FOUND,
                create("a", "{'id':'a','pk':'north'}"),
                delete("a", Precondition.NONE),
                read("a"));
        assertFailsAt(
                1,
                ErrorCode.CONFLICT,
                read("there"),
                create("there", "{'id':'there','pk':'north'}"),
                read("gone"));
        assertFailsAt(
                1,
                ErrorCode.PRECONDITION_FAILED,
                create("a", "{'id':'a','pk':'north'}"),
                new BatchStep.Write(
                        key("there"),
                        HostFixture.patch(
                                "from c where c.x = 7",
                                json("[{'op':'set','path':'/x','value':1}]")),
                        Precondition.NONE));
        assertFailsAt(
                1,
                ErrorCode.BAD_REQUEST,
                create("a", "{'id':'a','pk':'north'}"),
                patch("there", "[{'op':'incr','path':'/id','value':1}]"));
    }

    private void assertFailsAt(int index, ErrorCode code, BatchStep... steps) {
        WriteResponse.Batch failed = batch(steps);
        for (int i = 0; i < steps.length; i++) {
            ErrorCode expected = i == index ? code : ErrorCode.FAILED_DEPENDENCY;
            assertThat(((StepResult.Refused) failed.steps().get(i)).code())
                    .as("step %d", i)
                    .isEqualTo(expected);
        }
        assertThat(failed.charge().ru())
                .isEqualTo(failed.steps().get(index).charge().ru(), within(1e-9));
        assertThat(HostFixture.failureOf(host.read(key("a"), 0))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(host.find(key("there")).item().lsn()).isEqualTo(failed.headLsn());
    }

    @Test
    void anEtagOfAnItemThatTheBatchWroteMatchesNothing() {
        Etag etag =
                host.create(key("a"), "{\"id\":\"a\",\"pk\":\"north\"}")
                        .item()
                        .orElseThrow()
                        .etag();

        WriteResponse.Batch failed =
                batch(
                        upsert("a", "{'id':'a','pk':'north','v':1}"),
                        patchIf(
                                "a",
                                "[{'op':'set','path':'/x','value':1}]",
                                new Precondition.Matches(etag)));
        assertThat(codes(failed))
                .containsExactly(ErrorCode.FAILED_DEPENDENCY, ErrorCode.PRECONDITION_FAILED);

        WriteResponse.Batch done =
                batch(
                        patchIf(
                                "a",
                                "[{'op':'set','path':'/x','value':1}]",
                                new Precondition.Matches(etag)),
                        replace("a", "{'id':'a','pk':'north','v':2}", Precondition.NONE));
        assertThat(outcomes(done)).containsExactly(StepOutcome.REPLACED, StepOutcome.REPLACED);
    }

    @Test
    void aReadOfAKnownVersionSendsNothing() {
        Item item = host.create(key("a"), "{\"id\":\"a\",\"pk\":\"north\"}").item().orElseThrow();

        WriteResponse.Batch done =
                batch(
                        new BatchStep.Read(key("a"), new Precondition.Matches(item.etag())),
                        new BatchStep.Read(key("a"), new Precondition.Matches(new Etag(1, 1))));

        assertThat(outcomes(done)).containsExactly(StepOutcome.NOT_MODIFIED, StepOutcome.READ);
        assertThat(item(done, 0).body()).isEqualTo(Bytes.EMPTY);
        assertThat(item(done, 0).etag()).isEqualTo(item.etag());
        assertThat(done.charge().ru()).isEqualTo(2.0, within(1e-9));
    }

    @Test
    void aBatchOfReadsTakesNoLsn() {
        long before = host.create(key("a"), "{\"id\":\"a\",\"pk\":\"north\"}").headLsn();

        assertThat(batch(read("a"), read("a")).headLsn()).isEqualTo(before);
        assertThat(host.find(key("a")).headLsn()).isEqualTo(before);
        assertThat(
                        HostFixture.failureOf(
                                host.call(
                                        new WriteRequest.Batch(
                                                HostFixture.PARTITION,
                                                host.newRequest(),
                                                List.of(read("a")),
                                                before + 1))))
                .isEqualTo(ErrorCode.READ_SESSION_NOT_AVAILABLE);
    }

    @Test
    void aBatchCostsWhatItsStepsCostAlone() {
        WriteResponse.Batch done =
                batch(
                        create("a", "{'id':'a','pk':'north','n':1}"),
                        read("a"),
                        replace("a", "{'id':'a','pk':'north','n':2}", Precondition.NONE),
                        delete("a", Precondition.NONE));

        double created =
                host.create(key("a"), "{\"id\":\"a\",\"pk\":\"north\",\"n\":1}").charge().ru();
        double read = host.find(key("a")).charge().ru();
        double replaced =
                ((WriteResponse.Written)
                                host.write(
                                        key("a"),
                                        new WriteAction.Replace(
                                                json("{'id':'a','pk':'north','n':2}")),
                                        Precondition.NONE))
                        .charge()
                        .ru();
        double deleted =
                ((WriteResponse.Written)
                                host.write(key("a"), new WriteAction.Delete(), Precondition.NONE))
                        .charge()
                        .ru();
        assertThat(done.steps().stream().map(step -> step.charge().ru()).toList())
                .containsExactly(created, read, replaced, deleted);
        assertThat(done.charge().ru()).isEqualTo(created + read + replaced + deleted, within(1e-9));
        assertThat(done.charge().ranges()).isEqualTo(1);
    }

    @Test
    void whatABatchCostsIsSpent() {
        double before = host.host().spentRu();
        WriteResponse.Batch done = batch(create("a", "{'id':'a','pk':'north'}"), read("a"));

        assertThat(host.host().spentRu() - before).isEqualTo(done.charge().ru(), within(1e-9));
    }

    @Test
    void anAnswerHasFourMegabytesAtMost() {
        String large = "x".repeat(1 << 20);
        host.create(key("large"), "{\"id\":\"large\",\"pk\":\"north\",\"s\":\"" + large + "\"}");

        assertThat(outcomes(batch(read("large"), read("large"), read("large"))))
                .containsOnly(StepOutcome.READ);
        assertThat(codes(batch(read("large"), read("large"), read("large"), read("large"))))
                .containsExactly(
                        ErrorCode.FAILED_DEPENDENCY,
                        ErrorCode.FAILED_DEPENDENCY,
                        ErrorCode.FAILED_DEPENDENCY,
                        ErrorCode.BATCH_RESPONSE_TOO_LARGE);
    }

    @Test
    void theLimitOfALogicalPartitionHoldsInABatch() {
        var definition = host.definition(2, IndexingPolicy.DEFAULT);
        host.call(
                new ControlRequest.SetDefinition(
                        HostFixture.PARTITION,
                        new PartitionDefinition(2, definition.definition(), 3000)));
        String body = "{'id':'%s','s':'" + "x".repeat(900) + "'}";

        WriteResponse.Batch failed =
                batch(
                        create("a", body.formatted("a")),
                        create("b", body.formatted("b")),
                        create("c", body.formatted("c")));
        assertThat(codes(failed)).contains(ErrorCode.LOGICAL_PARTITION_FULL);
        assertThat(codes(failed)).contains(ErrorCode.FAILED_DEPENDENCY);
        assertThat(HostFixture.failureOf(host.read(key("a"), 0))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void aResentBatchHasOneEffectAndItsFirstOutcome() {
        RequestId id = host.newRequest();
        BatchStep[] steps = {
            create("a", "{'id':'a','pk':'north','n':1}"),
            patch("a", "[{'op':'incr','path':'/n','value':1}]"),
            read("a"),
        };
        WriteResponse.Batch first = batch(id, steps);
        WriteResponse.Batch again = batch(id, steps);

        assertThat(outcomes(again)).isEqualTo(outcomes(first));
        assertThat(again.headLsn()).isEqualTo(first.headLsn());
        assertThat(again.charge().ru()).isEqualTo(first.charge().ru(), within(1e-9));
        assertThat(item(again, 2)).isEqualTo(item(first, 2));
        assertThat(host.find(key("a")).item().body())
                .isEqualTo(json("{'id':'a','pk':'north','n':2}"));
    }

    @Test
    void aResentBatchThatNoLongerFitsHearsOfItsSuccess() {
        host.create(key("a"), "{\"id\":\"a\",\"pk\":\"north\"}");
        RequestId id = host.newRequest();
        BatchStep[] steps = {read("a"), delete("a", Precondition.NONE)};
        WriteResponse.Batch first = batch(id, steps);
        WriteResponse.Batch again = batch(id, steps);

        assertThat(outcomes(first)).containsExactly(StepOutcome.READ, StepOutcome.DELETED);
        assertThat(outcomes(again)).isEqualTo(outcomes(first));
        assertThat(again.headLsn()).isEqualTo(first.headLsn());
    }

    /** Others may write what the batch had read and made. */
    @Test
    void aResentBatchGetsItsFirstAnswer() {
        host.create(key("a"), "{\"id\":\"a\",\"pk\":\"north\",\"n\":1}");
        RequestId id = host.newRequest();
        BatchStep[] steps = {
            read("a"), patch("a", "[{'op':'incr','path':'/n','value':1}]"),
        };
        WriteResponse.Batch first = batch(id, steps);
        batch(delete("a", Precondition.NONE));

        assertThat(batch(id, steps)).isEqualTo(first);
    }

    /** An answer with large items is not kept: their present versions stand for it. */
    @Test
    void theAnswerToAResentBatchHasFourMegabytesAtMost() {
        BatchStep[] steps = new BatchStep[5];
        for (int i = 0; i < 4; i++) {
            host.create(key("i" + i), large("i" + i, 100_000));
            steps[i] = read("i" + i);
        }
        steps[4] = create("new", large("new", 1_000_000));
        RequestId id = host.newRequest();
        WriteResponse.Batch first = batch(id, steps);
        WriteResponse.Batch again = batch(id, steps);
        assertThat(again).isEqualTo(first);

        for (int i = 0; i < 4; i++) {
            batch(upsert("i" + i, large("i" + i, 1_040_000)));
        }
        assertThat(outcomes(batch(id, steps))).isEqualTo(outcomes(first));

        for (int i = 0; i < 4; i++) {
            batch(upsert("i" + i, large("i" + i, 1_050_000)));
        }
        assertThat(
                        HostFixture.failureOf(
                                host.call(
                                        new WriteRequest.Batch(
                                                HostFixture.PARTITION, id, List.of(steps), 0))))
                .isEqualTo(ErrorCode.TIMEOUT);
    }

    private static String large(String id, int bytes) {
        return "{\"id\":\"%s\",\"s\":\"%s\"}".formatted(id, "x".repeat(bytes));
    }

    @Test
    void aResentFailureFailsAgain() {
        RequestId id = host.newRequest();
        BatchStep[] steps = {
            create("a", "{'id':'a','pk':'north'}"), create("a", "{'id':'a','pk':'north'}")
        };
        WriteResponse.Batch first = batch(id, steps);

        assertThat(codes(first)).containsExactly(ErrorCode.FAILED_DEPENDENCY, ErrorCode.CONFLICT);
        assertThat(batch(id, steps)).isEqualTo(first);
    }

    /** Amounts move between items; who reads both in one batch always sees the same sum. */
    @Test
    void batchesAreAtomicAndIsolated() throws Exception {
        batch(
                create("a", "{'id':'a','pk':'north','n':50}"),
                create("b", "{'id':'b','pk':'north','n':50}"));
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int amount = i % 7 - 3;
            tasks.add(() -> isDone(batch(add("a", amount), read("b"), add("b", -amount))));
            tasks.add(() -> isDone(batch(add("b", amount), add("a", -amount), read("a"))));
            tasks.add(() -> sum(batch(read("a"), read("b"))) == 100);
            tasks.add(
                    () ->
                            sum(batch(read("a"), read("b"), upsert("c", "{'id':'c','pk':'north'}")))
                                    == 100);
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<Boolean> task : threads.invokeAll(tasks)) {
                assertThat(task.get()).isTrue();
            }
        }
        assertThat(sum(batch(read("a"), read("b")))).isEqualTo(100);
    }

    private static boolean isDone(WriteResponse.Batch batch) {
        return batch.steps().stream().allMatch(StepResult.Done.class::isInstance);
    }

    private static int sum(WriteResponse.Batch batch) {
        return number(item(batch, 0)) + number(item(batch, 1));
    }

    private static int number(Item item) {
        String text = item.body().toUtf8();
        return Integer.parseInt(text.substring(text.indexOf("\"n\":") + 4, text.length() - 1));
    }

    private BatchStep add(String id, int amount) {
        return patch(id, "[{'op':'incr','path':'/n','value':" + amount + "}]");
    }

    @Test
    void aBatchForAPartitionThatWasSplitAwayIsSentElsewhere() {
        PartitionId parent = HostFixture.PARTITION;
        batch(create("a", "{'id':'a','pk':'north'}"));
        host.call(new ControlRequest.Split(parent, 1, 2, 1, 2, SplitAim.THROUGHPUT));
        RequestId id = host.newRequest();

        assertThat(HostFixture.failureOf(call(parent, id, create("b", "{'id':'b','pk':'north'}"))))
                .isEqualTo(ErrorCode.RANGE_GONE);
        List<PartitionResponse> answers =
                List.of(
                        call(
                                new PartitionId(7, 1),
                                id,
                                create("b", "{'id':'b','pk':'north'}"),
                                read("a")),
                        call(
                                new PartitionId(7, 2),
                                id,
                                create("b", "{'id':'b','pk':'north'}"),
                                read("a")));
        assertThat(answers).hasAtLeastOneElementOfType(WriteResponse.Batch.class);
        assertThat(answers).hasAtLeastOneElementOfType(PartitionResponse.Failed.class);
    }

    /** Such items are from before a lifetime was checked. */
    @Test
    void aPatchIsNotToBlameForALifetimeThatItLeaves() {
        host.replica()
                .submit(
                        new Command.WriteItems(
                                HostFixture.PARTITION,
                                host.newRequest(),
                                1_800_000_000_000L,
                                List.of(
                                        new Command.ItemChange.Put(
                                                key("a"),
                                                Command.Expect.ABSENT,
                                                Precondition.NONE,
                                                Encoding.JSON,
                                                json("{'id':'a','pk':'north','n':1,'ttl':'1h'}")))),
                        Duration.ofMinutes(5));
        BatchStep increment = patch("a", "[{'op':'incr','path':'/n','value':1}]");
        BatchStep lengthen = patch("a", "[{'op':'set','path':'/ttl','value':'2h'}]");

        assertThat(alone(increment)).isInstanceOf(WriteResponse.Written.class);
        batch(increment);
        assertThat(HostFixture.failureOf(alone(lengthen))).isEqualTo(ErrorCode.BAD_REQUEST);
        batch(lengthen);

        assertThat(host.find(key("a")).item().body())
                .isEqualTo(json("{'id':'a','pk':'north','n':3,'ttl':'1h'}"));
    }

    private PartitionResponse alone(BatchStep step) {
        BatchStep.Write write = (BatchStep.Write) step;
        return host.write(write.key(), write.action(), write.precondition());
    }

    @Test
    void aBatchIsThrottledAsAWhole() {
        host.call(
                new ControlRequest.SetBudget(
                        HostFixture.PARTITION,
                        new Budget(
                                1,
                                true,
                                new Budget.Extras(false, false, false),
                                Optional.empty())));
        batch(create("a", "{'id':'a','pk':'north'}"), create("b", "{'id':'b','pk':'north'}"));

        PartitionResponse refused =
                host.call(request(host.newRequest(), create("c", "{'id':'c','pk':'north'}")));
        assertThat(HostFixture.failureOf(refused)).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
    }

    private ItemKey key(String id) {
        ItemKey key = host.key(id, "north");
        assertThat(key.epk()).isEqualTo(EffectiveKeys.of(HostFixture.ONE_PATH, key.partitionKey()));
        return key;
    }

    private BatchStep read(String id) {
        return new BatchStep.Read(key(id), UNKNOWN);
    }

    private BatchStep create(String id, String body) {
        return new BatchStep.Write(key(id), new WriteAction.Create(json(body)), Precondition.NONE);
    }

    private BatchStep upsert(String id, String body) {
        return new BatchStep.Write(key(id), new WriteAction.Upsert(json(body)), Precondition.NONE);
    }

    private BatchStep replace(String id, String body, Precondition precondition) {
        return new BatchStep.Write(key(id), new WriteAction.Replace(json(body)), precondition);
    }

    private BatchStep delete(String id, Precondition precondition) {
        return new BatchStep.Write(key(id), new WriteAction.Delete(), precondition);
    }

    private BatchStep patch(String id, String patch) {
        return patchIf(id, patch, Precondition.NONE);
    }

    private BatchStep patchIf(String id, String patch, Precondition precondition) {
        return new BatchStep.Write(key(id), HostFixture.patch(json(patch)), precondition);
    }

    private WriteResponse.Batch batch(BatchStep... steps) {
        return batch(host.newRequest(), steps);
    }

    private WriteResponse.Batch batch(RequestId id, BatchStep... steps) {
        return (WriteResponse.Batch) host.call(request(id, steps));
    }

    private static WriteRequest.Batch request(RequestId id, BatchStep... steps) {
        return new WriteRequest.Batch(HostFixture.PARTITION, id, List.of(steps), 0);
    }

    private PartitionResponse call(PartitionId partition, RequestId id, BatchStep... steps) {
        return host.call(new WriteRequest.Batch(partition, id, List.of(steps), 0));
    }

    private static List<StepOutcome> outcomes(WriteResponse.Batch batch) {
        return batch.steps().stream().map(step -> ((StepResult.Done) step).outcome()).toList();
    }

    private static List<ErrorCode> codes(WriteResponse.Batch batch) {
        return batch.steps().stream().map(step -> ((StepResult.Refused) step).code()).toList();
    }

    private static Item item(WriteResponse.Batch batch, int index) {
        return ((StepResult.Done) batch.steps().get(index)).item().orElseThrow();
    }

    private static Bytes json(String text) {
        return Bytes.ofUtf8(text.replace('\'', '"'));
    }
}
