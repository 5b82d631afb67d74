package orrery.storage.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.ItemKey;
import orrery.model.KeyComponent;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.RowKey;

class StoredFormatsTest {
    private static final Bytes SESSION = Bytes.ofHex("0102030405060708090A0B0C0D0E0F10");

    @Test
    void keys() {
        new Golden()
                .add("item", Keys.item(7, Keys.itemSuffix(Samples.ITEM)))
                .add("items-from", Keys.itemsFrom(7, Samples.MIDDLE))
                .add("items-of", Keys.itemsOf(7, Samples.EPK, Samples.KEY))
                .add("index", Keys.index(7, 2, new byte[] {0x01, 'a', 0x00, 0x0C}, Samples.DOCID))
                .add("docid", Keys.docid(7, 2, Samples.DOCID))
                .add("expiry", Keys.expiry(7, 2, 1_800_000_003_500L, Samples.DOCID))
                .add("expiries", Keys.expiries(7, 2))
                .add("segment", Keys.segment(7, 2))
                .add("change", Keys.change(7, 2, 9, 2, 1))
                .add("journal", Keys.journal(7, 2, 9, 1))
                .add("applied", Keys.applied())
                .add("partition", Keys.partition(Samples.PARTITION))
                .add("definition", Keys.definition(Samples.PARTITION))
                .add("logical-partition", Keys.logicalPartition(7, Samples.EPK, Samples.KEY))
                .add("logical-partitions-from", Keys.logicalPartitionsFrom(7, Samples.MIDDLE))
                .add("deduplication", Keys.deduplication(42))
                .add("session", Keys.session(7, Samples.EPK, SESSION, 3, 1))
                .add("time", Keys.time(7, 2, 30_000_000))
                .add("unique-key", Keys.uniqueKey(7, Samples.ITEM, 1, Samples.DIGEST))
                .add("key-deletions", Keys.keyDeletions(Samples.PARTITION))
                .add("unique-keys-from", Keys.uniqueKeysFrom(7, Samples.MIDDLE))
                .add("identity", Keys.identity())
                .add("catalog", Keys.catalog(1, 7))
                .add("creation", Keys.creation(7, Samples.EPK, Samples.KEY, Samples.DOCID))
                .add("creations-from", Keys.creationsFrom(7, Samples.MIDDLE))
                .add("session-newest", Keys.session(7, Samples.EPK, SESSION))
                .add("session-place", Keys.sessionPlace(7, SESSION, 3, 1))
                .add("sessions-from", Keys.sessionsFrom(7, Samples.MIDDLE))
                .verify("keys.hex");
    }

    @Test
    void records() {
        new Golden()
                .add("item", Samples.ITEM_RECORD.encode())
                .add("item-whole", Samples.WHOLE_ITEM_RECORD.encode())
                .add("change", Samples.CHANGE_RECORD.encode())
                .add("change-whole", Samples.WHOLE_CHANGE_RECORD.encode())
                .add("journal", Samples.JOURNAL_RECORD.encode())
                .add("partition", Samples.PARTITION_RECORD.encode())
                .add("definition", Samples.DEFINITION_RECORD.encode())
                .add("logical-partition", Samples.LOGICAL_PARTITION_RECORD.encode())
                .add("applied", Samples.APPLIED_RECORD.encode())
                .add("unique-key", Samples.UNIQUE_KEY_RECORD.encode())
                .add("key-deletions", Samples.KEY_DELETIONS.encode())
                .add("identity", Samples.IDENTITY.encode())
                .add("index-entry", IndexEntry.encode(Samples.SUFFIX))
                .add("docid-entry", IndexEntry.encode(Samples.SUFFIX, 3, Samples.DERIVED))
                .add("definition-whole", Samples.WHOLE_DEFINITION_RECORD.encode())
                .add("logical-partition-whole", Samples.WHOLE_LOGICAL_PARTITION_RECORD.encode())
                .add("applied-whole", Samples.WHOLE_APPLIED_RECORD.encode())
                .add("unique-key-whole", Samples.WHOLE_UNIQUE_KEY_RECORD.encode())
                .add("key-deletions-whole", Samples.WHOLE_KEY_DELETIONS.encode())
                .add("identity-whole", Samples.WHOLE_IDENTITY.encode())
                .add("creation", Samples.CREATION_RECORD.encode())
                .add("logical-partition-ordered", Samples.ORDERED_LOGICAL_PARTITION.encode())
                .add(
                        "logical-partition-all-ordered",
                        Samples.ORDERED_LOGICAL_PARTITION.with(new CreationRows.All()).encode())
                .add("journal-whole", Samples.WHOLE_JOURNAL_RECORD.encode())
                .verify("records.hex");
    }

