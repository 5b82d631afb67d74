package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.machine.MachineFixture.NOW;
import static orrery.partition.machine.MachineFixture.PARTITION;

import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.PartitionId;
import orrery.storage.format.DataSize;
import orrery.storage.format.PartitionRecord;

/**
 * Checks how many journals a partition may list: at the limit, past it, and when they are old
 * enough.
 */
class JournalLimitTest {
    private static final int RETENTION_MINUTES = 10;
    private static final long MINUTE = 60_000;
    private static final Outcome DONE = new Outcome.Done();
    private static final Outcome RETRY = new Outcome.Rejected(ErrorCode.RETRY_WITH, 0, 0);

    private MachineFixture fixture;
    private int lastRange = PARTITION.range();

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new MachineFixture(directory);
        fixture.open(definition -> definition.withChangeRetention(RETENTION_MINUTES));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static PartitionId id(int range) {
        return new PartitionId(PARTITION.container(), range);
    }

    private PartitionRecord record(int range) {
        return Objects.requireNonNull(fixture.machine().partitions().get(id(range))).record();
    }

    /** Cuts a sliver off the left of an empty partition; its right child is the next to be cut. */
    private Outcome cut(int range) {
        int left = lastRange + 1;
        int right = lastRange + 2;
        EffectiveKey at = EffectiveKey.ofHex("%032X".formatted(lastRange));
        Outcome prepared = fixture.one(new ReshapeCommand.PrepareSplit(id(range), at, left, right));
        if (!prepared.equals(DONE)) {
            return prepared;
        }
        lastRange = right;
        long position = record(range).split().orElseThrow().position();
        return fixture.one(
                new ReshapeCommand.CommitSplit(
                        id(range), left, right, left, right, position, DataSize.NONE, NOW));
    }

    private void cutUntil(int journals) {
        while (record(lastRange).journals().size() < journals) {
            assertThat(cut(lastRange)).isEqualTo(DONE);
        }
    }

    private Outcome mergeLastTwo() {
        Outcome merged =
                fixture.one(
                        new ReshapeCommand.MergePartitions(
                                id(lastRange - 1), lastRange, lastRange + 1, lastRange + 1, NOW));
        if (merged.equals(DONE)) {
            lastRange++;
        }
        return merged;
    }

    @Test
    void splitsWaitAtTheLimit() {
        cutUntil(Levels.RELEASED.of(1).maxJournals());
        int full = lastRange;

        assertThat(cut(full)).isEqualTo(RETRY);
        assertThat(record(full).split()).isEmpty();

        // Too early, nothing goes; then all but the own one.
        fixture.one(new Command.PurgeJournal(id(full), NOW + (RETENTION_MINUTES - 1) * MINUTE));
        assertThat(cut(full)).isEqualTo(RETRY);
        fixture.one(new Command.PurgeJournal(id(full), NOW + RETENTION_MINUTES * MINUTE));
        assertThat(record(full).journals()).hasSize(1);
        assertThat(cut(full)).isEqualTo(DONE);
        assertThat(record(lastRange).journals()).hasSize(2);
    }

    @Test
    void mergesReachTheLimitAndDoNotPassIt() {
        // Siblings share all but one journal each; the merged partition adds its own.
        cutUntil(Levels.RELEASED.of(1).maxJournals() - 2);
        assertThat(mergeLastTwo()).isEqualTo(DONE);
        assertThat(record(lastRange).journals()).hasSize(Levels.RELEASED.of(1).maxJournals());
        assertThat(cut(lastRange)).isEqualTo(RETRY);
    }

    @Test
    void mergesWaitPastTheLimit() {
        cutUntil(Levels.RELEASED.of(1).maxJournals() - 1);

        assertThat(mergeLastTwo()).isEqualTo(RETRY);

        long old = NOW + RETENTION_MINUTES * MINUTE;
        fixture.one(new Command.PurgeJournal(id(lastRange - 1), old));
        fixture.one(new Command.PurgeJournal(id(lastRange), old));
        assertThat(mergeLastTwo()).isEqualTo(DONE);
        assertThat(record(lastRange).journals()).hasSize(3);
    }

    @Test
    void withoutVersionsThereIsNoLimit() {
        fixture.one(
                new Command.SetDefinition(
                        PARTITION,
                        MachineFixture.version(
                                2, definition -> definition.withChangeRetention(0))));
        for (int i = 0; i < Levels.RELEASED.of(1).maxJournals() + 2; i++) {
            assertThat(cut(lastRange)).isEqualTo(DONE);
        }
        assertThat(record(lastRange).journals()).isEmpty();
    }
}
