package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

final class PartitionKeyProperties {
    @Provide
    Arbitrary<PartitionKey> keys() {
        return Generated.partitionKeys();
    }

    @Property
    void storedFormReadsBack(@ForAll("keys") PartitionKey key) {
        BinaryReader in = new BinaryReader(stored(key));

        assertThat(PartitionKey.read(in)).isEqualTo(key);
        in.expectEnd();
    }

    /** The stored form is part of item keys and has no length before it. */
    @Property
    void noStoredFormBeginsAnother(@ForAll("keys") PartitionKey a, @ForAll("keys") PartitionKey b) {
        assertThat(stored(a).startsWith(stored(b))).isEqualTo(a.equals(b));
    }

    @Property
    void anyBytesAreReadOrMalformed(@ForAll byte[] bytes) {
        try {
            assertThat(PartitionKey.read(new BinaryReader(bytes))).isNotNull();
        } catch (MalformedRecordException expected) {
            // as it should be
        }
    }

    @Example
    void lookalikesAreStoredApart() {
        List<PartitionKey> keys =
                List.of(
                        PartitionKey.EMPTY,
                        PartitionKey.of(KeyComponent.UNDEFINED),
                        PartitionKey.of(KeyComponent.NULL),
                        PartitionKey.of(KeyComponent.FALSE),
                        PartitionKey.of(KeyComponent.TRUE),
                        PartitionKey.of(new KeyComponent.Numeric(0.0)),
                        PartitionKey.of(new KeyComponent.Numeric(-0.0)),
                        PartitionKey.ofText(""),
                        PartitionKey.ofText("\u0000"),
                        PartitionKey.ofText("0"),
                        PartitionKey.ofText("null"),
                        PartitionKey.of(KeyComponent.NULL, KeyComponent.NULL));
        Set<Bytes> stored = new HashSet<>();
        for (PartitionKey key : keys) {
            assertThat(stored.add(stored(key))).as("%s", key).isTrue();
        }
    }

    private static Bytes stored(PartitionKey key) {
        BinaryWriter out = new BinaryWriter();
        key.write(out);
        return out.toBytes();
    }
}
