package orrery.storage.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import orrery.model.Bytes;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.Etag;
import orrery.model.ItemKey;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RowKey;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/** Every record reads back, and damage to it is always noticed as such. */
class StoredRecordProperties {
    private static final List<Function<byte[], ?>> DECODERS =
            List.of(
                    ItemRecord::decode,
                    ChangeRecord::decode,
                    PartitionRecord::decode,
                    DefinitionRecord::decode,
                    LogicalPartitionRecord::decode,
                    AppliedRecord::decode,
                    JournalRecord::decode,
                    StoreIdentity::decode,
                    KeyDeletions::decode,
                    UniqueKeyRecord::decode,
                    bytes -> Keys.itemKey(Bytes.wrap(bytes), Samples.KEY_DEFINITION),
                    bytes -> Keys.itemKey(Bytes.wrap(bytes), of(PartitionKeyDefinition.Kind.HASH)),
                    bytes ->
                            Keys.itemKey(Bytes.wrap(bytes), of(PartitionKeyDefinition.Kind.RANGE)));

    private static final List<byte[]> ENCODED =
            List.of(
                    Samples.ITEM_RECORD.encode(),
                    Samples.CHANGE_RECORD.encode(),
                    Samples.PARTITION_RECORD.encode(),
                    Samples.DEFINITION_RECORD.encode(),
                    Samples.LOGICAL_PARTITION_RECORD.encode(),
                    Samples.APPLIED_RECORD.encode(),
                    Samples.JOURNAL_RECORD.encode(),
                    Samples.IDENTITY.encode(),
                    Samples.KEY_DELETIONS.encode(),
                    Samples.WHOLE_UNIQUE_KEY_RECORD.encode(),
                    Keys.itemSuffix(Samples.ITEM).unsafeArray());

    private static PartitionKeyDefinition of(PartitionKeyDefinition.Kind kind) {
        return new PartitionKeyDefinition(Samples.KEY_DEFINITION.paths(), kind, 1, false);
    }

    @Property
    void randomBytesAreRefusedOrRead(@ForAll @Size(max = 200) byte[] bytes) {
        for (Function<byte[], ?> decoder : DECODERS) {
            readOrRefuse(decoder, bytes);
        }
    }

    @Property
    void damagedRecordsAreRefusedOrRead(
            @ForAll @IntRange(max = 10) int record,
            @ForAll @IntRange(max = 1000) int at,
            @ForAll byte value) {
        byte[] damaged = ENCODED.get(record).clone();
        damaged[at % damaged.length] = value;
        for (Function<byte[], ?> decoder : DECODERS) {
            readOrRefuse(decoder, damaged);
        }
    }

    @Property
    void truncatedRecordsAreRefused(
            @ForAll @IntRange(min = 2, max = 8) int record, @ForAll @IntRange(max = 1000) int cut) {
        byte[] whole = ENCODED.get(record);
        byte[] truncated = Arrays.copyOf(whole, cut % whole.length);

        assertThatExceptionOfType(MalformedRecordException.class)
                .isThrownBy(() -> DECODERS.get(record).apply(truncated));
    }

    @Property
    void itemsReadBack(
            @ForAll Encoding encoding,
            @ForAll long docid,
            @ForAll long lsn,
            @ForAll long time,
            @ForAll int ordinal,
            @ForAll int segment,
            @ForAll int birthSegment,
            @ForAll int policy,
            @ForAll @Size(max = 100) byte[] extension,
            @ForAll byte[] body) {
        ItemRecord record =
                new ItemRecord(
                        encoding,
                        docid,
                        new Etag(lsn, docid),
                        time,
                        lsn,
                        docid,
                        ordinal,
                        segment,
                        birthSegment,
                        policy,
                        (int) time,
                        new Origin(policy & 0xFF, time),
                        Extensions.NONE.and(policy & 0xFF, Bytes.wrap(extension)),
                        Bytes.wrap(body));

        assertThat(ItemRecord.decode(record.encode())).isEqualTo(record);
    }

    @Property
    void countersReadBack(@ForAll long items, @ForAll long bytes, @ForAll long lsn) {
        LogicalPartitionRecord counter =
                LogicalPartitionRecord.EMPTY.after(new DataSize(items, bytes, ~bytes), lsn);
        AppliedRecord applied =
                new AppliedRecord(1, items, bytes, lsn, items, lsn, Extensions.NONE);

        assertThat(LogicalPartitionRecord.decode(counter.encode())).isEqualTo(counter);
        assertThat(AppliedRecord.decode(applied.encode())).isEqualTo(applied);
    }

