package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;

/** Every record that is stored reads back, and damage to it is always noticed as such. */
final class StoredRecordProperties {
    /** A value with its stored form, and how that is read. */
    record Sample(Object value, Bytes stored, Function<BinaryReader, ?> read) {}

    // Edge cases are left out below: combined over all fields they would outnumber the tries.

    private static final List<Function<BinaryReader, ?>> READERS =
            List.of(
                    ItemKey::read,
                    KeyRange::read,
                    PartitionId::read,
                    PartitionKey::read,
                    PartitionKeyDefinition::read,
                    IndexingPolicy::read,
                    ContainerDefinition::read,
                    Throughput::read,
                    Database::read,
                    Container::read,
                    Offer::read,
                    PartitionMap::read);

    @Provide
    Arbitrary<Sample> samples() {
        return Arbitraries.oneOf(
                List.of(
                        samples(Generated.itemKeys(), ItemKey::write, ItemKey::read),
                        samples(Generated.keyRanges(), KeyRange::write, KeyRange::read),
                        samples(Generated.partitionIds(), PartitionId::write, PartitionId::read),
                        samples(
                                Generated.partitionKeyDefinitions(),
                                PartitionKeyDefinition::write,
                                PartitionKeyDefinition::read),
                        samples(
                                Generated.indexingPolicies(),
                                IndexingPolicy::write,
                                IndexingPolicy::read),
                        samples(
                                Generated.containerDefinitions(),
                                ContainerDefinition::write,
                                ContainerDefinition::read),
                        samples(Generated.throughputs(), Throughput::write, Throughput::read),
                        samples(Generated.databases(), Database::write, Database::read),
                        samples(Generated.containers(), Container::write, Container::read),
                        samples(Generated.offers(), Offer::write, Offer::read),
                        samples(
                                Generated.partitionMaps(),
                                PartitionMap::write,
                                PartitionMap::read)));
    }

    @Provide
    Arbitrary<Function<BinaryReader, ?>> readers() {
        return Arbitraries.of(READERS);
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void readsBack(@ForAll("samples") Sample sample) {
        BinaryReader in = new BinaryReader(sample.stored());

        assertThat((Object) sample.read().apply(in)).isEqualTo(sample.value());
        in.expectEnd();
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void aKeyHasNoMoreBytesThanItSays(@ForAll("keys") ItemKey key) {
        BinaryWriter out = new BinaryWriter();
        key.write(out);

        assertThat(out.length()).isLessThanOrEqualTo(key.maxEncodedBytes());
    }

    @Provide
    Arbitrary<ItemKey> keys() {
        return Generated.itemKeys();
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void everyTruncationIsNoticed(@ForAll("samples") Sample sample) {
        byte[] stored = sample.stored().unsafeArray();
        for (int length = 0; length < stored.length; length++) {
            BinaryReader in = new BinaryReader(stored, 0, length);
            assertThatExceptionOfType(MalformedRecordException.class)
                    .as("the first %s bytes", length)
                    .isThrownBy(() -> sample.read().apply(in));
        }
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void damageIsReadOrMalformed(
            @ForAll("samples") Sample sample, @ForAll int place, @ForAll byte damage) {
        byte[] stored = sample.stored().unsafeArray().clone();
        stored[Math.floorMod(place, stored.length)] = damage;
        assertReadOrMalformed(sample.read(), stored);
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void anyBytesAreReadOrMalformed(
            @ForAll("readers") Function<BinaryReader, ?> read, @ForAll byte[] bytes) {
        assertReadOrMalformed(read, bytes);
    }

    private static void assertReadOrMalformed(Function<BinaryReader, ?> read, byte[] bytes) {
        try {
            assertThat((Object) read.apply(new BinaryReader(bytes))).isNotNull();
        } catch (MalformedRecordException expected) {
            // as it should be
        }
    }

    private static <T> Arbitrary<Sample> samples(
            Arbitrary<T> values,
            BiConsumer<T, BinaryWriter> write,
            Function<BinaryReader, T> read) {
        return values.map(
                value -> {
                    BinaryWriter out = new BinaryWriter();
                    write.accept(value, out);
                    return new Sample(value, out.toBytes(), read);
                });
    }
}
