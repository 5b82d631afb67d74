package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.ContainerDefinition.ConflictResolution;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.IndexingPolicy.BoundingBox;
import orrery.model.IndexingPolicy.CompositePath;
import orrery.model.IndexingPolicy.SpatialPath;
import orrery.model.PartitionKeyDefinition.Kind;
import orrery.model.ScriptDefinition.Trigger;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.ClientEncryptionKeyDefinition;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.Permission;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.PermissionMode;
import orrery.model.resource.PhysicalPartition;
import orrery.model.resource.Script;
import orrery.model.resource.User;

/**
 * Compares stored forms with the bytes in {@code formats/*.hex}. A difference means that data
 * already on disk can no longer be read: give the record a new version, do not edit the file.
 */
final class StoredFormatsTest {
    private static final Etag ETAG = new Etag(0x0102030405060708L, 0x090A0B0C0D0E0F10L);
    private static final long TIMESTAMP = 1_700_000_000_000L;
    private static final EffectiveKey MIDDLE =
            EffectiveKey.ofHex("1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF");
    private static final ItemKey ITEM =
            new ItemKey(
                    EffectiveKey.ofHex("3A5381E1114EB8D3FCC90795045B49B7"),
                    PartitionKey.ofText("a"),
                    RowKey.ofText("id"));

    private record Golden(String file, Object value, Bytes written, Object read) {}

    @Test
    void storedFormsAreUnchanged() {
        assertThat(goldens())
                .allSatisfy(
                        golden -> {
                            assertThat(golden.written()).isEqualTo(bytes(golden.file()));
                            assertThat(golden.read()).isEqualTo(golden.value());
                        });
    }

    // Ordinals are stored: a constant may be added at the end, but none may move.

    @ParameterizedTest
    @EnumSource
    void kindKeepsItsNumber(Kind kind) {
        assertThat(kind.ordinal())
                .isEqualTo(
                        switch (kind) {
                            case HASH -> 0;
                            case MULTI_HASH -> 1;
                            case RANGE -> 2;
                        });
    }

    @ParameterizedTest
    @EnumSource
    void stateKeepsItsNumber(Container.State state) {
        assertThat(state.ordinal())
                .isEqualTo(
                        switch (state) {
                            case CREATING -> 0;
                            case ONLINE -> 1;
                            case CHANGING -> 2;
                            case DELETING -> 3;
                        });
    }

    @ParameterizedTest
    @EnumSource
    void indexingModeKeepsItsNumber(IndexingPolicy.Mode mode) {
        assertThat(mode.ordinal())
                .isEqualTo(
                        switch (mode) {
                            case CONSISTENT -> 0;
                            case NONE -> 1;
                            case LAZY -> 2;
                        });
    }

    @ParameterizedTest
    @EnumSource
    void conflictModeKeepsItsNumber(ConflictResolution.Mode mode) {
        assertThat(mode.ordinal())
                .isEqualTo(
                        switch (mode) {
                            case LAST_WRITER_WINS -> 0;
                            case CUSTOM -> 1;
                        });
    }

    @ParameterizedTest
    @EnumSource
    void scriptKindKeepsItsNumber(ScriptDefinition.Kind kind) {
        assertThat(kind.ordinal())
                .isEqualTo(
                        switch (kind) {
                            case PROCEDURE -> 0;
                            case TRIGGER -> 1;
                            case FUNCTION -> 2;
                        });
    }

    @ParameterizedTest
    @EnumSource
    void triggerSideKeepsItsNumber(ScriptDefinition.When when) {
        assertThat(when.ordinal())
                .isEqualTo(
                        switch (when) {
                            case PRE -> 0;
                            case POST -> 1;
                        });
    }

    @ParameterizedTest
    @EnumSource
    void triggerOperationKeepsItsNumber(TriggerOperation operation) {
        assertThat(operation.ordinal())
                .isEqualTo(
                        switch (operation) {
                            case ALL -> 0;
                            case CREATE -> 1;
                            case REPLACE -> 2;
                            case UPDATE -> 3;
                            case DELETE -> 4;
                            case UPSERT -> 5;
                        });
    }

    @ParameterizedTest
    @EnumSource
    void permissionModeKeepsItsNumber(PermissionMode mode) {
        assertThat(mode.ordinal())
                .isEqualTo(
                        switch (mode) {
                            case READ -> 0;
                            case ALL -> 1;
                        });
    }

    @ParameterizedTest
    @EnumSource
    void geospatialKeepsItsNumber(Geospatial geospatial) {
        assertThat(geospatial.ordinal())
                .isEqualTo(
                        switch (geospatial) {
                            case GEOGRAPHY -> 0;
                            case GEOMETRY -> 1;
                        });
    }

