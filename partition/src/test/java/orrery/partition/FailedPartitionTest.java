package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.Derived;
import orrery.model.DerivedRow;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.partition.api.BatchStep;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionDefinition;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;

/** A partition to which a command could not be applied, as its clients and operators see it. */
final class FailedPartitionTest {
    private static final IndexingPolicy POLICY =
            new IndexingPolicy(
                    IndexingPolicy.Mode.CONSISTENT,
                    true,
                    List.of("/cp/?"),
                    List.of("/*"),
                    List.of(),
                    List.of());

    @TempDir private Path directory;
    private HostFixture host;
    private ItemKey there;

    @BeforeEach
    void poison() {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
        ControlRequest define =
                new ControlRequest.SetDefinition(
                        HostFixture.PARTITION,
                        new PartitionDefinition(
                                2,
                                host.definition(2, POLICY)
                                        .definition()
                                        .withComputedProperties(
                                                List.of(
                                                        new ComputedProperty(
                                                                "cp", "SELECT VALUE c.x FROM c"))),
                                1L << 40));
        assertThat(host.call(define)).isEqualTo(new ControlResponse.Done());
        there = host.key("there", "north");
        host.create(there, "{\"id\":\"there\",\"pk\":\"north\"}");
        Derived unreadable =
                new Derived(
                        2,
                        Derived.ANY_TIME,
                        List.of(new DerivedRow(DerivedRow.COMPUTED, "cp", Bytes.EMPTY)));
        Command.ItemChange put =
                new Command.ItemChange.Put(
                                host.key("poison", "north"),
                                Command.Expect.ANY,
                                Precondition.NONE,
                                Encoding.JSON,
                                Bytes.ofUtf8("{\"id\":\"poison\",\"pk\":\"north\"}"))
                        .with(unreadable, null);
        Outcome outcome =
                host.replica()
                        .submit(
                                new Command.WriteItems(
                                        HostFixture.PARTITION, host.newRequest(), 1, List.of(put)),
                                HostFixture.PATIENCE);
        assertThat(outcome).isEqualTo(new Outcome.Rejected(ErrorCode.UNAVAILABLE, 0, 0));
    }

    @AfterEach
    void close() {
        host.close();
    }

    @Test
    void itsItemsCanBeReadAndItTakesNoWritesEvenAfterARestart() {
        for (int i = 0; i < 2; i++) {
            assertThat(host.find(there).item().body())
                    .isEqualTo(Bytes.ofUtf8("{\"id\":\"there\",\"pk\":\"north\"}"));
            PartitionResponse refused = write("new");
            assertThat(HostFixture.failureOf(refused)).isEqualTo(ErrorCode.UNAVAILABLE);
            assertThat(((PartitionResponse.Failed) refused).text())
                    .contains("a derived row cannot be read");
            host.restart();
        }
    }

    /** Its first step reads, so a refusal of the log might be taken for a change in between. */
    @Test
    void aBatchThatReadsFirstIsRefusedAtOnce() {
        List<BatchStep> steps =
                List.of(
                        new BatchStep.Read(there, Precondition.NONE),
                        new BatchStep.Write(
                                host.key("new", "north"),
                                new WriteAction.Create(
                                        Bytes.ofUtf8("{\"id\":\"new\",\"pk\":\"north\"}")),
                                Precondition.NONE));

        PartitionResponse refused =
                host.call(
                        new WriteRequest.Batch(HostFixture.PARTITION, host.newRequest(), steps, 0));

        assertThat(HostFixture.failureOf(refused)).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    private PartitionResponse write(String id) {
        return host.write(
                host.key(id, "north"),
                new WriteAction.Create(Bytes.ofUtf8("{\"id\":\"" + id + "\",\"pk\":\"north\"}")),
                Precondition.NONE);
    }

    @Test
    void anOperatorLetsItTakeWritesAgain() {
        host.replica().raiseLevel(HostFixture.PATIENCE);
        assertThat(host.call(new ControlRequest.Repair(HostFixture.PARTITION)))
                .isEqualTo(new ControlResponse.Done());

        assertThat(write("new")).isInstanceOf(WriteResponse.Written.class);
        host.restart();
        assertThat(write("newer")).isInstanceOf(WriteResponse.Written.class);
        assertThat(HostFixture.failureOf(host.read(host.key("poison", "north"), 0)))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(host.find(there).item().body())
                .isEqualTo(Bytes.ofUtf8("{\"id\":\"there\",\"pk\":\"north\"}"));
    }

    @Test
    void onlyAFailedPartitionIsRepaired() {
        host.replica().raiseLevel(HostFixture.PATIENCE);
        host.call(new ControlRequest.Repair(HostFixture.PARTITION));

        PartitionResponse refused = host.call(new ControlRequest.Repair(HostFixture.PARTITION));
        assertThat(HostFixture.failureOf(refused)).isEqualTo(ErrorCode.CONFLICT);
        assertThat(((PartitionResponse.Failed) refused).text()).contains("nothing to repair");
    }

    @Test
    void nobodyIsSentACommandThatMembersOfTheSetMayNotKnow() {
        PartitionResponse refused = host.call(new ControlRequest.Repair(HostFixture.PARTITION));
        assertThat(HostFixture.failureOf(refused)).isEqualTo(ErrorCode.UNAVAILABLE);

        host.replica().raiseLevel(HostFixture.PATIENCE);
        assertThat(host.call(new ControlRequest.Repair(HostFixture.PARTITION)))
                .isEqualTo(new ControlResponse.Done());
    }

    @Test
    void operatorsSeeWhy() {
        ControlResponse.Description description =
                (ControlResponse.Description)
                        host.call(new ControlRequest.Describe(HostFixture.PARTITION));
        assertThat(description.failure())
                .isEqualTo(
                        Optional.of(
                                "WriteItems: IllegalStateException: a derived row cannot be read"));
        ControlResponse.Inspection inspection =
                (ControlResponse.Inspection)
                        host.call(new ControlRequest.Inspect(HostFixture.PARTITION, 0));
        assertThat(inspection.description().failure()).isEqualTo(description.failure());
    }
}
