package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static orrery.partition.machine.MachineFixture.NO_LIMIT;

import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.model.Bytes;
import orrery.model.IndexingPolicy;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.partition.api.PartitionEnvelope;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.AppliedRecord;
import orrery.storage.format.Keys;

/** The feature level in the store says how entries are applied, and a command raises it. */
final class LevelTest {
    private static final int NEWEST = PartitionMachine.NEWEST_LEVEL;

    @TempDir Path directory;
    private MachineFixture fixture;

    @BeforeEach
    void open() {
        fixture = new MachineFixture(directory);
        fixture.open(IndexingPolicy.DEFAULT, NO_LIMIT);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private AppliedRecord applied() {
        byte[] row = fixture.store().get(Table.META, Keys.applied());
        return AppliedRecord.decode(Objects.requireNonNull(row));
    }

    @Test
    void aNewStoreHasTheFirstLevelAndKeepsIt() {
        assertThat(applied().level()).isEqualTo(1);
        assertThat(applied().position()).isEqualTo(1);
        assertThat(fixture.machine().level()).isEqualTo(1);
    }

    @Test
    void aCommandRaisesTheLevelOfTheEntriesBehindIt() {
        assertThat(fixture.one(new Command.RaiseLevel(NEWEST))).isEqualTo(new Outcome.Done());

        assertThat(applied().level()).isEqualTo(NEWEST);
        assertThat(fixture.machine().level()).isEqualTo(NEWEST);
        fixture.restart();
        assertThat(fixture.machine().level()).isEqualTo(NEWEST);
        fixture.one(new Command.DropPartition(MachineFixture.PARTITION));
        assertThat(applied().level()).isEqualTo(NEWEST);
    }

    @Test
    void aLevelIsNeverTakenBack() {
        fixture.apply(new Command.RaiseLevel(NEWEST), new Command.RaiseLevel(1));
        assertThat(applied().level()).isEqualTo(NEWEST);

        assertThat(fixture.one(new Command.RaiseLevel(1))).isEqualTo(new Outcome.Done());
        assertThat(applied().level()).isEqualTo(NEWEST);
    }

    @Test
    void aStoreOfAnUnknownLevelHaltsTheReplicaWithTheReason() {
        try (StoreBatch batch = fixture.store().newBatch()) {
            batch.put(Table.META, Keys.applied(), applied().withLevel(NEWEST + 1).encode());
            fixture.store().write(batch, false);
        }

        assertThatThrownBy(fixture::restart)
                .isInstanceOf(UnknownLevelException.class)
                .hasMessageContaining("feature level " + (NEWEST + 1));
    }

    @Test
    void aRaiseToAnUnknownLevelHaltsTheReplicaAndFailsNoPartition() {
        assertThatThrownBy(
                        () ->
                                fixture.apply(
                                        new Command.DropPartition(MachineFixture.PARTITION),
                                        new Command.RaiseLevel(NEWEST + 1)))
                .isInstanceOf(UnknownLevelException.class)
                .hasMessageContaining("feature level " + (NEWEST + 1));

        fixture.restart();
        assertThat(applied().position()).isEqualTo(1);
        assertThat(fixture.state().isFailed()).isFalse();
    }

    @Test
    void anUnknownKindOfCommandIsRefusedWithItsNumber() {
        Bytes later = new BinaryWriter(8).u8(Command.VERSION).u8(99).u32(7).toBytes();

        assertThatThrownBy(() -> Command.decode(later))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("kind 99")
                .hasMessageContaining("start a later release");
    }

    @ParameterizedTest
    @EnumSource
    void aLevelOfThisReleaseKnowsTheCommand(CommandKind kind) {
        assertThat(Level.known()).extracting(Level::number).contains(kind.level());
    }

    /** Nodes register with the level that their messages name. */
    @Test
    void messagesNameTheNewestLevel() {
        assertThat(PartitionEnvelope.LEVEL).isEqualTo(NEWEST);
    }

    @Test
    void levelsAreInOrder() {
        assertThat(Level.known()).extracting(Level::number).startsWith(1).isSorted();
        assertThat(Level.NEWEST).isEqualTo(Level.known().getLast());
    }

    /** Otherwise a replica that was restarted would find requests that another has forgotten. */
    @Test
    void memoryReachesBackAsFarAsAnyLevel() {
        assertThat(Level.known())
                .extracting(Level::deduplicationMillis)
                .allMatch(window -> window <= Level.longestDeduplicationMillis());
    }
}
