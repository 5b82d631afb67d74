package orrery.document.edm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.document.ByteSink;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;

class EdmValueTest {
    static Stream<Arguments> stored() {
        return Stream.of(
                Arguments.of(new EdmValue.Text("Bob"), "{\"$t\":2,\"$v\":\"Bob\"}"),
                Arguments.of(new EdmValue.Int32(5), "{\"$t\":16,\"$v\":5}"),
                Arguments.of(
                        new EdmValue.Int64(9007199254740993L),
                        "{\"$t\":18,\"$v\":\"00009007199254740993\"}"),
                Arguments.of(
                        new EdmValue.Int64(Long.MIN_VALUE),
                        "{\"$t\":18,\"$v\":\"-09223372036854775808\"}"),
                Arguments.of(new EdmValue.Bool(true), "{\"$t\":8,\"$v\":true}"),
                Arguments.of(new EdmValue.Real(1.5), "{\"$t\":1,\"$v\":1.5}"),
                Arguments.of(new EdmValue.Real(Double.NaN), "{\"$t\":1,\"$v\":\"NaN\"}"),
                Arguments.of(new EdmValue.Real(-0.0), "{\"$t\":1,\"$v\":\"-0.0\"}"),
                Arguments.of(
                        new EdmValue.Guid(UUID.fromString("A455C695-df98-5678-aaaa-81d3367e5a34")),
                        "{\"$t\":0,\"$v\":\"a455c695-df98-5678-aaaa-81d3367e5a34\"}"),
                Arguments.of(
                        new EdmValue.Moment(639029198456780000L),
                        "{\"$t\":9,\"$v\":\"00639029198456780000\"}"),
                Arguments.of(
                        new EdmValue.Binary(Bytes.wrap(new byte[] {1, 2, 3})),
                        "{\"$t\":5,\"$v\":\"\\u0001\\u0002\\u0003\"}"));
    }

    @ParameterizedTest
    @MethodSource
    void stored(EdmValue value, String json) {
        assertThat(stored(value)).isEqualTo(json);
        assertThat(EdmValue.ofStored(JsonText.parse(json))).contains(value);
    }

    @Test
    void aDoubleThatIsWholeKeepsItsType() {
        EdmValue two = new EdmValue.Real(2.0);
        assertThat(EdmValue.ofStored(JsonText.parse(stored(two)))).contains(two);
    }

    private static String stored(EdmValue value) {
        ByteSink out = new ByteSink();
        value.writeStored(out);
        return out.toBytes().toUtf8();
    }

    @Test
    void whatNoTableWroteIsNoValue() {
        assertThat(EdmValue.ofStored(Value.of("Bob"))).isEmpty();
        assertThat(EdmValue.ofStored(JsonText.parse("{\"$t\":18,\"$v\":\"x\"}"))).isEmpty();
        assertThat(EdmValue.ofStored(JsonText.parse("{\"$t\":5,\"$v\":\"\\u0100\"}"))).isEmpty();
        assertThat(EdmValue.ofStored(JsonText.parse("{\"$t\":16,\"$v\":4294967296}"))).isEmpty();
        assertThat(EdmValue.ofStored(JsonText.parse("{\"$t\":99,\"$v\":1}"))).isEmpty();
    }
}
