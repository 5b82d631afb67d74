package orrery.model;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The settings of a container besides its name and throughput. They are typed and complete: a
 * setting that is not here is refused by the front-ends, never dropped.
 *
 * @param uniqueKeys constraints that hold within each logical partition
 * @param changeRetentionMinutes how long every version and deletion stays readable in the change
 *     feed; 0 where it has only the latest versions
 * @param encryption the properties that clients encrypt; never changes
 * @param kind never changes
 * @param indexes those that clients know by name; where there are some, {@code indexingPolicy} is
 *     what {@link NamedIndexes} makes of them
 * @param validator what documents are held to when they are written
 */
public record ContainerDefinition(
        PartitionKeyDefinition partitionKey,
        IndexingPolicy indexingPolicy,
        ConflictResolution conflictResolution,
        Geospatial geospatial,
        TimeToLive timeToLive,
        List<UniqueKey> uniqueKeys,
        List<ComputedProperty> computedProperties,
        int changeRetentionMinutes,
        Optional<ClientEncryptionPolicy> encryption,
        ContainerKind kind,
        List<NamedIndex> indexes,
        Optional<ItemValidator> validator) {
    /**
     * Set in the byte of {@link Geospatial} where more follows: definitions without the settings
     * that came later keep their bytes.
     */
    private static final int MORE = 0x80;

    /** The place of the kind in the same byte; documents have 0 there. */
    private static final int KIND_SHIFT = 4;

    /** Set in the same byte where a policy of encryption stands behind everything else. */
    private static final int ENCRYPTED = 0x08;

    /** Set in the same byte where named indexes stand behind that policy. */
    private static final int INDEXED = 0x04;

    /** Set in the same byte where a validator stands behind those. */
    private static final int VALIDATED = 0x02;

    private static final int GEOSPATIAL_MASK = 0x01;

    public ContainerDefinition {
        uniqueKeys = List.copyOf(uniqueKeys);
        computedProperties = List.copyOf(computedProperties);
        indexes = List.copyOf(indexes);
    }

    /** A container without the settings that most do not have. */
    public ContainerDefinition(
            PartitionKeyDefinition partitionKey,
            IndexingPolicy indexingPolicy,
            ConflictResolution conflictResolution,
            Geospatial geospatial) {
        this(
                partitionKey,
                indexingPolicy,
                conflictResolution,
                geospatial,
                TimeToLive.OFF,
                List.of(),
                List.of(),
                0,
                Optional.empty(),
                ContainerKind.DOCUMENT,
                List.of(),
                Optional.empty());
    }

    /** The meaning of points and distances: on the globe or on a plane. */
    public enum Geospatial {
        GEOGRAPHY,
        GEOMETRY
    }

    /**
     * The rule for two regions that wrote at once. It is kept and returned; there is only one
     * region.
     */
    public record ConflictResolution(Mode mode, String path, String procedure) {
        public enum Mode {
            LAST_WRITER_WINS,
            CUSTOM
        }

        public static final ConflictResolution DEFAULT =
                new ConflictResolution(Mode.LAST_WRITER_WINS, "/_ts", "");
    }

    /**
     * Says if and when items expire.
     *
     * @param seconds after its last write an item expires that says nothing else; 0 where none
     *     expires whatever it says, -1 where only those expire that say so
     */
    public record TimeToLive(int seconds) {
        public static final TimeToLive OFF = new TimeToLive(0);
        public static final TimeToLive BY_ITEM = new TimeToLive(-1);

        public TimeToLive {
            if (seconds < -1) {
                throw new IllegalArgumentException("an item cannot expire before it is written");
            }
        }

        public boolean isOn() {
            return seconds != 0;
        }
    }

    /** Paths whose values together no two items of a logical partition share. */
    public record UniqueKey(List<PropertyPath> paths) {
        public UniqueKey {
            paths = List.copyOf(paths);
        }
    }

    /** A property that every item has in queries, with the value that the query finds for it. */
    public record ComputedProperty(String name, String query) {}

    public ContainerDefinition withPartitionKey(PartitionKeyDefinition next) {
        return with(draft -> draft.partitionKey = next);
    }

    public ContainerDefinition withIndexing(IndexingPolicy next) {
        return with(draft -> draft.indexingPolicy = next);
    }

    public ContainerDefinition withTimeToLive(TimeToLive next) {
        return with(draft -> draft.timeToLive = next);
    }

    public ContainerDefinition withUniqueKeys(List<UniqueKey> next) {
        return with(draft -> draft.uniqueKeys = next);
    }

    public ContainerDefinition withComputedProperties(List<ComputedProperty> next) {
        return with(draft -> draft.computedProperties = next);
    }

    public ContainerDefinition withChangeRetention(int minutes) {
        return with(draft -> draft.changeRetentionMinutes = minutes);
    }

    public ContainerDefinition withEncryption(Optional<ClientEncryptionPolicy> next) {
        return with(draft -> draft.encryption = next);
    }

    public ContainerDefinition withKind(ContainerKind next) {
        return with(draft -> draft.kind = next);
    }

    /** Takes them as they are; {@link NamedIndexes#define} also changes what follows from them. */
    public ContainerDefinition withIndexes(List<NamedIndex> next) {
        return with(draft -> draft.indexes = next);
    }

    public ContainerDefinition withValidator(Optional<ItemValidator> next) {
        return with(draft -> draft.validator = next);
    }

    private ContainerDefinition with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new ContainerDefinition(
                draft.partitionKey,
                draft.indexingPolicy,
                conflictResolution,
                geospatial,
                draft.timeToLive,
                draft.uniqueKeys,
                draft.computedProperties,
                draft.changeRetentionMinutes,
                draft.encryption,
                draft.kind,
                draft.indexes,
                draft.validator);
    }

    /** The settings that a copy may have otherwise. */
    private static final class Draft {
        private PartitionKeyDefinition partitionKey;
        private IndexingPolicy indexingPolicy;
        private TimeToLive timeToLive;
        private List<UniqueKey> uniqueKeys;
        private List<ComputedProperty> computedProperties;
        private int changeRetentionMinutes;
        private Optional<ClientEncryptionPolicy> encryption;
        private ContainerKind kind;
        private List<NamedIndex> indexes;
        private Optional<ItemValidator> validator;

        Draft(ContainerDefinition from) {
            this.partitionKey = from.partitionKey;
            this.indexingPolicy = from.indexingPolicy;
            this.timeToLive = from.timeToLive;
            this.uniqueKeys = from.uniqueKeys;
            this.computedProperties = from.computedProperties;
            this.changeRetentionMinutes = from.changeRetentionMinutes;
            this.encryption = from.encryption;
            this.kind = from.kind;
            this.indexes = from.indexes;
            this.validator = from.validator;
        }
    }

    /** Returns true if items of both have the same entries in the index. */
    public boolean indexesLike(ContainerDefinition other) {
        return indexingPolicy.equals(other.indexingPolicy)
                && computedProperties.equals(other.computedProperties)
                && constraints().equals(other.constraints());
    }

    /** Returns true if items may end by themselves. */
    public boolean expires() {
        return timeToLive.isOn()
                || indexes.stream().anyMatch(index -> index.expireAfterSeconds().isPresent());
    }

    /** The unique indexes, without what entries do not depend on. */
    public List<NamedIndex> constraints() {
        return indexes.stream().filter(NamedIndex::unique).map(NamedIndex::constraint).toList();
    }

    private boolean isPlain() {
        return !timeToLive.isOn()
                && uniqueKeys.isEmpty()
                && computedProperties.isEmpty()
                && changeRetentionMinutes == 0;
    }

    public void write(BinaryWriter out) {
        partitionKey.write(out);
        indexingPolicy.write(out);
        out.enumeration(conflictResolution.mode())
                .string(conflictResolution.path())
                .string(conflictResolution.procedure());
        int mark =
                (isPlain() ? 0 : MORE)
                        | kind.ordinal() << KIND_SHIFT
                        | (encryption.isPresent() ? ENCRYPTED : 0)
                        | (indexes.isEmpty() ? 0 : INDEXED)
                        | (validator.isPresent() ? VALIDATED : 0)
                        | geospatial.ordinal();
        out.u8(mark);
        if (!isPlain()) {
            writeMore(out);
        }
        encryption.ifPresent(policy -> policy.write(out));
        if (!indexes.isEmpty()) {
            out.list(indexes, (w, index) -> index.write(w));
        }
        validator.ifPresent(rule -> rule.write(out));
    }

    private void writeMore(BinaryWriter out) {
        out.u32(timeToLive.seconds())
                .list(
                        uniqueKeys,
                        (w, key) -> w.list(key.paths(), (v, path) -> v.string(path.toString())))
                .list(
                        computedProperties,
                        (w, property) -> w.string(property.name()).string(property.query()))
                .u32(changeRetentionMinutes);
    }

    public static ContainerDefinition read(BinaryReader in) {
        PartitionKeyDefinition key = PartitionKeyDefinition.read(in);
        IndexingPolicy policy = IndexingPolicy.read(in);
        ConflictResolution conflicts =
                new ConflictResolution(
                        in.enumeration(ConflictResolution.Mode.class), in.string(), in.string());
        int mark = in.u8();
        Geospatial geospatial = choice(Geospatial.values(), mark & GEOSPATIAL_MASK);
        ContainerKind kind = choice(ContainerKind.values(), (mark & ~MORE) >> KIND_SHIFT);
        ContainerDefinition plain =
                new ContainerDefinition(key, policy, conflicts, geospatial).withKind(kind);
        ContainerDefinition all = (mark & MORE) == 0 ? plain : in.checked(plain::readMore);
        ContainerDefinition encrypted =
                (mark & ENCRYPTED) == 0
                        ? all
                        : all.withEncryption(Optional.of(ClientEncryptionPolicy.read(in)));
        ContainerDefinition indexed =
                (mark & INDEXED) == 0
                        ? encrypted
                        : encrypted.withIndexes(in.list(NamedIndex::read));
        return (mark & VALIDATED) == 0
                ? indexed
                : indexed.withValidator(Optional.of(ItemValidator.read(in)));
    }

    /** Reads the settings that most containers do not have. */
    private ContainerDefinition readMore(BinaryReader in) {
        return withTimeToLive(new TimeToLive(in.u32()))
                .withUniqueKeys(
                        in.list(
                                each ->
                                        new UniqueKey(
                                                each.list(
                                                        path ->
                                                                PropertyPath.parse(
                                                                        path.string())))))
                .withComputedProperties(
                        in.list(each -> new ComputedProperty(each.string(), each.string())))
                .withChangeRetention(in.u32());
    }

    private static <E extends Enum<E>> E choice(E[] all, int ordinal) {
        if (ordinal >= all.length) {
            throw new MalformedRecordException("unknown setting " + ordinal + " of a container");
        }
        return all[ordinal];
    }
}
