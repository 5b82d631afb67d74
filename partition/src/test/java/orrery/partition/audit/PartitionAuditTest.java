package orrery.partition.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.ItemVersion.Operation;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.partition.machine.Command;
import orrery.partition.machine.PartitionMachine;
import orrery.storage.Cursor;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreBatch;
import orrery.storage.StoreOptions;
import orrery.storage.Table;
import orrery.storage.format.Cause;
import orrery.storage.format.ChangeHeader;
import orrery.storage.format.ChangeRecord;
import orrery.storage.format.DataSize;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.IndexEntry;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/** A sound store is found sound; each kind of damage is found. */
class PartitionAuditTest {
    private static final PartitionKeyDefinition KEY =
            new PartitionKeyDefinition(
                    List.of(PropertyPath.parse("/pk")), PartitionKeyDefinition.Kind.HASH, 2, false);
    private static final IndexingPolicy POLICY =
            new IndexingPolicy(
                    IndexingPolicy.Mode.CONSISTENT,
                    true,
                    List.of("/*"),
                    List.of(),
                    List.of(),
                    List.of(
                            new IndexingPolicy.SpatialPath(
                                    "/at/?", List.of("Point"), Optional.empty())));
    private static final PartitionId ID = new PartitionId(7, 0);

    private ReplicaStore store;

