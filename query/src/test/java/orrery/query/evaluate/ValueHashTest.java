package orrery.query.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.JsonText;
import orrery.document.Value;

final class ValueHashTest {
    // Hashes of the .NET client, in its printed form: the last byte in memory first.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "null|898efbf2680daea39e24d6ae6653417d",
                "false|6e88aa4242f017b7705f12581a61118f",
                "true|cd4d51ab869f071ff019c3e4a55c0125",
                "\"\"|a78446cf287029a585b395a161a2a9a1",
                "\"asdfasdfasdfasdfasdfasdf\"|8f124368401e0b91ad580ca542e035db",
                "1234|a94bf61335c9fba42c28d7d9895d1434",
                "[]|7d54f729ff4a63ffa2ef3ca359538082",
                "[null]|3e8e8c77472338352f80ea6235fb6e41",
                "[[]]|51667c83ca3c85e958ec39854aee937c",
                "[1234]|cd00ef4185a0d7a329b7cd12ce7954f8",
                "{}|14b86a60aa01a7381438743e80b965d8",
                "{\"prop\":true}|84c25bad6638a184f963e38e888e92ee",
                "{\"prop\":1234}|9b7cccd51368ebabd9848c1d0f56dcaa",
                "[null,false,true,1234,\"asdfasdfasdfasdfasdfasdf\"]|a9407916de27f316cc5a8e4eb9afd5e6"
            })
    void agreesWithTheDotNetClient(String json, String expected) {
        ValueHash hash = ValueHash.of(JsonText.parse(json));
        byte[] bytes =
                ByteBuffer.allocate(16)
                        .order(ByteOrder.BIG_ENDIAN)
                        .putLong(hash.high())
                        .putLong(hash.low())
                        .array();
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(expected);
    }

    @Test
    void ignoresWhatEqualityIgnores() {
        assertThat(hash("{\"a\":1,\"b\":[2]}")).isEqualTo(hash("{\"b\":[2],\"a\":1}"));
        assertThat(ValueHash.of(new Value.Real(-0.0))).isEqualTo(hash("0"));
        assertThat(ValueHash.of(new Value.Real(5.0))).isEqualTo(hash("5"));
        assertThat(hash("[1,2]")).isNotEqualTo(hash("[2,1]"));
    }

    @Test
    void tellsApartIntegersThatShareADouble() {
        assertThat(hash("9007199254740993")).isNotEqualTo(hash("9007199254740992"));
        assertThat(hash("-9223372036854775807")).isNotEqualTo(hash("-9223372036854775808"));
    }

    @Test
    void comparesBytesInTheOrderOfMemory() {
        assertThat(List.of(new ValueHash(0x0100L, 9), new ValueHash(0x0001L, 0)))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(new ValueHash(0xff00L, 1)).isLessThan(new ValueHash(0xff00L, 2));
    }

    private static ValueHash hash(String json) {
        return ValueHash.of(JsonText.parse(json));
    }
}
