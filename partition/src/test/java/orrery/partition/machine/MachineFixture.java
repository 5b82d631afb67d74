package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.partition.audit.StoreAudit;
import orrery.storage.Cursor;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreBatch;
import orrery.storage.StoreOptions;
import orrery.storage.Table;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/** A machine over a store of its own, audited after every entry. */
final class MachineFixture implements AutoCloseable {
    static final PartitionId PARTITION = new PartitionId(7, 3);
    static final int SEGMENT = 3;
    static final long NOW = 1_800_000_000_000L;
    static final long NO_LIMIT = 1L << 40;

    static final PartitionKeyDefinition KEY_DEFINITION =
            new PartitionKeyDefinition(
                    List.of(PropertyPath.parse("/pk")), PartitionKeyDefinition.Kind.HASH, 2, false);

    static final IndexingPolicy NOTHING =
            new IndexingPolicy(
                    IndexingPolicy.Mode.NONE, false, List.of(), List.of(), List.of(), List.of());

    private final ReplicaStore store;
    private PartitionMachine machine;
    private long requests;

    MachineFixture(Path directory) {
        store = ReplicaStore.open(directory, new StoreOptions(4 << 20, 8 << 20));
        machine = new PartitionMachine(store);
    }

    /** Forgets all that is not in the store. */
    void restart() {
        machine = new PartitionMachine(store);
    }

    ReplicaStore store() {
        return store;
    }

    PartitionMachine machine() {
        return machine;
    }

    /** Carries out one entry. */
    List<Outcome> apply(Command... commands) {
        PartitionMachine.Effects effects;
        try (StoreBatch batch = store.newBatch()) {
            effects = machine.apply(machine.appliedPosition() + 1, List.of(commands), batch);
            store.write(batch, false);
        }
        assertThat(StoreAudit.run(store)).isEmpty();
        return effects.outcomes();
    }

    Outcome one(Command command) {
        return apply(command).getFirst();
    }

    void open(IndexingPolicy policy, long limitBytes) {
        assertThat(one(openCommand(policy, limitBytes))).isEqualTo(new Outcome.Done());
    }

    static Command openCommand(IndexingPolicy policy, long limitBytes) {
        return new Command.OpenPartition(
                PARTITION, KeyRange.FULL, SEGMENT, version(1, policy, limitBytes), NOW);
    }

    static DefinitionRecord.Version version(int number, IndexingPolicy policy, long limitBytes) {
        return version(number, policy, limitBytes, 0);
    }

    static DefinitionRecord.Version version(
            int number, IndexingPolicy policy, long limitBytes, long partitionLimitBytes) {
        return new DefinitionRecord.Version(
                number,
                new ContainerDefinition(
                        KEY_DEFINITION,
                        policy,
                        ContainerDefinition.ConflictResolution.DEFAULT,
                        ContainerDefinition.Geospatial.GEOGRAPHY),
                limitBytes,
                partitionLimitBytes);
    }

    /** Opens the partition under the default policy with further settings. */
    void open(UnaryOperator<ContainerDefinition> settings) {
        assertThat(
                        one(
                                new Command.OpenPartition(
                                        PARTITION,
                                        KeyRange.FULL,
                                        SEGMENT,
                                        version(1, settings),
                                        NOW)))
                .isEqualTo(new Outcome.Done());
    }

    static DefinitionRecord.Version version(
            int number, UnaryOperator<ContainerDefinition> settings) {
        DefinitionRecord.Version plain = version(number, IndexingPolicy.DEFAULT, NO_LIMIT);
        return new DefinitionRecord.Version(
                number, settings.apply(plain.definition()), NO_LIMIT, 0);
    }

    static ItemKey key(String partitionKey, String id) {
        PartitionKey key = PartitionKey.ofText(partitionKey);
        return new ItemKey(EffectiveKeys.of(KEY_DEFINITION, key), key, RowKey.ofText(id));
    }

    static Command.ItemChange put(
            Command.Expect expect, Precondition precondition, ItemKey key, String body) {
        return new Command.ItemChange.Put(
                key, expect, precondition, Encoding.JSON, Bytes.ofUtf8(body));
    }

    static Command.ItemChange newItem(ItemKey key, String body) {
        return put(Command.Expect.ABSENT, Precondition.NONE, key, body);
    }

    static Command.ItemChange remove(ItemKey key) {
        return new Command.ItemChange.Remove(key, Precondition.NONE);
    }

    RequestId newRequest() {
        return new RequestId(77, requests++);
    }

    Command.WriteItems write(Command.ItemChange... changes) {
        return writeAt(NOW, changes);
    }

    Command.WriteItems writeAt(long stampMillis, Command.ItemChange... changes) {
        return new Command.WriteItems(PARTITION, newRequest(), stampMillis, List.of(changes));
    }

    PartitionState state() {
        return Objects.requireNonNull(machine.partitions().get(PARTITION));
    }

    Optional<ItemRecord> item(ItemKey key) {
        return Optional.ofNullable(store.get(Table.ITEMS, Keys.item(7, Keys.itemSuffix(key))))
                .map(ItemRecord::decode);
    }

    LogicalPartitionRecord logicalPartition(ItemKey key) {
        byte[] row = store.get(Table.META, Keys.logicalPartition(7, key.epk(), key.partitionKey()));
        return row == null ? LogicalPartitionRecord.EMPTY : LogicalPartitionRecord.decode(row);
    }

    List<Bytes> keys(Table table) {
        List<Bytes> keys = new ArrayList<>();
        try (Cursor rows = store.scan(table, new byte[0], new byte[] {-1, -1, -1, -1, -1})) {
            while (rows.next()) {
                keys.add(Bytes.wrap(rows.key()));
            }
        }
        return keys;
    }

    @Override
    public void close() {
        store.close();
    }
}
