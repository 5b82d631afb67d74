package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionMachine;
import orrery.replication.EntryLimits;
import orrery.replication.LocalLog;
import orrery.replication.ThroughBytes;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreOptions;

/** An entry that a later release wrote stops the replica, which says why. */
final class UnknownCommandTest {
    private static final Command ANY = new Command.DropPartition(new PartitionId(7, 0));

    /** The place of the kind behind the version. */
    private static final int KIND_AT = 1;

    @TempDir Path directory;

    private Replica replica() {
        return new Replica(
                ReplicaStore.open(directory, new StoreOptions(4 << 20, 8 << 20)),
                machine ->
                        new LocalLog<Command, Outcome>(
                                "test",
                                new ThroughBytes<>(
                                        machine, UnknownCommandTest::later, Command::decode),
                                Command::sizeOf,
                                EntryLimits.DEFAULT));
    }

    /** Drops are of a kind that this release does not know. */
    private static Bytes later(Command command) {
        byte[] bytes = Command.encode(command).unsafeArray().clone();
        bytes[KIND_AT] = command.equals(ANY) ? 99 : bytes[KIND_AT];
        return Bytes.wrap(bytes);
    }

    @Test
    void anUnknownKindHaltsTheReplica() {
        try (Replica replica = replica()) {
            assertThatThrownBy(() -> replica.submit(ANY, HostFixture.PATIENCE))
                    .isInstanceOfSatisfying(
                            OrreryException.class,
                            stopped -> assertThat(stopped.code()).isEqualTo(ErrorCode.UNAVAILABLE));
            assertThat(replica.failure().orElseThrow())
                    .cause()
                    .hasMessageContaining("a command of kind 99");
        }
    }

    @Test
    void anUnknownLevelHaltsTheReplicaAndTheStoreKeepsItsOwn() {
        int unknown = PartitionMachine.NEWEST_LEVEL + 1;
        try (Replica replica = replica()) {
            assertThatThrownBy(
                            () ->
                                    replica.submit(
                                            new Command.RaiseLevel(unknown), HostFixture.PATIENCE))
                    .isInstanceOf(OrreryException.class);
            assertThat(replica.failure().orElseThrow())
                    .cause()
                    .hasMessageContaining("feature level " + unknown);
        }
        try (Replica replica = replica()) {
            assertThat(replica.level()).isEqualTo(1);
            replica.raiseLevel(HostFixture.PATIENCE);
            assertThat(replica.level()).isEqualTo(PartitionMachine.NEWEST_LEVEL);
        }
    }
}
