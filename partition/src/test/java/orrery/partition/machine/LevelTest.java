package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.IndexingPolicy;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.AppliedRecord;
import orrery.storage.format.Extensions;
import orrery.storage.format.Keys;

/** The feature level in the store says how entries are applied. */
final class LevelTest {
    @TempDir Path directory;

    @Test
    void aNewStoreHasTheFirstLevelAndKeepsIt() {
        try (MachineFixture fixture = new MachineFixture(directory)) {
            fixture.open(IndexingPolicy.DEFAULT, MachineFixture.NO_LIMIT);
            byte[] row = fixture.store().get(Table.META, Keys.applied());
            AppliedRecord applied = AppliedRecord.decode(Objects.requireNonNull(row));
            assertThat(applied.level()).isEqualTo(1);
            assertThat(applied.position()).isEqualTo(1);
        }
    }

    @Test
    void anUnknownLevelHaltsTheReplicaWithTheReason() {
        try (MachineFixture fixture = new MachineFixture(directory)) {
            fixture.open(IndexingPolicy.DEFAULT, MachineFixture.NO_LIMIT);
            try (StoreBatch batch = fixture.store().newBatch()) {
                batch.put(
                        Table.META,
                        Keys.applied(),
                        new AppliedRecord(2, 1, 0, 0, 0, 1, Extensions.NONE).encode());
                fixture.store().write(batch, false);
            }
            assertThatThrownBy(fixture::restart).hasMessageContaining("feature level 2");
        }
    }
}
