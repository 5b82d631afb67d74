package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/** The bytes of kept values must stay what they are: they are in logs and in stores. */
final class ValueCodecTest {
    static Stream<String> values() {
        return Golden.lines("kept-values.hex").stream();
    }

    @ParameterizedTest
    @MethodSource("values")
    void bytesStay(String line) {
        String[] parts = line.split("\t", -1);
        Value value = JsonText.parse(parts[0]);
        assertThat(ValueCodec.encode(value).toHex()).isEqualTo(parts[1]);

        Bytes whole = Bytes.ofHex(parts[1]);
        assertThat(ValueCodec.decode(whole)).isEqualTo(value);
        for (int length = 0; length < whole.length(); length++) {
            Bytes cut = Bytes.copyOf(whole.unsafeArray(), 0, length);
            assertThatThrownBy(() -> ValueCodec.decode(cut))
                    .isInstanceOf(MalformedRecordException.class);
        }
    }

    @Test
    void halfOfASurrogatePairSurvives() {
        Value half = Value.of("a\uD83D");
        assertThat(ValueCodec.decode(ValueCodec.encode(half))).isEqualTo(half);
    }

    @Test
    void undefinedIsNotKept() {
        Value.Array inside = new Value.Array(List.of(Value.Undefined.UNDEFINED));
        assertThatThrownBy(() -> ValueCodec.encode(inside))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anArrayInAMessageMayHaveUndefinedElements() {
        Value.Array holed = new Value.Array(List.of(Value.Undefined.UNDEFINED, Value.of(1)));
        BinaryWriter out = new BinaryWriter(16);
        ValueCodec.write(out, holed);
        assertThat(ValueCodec.read(new BinaryReader(out.toBytes()))).isEqualTo(holed);
    }

    @Test
    void unknownKindsAreRefused() {
        assertThatThrownBy(() -> ValueCodec.decode(Bytes.ofHex("09")))
                .isInstanceOf(MalformedRecordException.class);
        assertThatThrownBy(() -> ValueCodec.decode(Bytes.ofHex("0601808004")))
                .isInstanceOf(MalformedRecordException.class);
    }
}