    @BeforeEach
    void open(@TempDir Path directory) {
        store = ReplicaStore.open(directory, new StoreOptions(4 << 20, 4 << 20));
        PartitionMachine machine = new PartitionMachine(store);
        Command open =
                new Command.OpenPartition(
                        ID,
                        KeyRange.FULL,
                        0,
                        new DefinitionRecord.Version(
                                1,
                                new ContainerDefinition(
                                        KEY,
                                        POLICY,
                                        ContainerDefinition.ConflictResolution.DEFAULT,
                                        ContainerDefinition.Geospatial.GEOGRAPHY),
                                1L << 40),
                        0);
        apply(machine, open, put("north", "a"), put("north", "b"), put("south", "a"));
        assertThat(StoreAudit.run(store)).isEmpty();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void apply(PartitionMachine machine, Command... commands) {
        try (StoreBatch batch = store.newBatch()) {
            machine.apply(1, List.of(commands), batch);
            store.write(batch, false);
        }
    }

    private static ItemKey key(String partitionKey, String id) {
        PartitionKey key = PartitionKey.ofText(partitionKey);
        return new ItemKey(EffectiveKeys.of(KEY, key), key, RowKey.ofText(id));
    }

    private static Command put(String partitionKey, String id) {
        return new Command.WriteItems(
                ID,
                new RequestId(partitionKey.hashCode(), id.hashCode()),
                0,
                List.of(
                        new Command.ItemChange.Put(
                                key(partitionKey, id),
                                Command.Expect.ABSENT,
                                Precondition.NONE,
                                Encoding.JSON,
                                Bytes.ofUtf8(
                                        "{\"id\":\""
                                                + id
                                                + "\",\"n\":1,\"at\":{\"type\":\"Point\","
                                                + "\"coordinates\":[1,2]}}"))));
    }

    private List<String> findingsAfter(Consumer<StoreBatch> damage) {
        try (StoreBatch batch = store.newBatch()) {
            damage.accept(batch);
            store.write(batch, false);
        }
        return StoreAudit.run(store);
    }

    private byte[] itemKey(String partitionKey, String id) {
        return Keys.item(7, Keys.itemSuffix(key(partitionKey, id)));
    }

    private byte[] rowOf(Table table, byte[] key) {
        return Objects.requireNonNull(store.get(table, key));
    }

    private byte[] firstKey(Table table) {
        try (Cursor rows = store.scan(table, new byte[0], new byte[] {-1})) {
            assertThat(rows.next()).isTrue();
            return rows.key();
        }
    }

    @Test
    void aLostItem() {
        assertThat(findingsAfter(batch -> batch.delete(Table.ITEMS, itemKey("north", "a"))))
                .anyMatch(finding -> finding.contains("items: the record says 3, the rows say 2"))
                .anyMatch(finding -> finding.contains("leads to no item"))
                .anyMatch(finding -> finding.contains("names no item"));
    }

    @Test
    void theOnlyItemOfAKeyIsLost() {
        assertThat(findingsAfter(batch -> batch.delete(Table.ITEMS, itemKey("south", "a"))))
                .anyMatch(finding -> finding.contains("is of an empty key"));
    }

    @Test
    void aLostIndexEntry() {
        assertThat(findingsAfter(batch -> batch.delete(Table.INDEX, firstKey(Table.INDEX))))
                .anyMatch(finding -> finding.contains("lacks the index entry of a term"));
    }

    @Test
    void aLostDocidEntry() {
        assertThat(findingsAfter(batch -> batch.delete(Table.INDEX, Keys.docid(7, 0, 1))))
                .anyMatch(finding -> finding.contains("lacks the index entry of a docid"));
    }

    @Test
    void anIndexEntryTooMany() {
        byte[] value = IndexEntry.encode(Keys.itemSuffix(key("north", "a")));
        byte[] stray = Keys.index(7, 0, new byte[] {1, 'z', 0, 0x0C}, 1);

        assertThat(findingsAfter(batch -> batch.put(Table.INDEX, stray, value)))
                .anyMatch(finding -> finding.contains("does not stand for item"));
    }

    @Test
    void anItemThatIsOlderThanItsCreation() {
        byte[] key = itemKey("north", "a");
        ItemRecord item = ItemRecord.decode(rowOf(Table.ITEMS, key));
        byte[] wrong =
                new ItemRecord(
                                item.encoding(),
                                item.docid(),
                                item.etag(),
                                item.timestampMillis(),
                                item.lsn(),
                                item.lsn() + 1,
                                item.ordinal(),
                                item.segment(),
                                item.birthSegment(),
                                item.policyVersion(),
                                item.lifetimeSeconds(),
                                item.origin(),
                                item.extensions(),
                                item.body())
                        .encode();

        assertThat(findingsAfter(batch -> batch.put(Table.ITEMS, key, wrong)))
                .anyMatch(finding -> finding.contains("was created at LSN 3 and written at 2"));
    }

    @Test
    void aLostChangeRecord() {
        assertThat(findingsAfter(batch -> batch.delete(Table.CHANGES, Keys.change(7, 0, 2, 0, 0))))
                .anyMatch(finding -> finding.contains("lacks its change record"));
    }

    @Test
    void aChangeRecordTooMany() {
        byte[] stray =
                new ChangeRecord(
                                ChangeHeader.of(Operation.REPLACE, Cause.USER, 0, 0, 0),
                                Keys.itemSuffix(key("north", "a")))
                        .encode();

        assertThat(
                        findingsAfter(
                                batch ->
                                        batch.put(
                                                Table.CHANGES, Keys.change(7, 0, 1, 0, 0), stray)))
                .anyMatch(finding -> finding.contains("is of an older version"));
    }

    @Test
    void aChangeRecordThatNamesAnother() {
        byte[] wrong =
                new ChangeRecord(
                                ChangeHeader.of(Operation.CREATE, Cause.USER, 0, 0, 0),
                                Keys.itemSuffix(key("north", "b")))
                        .encode();

        assertThat(
                        findingsAfter(
                                batch ->
                                        batch.put(
                                                Table.CHANGES, Keys.change(7, 0, 2, 0, 0), wrong)))
                .anyMatch(finding -> finding.contains("names"));
    }

    @Test
    void aWrongCounter() {
        ItemKey north = key("north", "a");
        byte[] counter = Keys.logicalPartition(7, north.epk(), north.partitionKey());
        LogicalPartitionRecord record = LogicalPartitionRecord.decode(rowOf(Table.META, counter));

        assertThat(
                        findingsAfter(
                                batch ->
                                        batch.put(
                                                Table.META,
                                                counter,
                                                record.after(new DataSize(0, 1, 0), 1).encode())))
                .anyMatch(finding -> finding.contains("bytes of"))
                .anyMatch(finding -> finding.contains("has last write 1"));
        assertThat(findingsAfter(batch -> batch.delete(Table.META, counter)))
                .anyMatch(finding -> finding.contains("is missing"));
    }

    @Test
    void twoItemsWithOneDocid() {
        byte[] first = rowOf(Table.ITEMS, itemKey("north", "a"));

        assertThat(findingsAfter(batch -> batch.put(Table.ITEMS, itemKey("north", "c"), first)))
                .anyMatch(finding -> finding.contains("the index entry of a docid"));
    }

    @Test
    void anUnreadableItem() {
        assertThat(
                        findingsAfter(
                                batch ->
                                        batch.put(Table.ITEMS, itemKey("north", "a"), new byte[3])))
                .anyMatch(finding -> finding.contains("cannot be read"));
    }

    @Test
    void rowsOfNoPartition() {
        byte[] item = itemKey("north", "a");
        item[3] = 8;

        assertThat(
                        findingsAfter(
                                batch -> {
                                    batch.put(Table.ITEMS, item, new byte[0]);
                                    batch.put(Table.INDEX, Keys.docid(7, 1, 1), new byte[0]);
                                    batch.put(
                                            Table.CHANGES, Keys.change(6, 0, 1, 0, 1), new byte[0]);
                                    batch.put(Table.META, Keys.time(7, 1, 1), new byte[8]);
                                    batch.put(
                                            Table.META,
                                            Keys.definition(new PartitionId(7, 9)),
                                            new byte[0]);
                                }))
                .hasSize(5)
                .allMatch(finding -> finding.contains("rows of no partition"));
    }

    @Test
    void findingsAreBounded() {
        assertThat(
                        findingsAfter(
                                batch -> {
                                    for (int i = 0; i < 500; i++) {
                                        batch.put(
                                                Table.ITEMS,
                                                itemKey("north", "x" + i),
                                                new byte[0]);
                                    }
                                }))
                .hasSize(101)
                .last()
                .asString()
                .contains("more");
    }
}
