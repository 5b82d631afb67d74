package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.edm.EdmValue;
import orrery.model.Bytes;
import orrery.model.OrreryException;

class EntityInputTest {
    private static Map<String, EdmValue> read(String properties) {
        return EntityInput.update(Bytes.ofUtf8("{" + properties + "}"), "p", "r").properties();
    }

    private static EdmValue value(String json) {
        return Objects.requireNonNull(read("\"v\":" + json).get("v"));
    }

    private static EdmValue value(String json, String type) {
        EdmValue behind = read("\"v\":" + json + ",\"v@odata.type\":\"" + type + "\"").get("v");
        EdmValue before = read("\"v@odata.type\":\"" + type + "\",\"v\":" + json).get("v");
        assertThat(before).isEqualTo(behind);
        return Objects.requireNonNull(before);
    }

    private static String refusal(String properties) {
        return catchThrowableOfType(TableException.class, () -> read(properties)).code().text();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    "x"                  | Text[value=x]
                    ""                   | Text[value=]
                    1                    | Int32[value=1]
                    -2147483648          | Int32[value=-2147483648]
                    2147483648           | Real[value=2.147483648E9]
                    2.0                  | Real[value=2.0]
                    -0.0                 | Real[value=0.0]
                    1e3                  | Real[value=1000.0]
                    true                 | Bool[value=true]
                    """)
    void jsonGivesATypeByItself(String json, String expected) {
        assertThat(value(json)).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    "9223372036854775807"     | Edm.Int64    | Int64[value=9223372036854775807]
                    5                         | Edm.Int64    | Int64[value=5]
                    "5"                       | Edm.Int32    | Int32[value=5]
                    2                         | Edm.Double   | Real[value=2.0]
                    "2.5"                     | Edm.Double   | Real[value=2.5]
                    "NaN"                     | Edm.Double   | Real[value=NaN]
                    "-Infinity"               | Edm.Double   | Real[value=-Infinity]
                    "x"                       | Edm.String   | Text[value=x]
                    false                     | Edm.Boolean  | Bool[value=false]
                    "true"                    | Edm.Boolean  | Bool[value=true]
                    "2026-01-02T03:04:05.678Z" | Edm.DateTime | Moment[ticks=639029198456780000]
                    "2026-01-02T04:04:05.678+01:00" | Edm.DateTime | Moment[ticks=639029198456780000]
                    "2026-01-02T03:04:05.6780000" | Edm.DateTime | Moment[ticks=639029198456780000]
                    "1601-01-01T00:00:00Z"    | Edm.DateTime | Moment[ticks=504911232000000000]
                    "9999-12-31T23:59:59.9999999Z" | Edm.DateTime | Moment[ticks=3155378975999999999]
                    "A455C695-df98-5678-aaaa-81d3367e5a34" | Edm.Guid | Guid[value=a455c695-df98-5678-aaaa-81d3367e5a34]
                    """)
    void anAnnotationGivesAType(String json, String type, String expected) {
        assertThat(value(json, type)).hasToString(expected);
    }

