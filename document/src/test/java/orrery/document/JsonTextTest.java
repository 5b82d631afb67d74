package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;

final class JsonTextTest {
    @ParameterizedTest
    @CsvSource({
        "1,1",
        "1.0,1",
        "-0.0,0",
        "-0,0",
        "1e2,100",
        "9223372036854775807,9223372036854775807",
        "-9223372036854775808,-9223372036854775808",
        "9223372036854775808,9.223372036854776e+18",
        "-9223372036854775809,-9223372036854775808",
        "18446744073709551615,1.8446744073709552e+19",
        "9007199254740993,9007199254740993",
        "9007199254740993.0,9007199254740992",
        "0.1,0.1",
        "1e-7,1e-7",
        "1e21,1e+21",
        "-1.5E-300,-1.5e-300",
        "1e-400,0",
    })
    void printsNumbersShortAndWithoutFraction(String text, String printed) {
        assertThat(JsonText.write(JsonText.parse(text))).isEqualTo(printed);
    }

    @Test
    void keepsIntegersOf64BitsExact() {
        assertThat(JsonText.parse("9223372036854775807")).isEqualTo(Value.of(Long.MAX_VALUE));
        assertThat(JsonText.parse("-9223372036854775808")).isEqualTo(Value.of(Long.MIN_VALUE));
        assertThat(JsonText.parse("9223372036854775808")).isEqualTo(new Value.Real(0x1p63));
        assertThat(JsonText.parse("1000000000000000000"))
                .isEqualTo(Value.of(1_000_000_000_000_000_000L));
    }

    @Test
    void readsNumbersOfAnyLength() {
        String digits = "0." + "1".repeat(100_000);
        assertThat(JsonText.parse(digits)).isEqualTo(new Value.Real(1.0 / 9));
        assertThat(JsonText.parse("1" + "0".repeat(308))).isEqualTo(new Value.Real(1e308));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[1,",
                "{\"a\"}",
                "{\"a\":1,}",
                "[1,]",
                "{}x",
                "{} {}",
                "1 2",
                "NaN",
                "Infinity",
                "01",
                "+1",
                "1.",
                ".5",
                "'a'",
                "{a:1}",
                "/* */1",
                "\"\t\"",
                "\"\\x\"",
                "\"\\u12\"",
                "nul",
                "tru",
                "1e400",
                "-1e400",
                "\uFEFF1",
                "[1e400]",
                "{\"a\":-1e999}",
            })
    void refusesWhatIsNotJson(String text) {
        assertThat(Samples.refusal(() -> JsonText.parse(text)))
                // In our words, not in those of the parser.
                .matches(
                        "The request payload is invalid\\. (It is not valid JSON|It ends before it is"
                                + " complete|It is empty|It begins with a character that is not"
                                + " JSON|Something follows the end of the JSON text|A number is"
                                + " beyond the range of a double) \\(at byte \\d+\\)\\.");
    }

    @Test
    void saysWhereAndWhy() {
        assertThat(Samples.refusal(() -> JsonText.parse("{\"a\":1,\"b\":1e400}")))
                .isEqualTo(
                        "The request payload is invalid. A number is beyond the range of a double"
                                + " (at byte 11).");
        assertThat(Samples.refusal(() -> JsonText.parse("[1] 2"))).contains("follows", "byte 4");
    }

    @Test
    void theLastOfEqualNamesCounts() {
        Value read = JsonText.parse("{\"x\":{\"a\":1,\"b\":0,\"\\u0061\":2}}");
        assertThat(JsonText.write(read)).isEqualTo("{\"x\":{\"b\":0,\"a\":2}}");
    }

    @Test
    void nestsExactly128Levels() {
        assertThat(JsonText.parse(Samples.nested(128))).isInstanceOf(Value.Obj.class);
        assertThat(Samples.refusal(() -> JsonText.parse(Samples.nested(129))))
                .contains("128")
                .doesNotContain("at byte 0");
        assertThat(JsonText.parse("[".repeat(128) + "]".repeat(128)))
                .isInstanceOf(Value.Array.class);
        Samples.refusal(() -> JsonText.parse("[".repeat(129) + "]".repeat(129)));
        Samples.refusal(() -> JsonText.parse("[".repeat(1_000_000)));
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        for (String hex :
                List.of(
                        "2280",
                        "22C080",
                        "22EDA080",
                        "22F8888080",
                        "22C3",
                        "22E28",
                        "00",
                        "22F4908080")) {
            String whole = (hex.length() % 2 == 0 ? hex : hex + "0") + "22";
            assertThat(Samples.refusal(() -> JsonText.parse(Bytes.ofHex(whole)))).contains("UTF-8");
        }
        byte[] utf16 = "{\"a\":1}".getBytes(StandardCharsets.UTF_16LE);
        assertThat(Samples.refusal(() -> JsonText.parse(utf16))).contains("at byte 1");
    }

    @Test
    void passesLoneSurrogatesThrough() {
        Value value = JsonText.parse("[\"\\ud800\",\"\\udc00\\ud83d\\ude00\"]");
        assertThat(value)
                .isEqualTo(new Value.Array(List.of(Value.of("\ud800"), Value.of("\udc00😀"))));
        assertThat(JsonText.write(value)).isEqualTo("[\"\\ud800\",\"\\udc00😀\"]");
    }

    @Test
    void refusesLoneSurrogatesInNames() {
        assertThat(Samples.refusal(() -> JsonText.parse("{\"\\ud800\":1}")))
                .contains("surrogate")
                .doesNotContain("at byte 0");
        assertThat(Samples.refusal(() -> JsonText.parse("{\"\\udc00\":1}"))).contains("surrogate");
        assertThat(JsonText.parse("{\"\\ud83d\\ude00\":1}"))
                .isEqualTo(new Value.Obj(Map.of("😀", Value.of(1))));
    }

    @Test
    void escapesOnlyWhatItMust() {
        assertThat(JsonText.write(Value.of("\"\\/\b\f\n\r\t\u0000\u001f\u007fé€\u2028")))
                .isEqualTo("\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u007fé€\u2028\"");
    }

    @Test
    void leavesUndefinedPropertiesOutAndKeepsArraySlots() {
        Map<String, Value> properties = new LinkedHashMap<>();
        properties.put("a", Value.Undefined.UNDEFINED);
        properties.put("b", new Value.Array(List.of(Value.of(1), Value.Undefined.UNDEFINED)));
        assertThat(JsonText.write(new Value.Obj(properties))).isEqualTo("{\"b\":[1,null]}");
    }

    @Test
    void refusesToPrintWhatIsNotFinite() {
        Samples.refusal(() -> JsonText.write(new Value.Real(Double.NaN)));
        Samples.refusal(() -> JsonText.write(new Value.Real(Double.NEGATIVE_INFINITY)));
    }

    @Test
    void readsManyAndLongNames() {
        Map<String, Value> properties = new HashMap<>();
        for (int i = 0; i < 150_000; i++) {
            properties.put("n" + i, Value.of(i));
        }
        properties.put("long".repeat(100_000), Value.Null.NULL);
        Value.Obj item = new Value.Obj(properties);
        assertThat(JsonText.parse(JsonText.writeBytes(item))).isEqualTo(item);
    }

    @Test
    void keepsTheOrderOfProperties() {
        Value.Obj item = (Value.Obj) JsonText.parse("{\"z\":1,\"a\":2,\"m\":3}");
        assertThat(new ArrayList<>(item.properties().keySet())).containsExactly("z", "a", "m");
    }
}
