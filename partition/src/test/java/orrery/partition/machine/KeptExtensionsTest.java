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
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.codec.BinaryWriter;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.AppliedRecord;
import orrery.storage.format.Counters;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Extensions;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;
import orrery.storage.format.PartitionRecord;
import orrery.storage.format.UniqueKeyRecord;

/** A later release has added fields to records; entries of this one keep them. */
class KeptExtensionsTest {
    private static final Extensions UNKNOWN = Extensions.NONE.and(0xE1, Bytes.ofHex("0A0B0C"));
    private static final UniqueKey EMAIL = new UniqueKey(List.of(PropertyPath.parse("/email")));
    private static final ItemKey ITEM = key("north", "a");

    private static final int LEFT = 4;
    private static final int RIGHT = 5;
    private static final int MERGED = 6;

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

    /** Both children have them, and a merge does not double them. */
    @Test
    void deletedKeysKeepThemThroughASplitAndAMerge() {
        ItemKey other = key("south", "a");
        fixture.apply(fixture.write(newItem(other, "{}")));
        fixture.apply(delete(ITEM), delete(other));
        extend(
                Keys.keyDeletions(PARTITION),
                row -> new KeyDeletions(KeyDeletions.decode(row).deletions(), UNKNOWN).encode());

        split(ITEM, other);
        for (int child : new int[] {LEFT, RIGHT}) {
            KeyDeletions deletions = deletionsOf(child);
            assertThat(deletions.extensions()).isEqualTo(UNKNOWN);
            assertThat(deletions.deletions()).hasSize(1);
        }
        merge();

        assertThat(deletionsOf(MERGED).extensions()).isEqualTo(UNKNOWN);
        assertThat(deletionsOf(MERGED).deletions()).hasSize(2);
    }

    @Test
    void countersOfALaterReleaseStayAsTheyAre() {
        extendCounters(PARTITION, 9, 7);

        replace("{\"email\":\"e\",\"more\":1}");

        fixture.restart();
        assertThat(fixture.state().record().counters().others()).isEqualTo(counter(9, 7));
        assertThat(fixture.state().record().size().items()).isEqualTo(1);
    }

    @Test
    void countersOfALaterReleaseLastThroughASplitAndAMerge() {
        ItemKey other = key("south", "a");
        fixture.apply(fixture.write(newItem(other, "{}")));
        extendCounters(PARTITION, 7, 5);
        split(ITEM, other);
        assertThat(countersOf(LEFT).others()).isEqualTo(counter(7, 5));
        assertThat(countersOf(RIGHT).others()).isEqualTo(counter(7, 5));

        // Each side goes on with its own; the higher one wins.
        extendCounters(id(LEFT), 7, 9);
        extendCounters(id(RIGHT), 8, -1);
        merge();

        Counters merged = countersOf(MERGED);
        assertThat(merged.others())
                .isEqualTo(new BinaryWriter(18).u8(7).u64(9).u8(8).u64(-1).toBytes());
        assertThat(merged.size().items()).isEqualTo(2);
        assertThat(merged.nextDocid()).isEqualTo(1);
    }

    private static PartitionId id(int range) {
        return new PartitionId(PARTITION.container(), range);
    }

    private static Bytes counter(int number, long value) {
        return new BinaryWriter(9).u8(number).u64(value).toBytes();
    }

    private void extendCounters(PartitionId partition, int number, long value) {
        extend(
                Keys.partition(partition),
                row -> {
                    PartitionRecord record = PartitionRecord.decode(row);
                    Counters known = record.counters();
                    return new PartitionRecord(
                                    record.keys(),
                                    record.segments(),
                                    record.headLsn(),
                                    record.timeMillis(),
                                    new Counters(
                                            known.size(),
                                            known.nextDocid(),
                                            known.reindexed(),
                                            known.lastTick(),
                                            counter(number, value)),
                                    record.definitionVersion(),
                                    record.policyVersion(),
                                    record.reindexing(),
                                    record.reindexAfter(),
                                    record.split(),
                                    record.journals(),
                                    record.standing())
                            .encode();
                });
    }

    private Counters countersOf(int range) {
        return PartitionRecord.decode(row(Keys.partition(id(range)))).counters();
    }

    private KeyDeletions deletionsOf(int range) {
        return KeyDeletions.decode(row(Keys.keyDeletions(id(range))));
    }

    /** Splits between two items. */
    private void split(ItemKey one, ItemKey other) {
        boolean isInOrder = one.epk().compareTo(other.epk()) < 0;
        fixture.one(
                new ReshapeCommand.PrepareSplit(
                        PARTITION, (isInOrder ? other : one).epk(), LEFT, RIGHT));
        assertThat(
                        fixture.one(
                                new ReshapeCommand.CommitSplit(
                                        PARTITION,
                                        LEFT,
                                        RIGHT,
                                        LEFT,
                                        RIGHT,
                                        fixture.machine().appliedPosition(),
                                        fixture.logicalPartition(isInOrder ? one : other).size(),
                                        MachineFixture.NOW)))
                .isEqualTo(new Outcome.Done());
    }

    private void merge() {
        assertThat(
                        fixture.one(
                                new ReshapeCommand.MergePartitions(
                                        id(LEFT), RIGHT, MERGED, MERGED, MachineFixture.NOW)))
                .isEqualTo(new Outcome.Done());
    }

    private Command delete(ItemKey item) {
        return new DeleteKey(
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
