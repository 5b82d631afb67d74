package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.machine.MachineFixture.NOW;
import static orrery.partition.machine.MachineFixture.PARTITION;
import static orrery.partition.machine.MachineFixture.key;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.Derived;
import orrery.model.DerivedRow;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.RequestId;
import orrery.storage.Table;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/** A command that cannot be applied ends its partition, on all replicas alike, and no other. */
final class PartitionFailureTest {
    private static final PartitionId OTHER = new PartitionId(PARTITION.container() + 1, 0);
    private static final Outcome REFUSED = new Outcome.Rejected(ErrorCode.UNAVAILABLE, 0, 0);
    private static final DefinitionRecord.Version DEFINITION = definition();

    @TempDir Path directory;
    private MachineFixture fixture;
    private long requests;

    private static DefinitionRecord.Version definition() {
        IndexingPolicy policy =
                new IndexingPolicy(
                        IndexingPolicy.Mode.CONSISTENT,
                        true,
                        List.of("/cp/?"),
                        List.of("/*"),
                        List.of(),
                        List.of());
        return new DefinitionRecord.Version(
                1,
                MachineFixture.version(1, policy, MachineFixture.NO_LIMIT)
                        .definition()
                        .withComputedProperties(
                                List.of(new ComputedProperty("cp", "SELECT VALUE c.x FROM c"))),
                MachineFixture.NO_LIMIT);
    }

    @BeforeEach
    void open() {
        fixture = opened("one");
    }

    private MachineFixture opened(String name) {
        requests = 0;
        MachineFixture opened = new MachineFixture(directory.resolve(name));
        for (PartitionId id : List.of(PARTITION, OTHER)) {
            assertThat(
                            opened.one(
                                    new Command.OpenPartition(
                                            id, KeyRange.FULL, id.range(), DEFINITION, NOW)))
                    .isEqualTo(new Outcome.Done());
        }
        return opened;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private Command write(PartitionId id, Derived derived, String... items) {
        List<Command.ItemChange> changes =
                List.of(items).stream()
                        .map(
                                item -> {
                                    ItemKey key = key("north", item);
                                    Command.ItemChange.Storing put =
                                            (Command.ItemChange.Storing)
                                                    MachineFixture.newItem(
                                                            key, "{\"id\":\"" + item + "\"}");
                                    return (Command.ItemChange) put.with(derived, null);
                                })
                        .toList();
        return new Command.WriteItems(id, new RequestId(9, requests++), NOW, changes);
    }

    private Command good(PartitionId id, String... items) {
        return write(id, new Derived(1, Derived.ANY_TIME, List.of()), items);
    }

    private Command poisoned(PartitionId id) {
        DerivedRow unreadable = new DerivedRow(DerivedRow.COMPUTED, "cp", Bytes.EMPTY);
        return write(id, new Derived(1, Derived.ANY_TIME, List.of(unreadable)), "p", "q");
    }

    private PartitionRecord record(PartitionId id) {
        return Objects.requireNonNull(fixture.machine().partitions().get(id)).record();
    }

    @Test
    void nothingOfThePoisonedCommandIsAppliedAndEverythingElseIs() {
        List<Outcome> outcomes =
                fixture.apply(
                        good(PARTITION, "a"),
                        poisoned(PARTITION),
                        good(PARTITION, "b"),
                        good(OTHER, "c"));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Written.class);
        assertThat(outcomes.get(1)).isEqualTo(REFUSED);
        assertThat(outcomes.get(2)).isEqualTo(REFUSED);
        assertThat(outcomes.get(3)).isInstanceOf(Outcome.Written.class);
        assertThat(fixture.keys(Table.ITEMS)).hasSize(2);
        assertThat(record(PARTITION).size().items()).isEqualTo(1);
        assertThat(record(PARTITION).standing().failure())
                .hasValueSatisfying(
                        failure -> {
                            assertThat(failure.position()).isEqualTo(3);
                            assertThat(failure.reason())
                                    .isEqualTo(
                                            "WriteItems: IllegalStateException: a derived row"
                                                    + " cannot be read");
                        });
        assertThat(record(OTHER).standing().failure()).isEmpty();
    }

    private Command repair(PartitionId id) {
        return new Command.RepairPartition(
                id, record(id).standing().failure().orElseThrow().position());
    }

