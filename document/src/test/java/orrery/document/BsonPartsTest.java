package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.OrreryException;

/** A document that is read around one of its fields. */
final class BsonPartsTest {
    private static final Value.Obj INNER = Value.Obj.of("x", Value.of(1), "y", Value.of(2));
    private static final Value.Obj REST = Value.Obj.of("a", Value.of(1), "b", Value.of("text"));

    @Test
    void leavesAFieldAsItsBytes() {
        Map<String, Value> whole = new LinkedHashMap<>();
        whole.put("a", Value.of(1));
        whole.put("d", INNER);
        whole.put("b", Value.of("text"));

        BsonCodec.Parted parted = BsonCodec.readAround(BsonCodec.write(new Value.Obj(whole)), "d");

        assertThat(parted.rest()).isEqualTo(REST);
        assertThat(parted.part()).contains(BsonCodec.write(INNER));
    }

    @Test
    void leavesOnlyDocuments() {
        BsonCodec.Parted parted = BsonCodec.readAround(BsonCodec.write(REST), "b");

        assertThat(parted.rest()).isEqualTo(REST);
        assertThat(parted.part()).isEmpty();
    }

    /** Nobody has looked at what is read so. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                // d twice
                "15000000" + "036400" + "0500000000" + "036400" + "0500000000" + "00",
                // longer than its document
                "0d000000" + "036400" + "f000000000" + "00",
                // something behind the end
                "0d000000" + "036400" + "0500000000" + "00" + "00"
            })
    void refusesWhatIsMalformed(String hex) {
        assertThatThrownBy(() -> BsonCodec.readAround(Bytes.ofHex(hex), "d"))
                .isInstanceOf(OrreryException.class);
    }
}
