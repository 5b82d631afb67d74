package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RowKey;
import orrery.model.TaggedText;

/** Holds the stored bytes of keys still, and their places in the hash space. */
final class KeyFormatTest {
    private static Value value(String form) {
        return JsonForm.parse(JsonText.parse(form));
    }

    static Stream<String> rowKeys() {
        return Golden.lines("row-keys.hex").stream();
    }

    @ParameterizedTest
    @MethodSource("rowKeys")
    void rowKeys(String line) {
        String[] parts = line.split("\t", -1);
        assertThat(BsonKeys.rowKey(value(parts[0])).bytes().toHex()).isEqualTo(parts[1]);
    }

    /** The bytes of a text are one thing for the two modules that make them. */
    @ParameterizedTest
    @ValueSource(strings = {"", "a", "é😀", "\0"})
    void aTextIsTheSameKeyInAllApis(String text) {
        assertThat(BsonKeys.rowKey(Value.of(text))).isEqualTo(RowKey.ofText(text));
    }

    static Stream<String> taggedKeys() {
        return Golden.lines("tagged-keys.hex").stream();
    }

    @ParameterizedTest
    @MethodSource("taggedKeys")
    void taggedKeys(String line) {
        String[] parts = line.split("\t", -1);
        PartitionKey key = PartitionKey.of(BsonKeys.component(value(parts[0])));

        assertThat(key).isEqualTo(PartitionKey.ofText("\0" + parts[1]));
        assertThat(KeyHeader.parse("[\"\\u0000" + parts[1] + "\"]")).isEqualTo(key);
        assertThat(EffectiveKeys.of(keyed(1), key).bytes().toHex()).isEqualTo(parts[2]);
        assertThat(EffectiveKeys.of(keyed(2), key).bytes().toHex()).isEqualTo(parts[3]);
        assertThat(TaggedText.canonical("\0" + parts[1])).contains(Bytes.ofHex(parts[1]));
    }

    private static PartitionKeyDefinition keyed(int version) {
        return new PartitionKeyDefinition(
                Samples.keyed("/pk").paths(), PartitionKeyDefinition.Kind.HASH, version, false);
    }

    @Test
    void aLevelOfAHierarchicalKeyMayBeTagged() {
        PartitionKeyDefinition definition = Samples.keyed("/a", "/b");
        String oid = "507f1f77bcf86cd799439011";
        PartitionKey ofBody =
                BodyFormat.of(Encoding.BSON)
                        .partitionKey(
                                BsonCodec.write(
                                        new Value.Obj(
                                                Map.of(
                                                        "a",
                                                        value("{\"$oid\":\"" + oid + "\"}"),
                                                        "b",
                                                        Value.of("x")))),
                                definition);
        PartitionKey ofHeader = KeyHeader.parse("[\"\\u00002c" + oid + "\",\"x\"]");

        assertThat(ofHeader).isEqualTo(ofBody);
        assertThat(
                        EffectiveKeys.prefixRange(
                                        definition, PartitionKey.of(ofBody.components().getFirst()))
                                .contains(EffectiveKeys.of(definition, ofBody)))
                .isTrue();
    }

    /** A string is never cut and never taken for a value of another kind. */
    @Test
    void aStringThatLooksTaggedIsAnotherKey() {
        KeyComponent objectId =
                BsonKeys.component(value("{\"$oid\":\"507f1f77bcf86cd799439011\"}"));
        String text = ((KeyComponent.Text) objectId).value();

        assertThat(BsonKeys.component(Value.of(text))).isNotEqualTo(objectId);
        assertThat(BsonKeys.component(Value.of("{\"$oid\":\"507f1f77bcf86cd799439011\"}")))
                .isEqualTo(new KeyComponent.Text("{\"$oid\":\"507f1f77bcf86cd799439011\"}"));
        // In JSON bodies nothing is tagged: every string is itself.
        assertThat(
                        BodyFormat.of(Encoding.JSON)
                                .partitionKey(
                                        JsonText.writeBytes(
                                                new Value.Obj(Map.of("pk", Value.of(text)))),
                                        Samples.keyed("/pk")))
                .isEqualTo(PartitionKey.ofText(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1]",
                "{\"$undefined\":true}",
                "{\"$regularExpression\":{\"pattern\":\"a\",\"options\":\"\"}}"
            })
    void someValuesAreNoIds(String form) {
        assertThat(Samples.refusal(() -> BsonKeys.rowKey(value(form)))).contains("'_id'");
    }

