package orrery.model.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BinaryWriterTest {
    @Test
    void anArrayThatWasGivenAwayNeverChanges() {
        for (int capacity : new int[] {0, 3, 4, 5}) {
            BinaryWriter out = new BinaryWriter(capacity).u32(0x01020304);
            byte[] first = out.toArray();
            byte[] second = out.u8(5).toArray();

            assertThat(first).containsExactly(1, 2, 3, 4);
            assertThat(second).containsExactly(1, 2, 3, 4, 5);
            assertThat(out.u8(6).length()).isEqualTo(6);
            assertThat(second).containsExactly(1, 2, 3, 4, 5);
        }
    }

    @Test
    void aBufferOfTheRightLengthIsNotCopied() {
        BinaryWriter out = new BinaryWriter(3).varint(300).u8(1);
        assertThat(out.toArray()).isSameAs(out.toArray());
    }

    @Test
    void aVarintTakesAByteForSevenBits() {
        for (int bits = 1; bits <= 64; bits++) {
            long value = -1L >>> (64 - bits);
            BinaryWriter out = new BinaryWriter(0).varint(value);
            assertThat(out.length()).isEqualTo((bits + 6) / 7);
            assertThat(new BinaryReader(out.toArray()).varint()).isEqualTo(value);
        }
        assertThat(new BinaryWriter(0).varint(0).toArray()).containsExactly(0);
    }
}