    private static List<Golden> goldens() {
        return List.of(
                golden(
                        "partition-key",
                        PartitionKey.of(
                                KeyComponent.UNDEFINED,
                                KeyComponent.NULL,
                                KeyComponent.FALSE,
                                KeyComponent.TRUE,
                                new KeyComponent.Numeric(1.5),
                                new KeyComponent.Text("a\u00e9")),
                        PartitionKey::write,
                        PartitionKey::read),
                golden("item-key", ITEM, ItemKey::write, ItemKey::read),
                golden(
                        "key-range",
                        new KeyRange(EffectiveKey.MIN, MIDDLE),
                        KeyRange::write,
                        KeyRange::read),
                golden(
                        "database",
                        new Database(1, "db", ETAG, TIMESTAMP, 120),
                        Database::write,
                        Database::read),
                golden(
                        "offer",
                        new Offer(2, 1, 3, new Throughput.Manual(400), 1000, ETAG, TIMESTAMP),
                        Offer::write,
                        Offer::read),
                golden(
                        "offer-buckets",
                        new Offer(
                                2,
                                1,
                                3,
                                new Throughput.Manual(400),
                                1000,
                                ETAG,
                                TIMESTAMP,
                                new ThroughputBuckets(
                                        List.of(
                                                new ThroughputBuckets.Bucket(1, 20, false),
                                                new ThroughputBuckets.Bucket(2, 100, true)))),
                        Offer::write,
                        Offer::read),
                golden(
                        "offer-autoscale",
                        new Offer(2, 1, 0, new Throughput.Autoscale(4000), 4000, ETAG, TIMESTAMP),
                        Offer::write,
                        Offer::read),
                golden(
                        "offer-autoscale-increment",
                        new Offer(
                                2,
                                1,
                                0,
                                new Throughput.Autoscale(4000, OptionalInt.of(10)),
                                4000,
                                ETAG,
                                TIMESTAMP),
                        Offer::write,
                        Offer::read),
                golden("container", container(), Container::write, Container::read),
                golden(
                        "container-features",
                        withFeatures(container()),
                        Container::write,
                        Container::read),
                golden(
                        "container-encrypted",
                        encrypted(container()),
                        Container::write,
                        Container::read),
                golden(
                        "container-indexed",
                        indexed(container()),
                        Container::write,
                        Container::read),
                golden(
                        "container-validated",
                        validated(container()),
                        Container::write,
                        Container::read),
                golden("user", new User(5, 1, "u", ETAG, TIMESTAMP), User::write, User::read),
                golden(
                        "permission",
                        new Permission(
                                6,
                                1,
                                5,
                                new PermissionDefinition(
                                        "p",
                                        PermissionMode.ALL,
                                        "dbs/d/colls/c",
                                        Optional.of(PartitionKey.ofText("a"))),
                                ETAG,
                                TIMESTAMP),
                        Permission::write,
                        Permission::read),
                golden(
                        "permission-spelled",
                        new Permission(
                                6,
                                1,
                                5,
                                new PermissionDefinition(
                                        "p", "all", "dbs/d/colls/c", Optional.empty()),
                                ETAG,
                                TIMESTAMP),
                        Permission::write,
                        Permission::read),
                golden(
                        "client-encryption-key",
                        new ClientEncryptionKey(
                                7,
                                1,
                                new ClientEncryptionKeyDefinition(
                                        "k",
                                        "AEAD_AES_256_CBC_HMAC_SHA256",
                                        Bytes.ofHex("010203"),
                                        new ClientEncryptionKeyDefinition.WrapMetadata(
                                                "custom",
                                                "key1",
                                                "place",
                                                Optional.of("RSA-OAEP"))),
                                ETAG,
                                TIMESTAMP),
                        ClientEncryptionKey::write,
                        ClientEncryptionKey::read),
                golden(
                        "script",
                        new Script(
                                4,
                                1,
                                3,
                                new ScriptDefinition(ScriptDefinition.Kind.FUNCTION, "f", "x => x"),
                                ETAG,
                                TIMESTAMP),
                        Script::write,
                        Script::read),
                golden(
                        "script-trigger",
                        new Script(
                                4,
                                1,
                                3,
                                new ScriptDefinition(
                                        ScriptDefinition.Kind.TRIGGER,
                                        "t",
                                        "() => {}",
                                        Optional.of(
                                                new Trigger(
                                                        ScriptDefinition.When.POST,
                                                        TriggerOperation.REPLACE))),
                                ETAG,
                                TIMESTAMP),
                        Script::write,
                        Script::read),
                golden(
                        "script-trigger-spelled",
                        new Script(
                                4,
                                1,
                                3,
                                new ScriptDefinition(
                                        ScriptDefinition.Kind.TRIGGER,
                                        "t",
                                        "() => {}",
                                        Optional.of(new Trigger("pre", "ALL"))),
                                ETAG,
                                TIMESTAMP),
                        Script::write,
                        Script::read),
                golden(
                        "offer-per-minute",
                        new Offer(2, 1, 3, new Throughput.Manual(400, true), 1000, ETAG, TIMESTAMP),
                        Offer::write,
                        Offer::read),
                golden("partition-map", partitionMap(), PartitionMap::write, PartitionMap::read));
    }

