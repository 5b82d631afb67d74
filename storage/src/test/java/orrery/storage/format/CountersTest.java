package orrery.storage.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/** The counters of a partition as a map, of which a later release may know more. */
class CountersTest {
    private static final Bytes TWO_OTHERS =
            new BinaryWriter().u8(7).u64(-1).u8(200).u64(7).toBytes();

    private static Counters readBack(Counters counters) {
        BinaryWriter out = new BinaryWriter();
        counters.write(out);
        BinaryReader in = new BinaryReader(out.toArray());
        Counters read = Counters.read(in);
        in.expectEnd();
        return read;
    }

    @Test
    void readBackWithThoseThatAreUnknown() {
        DataSize size = new DataSize(1, 120, 340);
        Counters first = Counters.first();
        assertThat(readBack(first)).isEqualTo(first);
        Counters later = new Counters(size, 6, 2, 0, TWO_OTHERS);
        assertThat(readBack(later)).isEqualTo(later);
    }

    @Test
    void theOrderOfNumbersIsChecked() {
        Bytes twice = new BinaryWriter().u8(7).u64(1).u8(7).u64(1).toBytes();
        Bytes known = new BinaryWriter().u8(6).u64(1).toBytes();
        for (Bytes wrong : new Bytes[] {twice, known}) {
            assertThatThrownBy(() -> readBack(new Counters(DataSize.NONE, 1, 0, 0, wrong)))
                    .isInstanceOf(MalformedRecordException.class)
                    .hasMessageContaining("out of order");
        }
    }

    @Test
    void noneOfTheKnownOnesIsMissing() {
        BinaryWriter four = new BinaryWriter().varint(4);
        for (int number = 1; number <= 4; number++) {
            four.u8(number).u64(0);
        }
        assertThatThrownBy(() -> Counters.read(new BinaryReader(four.toArray())))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("lacks a counter");
    }
}
