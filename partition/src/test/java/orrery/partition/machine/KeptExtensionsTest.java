package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.machine.MachineFixture.PARTITION;
import static orrery.partition.machine.MachineFixture.key;
import static orrery.partition.machine.MachineFixture.newItem;
import static orrery.partition.machine.MachineFixture.put;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.AppliedRecord;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Extensions;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;
import orrery.storage.format.UniqueKeyRecord;

/** A later release has added fields to records; entries of this one keep them. */
class KeptExtensionsTest {
    private static final Extensions UNKNOWN = Extensions.NONE.and(0xE1, Bytes.ofHex("0A0B0C"));
    private static final UniqueKey EMAIL = new UniqueKey(List.of(PropertyPath.parse("/email")));
    private static final ItemKey ITEM = key("north", "a");

    private MachineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new MachineFixture(directory);
        fixture.open(definition -> definition.withUniqueKeys(List.of(EMAIL)));
        fixture.apply(fixture.write(newItem(ITEM, "{\"email\":\"e\"}")));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Gives a stored record extensions, as if a later release had written it. */
    private void extend(byte[] key, Function<byte[], byte[]> extended) {
        try (StoreBatch batch = fixture.store().newBatch()) {
            batch.put(Table.META, key, extended.apply(row(key)));
            fixture.store().write(batch, false);
        }
        fixture.restart();
    }

    private byte[] row(byte[] key) {
        return Objects.requireNonNull(fixture.store().get(Table.META, key));
    }

    private Outcome replace(String body) {
        return fixture.one(
                fixture.write(put(Command.Expect.PRESENT, Precondition.NONE, ITEM, body)));
    }

    @Test
    void countersOfAKeyKeepThem() {
        byte[] key = Keys.logicalPartition(7, ITEM.epk(), ITEM.partitionKey());
        extend(
                key,
                row -> {
                    LogicalPartitionRecord record = LogicalPartitionRecord.decode(row);
                    return new LogicalPartitionRecord(record.size(), record.lastWriteLsn(), UNKNOWN)
                            .encode();
                });

        replace("{\"email\":\"e\",\"more\":1}");

        assertThat(LogicalPartitionRecord.decode(row(key)).extensions()).isEqualTo(UNKNOWN);
        assertThat(LogicalPartitionRecord.decode(row(key)).lastWriteLsn()).isEqualTo(3);
    }

    @Test
    void aUniqueKeyKeepsThemWhileItsItemHasTheValue() {
        Bytes key = uniqueKeys().getFirst();
        extend(
                key.unsafeArray(),
                row -> new UniqueKeyRecord(UniqueKeyRecord.decode(row).rowKey(), UNKNOWN).encode());

        replace("{\"email\":\"e\",\"more\":1}");
        assertThat(UniqueKeyRecord.decode(row(key.unsafeArray())).extensions()).isEqualTo(UNKNOWN);

        replace("{\"email\":\"other\"}");
        assertThat(uniqueKeys()).hasSize(1).doesNotContain(key);
    }

    @Test
    void definitionsKeepThem() {
        byte[] key = Keys.definition(PARTITION);
        extend(
                key,
                row ->
                        new DefinitionRecord(DefinitionRecord.decode(row).versions(), UNKNOWN)
                                .encode());

        fixture.apply(
                new Command.SetDefinition(
                        PARTITION,
                        MachineFixture.version(
                                2,
                                definition ->
                                        definition
                                                .withUniqueKeys(List.of(EMAIL))
                                                .withChangeRetention(5))));

        DefinitionRecord after = DefinitionRecord.decode(row(key));
        assertThat(after.extensions()).isEqualTo(UNKNOWN);
        assertThat(after.current().definition().changeRetentionMinutes()).isEqualTo(5);
    }

    @Test
    void deletedKeysKeepThem() {
        fixture.apply(delete(ITEM));
        byte[] key = Keys.keyDeletions(PARTITION);
        extend(
                key,
                row -> new KeyDeletions(KeyDeletions.decode(row).deletions(), UNKNOWN).encode());
        ItemKey other = key("south", "a");

        fixture.apply(fixture.write(newItem(other, "{}")), delete(other));

        KeyDeletions after = KeyDeletions.decode(row(key));
        assertThat(after.extensions()).isEqualTo(UNKNOWN);
        assertThat(after.deletions()).hasSize(2);
    }

    @Test
    void theAppliedPositionKeepsThem() {
        extend(
                Keys.applied(),
                row -> {
                    AppliedRecord record = AppliedRecord.decode(row);
                    return new AppliedRecord(
                                    record.level(),
                                    record.position(),
                                    record.timeMillis(),
                                    record.raftTerm(),
                                    record.raftIndex(),
                                    record.oldestDeduplication(),
                                    UNKNOWN)
                            .encode();
                });

        replace("{\"email\":\"e\"}");

        assertThat(AppliedRecord.decode(row(Keys.applied())).extensions()).isEqualTo(UNKNOWN);
    }

    private Command delete(ItemKey item) {
        return new Command.DeleteKey(
                PARTITION,
                fixture.newRequest(),
                MachineFixture.NOW,
                item.partitionKey(),
                KeyDeletionTest.rangeOf(item));
    }

    private List<Bytes> uniqueKeys() {
        byte first = Keys.allUniqueKeys()[0];
        return fixture.keys(Table.META).stream().filter(row -> row.at(0) == first).toList();
    }
}
