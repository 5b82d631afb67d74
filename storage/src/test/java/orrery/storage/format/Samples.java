package orrery.storage.format;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.DerivedRow;
import orrery.model.EffectiveKey;
import orrery.model.Encoding;
import orrery.model.Etag;
import orrery.model.FileTime;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.ItemVersion;
import orrery.model.KeyComponent;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.RowKey;
import orrery.model.SessionTransaction;

/** The values behind the golden bytes and the worked examples of docs/formats/storage.md. */
final class Samples {
    /** A short digest of a value; real ones are 32 bytes of SHA-256. */
    static final Bytes DIGEST = Bytes.ofHex("D16E57");

    static final PartitionId PARTITION = new PartitionId(7, 2);
    static final EffectiveKey EPK = EffectiveKey.ofHex("2D05C94AFD7A1E0B9BD2B8C1BC2A2D33");
    static final EffectiveKey MIDDLE = EffectiveKey.ofHex("1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF");
    static final KeyRange KEYS = new KeyRange(MIDDLE, EffectiveKey.MAX);
    static final PartitionKey KEY = PartitionKey.ofText("north");
    static final ItemKey ITEM = new ItemKey(EPK, KEY, RowKey.ofText("i1"));
    static final long DOCID = Docid.of(0, 2, 5);
    static final long TIME = 1_800_000_000_123L;

    static final PartitionKeyDefinition KEY_DEFINITION =
            new PartitionKeyDefinition(
                    List.of(PropertyPath.parse("/pk")), PartitionKeyDefinition.Kind.HASH, 2, false);

    static final ItemRecord ITEM_RECORD =
            new ItemRecord(
                    Encoding.JSON,
                    DOCID,
                    Etag.ofWrite(PARTITION, 9, 0),
                    TIME,
                    9,
                    9,
                    0,
                    2,
                    2,
                    1,
                    0,
                    Origin.HERE,
                    Extensions.NONE,
                    Bytes.ofUtf8("{\"id\":\"i1\",\"pk\":\"north\"}"));

    /** An extension of a type that no reader knows. */
    static final Extensions EXTENSIONS = Extensions.NONE.and(0xE1, Bytes.ofHex("0A0B0C"));

    static final Origin ORIGIN = new Origin(3, 0x0000019ABCDEF012L);

    /** An item with all fields that an item may have. */
    static final ItemRecord WHOLE_ITEM_RECORD =
            new ItemRecord(
                    Encoding.JSON,
                    DOCID,
                    Etag.ofWrite(PARTITION, 9, 1),
                    TIME,
                    9,
                    4,
                    1,
                    5,
                    2,
                    1,
                    3600,
                    ORIGIN,
                    EXTENSIONS,
                    Bytes.ofUtf8("{\"id\":\"i1\",\"pk\":\"north\",\"ttl\":3600}"));

    static final ChangeRecord CHANGE_RECORD =
            new ChangeRecord(
                    ChangeHeader.of(
                            ItemVersion.Operation.REPLACE,
                            Cause.USER,
                            ChangeHeader.FIRST | ChangeHeader.LAST,
                            TIME,
                            6),
                    Keys.itemSuffix(ITEM));

    static final ChangeRecord WHOLE_CHANGE_RECORD =
            new ChangeRecord(
                    new ChangeHeader(
                            ItemVersion.Operation.REPLACE,
                            Cause.RENAME,
                            ChangeHeader.LAST,
                            0,
                            TIME,
                            6,
                            ORIGIN,
                            EXTENSIONS),
                    Keys.itemSuffix(ITEM));

    static final JournalRecord JOURNAL_RECORD =
            new JournalRecord(
                    ChangeHeader.of(
                                    ItemVersion.Operation.DELETE,
                                    Cause.TTL,
                                    ChangeHeader.FIRST | ChangeHeader.LAST,
                                    TIME,
                                    9)
                            .keptFor(ChangeHeader.RETENTION),
                    Keys.itemSuffix(ITEM),
                    ITEM_RECORD.toItem());

    /** An update of a transaction, with the version before. */
    static final JournalRecord WHOLE_JOURNAL_RECORD =
            new JournalRecord(
                    ChangeHeader.of(
                                    ItemVersion.Operation.REPLACE,
                                    Cause.USER,
                                    ChangeHeader.FIRST | ChangeHeader.LAST,
                                    TIME,
                                    9)
                            .keptFor(ChangeHeader.RETENTION)
                            .withFlags(ChangeHeader.UPDATE | ChangeHeader.BEFORE)
                            .within(
                                    new SessionTransaction(
                                            Bytes.ofHex("0102030405060708090A0B0C0D0E0F10"), 3)),
                    Keys.itemSuffix(ITEM),
                    ITEM_RECORD.toItem(),
                    Optional.of(ITEM_RECORD.toItem()));