    @Test
    void aRepairedPartitionTakesCommandsAgainWithoutThePoisonedOne() {
        fixture.apply(good(PARTITION, "a"));
        fixture.one(poisoned(PARTITION));
        assertThat(fixture.one(good(PARTITION, "b"))).isEqualTo(REFUSED);

        assertThat(fixture.one(repair(PARTITION))).isEqualTo(new Outcome.Done());

        fixture.restart();
        assertThat(record(PARTITION).standing().failure()).isEmpty();
        assertThat(fixture.one(good(PARTITION, "c"))).isInstanceOf(Outcome.Written.class);
        assertThat(fixture.item(key("north", "p"))).isEmpty();
        assertThat(record(PARTITION).size().items()).isEqualTo(2);
    }

    @Test
    void thePoisonedCommandIsNotAppliedWhenItIsSentAgain() {
        Command poisoned = poisoned(PARTITION);
        fixture.one(poisoned);
        fixture.one(repair(PARTITION));

        for (int i = 0; i < 2; i++) {
            assertThat(fixture.one(poisoned)).isEqualTo(new Outcome.Repeated(REFUSED, Bytes.EMPTY));
            assertThat(record(PARTITION).standing().failure()).isEmpty();
            fixture.restart();
        }
    }

    @Test
    void onlyTheFailureThatAnOperatorHasSeenIsTakenBack() {
        fixture.one(poisoned(PARTITION));
        Command seen = repair(PARTITION);
        fixture.apply(seen, poisoned(PARTITION));
        Outcome refused = new Outcome.Rejected(ErrorCode.PRECONDITION_FAILED, 0, 0);

        assertThat(fixture.one(seen)).isEqualTo(refused);
        assertThat(record(PARTITION).standing().failure()).isPresent();
        assertThat(fixture.one(repair(PARTITION))).isEqualTo(new Outcome.Done());
        assertThat(fixture.one(seen)).isEqualTo(refused);
        assertThat(fixture.one(new Command.RepairPartition(new PartitionId(99, 0), 1)))
                .isEqualTo(new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0));
    }

    @Test
    void aPartitionMayBeRepairedAndWrittenToInOneEntry() {
        fixture.one(poisoned(PARTITION));
        assertThat(fixture.apply(repair(PARTITION), good(PARTITION, "a")).getLast())
                .isInstanceOf(Outcome.Written.class);
    }

    /** The catalog has cancelled the split by then, and no other command would take it back. */
    @Test
    void aRepairEndsASplitThatWasPrepared() {
        fixture.apply(good(PARTITION, "a"));
        fixture.one(new ReshapeCommand.PrepareSplit(PARTITION, key("north", "a").epk(), 5, 6));
        assertThat(record(PARTITION).split()).isPresent();
        fixture.one(poisoned(PARTITION));

        fixture.one(repair(PARTITION));

        assertThat(record(PARTITION).split()).isEmpty();
    }

    @Test
    void aFailedPartitionThatIsNotRepairedCanOnlyBeDropped() {
        fixture.apply(good(PARTITION, "a"));
        fixture.one(poisoned(PARTITION));

        assertThat(
                        fixture.one(
                                new ReshapeCommand.PrepareSplit(
                                        PARTITION, key("north", "a").epk(), 5, 6)))
                .isEqualTo(REFUSED);
        assertThat(fixture.one(new Command.SetDefinition(PARTITION, DEFINITION)))
                .isEqualTo(REFUSED);
        assertThat(fixture.one(new Command.Purge(PARTITION, NOW, List.of()))).isEqualTo(REFUSED);

        assertThat(fixture.one(new Command.DropPartition(PARTITION))).isEqualTo(new Outcome.Done());
        assertThat(
                        fixture.one(
                                new Command.OpenPartition(
                                        PARTITION, KeyRange.FULL, 0, DEFINITION, NOW)))
                .isEqualTo(new Outcome.Done());
        assertThat(fixture.one(good(PARTITION, "a"))).isInstanceOf(Outcome.Written.class);
    }

    @Test
    void theStateIsStoredAndTheSameOnEveryReplica() {
        fixture.apply(good(PARTITION, "a"), poisoned(PARTITION), good(OTHER, "b"));
        byte[] first = fixture.store().get(Table.META, Keys.partition(PARTITION));
        fixture.close();
        fixture = opened("two");
        fixture.apply(good(PARTITION, "a"), poisoned(PARTITION), good(OTHER, "b"));

        assertThat(fixture.store().get(Table.META, Keys.partition(PARTITION))).isEqualTo(first);
        fixture.restart();
        assertThat(record(PARTITION).standing().failure()).isPresent();
        assertThat(fixture.one(good(PARTITION, "c"))).isEqualTo(REFUSED);
    }
}
