package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.machine.MachineFixture.NOW;
import static orrery.partition.machine.MachineFixture.NO_LIMIT;
import static orrery.partition.machine.MachineFixture.PARTITION;
import static orrery.partition.machine.MachineFixture.key;
import static orrery.partition.machine.MachineFixture.newItem;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.EffectiveKey;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.PartitionId;
import orrery.storage.Cursor;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreBatch;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.DataSize;

/**
 * Splits and merges cost the same however much there is: they read nothing from the store and write
 * the same rows. Counted, not timed.
 */
class ReshapeCostTest {
    private static final EffectiveKey MIDDLE =
            EffectiveKey.ofHex("20000000000000000000000000000000");

    @Test
    void theCostDoesNotDependOnTheData(@TempDir Path few, @TempDir Path many) {
        List<String> withFew = reshape(few, 10);
        List<String> withMany = reshape(many, 1000);

        assertThat(withMany).isEqualTo(withFew).noneMatch(step -> step.startsWith("read"));
        assertThat(withFew).filteredOn(step -> step.startsWith("put META")).isNotEmpty();
    }

    /** Splits, merges the children, and returns the reads and writes. */
    private static List<String> reshape(Path directory, int items) {
        try (MachineFixture fixture = new MachineFixture(directory)) {
            fixture.open(IndexingPolicy.DEFAULT, NO_LIMIT);
            DataSize left = fill(fixture, items);
            Seen seen = new Seen(fixture.store());
            PartitionMachine machine = new PartitionMachine(seen);
            seen.steps.clear();

            seen.apply(machine, new ReshapeCommand.PrepareSplit(PARTITION, MIDDLE, 4, 5));
            long prepared =
                    Objects.requireNonNull(machine.partitions().get(PARTITION))
                            .record()
                            .split()
                            .orElseThrow()
                            .position();
            seen.apply(
                    machine,
                    new ReshapeCommand.CommitSplit(PARTITION, 4, 5, 4, 5, prepared, left, NOW));
            PartitionId child = new PartitionId(PARTITION.container(), 4);
            seen.apply(machine, new ReshapeCommand.MergePartitions(child, 5, 6, 6, NOW));
            return seen.steps;
        }
    }

    /** Returns how large the left side is. */
    private static DataSize fill(MachineFixture fixture, int items) {
        List<ItemKey> keys = new ArrayList<>();
        List<Command> writes = new ArrayList<>();
        for (int i = 0; i < items; i++) {
            keys.add(key("key-" + i, "i" + i));
            writes.add(fixture.write(newItem(keys.getLast(), "{\"id\":\"i" + i + "\"}")));
        }
        fixture.apply(writes.toArray(new Command[0]));
        DataSize left = DataSize.NONE;
        for (ItemKey key : keys) {
            if (key.epk().compareTo(MIDDLE) < 0) {
                left = left.plus(fixture.logicalPartition(key).size());
            }
        }
        assertThat(left.items()).isPositive();
        return left;
    }

    /** A store that notes what is asked of it. */
    private static final class Seen implements StoreView {
        final List<String> steps = new ArrayList<>();
        private final ReplicaStore store;

        Seen(ReplicaStore store) {
            this.store = store;
        }

        void apply(PartitionMachine machine, Command command) {
            try (StoreBatch batch = store.newBatch()) {
                List<Outcome> outcomes =
                        machine.apply(
                                        machine.appliedPosition() + 1,
                                        List.of(command),
                                        new SeenBatch(batch))
                                .outcomes();
                assertThat(outcomes).containsExactly(new Outcome.Done());
                store.write(batch, false);
            }
        }

        @Override
        public byte @Nullable [] get(Table table, byte[] key) {
            steps.add("read " + table);
            return store.get(table, key);
        }

        @Override
        public List<byte @Nullable []> getAll(Table table, List<byte[]> keys) {
            steps.add("read " + table);
            return store.getAll(table, keys);
        }

        @Override
        public Cursor scan(Table table, byte[] from, byte[] to) {
            steps.add("read on in " + table);
            return store.scan(table, from, to);
        }

        @Override
        public Cursor scanBackward(Table table, byte[] from, byte[] to) {
            steps.add("read back in " + table);
            return store.scanBackward(table, from, to);
        }

        private final class SeenBatch implements StoreBatch {
            private final StoreBatch batch;

            SeenBatch(StoreBatch batch) {
                this.batch = batch;
            }

            @Override
            public void put(Table table, byte[] key, byte[] value) {
                steps.add("put " + table);
                batch.put(table, key, value);
            }

            @Override
            public void delete(Table table, byte[] key) {
                steps.add("delete " + table);
                batch.delete(table, key);
            }

            @Override
            public void deleteRange(Table table, byte[] from, byte[] to) {
                steps.add("delete a range of " + table);
                batch.deleteRange(table, from, to);
            }

            @Override
            public void clear() {
                batch.clear();
            }

            @Override
            public void close() {
                batch.close();
            }
        }
    }
}