    static final PartitionRecord PARTITION_RECORD =
            new PartitionRecord(
                    KEYS,
                    List.of(
                            new PartitionRecord.Segment(0, KeyRange.FULL),
                            new PartitionRecord.Segment(2, KEYS)),
                    9,
                    TIME,
                    new Counters(
                            new DataSize(1, 120, 340),
                            6,
                            1,
                            FileTime.ofMillis(TIME).ticks(),
                            Bytes.ofHex("090000000000000007")),
                    3,
                    1,
                    true,
                    Keys.itemSuffix(ITEM),
                    Optional.of(
                            new PartitionRecord.PreparedSplit(
                                    EffectiveKey.ofHex("2FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"),
                                    5,
                                    6,
                                    41,
                                    new DataSize(-1, -120, 12))),
                    List.of(
                            new PartitionRecord.Journal(
                                    new PartitionRecord.Segment(0, KEYS),
                                    3,
                                    TIME - 120_000,
                                    5,
                                    TIME - 60_000),
                            PartitionRecord.Journal.open(new PartitionRecord.Segment(2, KEYS))),
                    new PartitionRecord.Standing(
                            Optional.of(new PartitionRecord.Failure("no such thing", 40)),
                            1,
                            2,
                            3,
                            400,
                            5,
                            Bytes.ofHex("EE")));

    static final DefinitionRecord.Version DEFINITION =
            new DefinitionRecord.Version(
                    1,
                    new ContainerDefinition(
                            KEY_DEFINITION,
                            IndexingPolicy.DEFAULT,
                            ContainerDefinition.ConflictResolution.DEFAULT,
                            ContainerDefinition.Geospatial.GEOGRAPHY),
                    20L << 30,
                    10L << 30);

    static final DefinitionRecord DEFINITION_RECORD = new DefinitionRecord(DEFINITION);

    static final DefinitionRecord WHOLE_DEFINITION_RECORD =
            new DefinitionRecord(List.of(DEFINITION), EXTENSIONS);

    static final LogicalPartitionRecord LOGICAL_PARTITION_RECORD =
            LogicalPartitionRecord.EMPTY.after(new DataSize(1, 120, 340), 9);

    static final CreationRecord CREATION_RECORD = new CreationRecord(ITEM.rowKey());

    static final LogicalPartitionRecord ORDERED_LOGICAL_PARTITION =
            LOGICAL_PARTITION_RECORD.with(new CreationRows.UpTo(ITEM.rowKey()));

    static final LogicalPartitionRecord WHOLE_LOGICAL_PARTITION_RECORD =
            new LogicalPartitionRecord(new DataSize(1, 120, 340), 9, EXTENSIONS);

    static final UniqueKeyRecord UNIQUE_KEY_RECORD = new UniqueKeyRecord(RowKey.ofText("i1"));

    static final UniqueKeyRecord WHOLE_UNIQUE_KEY_RECORD =
            new UniqueKeyRecord(RowKey.ofText("i1"), EXTENSIONS);

    static final Bytes SUFFIX = Keys.itemSuffix(ITEM);

    static final List<DerivedRow> DERIVED =
            List.of(new DerivedRow(DerivedRow.COMPUTED, "cp", Bytes.ofHex("060178")));

    static final AppliedRecord APPLIED_RECORD =
            new AppliedRecord(1, 42, TIME, 3, 44, 17, Extensions.NONE);

    static final AppliedRecord WHOLE_APPLIED_RECORD =
            new AppliedRecord(1, 42, TIME, 3, 44, 17, EXTENSIONS);

    /** Every kind of key, and the beginnings of items of every key definition. */
    static final List<PartitionKey> PARTITION_KEYS =
            List.of(
                    KEY,
                    PartitionKey.of(new KeyComponent.Numeric(-1.5)),
                    PartitionKey.of(KeyComponent.NULL),
                    PartitionKey.of(KeyComponent.UNDEFINED),
                    PartitionKey.of(KeyComponent.TRUE),
                    PartitionKey.ofText(""),
                    PartitionKey.ofText("x".repeat(100)),
                    PartitionKey.ofText("x".repeat(101)),
                    PartitionKey.ofText("x".repeat(300)));

    static final KeyDeletions KEY_DELETIONS =
            KeyDeletions.NONE.with(new KeyDeletions.Deletion(KEY, KEYS, 9));

    static final KeyDeletions WHOLE_KEY_DELETIONS =
            new KeyDeletions(KEY_DELETIONS.deletions(), EXTENSIONS);

    static final StoreIdentity IDENTITY =
            new StoreIdentity(
                    new UUID(0x0102030405060708L, 0x090A0B0C0D0E0F10L),
                    StoreIdentity.ofReplicaSet(0),
                    3,
                    0x1112131415161718L,
                    OptionalLong.of(0x2122232425262728L),
                    Extensions.NONE);

    static final StoreIdentity WHOLE_IDENTITY =
            new StoreIdentity(
                    IDENTITY.account(),
                    IDENTITY.store(),
                    IDENTITY.start(),
                    IDENTITY.incarnation(),
                    OptionalLong.empty(),
                    EXTENSIONS);

    private Samples() {}
}
