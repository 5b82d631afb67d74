package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.model.EpkVectors.Vector;

final class Murmur3Test {
    static List<Vector> raw() {
        return EpkVectors.group("murmurRaw");
    }

    @ParameterizedTest
    @MethodSource("raw")
    void hashesAsThePublishedAlgorithm(Vector vector) {
        byte[] input = Bytes.ofHex(vector.text("inputHex")).unsafeArray();

        assertThat(Integer.toUnsignedLong(Murmur3.hash32(input)))
                .isEqualTo(vector.number("murmur3_x86_32_seed0"));
        byte[] hash = new byte[16];
        Murmur3.hash128Reversed(input, hash, 0);
        assertThat(Bytes.wrap(hash).toHex()).isEqualTo(vector.text("reversed"));
    }
}
