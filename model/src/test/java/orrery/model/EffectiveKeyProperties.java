package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class EffectiveKeyProperties {
    @Provide
    Arbitrary<EffectiveKey> keys() {
        return Generated.effectiveKeys();
    }

    @Provide
    Arbitrary<KeyComponent> components() {
        return Generated.keyComponents();
    }

    @Property
    void byteOrderIsOrdinalOrderOfTheHexText(
            @ForAll("keys") EffectiveKey a, @ForAll("keys") EffectiveKey b) {
        assertThat(Integer.signum(a.compareTo(b)))
                .isEqualTo(Integer.signum(a.toHex().compareTo(b.toHex())));
    }

    @Property
    void hexReadsBack(@ForAll("keys") EffectiveKey key) {
        assertThat(EffectiveKey.ofHex(key.toHex())).isEqualTo(key);
    }

    @Property
    void everyKeyHasAPlaceBelowTheEnd(@ForAll("components") KeyComponent component) {
        PartitionKey key = PartitionKey.of(component);
        assertThat(KeyRange.FULL.contains(EffectiveKeys.of(Definitions.HASH_V1, key))).isTrue();
        assertThat(KeyRange.FULL.contains(EffectiveKeys.of(Definitions.HASH_V2, key))).isTrue();
        assertThat(KeyRange.FULL.contains(EffectiveKeys.of(Definitions.RANGE, key))).isTrue();
    }
}
