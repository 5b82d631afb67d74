package orrery.partition.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.Derived;
import orrery.model.DerivedRow;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.partition.audit.StoreAudit;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionMachine;
import orrery.partition.machine.UnknownLevelException;
import orrery.replication.EntryLimits;
import orrery.replication.simulated.SimulatedLog;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.PartitionRecord;

/**
 * A command that cannot be applied, on four replicas with crashes, leader changes and duplicates:
 * all fail the same partition at the same entry, and all take it up again at the same one.
 */
class FailureSimulation {
    private static final PartitionId POISONED = new PartitionId(71, 0);
    private static final PartitionId OTHER = new PartitionId(72, 0);
    private static final Outcome REFUSED = new Outcome.Rejected(ErrorCode.UNAVAILABLE, 0, 0);
    private static final long NOW = 1_800_000_000_000L;
    private static final Duration STEPS = Duration.ofSeconds(10);

    private static final DefinitionRecord.Version DEFINITION =
            new DefinitionRecord.Version(
                    1,
                    new ContainerDefinition(
                                    new PartitionKeyDefinition(
                                            List.of(PropertyPath.parse("/pk")),
                                            PartitionKeyDefinition.Kind.HASH,
                                            2,
                                            false),
                                    new IndexingPolicy(
                                            IndexingPolicy.Mode.CONSISTENT,
                                            true,
                                            List.of("/cp/?"),
                                            List.of("/*"),
                                            List.of(),
                                            List.of()),
                                    ContainerDefinition.ConflictResolution.DEFAULT,
                                    ContainerDefinition.Geospatial.GEOGRAPHY)
                            .withComputedProperties(
                                    List.of(new ComputedProperty("cp", "SELECT VALUE c.x FROM c"))),
                    1L << 40);