    @Test
    void recordsReadBack() {
        assertThat(ItemRecord.decode(Samples.ITEM_RECORD.encode())).isEqualTo(Samples.ITEM_RECORD);
        assertThat(ItemRecord.decode(Samples.WHOLE_ITEM_RECORD.encode()))
                .isEqualTo(Samples.WHOLE_ITEM_RECORD);
        assertThat(ChangeRecord.decode(Samples.WHOLE_CHANGE_RECORD.encode()))
                .isEqualTo(Samples.WHOLE_CHANGE_RECORD);
        assertThat(ChangeRecord.decode(Samples.CHANGE_RECORD.encode()))
                .isEqualTo(Samples.CHANGE_RECORD);
        assertThat(JournalRecord.decode(Samples.JOURNAL_RECORD.encode()))
                .isEqualTo(Samples.JOURNAL_RECORD);
        assertThat(JournalRecord.decode(Samples.WHOLE_JOURNAL_RECORD.encode()))
                .isEqualTo(Samples.WHOLE_JOURNAL_RECORD);
        assertThat(PartitionRecord.decode(Samples.PARTITION_RECORD.encode()))
                .isEqualTo(Samples.PARTITION_RECORD);
        assertThat(DefinitionRecord.decode(Samples.DEFINITION_RECORD.encode()))
                .isEqualTo(Samples.DEFINITION_RECORD);
        assertThat(LogicalPartitionRecord.decode(Samples.LOGICAL_PARTITION_RECORD.encode()))
                .isEqualTo(Samples.LOGICAL_PARTITION_RECORD);
        assertThat(LogicalPartitionRecord.decode(Samples.ORDERED_LOGICAL_PARTITION.encode()))
                .isEqualTo(Samples.ORDERED_LOGICAL_PARTITION);
        assertThat(CreationRecord.decode(Samples.CREATION_RECORD.encode()))
                .isEqualTo(Samples.CREATION_RECORD);
        assertThat(KeyDeletions.decode(Samples.KEY_DELETIONS.encode()))
                .isEqualTo(Samples.KEY_DELETIONS);
        assertThat(UniqueKeyRecord.decode(Samples.UNIQUE_KEY_RECORD.encode()))
                .isEqualTo(Samples.UNIQUE_KEY_RECORD);
        assertThat(AppliedRecord.decode(Samples.APPLIED_RECORD.encode()))
                .isEqualTo(Samples.APPLIED_RECORD);
        assertThat(StoreIdentity.decode(Samples.IDENTITY.encode())).isEqualTo(Samples.IDENTITY);
        assertThat(DefinitionRecord.decode(Samples.WHOLE_DEFINITION_RECORD.encode()))
                .isEqualTo(Samples.WHOLE_DEFINITION_RECORD);
        assertThat(LogicalPartitionRecord.decode(Samples.WHOLE_LOGICAL_PARTITION_RECORD.encode()))
                .isEqualTo(Samples.WHOLE_LOGICAL_PARTITION_RECORD);
        assertThat(KeyDeletions.decode(Samples.WHOLE_KEY_DELETIONS.encode()))
                .isEqualTo(Samples.WHOLE_KEY_DELETIONS);
        assertThat(UniqueKeyRecord.decode(Samples.WHOLE_UNIQUE_KEY_RECORD.encode()))
                .isEqualTo(Samples.WHOLE_UNIQUE_KEY_RECORD);
        assertThat(AppliedRecord.decode(Samples.WHOLE_APPLIED_RECORD.encode()))
                .isEqualTo(Samples.WHOLE_APPLIED_RECORD);
        assertThat(StoreIdentity.decode(Samples.WHOLE_IDENTITY.encode()))
                .isEqualTo(Samples.WHOLE_IDENTITY);
        byte[] plain = IndexEntry.encode(Samples.SUFFIX);
        assertThat(IndexEntry.itemSuffix(plain)).isEqualTo(Samples.SUFFIX);
        assertThat(IndexEntry.derived(plain)).isEmpty();
        assertThat(IndexEntry.length(Samples.SUFFIX)).isEqualTo(plain.length);
        byte[] docid = IndexEntry.encode(Samples.SUFFIX, 3, Samples.DERIVED);
        assertThat(IndexEntry.itemSuffix(docid)).isEqualTo(Samples.SUFFIX);
        assertThat(IndexEntry.derived(docid)).isEqualTo(Samples.DERIVED);
        assertThat(IndexEntry.length(Samples.SUFFIX, Samples.DERIVED)).isEqualTo(docid.length);
    }