    private static Container container() {
        PartitionKeyDefinition partitionKey =
                new PartitionKeyDefinition(
                        List.of(PropertyPath.parse("/a"), PropertyPath.parse("/\"b c\"/d")),
                        Kind.MULTI_HASH,
                        2,
                        false);
        IndexingPolicy indexing =
                new IndexingPolicy(
                        IndexingPolicy.Mode.CONSISTENT,
                        true,
                        List.of("/*"),
                        List.of("/\"_etag\"/?"),
                        List.of(
                                List.of(
                                        new CompositePath("/a", false),
                                        new CompositePath("/b", true))),
                        List.of(
                                new SpatialPath(
                                        "/l/*",
                                        List.of("Point"),
                                        Optional.of(new BoundingBox(-1, 0, 2.5, 10)))));
        return new Container(
                3,
                1,
                "c",
                new ContainerDefinition(
                        partitionKey, indexing, ConflictResolution.DEFAULT, Geospatial.GEOMETRY),
                true,
                9,
                5,
                Container.State.ONLINE,
                ETAG,
                TIMESTAMP);
    }

    private static Container withFeatures(Container plain) {
        return new Container(
                plain.number(),
                plain.database(),
                plain.name(),
                plain.definition()
                        .withTimeToLive(new TimeToLive(3600))
                        .withUniqueKeys(
                                List.of(
                                        new UniqueKey(
                                                List.of(
                                                        PropertyPath.parse("/a"),
                                                        PropertyPath.parse("/b/c")))))
                        .withComputedProperties(
                                List.of(
                                        new ComputedProperty(
                                                "lower", "SELECT VALUE LOWER(c.name) FROM c")))
                        .withChangeRetention(10),
                plain.fixed(),
                plain.nextSegment(),
                plain.definitionVersion(),
                plain.state(),
                plain.etag(),
                plain.timestampMillis());
    }

    private static Container encrypted(Container plain) {
        return plain.replaced(
                plain.definition()
                        .withEncryption(
                                Optional.of(
                                        new ClientEncryptionPolicy(
                                                List.of(
                                                        new ClientEncryptionPolicy.IncludedPath(
                                                                "/ssn",
                                                                "k",
                                                                "Randomized",
                                                                "AEAD_AES_256_CBC_HMAC_SHA256")),
                                                2))),
                plain.etag(),
                plain.timestampMillis());
    }

    private static Container indexed(Container plain) {
        NamedIndex unique =
                new NamedIndex(
                                "a_1_b_-1",
                                List.of(
                                        NamedIndex.Field.ascending("a"),
                                        NamedIndex.Field.descending("b.c")))
                        .withUnique(true)
                        .withSparse(true)
                        .withFilter(Bytes.ofHex("0500000000"))
                        .withState(NamedIndex.State.BUILDING);
        NamedIndex wildcard =
                new NamedIndex("all", List.of(NamedIndex.Field.wildcard("")))
                        .withOptions(Bytes.ofHex("0500000000"));
        NamedIndex expiry =
                new NamedIndex("t", List.of(NamedIndex.Field.ascending("t")))
                        .withExpiry(OptionalInt.of(60));
        return plain.replaced(
                plain.definition()
                        .withKind(ContainerKind.MONGODB)
                        .withIndexes(List.of(unique, wildcard, expiry)),
                plain.etag(),
                plain.timestampMillis());
    }

    private static Container validated(Container plain) {
        return plain.replaced(
                plain.definition()
                        .withKind(ContainerKind.MONGODB)
                        .withValidator(
                                Optional.of(
                                        new ItemValidator(
                                                Bytes.ofHex("0500000000"),
                                                ItemValidator.Level.MODERATE,
                                                ItemValidator.Action.WARN))),
                plain.etag(),
                plain.timestampMillis());
    }

    private static PartitionMap partitionMap() {
        return new PartitionMap(
                9,
                List.of(
                        new PhysicalPartition(
                                1,
                                new KeyRange(EffectiveKey.MIN, MIDDLE),
                                List.of(0),
                                4,
                                2,
                                11,
                                TIMESTAMP),
                        new PhysicalPartition(
                                301,
                                new KeyRange(MIDDLE, EffectiveKey.MAX),
                                List.of(0, 300),
                                5,
                                9,
                                302,
                                TIMESTAMP)),
                List.of(0.75, 0.25));
    }

    private static <T> Golden golden(
            String file,
            T value,
            BiConsumer<T, BinaryWriter> write,
            Function<BinaryReader, T> read) {
        BinaryWriter out = new BinaryWriter();
        write.accept(value, out);
        BinaryReader in = new BinaryReader(bytes(file));
        T back = read.apply(in);
        in.expectEnd();
        return new Golden(file, value, out.toBytes(), back);
    }

    /** The hex digits of a file; the rest of a line behind # is a comment. */
    private static Bytes bytes(String file) {
        String path = "/formats/" + file + ".hex";
        try (InputStream in = StoredFormatsTest.class.getResourceAsStream(path)) {
            String text =
                    new String(
                            Objects.requireNonNull(in, path).readAllBytes(),
                            StandardCharsets.UTF_8);
            StringBuilder hex = new StringBuilder();
            try (Stream<String> lines = text.lines()) {
                lines.map(line -> line.replaceAll("#.*|\\s", "")).forEach(hex::append);
            }
            return Bytes.ofHex(hex.toString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