    @Test
    void aRowKeyHas2048Bytes() {
        BsonValue most = new BsonValue.Binary(0, Bytes.wrap(new byte[2048 - 7]));
        assertThat(BsonKeys.rowKey(most).bytes().length()).isEqualTo(2048);
        BsonValue more = new BsonValue.Binary(0, Bytes.wrap(new byte[2048 - 6]));
        assertThat(Samples.refusal(() -> BsonKeys.rowKey(more)))
                .contains("2048 bytes")
                .contains("has 2049");
    }

    @Test
    void namesInSqlLeadToTheKeys() {
        for (String name :
                List.of("a", "507f1f77bcf86cd799439011", "s:k:x", "s:", "k:GL_wAAAAAAAAgA")) {
            RowKey key = SqlId.parse(Encoding.BSON, name);
            assertThat(SqlId.parse(Encoding.BSON, SqlId.of(Encoding.BSON, key))).isEqualTo(key);
        }
        assertThat(SqlId.parse(Encoding.BSON, "507F1f77bcf86cd799439011").bytes())
                .isEqualTo(Bytes.ofHex("2C507F1F77BCF86CD799439011"));
        assertThat(SqlId.parse(Encoding.JSON, "507f1f77bcf86cd799439011"))
                .isEqualTo(RowKey.ofText("507f1f77bcf86cd799439011"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", // no kind
                "18BFF0000000000000", // ends early
                "18BFF000000000000080FF", // goes on
                "187FFFFFFFFFFFFFFF80", // negative zero
                "18000000000000000180", // another NaN
                "18FFF00000000000008180010200", // something above infinity
                "18BFF0000000000000818001020100", // digits with zeros behind them
                "18BFF000000000000081800100", // nothing above
                "1CFF", // no UTF-8
                "1CEDA080", // half a surrogate pair
                "24011CEDA08000011000", // the same in a name
                "24011C61000110011C6100011000", // a name twice
                "24011C6100010800", // a property that is not there
                "24021C6100011000", // an unknown mark
                "28000000030401010203FF",
                "28000000030402010203", // cut
                "2C507F1F77BCF86CD7994390",
                "2000", // an array
                "0A", // undefined
                "38610001690001", // a regular expression
                "FF"
            })
    void bytesThatNoIdHasAreNoKey(String hex) {
        String name = "k:" + base64(Bytes.ofHex(hex));
        assertThat(Samples.refusal(() -> SqlId.parse(Encoding.BSON, name))).contains("'k:'");
    }

    private static String base64(Bytes bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.unsafeArray());
    }

    /** Names that lead to one key are one, but for marks before texts. */
    @ParameterizedTest
    @ValueSource(strings = {"k:HGE", "k:LFB_H3e8-GzXmUOQEQ", "k:GL_wAAAAAAAAgB", "k:HGE="})
    void aKeyWithAnotherNameIsRefused(String name) {
        assertThat(Samples.refusal(() -> SqlId.parse(Encoding.BSON, name)))
                .contains("another form");
    }

    @Test
    void textsThatAreNotBase64AreRefused() {
        for (String bad : List.of("k:!", "k:A", "k:GL/wAAAAAAAAgA")) {
            assertThat(Samples.refusal(() -> SqlId.parse(Encoding.BSON, bad)))
                    .contains("base64url");
        }
    }

    /** A key may be as deep as a document, and no deeper. */
    @Test
    void deepKeysAreRefused() {
        for (int depth : List.of(98, 99, 400)) {
            Bytes key =
                    Bytes.ofHex(
                            "2401"
                                    + "1C610001"
                                    + "2001".repeat(depth)
                                    + "14"
                                    + "00".repeat(depth + 1));
            String name = "k:" + base64(key);
            if (depth < 99) {
                assertThat(SqlId.parse(Encoding.BSON, name).bytes()).isEqualTo(key);
            } else {
                assertThat(Samples.refusal(() -> SqlId.parse(Encoding.BSON, name)))
                        .contains("'k:'");
            }
        }
    }
}