    static LongStream seeds() {
        Long only = Long.getLong("seed");
        return only != null ? LongStream.of(only) : LongStream.range(1, 4);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void replicasFailAndAreRepairedAlike(
            long seed, @TempDir(factory = MemoryDisk.class) Path directory) {
        entriesOf(seed, directory);
    }

    /** Returns the entries that such a run commits, in their order. */
    static List<List<Command>> entriesOf(long seed, Path directory) {
        try (Run run = new Run(seed, directory)) {
            run.open();
            run.writeSome();
            assertThat(run.submit(run.poison())).isEqualTo(REFUSED);
            assertThat(run.submit(run.write(POISONED, "refused"))).isEqualTo(REFUSED);
            run.writeTo(OTHER);
            run.settle();
            PartitionRecord.Failure failure = run.failure();
            assertThat(failure.reason()).contains("a derived row cannot be read");
            assertThat(run.positions.get((int) failure.position() - 1))
                    .as("the entry that failed")
                    .contains(run.poison());

            run.submit(new Command.RaiseLevel(PartitionMachine.NEWEST_LEVEL));
            assertThat(run.submit(new Command.RepairPartition(POISONED, failure.position() + 1)))
                    .isEqualTo(new Outcome.Rejected(ErrorCode.PRECONDITION_FAILED, 0, 0));
            run.submit(new Command.RepairPartition(POISONED, failure.position()));
            run.writeSome();
            run.settle();
            run.allAreWell();
            return run.positions;
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(
                    "replay with -Dseed=" + seed + ": " + failure.getMessage(), failure);
        }
    }

    @Test
    void replicasStopBeforeALevelThatTheyDoNotKnow(
            @TempDir(factory = MemoryDisk.class) Path directory) {
        try (Run run = new Run(1, directory)) {
            run.open();
            run.writeSome();
            run.settle();
            List<String> before = PartitionSimulation.dump(run.replicas.getFirst().store());
            int unknown = PartitionMachine.NEWEST_LEVEL + 1;
            run.log.propose(new Command.RaiseLevel(unknown));
            run.log.propose(run.write(OTHER, "never"));
            for (int i = 0; i < run.replicas.size(); i++) {
                assertThatThrownBy(run.log::settle)
                        .isInstanceOf(UnknownLevelException.class)
                        .hasMessageContaining("feature level " + unknown);
            }
            for (PartitionReplica replica : run.replicas) {
                assertThat(PartitionSimulation.dump(replica.store())).isEqualTo(before);
            }
        }
    }

    private static final class Run
            implements AutoCloseable, SimulatedLog.Observer<Command, Outcome> {
        private final List<PartitionReplica> replicas = new ArrayList<>();
        private final SimulatedLog<Command, Outcome> log;

        /** The commands of each entry. */
        private final List<List<Command>> positions = new ArrayList<>();

        private final Command poison;
        private int requests;

        Run(long seed, Path directory) {
            for (int i = 0; i < 4; i++) {
                replicas.add(new PartitionReplica(directory.resolve("replica-" + i)));
            }
            log =
                    new SimulatedLog<>(
                            new SplittableRandom(seed),
                            new SimulatedLog.Codec<>(Command::encode, Command::decode),
                            new EntryLimits(4, 4 << 10, 1 << 20),
                            SimulatedLog.Faults.USUAL,
                            replicas,
                            this);
            poison =
                    write(
                            POISONED,
                            "poison",
                            List.of(new DerivedRow(DerivedRow.COMPUTED, "cp", Bytes.EMPTY)));
        }

        void open() {
            for (PartitionId id : List.of(POISONED, OTHER)) {
                submit(new Command.OpenPartition(id, KeyRange.FULL, 0, DEFINITION, NOW));
            }
        }

        Command poison() {
            return poison;
        }

        Command write(PartitionId id, String item) {
            return write(id, item, List.of());
        }

        private Command write(PartitionId id, String item, List<DerivedRow> derived) {
            PartitionKey key = PartitionKey.ofText("north");
            ItemKey itemKey =
                    new ItemKey(
                            EffectiveKeys.of(DEFINITION.definition().partitionKey(), key),
                            key,
                            RowKey.ofText(item));
            return new Command.WriteItems(
                    id,
                    new RequestId(9, requests++),
                    NOW,
                    List.of(
                            new Command.ItemChange.Put(
                                            itemKey,
                                            Command.Expect.ANY,
                                            Precondition.NONE,
                                            Encoding.JSON,
                                            Bytes.ofUtf8(
                                                    "{\"id\":\"" + item + "\",\"pk\":\"north\"}"))
                                    .with(new Derived(1, Derived.ANY_TIME, derived), null)));
        }

        void writeSome() {
            writeTo(POISONED);
            writeTo(OTHER);
        }

        void writeTo(PartitionId id) {
            for (int i = 0; i < 20; i++) {
                assertThat(submit(write(id, "i" + i))).isInstanceOf(Outcome.Written.class);
            }
        }

        /** Sends the command until somebody answers, and returns what became of it first. */
        Outcome submit(Command command) {
            while (true) {
                try {
                    Outcome outcome = log.submit(command, STEPS);
                    return outcome instanceof Outcome.Repeated(Outcome first, Bytes _)
                            ? first
                            : outcome;
                } catch (OrreryException lost) {
                    assertThat(lost.code()).isEqualTo(ErrorCode.TIMEOUT);
                }
            }
        }

        /** Lets all replicas catch up and holds their tables against each other. */
        void settle() {
            log.settle();
            List<String> first = PartitionSimulation.dump(replicas.getFirst().store());
            for (PartitionReplica replica : replicas) {
                assertThat(replica.appliedPosition()).isEqualTo(log.committedPosition());
                assertThat(PartitionSimulation.dump(replica.store())).isEqualTo(first);
                assertThat(StoreAudit.run(replica.store())).isEmpty();
            }
        }

        /** The failure that every replica has noted; the other partition goes on. */
        PartitionRecord.Failure failure() {
            List<PartitionRecord.Failure> failures =
                    replicas.stream()
                            .map(replica -> standing(replica, POISONED).failure().orElseThrow())
                            .distinct()
                            .toList();
            assertThat(failures).hasSize(1);
            assertThat(replicas).allMatch(replica -> standing(replica, OTHER).failure().isEmpty());
            return failures.getFirst();
        }

        void allAreWell() {
            for (PartitionReplica replica : replicas) {
                assertThat(standing(replica, POISONED).failure()).isEmpty();
                assertThat(replica.replica().level()).isEqualTo(PartitionMachine.NEWEST_LEVEL);
            }
        }

        private static PartitionRecord.Standing standing(PartitionReplica replica, PartitionId id) {
            return Objects.requireNonNull(replica.replica().partitions().get(id))
                    .record()
                    .standing();
        }

        @Override
        public void committed(long position, List<Command> commands) {
            positions.add(commands);
        }

        @Override
        public void applied(int replica, long position, List<Outcome> outcomes) {
            assertThat(outcomes).hasSize(positions.get((int) position - 1).size());
        }

        @Override
        public void close() {
            log.close();
        }
    }
}