    @Test
    void binariesAreBase64() {
        assertThat(value("\"AQID\"", "Edm.Binary"))
                .isEqualTo(new EdmValue.Binary(Bytes.ofHex("010203")));
        assertThat(value("\"\"", "Edm.Binary")).isEqualTo(new EdmValue.Binary(Bytes.EMPTY));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    "9223372036854775808"     | Edm.Int64    | InvalidInput
                    2147483648                | Edm.Int32    | InvalidInput
                    1.5                       | Edm.Int32    | InvalidInput
                    "0x10"                    | Edm.Double   | InvalidInput
                    "1d"                      | Edm.Double   | InvalidInput
                    "1e999"                   | Edm.Double   | InvalidInput
                    5                         | Edm.String   | InvalidInput
                    "yes"                     | Edm.Boolean  | InvalidInput
                    ""                        | Edm.DateTime | InvalidInput
                    "2026-13-01T00:00:00Z"    | Edm.DateTime | InvalidInput
                    "2026-02-29T00:00:00Z"    | Edm.DateTime | InvalidInput
                    "1600-12-31T23:59:59.9999999Z" | Edm.DateTime | OutOfRangeInput
                    "0001-01-01T00:00:00Z"    | Edm.DateTime | OutOfRangeInput
                    "+10000-01-01T00:00:00Z"  | Edm.DateTime | OutOfRangeInput
                    "9999-12-31T23:59:59-00:01" | Edm.DateTime | OutOfRangeInput
                    "+999999999-01-01T00:00:00Z" | Edm.DateTime | OutOfRangeInput
                    "a455c695df98-5678-aaaa-81d3367e5a34x" | Edm.Guid | InvalidInput
                    "A"                       | Edm.Binary   | InvalidInput
                    "x"                       | Edm.Decimal  | InvalidValueType
                    """)
    void refusesValuesThatTheirTypesDoNotHave(String json, String type, String code) {
        assertThat(refusal("\"v\":" + json + ",\"v@odata.type\":\"" + type + "\"")).isEqualTo(code);
    }

    @Test
    void passesOverWhatClientsSendBack() {
        assertThat(
                        read(
                                """
                                "odata.etag":"W/\\"x\\"","odata.metadata":"m","odata.type":{"a":[1]},\
                                "PartitionKey":"other","RowKey":7,"Timestamp@odata.type":"Edm.DateTime",\
                                "Timestamp":"2026-01-01T00:00:00Z","gone":null,"gone@odata.type":"Edm.Int64","v":1\
                                """))
                .isEqualTo(Map.of("v", new EdmValue.Int32(1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    "v":1,"v":2                       | DuplicatePropertiesSpecified
                    "v@odata.type":"Edm.Int32","v@odata.type":"Edm.Int32","v":1 | DuplicatePropertiesSpecified
                    "v":{"a":1}                       | InvalidInput
                    "v":[1]                           | InvalidInput
                    "v":1e999                         | InvalidInput
                    "v":1,"v@odata.type":5            | InvalidInput
                    "1v":1                            | PropertyNameInvalid
                    "a b":1                           | PropertyNameInvalid
                    "$v":1                            | PropertyNameInvalid
                    "":1                              | PropertyNameInvalid
                    "a.b":null                        | PropertyNameInvalid
                    """)
    void refusesWhatIsNoEntity(String properties, String code) {
        assertThat(refusal(properties)).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "5", "{", "{\"a\":}", "{} {}", "{'a':1}", "\uFEFF{}"})
    void refusesWhatIsNoJsonObject(String body) {
        assertThat(
                        catchThrowableOfType(
                                        OrreryException.class,
                                        () -> EntityInput.insert(Bytes.ofUtf8(body)))
                                .code()
                                .status())
                .isEqualTo(400);
    }

    @Test
    void anInsertNeedsBothKeysAsStrings() {
        assertThat(insertRefused("{\"PartitionKey\":\"p\"}")).isEqualTo("PropertiesNeedValue");
        assertThat(insertRefused("{\"RowKey\":\"p\"}")).isEqualTo("PropertiesNeedValue");
        assertThat(insertRefused("{\"PartitionKey\":\"p\",\"RowKey\":null}"))
                .isEqualTo("PropertiesNeedValue");
        assertThat(insertRefused("{\"PartitionKey\":\"p\",\"RowKey\":5}"))
                .isEqualTo("InvalidInput");
        assertThat(EntityInput.insert(Bytes.ofUtf8("{\"RowKey\":\"\",\"PartitionKey\":\"\"}")))
                .isEqualTo(new Entity("", "", Map.of()));
    }

    private static String insertRefused(String body) {
        return catchThrowableOfType(
                        TableException.class, () -> EntityInput.insert(Bytes.ofUtf8(body)))
                .code()
                .text();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a\\b", "#", "?", "\u0000", "\u001F", "\u007F", "\u009F", "\n"})
    void refusesCharactersThatNoKeyMayHave(String key) {
        for (String[] keys : new String[][] {{key, "r"}, {"p", key}}) {
            TableException refusal =
                    catchThrowableOfType(
                            TableException.class,
                            () -> EntityInput.update(Bytes.EMPTY, keys[0], keys[1]));
            assertThat(refusal.code()).isEqualTo(TableErrorCode.OUT_OF_RANGE_INPUT);
        }
    }

    @Test
    void limitsKeysByTheirCharactersAndTheirBytes() {
        for (String key : new String[] {"k".repeat(1024), "é".repeat(1023), "中".repeat(682)}) {
            assertThat(EntityInput.update(Bytes.EMPTY, key, key).rowKey()).isEqualTo(key);
            TableException refusal =
                    catchThrowableOfType(
                            TableException.class,
                            () -> EntityInput.update(Bytes.EMPTY, "p", key + key.charAt(0)));
            assertThat(refusal.code()).isEqualTo(TableErrorCode.KEY_VALUE_TOO_LARGE);
        }
    }

    @Test
    void limitsNamesAndValues() {
        String name = "n".repeat(255);
        assertThat(read("\"" + name + "\":1")).containsKey(name);
        assertThat(refusal("\"" + name + "n\":1")).isEqualTo("PropertyNameTooLong");
        String text = "\"" + "é".repeat(32 << 10) + "\"";
        assertThat(((EdmValue.Text) value(text)).value()).hasSize(32 << 10);
        assertThat(refusal("\"v\":\"é" + text.substring(1))).isEqualTo("PropertyValueTooLarge");
        String most = base64(64 << 10);
        assertThat(value(most, "Edm.Binary").type()).isNotNull();
        assertThat(refusal("\"v@odata.type\":\"Edm.Binary\",\"v\":" + base64((64 << 10) + 1)))
                .isEqualTo("PropertyValueTooLarge");
    }

    private static String base64(int bytes) {
        return "\"" + Base64.getEncoder().encodeToString(new byte[bytes]) + "\"";
    }

    @Test
    void limitsTheNumberOfProperties() {
        assertThat(read(properties(252, "1"))).hasSize(252);
        assertThat(tooLarge(properties(253, "1"))).isEqualTo("TooManyProperties");
        // A property that is null is dropped.
        assertThat(read(properties(252, "1") + ",\"more\":null")).hasSize(252);
    }

    /** The engine refuses such an entity too, so the refusal is one of the engine. */
    private static String tooLarge(String properties) {
        OrreryException refusal =
                catchThrowableOfType(OrreryException.class, () -> read(properties));
        return TableErrors.of(refusal, TableErrors.Subject.ENTITY).code().text();
    }

    private static String properties(int count, String value) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"p%03d\":%s".formatted(i, value))
                .collect(Collectors.joining(","));
    }

    /**
     * The sum is that of the service: 4, the keys, and for each property 8, its name, its value.
     */
    @Test
    void limitsTheSizeOfAnEntity() {
        int each = 8 + 2 * 4 + 4;
        int left = (1 << 20) - 4 - 2 * 2 - 15 * (each + (32 << 11));
        String big = properties(15, "\"" + "x".repeat(32 << 10) + "\"");
        int last = (left - each) / 2;
        assertThat(read(big + ",\"last\":\"" + "x".repeat(last) + "\"")).hasSize(16);
        assertThat(tooLarge(big + ",\"last\":\"" + "x".repeat(last + 1) + "\""))
                .isEqualTo("EntityTooLarge");
    }
}
