package orrery.model;

import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import orrery.model.ContainerDefinition.ConflictResolution;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.IndexingPolicy.BoundingBox;
import orrery.model.IndexingPolicy.CompositePath;
import orrery.model.IndexingPolicy.SpatialPath;
import orrery.model.PartitionKeyDefinition.Kind;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;

/** Arbitrary values of the model's types for property tests. */
final class Generated {
    private Generated() {}

    /** Well-formed Unicode: half a surrogate pair has no UTF-8 and would be replaced. */
    static Arbitrary<String> texts() {
        Arbitrary<Integer> codePoints =
                Arbitraries.integers()
                        .between(0, Character.MAX_CODE_POINT)
                        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE);
        Arbitrary<String> anything =
                codePoints
                        .list()
                        .ofMaxSize(12)
                        .map(
                                points ->
                                        points.stream()
                                                .collect(
                                                        StringBuilder::new,
                                                        StringBuilder::appendCodePoint,
                                                        StringBuilder::append)
                                                .toString());
        return Arbitraries.oneOf(
                anything,
                Arbitraries.strings().withChars("ab\u0000").ofMaxLength(3),
                Arbitraries.strings().ascii().ofMinLength(90).ofMaxLength(210));
    }

    static Arbitrary<Double> finiteNumbers() {
        return Arbitraries.oneOf(
                Arbitraries.longs().map(Double::longBitsToDouble).filter(Double::isFinite),
                Arbitraries.integers().between(-3, 3).map(i -> (double) i),
                Arbitraries.of(
                        -0.0,
                        Double.MIN_VALUE,
                        -Double.MIN_VALUE,
                        Double.MAX_VALUE,
                        -Double.MAX_VALUE));
    }

    static Arbitrary<KeyComponent> keyComponents() {
        return Arbitraries.oneOf(
                Arbitraries.of(
                        KeyComponent.UNDEFINED,
                        KeyComponent.NULL,
                        KeyComponent.TRUE,
                        KeyComponent.FALSE),
                finiteNumbers().map(KeyComponent.Numeric::new),
                texts().map(KeyComponent.Text::new));
    }

    static Arbitrary<PartitionKey> partitionKeys() {
        return keyComponents().list().ofMaxSize(3).map(PartitionKey::new);
    }

    static Arbitrary<EffectiveKey> effectiveKeys() {
        return Arbitraries.bytes()
                .array(byte[].class)
                .ofMaxSize(20)
                .map(bytes -> new EffectiveKey(Bytes.wrap(bytes.clone())));
    }

    static Arbitrary<KeyRange> keyRanges() {
        return Combinators.combine(effectiveKeys(), effectiveKeys())
                .filter((a, b) -> !a.equals(b))
                .as((a, b) -> a.compareTo(b) < 0 ? new KeyRange(a, b) : new KeyRange(b, a));
    }

    static Arbitrary<ItemKey> itemKeys() {
        return Combinators.combine(effectiveKeys(), partitionKeys(), texts())
                .as((epk, key, text) -> new ItemKey(epk, key, RowKey.ofText(text)));
    }

    static Arbitrary<PropertyPath> propertyPaths() {
        Arbitrary<String> segments =
                Arbitraries.oneOf(
                        Arbitraries.strings().alpha().numeric().ofMinLength(1).ofMaxLength(8),
                        Arbitraries.strings().withChars("a_-/ \"").ofMinLength(1).ofMaxLength(5),
                        Arbitraries.strings().withChars("a_-/ '").ofMinLength(1).ofMaxLength(5),
                        texts().map(text -> text.replace('"', '_') + "x"));
        return segments.list().ofMinSize(1).ofMaxSize(4).map(PropertyPath::new);
    }

    static Arbitrary<PartitionKeyDefinition> partitionKeyDefinitions() {
        return Combinators.combine(
                        propertyPaths().list().ofMaxSize(3),
                        Arbitraries.of(Kind.class),
                        Arbitraries.integers().between(0, 2),
                        flags())
                .as(PartitionKeyDefinition::new);
    }

    static Arbitrary<IndexingPolicy> indexingPolicies() {
        Arbitrary<List<String>> paths = texts().list().ofMaxSize(4);
        Arbitrary<CompositePath> composite =
                Combinators.combine(texts(), flags()).as(CompositePath::new);
        Arbitrary<Double> edges = Arbitraries.doubles().between(-1e9, 1e9);
        Arbitrary<BoundingBox> boxes =
                Combinators.combine(edges, edges, edges, edges).as(BoundingBox::new);
        Arbitrary<SpatialPath> spatial =
                Combinators.combine(texts(), paths, boxes.optional()).as(SpatialPath::new);
        return Combinators.combine(
                        Arbitraries.of(IndexingPolicy.Mode.class),
                        flags(),
                        paths,
                        paths,
                        composite.list().ofMaxSize(3).list().ofMaxSize(3),
                        spatial.list().ofMaxSize(3))
                .as(IndexingPolicy::new);
    }

    static Arbitrary<ContainerDefinition> containerDefinitions() {
        Arbitrary<ConflictResolution> conflicts =
                Combinators.combine(Arbitraries.of(ConflictResolution.Mode.class), texts(), texts())
                        .as(ConflictResolution::new);
        return Combinators.combine(
                        partitionKeyDefinitions(),
                        indexingPolicies(),
                        conflicts,
                        Arbitraries.of(Geospatial.class))
                .as(ContainerDefinition::new);
    }

    static Arbitrary<Throughput> throughputs() {
        return Arbitraries.oneOf(
                Combinators.combine(Arbitraries.integers(), flags()).as(Throughput.Manual::new),
                Arbitraries.integers().map(Throughput.Autoscale::new),
                Combinators.combine(Arbitraries.integers(), Arbitraries.integers().between(0, 100))
                        .as((max, up) -> new Throughput.Autoscale(max, OptionalInt.of(up))));
    }

    static Arbitrary<PartitionId> partitionIds() {
        return Combinators.combine(
                        Arbitraries.integers().greaterOrEqual(1),
                        Arbitraries.integers().between(0, PartitionId.MAX_RANGE))
                .as(PartitionId::new);
    }

    static Arbitrary<Database> databases() {
        return Combinators.combine(Arbitraries.integers(), texts(), etags(), Arbitraries.longs())
                .as(Database::new);
    }

    static Arbitrary<Container> containers() {
        return Combinators.combine(
                        Arbitraries.integers(),
                        texts(),
                        containerDefinitions(),
                        flags(),
                        Arbitraries.integers(),
                        Arbitraries.of(Container.State.class),
                        etags(),
                        Arbitraries.longs())
                .as(
                        (number, name, definition, fixed, version, state, etag, time) ->
                                new Container(
                                        number,
                                        ~number,
                                        name,
                                        definition,
                                        fixed,
                                        version,
                                        version,
                                        state,
                                        etag,
                                        time));
    }

    static Arbitrary<Offer> offers() {
        return Combinators.combine(
                        Arbitraries.integers(),
                        Arbitraries.integers(),
                        Arbitraries.integers(),
                        throughputs(),
                        Arbitraries.integers(),
                        etags(),
                        Arbitraries.longs())
                .as(Offer::new);
    }

    static Arbitrary<PartitionMap> partitionMaps() {
        Arbitrary<List<KeyRange>> tilings =
                Combinators.combine(
                                Arbitraries.of(
                                        Definitions.HASH_V1,
                                        Definitions.HASH_V2,
                                        Definitions.RANGE),
                                Arbitraries.integers().between(1, 12))
                        .as(RangeBoundaries::initial);
        return Combinators.combine(
                        Arbitraries.longs(),
                        tilings,
                        Arbitraries.integers().greaterOrEqual(0).list().ofMaxSize(4),
                        Arbitraries.integers(),
                        Arbitraries.longs())
                .as(Generated::partitionMap);
    }

    private static PartitionMap partitionMap(
            long epoch, List<KeyRange> keys, List<Integer> parents, int replicaSet, long created) {
        return new PartitionMap(
                epoch,
                IntStream.range(0, keys.size())
                        .mapToObj(
                                i ->
                                        new PhysicalPartition(
                                                i,
                                                keys.get(i),
                                                parents,
                                                replicaSet,
                                                epoch,
                                                replicaSet ^ i,
                                                created))
                        .toList(),
                epoch % 2 == 0 ? List.of() : Collections.nCopies(keys.size(), 1.0 / keys.size()));
    }

    private static Arbitrary<Etag> etags() {
        return Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(Etag::new);
    }

    private static Arbitrary<Boolean> flags() {
        return Arbitraries.of(true, false);
    }
}