    @Test
    void fieldsOfRecordsAreReadAlone() {
        byte[] change = Samples.CHANGE_RECORD.encode();
        byte[] version = Samples.JOURNAL_RECORD.encode();

        assertThat(ChangeRecord.itemSuffix(change)).isEqualTo(Samples.CHANGE_RECORD.itemSuffix());
        assertThat(ChangeRecord.previousLsn(change)).isEqualTo(6);
        assertThat(ChangeRecord.itemSuffix(Samples.WHOLE_CHANGE_RECORD.encode()))
                .isEqualTo(Samples.WHOLE_CHANGE_RECORD.itemSuffix());
        assertThat(JournalRecord.itemSuffix(version))
                .isEqualTo(Samples.JOURNAL_RECORD.itemSuffix());
        assertThat(JournalRecord.docid(version)).isEqualTo(Samples.JOURNAL_RECORD.item().docid());
    }

    /** Counters must not move when an item is carried to another segment. */
    @Test
    void anItemCountsTheSameInEverySegment() {
        assertThat(Samples.ITEM_RECORD.movedTo(9).storedBytes())
                .isEqualTo(Samples.ITEM_RECORD.storedBytes());
    }

    @Test
    void anItemThatMovesKeepsItsBirthplaceAndUnknownExtensions() {
        ItemRecord moved =
                ItemRecord.decode(Samples.WHOLE_ITEM_RECORD.movedTo(9).withPolicy(4).encode());

        assertThat(moved.segment()).isEqualTo(9);
        assertThat(moved.policyVersion()).isEqualTo(4);
        assertThat(moved.birthSegment()).isEqualTo(2);
        assertThat(moved.creationLsn()).isEqualTo(4);
        assertThat(moved.origin()).isEqualTo(Samples.ORIGIN);
        assertThat(moved.extensions().find(0xE1)).contains(Bytes.ofHex("0A0B0C"));
        assertThat(moved.extensions().find(0xE2)).isEmpty();
        assertThat(moved.place()).isEqualTo(Keys.changePlace(Keys.change(7, moved)));
    }

    /** The partition's counters hold still when a record with extensions goes. */
    @Test
    void aUniqueKeyCountsTheSameWithExtensions() {
        UniqueKeyRecord plain = Samples.UNIQUE_KEY_RECORD;

        assertThat(UniqueKeyRecord.storedBytes(plain.rowKey())).isEqualTo(plain.encode().length);
    }