    /** Each record is read, changed as the engine changes it, written and read again. */
    @Property
    void unknownExtensionsOutliveAChange(
            @ForAll @IntRange(max = 255) int type,
            @ForAll @Size(max = 300) byte[] value,
            @ForAll long lsn) {
        Extensions unknown = Samples.EXTENSIONS.and(type, Bytes.wrap(value));
        List<Extensions> kept =
                List.of(
                        LogicalPartitionRecord.decode(
                                        LogicalPartitionRecord.decode(
                                                        withExtensions(
                                                                Samples.LOGICAL_PARTITION_RECORD
                                                                        .encode(),
                                                                unknown))
                                                .after(new DataSize(1, lsn, 0), lsn)
                                                .plus(DataSize.NONE)
                                                .encode())
                                .extensions(),
                        UniqueKeyRecord.decode(
                                        UniqueKeyRecord.decode(
                                                        withExtensions(
                                                                Samples.UNIQUE_KEY_RECORD.encode(),
                                                                3,
                                                                unknown))
                                                .ownedBy(RowKey.ofText("other"))
                                                .encode())
                                .extensions(),
                        DefinitionRecord.decode(
                                        DefinitionRecord.decode(
                                                        withExtensions(
                                                                Samples.DEFINITION_RECORD.encode(),
                                                                3,
                                                                unknown))
                                                .with(List.of(Samples.DEFINITION))
                                                .encode())
                                .extensions(),
                        KeyDeletions.decode(changed(unknown, lsn).encode()).extensions(),
                        StoreIdentity.decode(
                                        StoreIdentity.decode(
                                                        withExtensions(
                                                                Samples.IDENTITY.encode(), unknown))
                                                .settled()
                                                .encode())
                                .extensions(),
                        AppliedRecord.decode(
                                        AppliedRecord.decode(
                                                        withExtensions(
                                                                Samples.APPLIED_RECORD.encode(),
                                                                unknown))
                                                .next(43, lsn, 17)
                                                .encode())
                                .extensions());

        assertThat(kept).allMatch(unknown::equals);
    }

    private static KeyDeletions changed(Extensions unknown, long lsn) {
        KeyDeletions.Deletion added =
                new KeyDeletions.Deletion(PartitionKey.ofText("south"), Samples.KEYS, lsn);
        return KeyDeletions.decode(withExtensions(Samples.KEY_DELETIONS.encode(), 3, unknown))
                .with(added)
                .without(added)
                .within(Samples.KEYS)
                .and(KeyDeletions.NONE);
    }

    /** A record whose header is all of it, as a later release might write it. */
    private static byte[] withExtensions(byte[] record, Extensions extensions) {
        return withExtensions(record, record.length, extensions);
    }

    /**
     * @param header bytes of the record up to its body
     */
    private static byte[] withExtensions(byte[] record, int header, Extensions extensions) {
        return new BinaryWriter()
                .u8(record[0])
                .u16(header + extensions.length())
                .raw(record, 3, header - 3)
                .raw(extensions.encoded())
                .raw(record, header, record.length - header)
                .toArray();
    }

    /** Items of one logical partition are contiguous, and its counter sorts as they do. */
    @Property
    void countersSortAsTheirItems(
            @ForAll String first, @ForAll String second, @ForAll String idA, @ForAll String idB) {
        PartitionKeyDefinition definition = of(PartitionKeyDefinition.Kind.RANGE);
        ItemKey a = key(definition, first, idA);
        ItemKey b = key(definition, second, idB);
        Bytes counterA = Bytes.wrap(Keys.logicalPartition(7, a.epk(), a.partitionKey()));
        Bytes counterB = Bytes.wrap(Keys.logicalPartition(7, b.epk(), b.partitionKey()));
        if (!counterA.equals(counterB)) {
            assertThat(Integer.signum(Keys.itemSuffix(a).compareTo(Keys.itemSuffix(b))))
                    .isEqualTo(Integer.signum(counterA.compareTo(counterB)));
        }
    }

    private static ItemKey key(PartitionKeyDefinition definition, String value, String id) {
        PartitionKey key = PartitionKey.of(new KeyComponent.Text(value));
        return new ItemKey(EffectiveKeys.of(definition, key), key, RowKey.ofText(id));
    }

    @SuppressWarnings("ReturnValueIgnored")
    private static void readOrRefuse(Function<byte[], ?> decoder, byte[] bytes) {
        try {
            decoder.apply(bytes);
        } catch (MalformedRecordException refused) {
            assertThat(refused).hasMessageNotContaining("null");
        }
    }
}
