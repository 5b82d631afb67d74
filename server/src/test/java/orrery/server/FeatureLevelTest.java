package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.partition.machine.PartitionMachine;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreBatch;
import orrery.storage.StoreOptions;
import orrery.storage.Table;
import orrery.storage.format.AppliedRecord;
import orrery.storage.format.Keys;

/** A server raises the feature level of its set when it starts. */
class FeatureLevelTest {
    @TempDir private Path data;

    private ServerFixture start() {
        return ServerFixture.start(Optional.of(data), AccountSettings.DEFAULT);
    }

    private ReplicaStore store() {
        return ReplicaStore.open(data.resolve("sets/0"), new StoreOptions(4 << 20, 8 << 20));
    }

    private static AppliedRecord applied(ReplicaStore store) {
        return AppliedRecord.decode(Objects.requireNonNull(store.get(Table.META, Keys.applied())));
    }

    private AppliedRecord applied() {
        try (ReplicaStore store = store()) {
            return applied(store);
        }
    }

    @Test
    void aStoreThatIsBehindIsRaisedOnce() {
        start().close();
        AppliedRecord first = applied();
        assertThat(first.level()).isEqualTo(PartitionMachine.NEWEST_LEVEL);
        start().close();
        assertThat(applied()).isEqualTo(first);

        try (ReplicaStore store = store();
                StoreBatch batch = store.newBatch()) {
            batch.put(Table.META, Keys.applied(), first.withLevel(1).encode());
            store.write(batch, true);
        }
        start().close();
        assertThat(applied().level()).isEqualTo(PartitionMachine.NEWEST_LEVEL);
        assertThat(applied().position()).isEqualTo(first.position() + 1);
    }
}