    @Test
    void aDocidSaysWhereItsItemWasBorn() {
        long docid = Docid.of(15, 0xFFFFF, (1L << 40) - 1);

        assertThat(docid).isEqualTo(-1L);
        assertThat(Docid.region(docid)).isEqualTo(15);
        assertThat(Docid.range(docid)).isEqualTo(0xFFFFF);
        assertThat(Docid.counter(docid)).isEqualTo((1L << 40) - 1);
        assertThatIllegalArgumentException().isThrownBy(() -> Docid.of(16, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> Docid.of(0, 1 << 20, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> Docid.of(0, 0, 1L << 40));
    }

    static Stream<PartitionKeyDefinition> definitions() {
        List<PropertyPath> one = List.of(PropertyPath.parse("/pk"));
        List<PropertyPath> two = List.of(PropertyPath.parse("/pk"), PropertyPath.parse("/b"));
        return Stream.of(
                new PartitionKeyDefinition(one, PartitionKeyDefinition.Kind.HASH, 2, false),
                new PartitionKeyDefinition(one, PartitionKeyDefinition.Kind.HASH, 1, false),
                new PartitionKeyDefinition(one, PartitionKeyDefinition.Kind.HASH, 0, false),
                new PartitionKeyDefinition(one, PartitionKeyDefinition.Kind.RANGE, 1, false),
                new PartitionKeyDefinition(two, PartitionKeyDefinition.Kind.HASH, 1, false),
                new PartitionKeyDefinition(two, PartitionKeyDefinition.Kind.HASH, 2, false),
                new PartitionKeyDefinition(two, PartitionKeyDefinition.Kind.RANGE, 1, false),
                new PartitionKeyDefinition(two, PartitionKeyDefinition.Kind.MULTI_HASH, 2, false),
                new PartitionKeyDefinition(List.of(), PartitionKeyDefinition.Kind.HASH, 1, false),
                new PartitionKeyDefinition(List.of(), PartitionKeyDefinition.Kind.HASH, 2, false));
    }

    @ParameterizedTest
    @MethodSource("definitions")
    void itemKeysReadBackUnderEveryDefinition(PartitionKeyDefinition definition) {
        for (PartitionKey sample : Samples.PARTITION_KEYS) {
            KeyComponent component = sample.components().getFirst();
            PartitionKey key =
                    switch (definition.paths().size()) {
                        case 0 -> PartitionKey.EMPTY;
                        case 1 -> sample;
                        default -> PartitionKey.of(component, new KeyComponent.Text("second"));
                    };
            ItemKey item =
                    new ItemKey(
                            EffectiveKeys.of(definition, key),
                            key,
                            RowKey.ofText("id with / and ü"));
            Bytes suffix = Keys.itemSuffix(item);

            assertThat(Keys.itemKey(suffix, definition)).isEqualTo(item);
            assertThat(Keys.inRange(suffix, KeyRange.FULL)).isTrue();
            assertThat(Keys.itemSuffix(Keys.item(9, suffix))).isEqualTo(suffix);
        }
    }

    @Test
    void anItemLiesInTheRangeOfItsEffectiveKey() {
        Bytes suffix = Keys.itemSuffix(Samples.ITEM);

        assertThat(Keys.inRange(suffix, Samples.KEYS)).isTrue();
        assertThat(Keys.inRange(suffix, new KeyRange(EffectiveKey.MIN, Samples.MIDDLE))).isFalse();
        assertThat(Keys.inRange(suffix, new KeyRange(Samples.EPK, EffectiveKey.MAX))).isTrue();
        assertThat(Keys.inRange(suffix, new KeyRange(EffectiveKey.MIN, Samples.EPK))).isFalse();
    }

    @Test
    void whatFollowsAPrefix() {
        assertThat(Keys.after(new byte[] {1, 2})).isEqualTo(new byte[] {1, 3});
        assertThat(Keys.after(new byte[] {1, -1})).isEqualTo(new byte[] {2});
        assertThatIllegalArgumentException().isThrownBy(() -> Keys.after(new byte[] {-1, -1}));
        byte[] segment = Keys.segment(7, 2);
        byte[] largest = Keys.index(7, 2, new byte[] {-1, -1, -1}, -1);
        assertThat(Arrays.compareUnsigned(largest, Keys.after(segment))).isNegative();
    }
}
