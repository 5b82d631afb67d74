package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.IdRules;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.SizeLimits;

final class ItemBodyTest {
    private static ItemBody parse(String json) {
        return ItemBody.parse(Bytes.ofUtf8(json));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|{}",
                "{ }|{ }",
                "{\"_ts\":1}|{}",
                "{ \"_ts\" : 1 }|{  }",
                "{\"_ts\":1,\"_rid\":\"r\",\"_self\":\"s\",\"_etag\":\"e\",\"_attachments\":\"x\"}|{}",
                "{\"a\":1,\"_ts\":1}|{\"a\":1}",
                "{\"_ts\":1,\"a\":1}|{\"a\":1}",
                "{\"_ts\":1, \"a\":1, \"_rid\":\"x\" , \"b\":2, \"_etag\":null, \"_self\":[{}] }|{\"a\":1, \"b\":2 }",
                "{\"a\":{\"_ts\":1},\"_ts\":{\"a\":[1,{\"b\":\"}\"}]}}|{\"a\":{\"_ts\":1}}",
                "{\"a\":\",\",\"_etag\":\"\\\"x,y\\\"\"}|{\"a\":\",\"}",
                "{\"\\u005fts\":1,\"a\":2}|{\"a\":2}",
                "{\"_lsn\":1,\"_ts2\":2,\"_\":3,\"\":4}|{\"_lsn\":1,\"_ts2\":2,\"_\":3,\"\":4}",
                "{\"é\":\"€😀\",\"_ts\":1}|{\"é\":\"€😀\"}",
                "{\"n\":1.10e+05,\"_ts\":0.0,\"m\":123456789012345678901234567890}"
                        + "|{\"n\":1.10e+05,\"m\":123456789012345678901234567890}",
            })
    void cutsSystemPropertiesAndNothingElse(String arrived, String stored) {
        ItemBody body = parse(arrived + " \n\t\r");
        assertThat(body.stored().toUtf8()).isEqualTo(stored);
        assertThat(body.isEmpty()).isEqualTo(stored.replace(" ", "").equals("{}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,\"a\":2}|{\"a\":2}",
                "{\"a\":1,\"b\":{\"c\":1, \"\\u0063\":2},\"\\u0061\" : 3 }"
                        + "|{\"b\":{\"\\u0063\":2},\"\\u0061\" : 3 }",
                "{\"a\":{\"b\":1,\"b\":2},\"c\":[{\"d\":1,\"d\":[]}],\"a\":4}|{\"c\":[{\"d\":[]}],\"a\":4}",
                "{\"a\":1,\"a\":2,\"a\":3,\"_ts\":1,\"_ts\":2}|{\"a\":3}",
                "{\"_ts\":1,\"_ts\":1}|{}",
            })
    void theLastOfEqualNamesIsStored(String arrived, String stored) {
        assertThat(parse(arrived).stored().toUtf8()).isEqualTo(stored);
    }

    @Test
    void theLastIdAndTheLastKeyCount() {
        PartitionKeyDefinition byPk = definition("/pk");
        ItemBody body =
                ItemBody.parse(
                        Bytes.ofUtf8("{\"id\":1,\"pk\":\"a\",\"id\":\"x\",\"pk\":\"b\"}"), byPk);

        assertThat(body.id()).contains("x");
        assertThat(body.partitionKey(byPk)).isEqualTo(PartitionKey.ofText("b"));
    }

    @Test
    void whatAWriterSaysOfABodyCountsForItsDefinitionAlone() {
        Bytes json = Bytes.ofUtf8("{\"id\":\"1\",\"pk\":\"a\",\"other\":\"b\"}");
        PartitionKeyDefinition byPk = definition("/pk");
        Body body =
                new Body(
                        Encoding.JSON,
                        json,
                        Optional.of(new Body.Known.Json("1", byPk, PartitionKey.ofText("a"))));
        BodyFormat format = BodyFormat.of(Encoding.JSON);
        SizeLimits limits = ContainerKind.TABLE.limits();

        ItemBody known = format.parse(body, limits, byPk);
        assertThat(known.id()).contains("1");
        assertThat(known.stored()).isSameAs(json);
        assertThat(known.isEmpty()).isFalse();
        assertThat(known.partitionKey(byPk)).isEqualTo(PartitionKey.ofText("a"));
        PartitionKeyDefinition byOther = definition("/other");
        assertThat(format.parse(body, limits, byOther).partitionKey(byOther))
                .isEqualTo(PartitionKey.ofText("b"));
    }

    @Test
    void whatIsKnownOfADocumentIsWhatReadingItFinds() {
        PartitionKeyDefinition byPk = definition("/pk");
        Value.Obj document =
                new Value.Obj(Map.of("_id", Value.of(1), "pk", Value.of("a"), "n", Value.of(2)));
        Bytes bson = BsonCodec.write(document);
        BodyFormat format = BodyFormat.of(Encoding.BSON);
        Body.Known known =
                new Body.Known.Bson(
                        BsonKeys.rowKey(Value.of(1)), byPk, BsonKeys.partitionKey(document, byPk));
        SizeLimits limits = ContainerKind.MONGODB.limits();

        ItemBody said =
                format.parse(new Body(Encoding.BSON, bson, Optional.of(known)), limits, byPk);
        ItemBody read = format.parse(new Body(Encoding.BSON, bson), limits, byPk);

        assertThat(said.rowKey(IdRules.ANY)).isEqualTo(read.rowKey(IdRules.ANY));
        assertThat(said.partitionKey(byPk)).isEqualTo(read.partitionKey(byPk));
        assertThat(said.stored()).isSameAs(bson);
        assertThat(said.isEmpty()).isFalse();
    }

    private static PartitionKeyDefinition definition(String path) {
        return new PartitionKeyDefinition(
                List.of(PropertyPath.parse(path)), PartitionKeyDefinition.Kind.HASH, 2, false);
    }

    @Test
    void keepsTheArrayWhenThereIsNothingToCut() {
        Bytes json = Bytes.ofUtf8("  {\"id\" : \"1\"}");
        assertThat(ItemBody.parse(json).stored()).isSameAs(json);
    }

    @Test
    void findsTheId() {
        assertThat(parse("{\"a\":{\"id\":2},\"id\":\"\\u0078\"}").id()).contains("x");
        assertThat(parse("{\"a\":{\"id\":\"2\"}}").id()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "null", "true", "{}", "[\"x\"]", "1.5"})
    void refusesAnIdThatIsNoString(String id) {
        assertThat(Samples.refusal(() -> parse("{\"id\":" + id + "}")))
                .contains("'id' must be a string", "at byte 6");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "1",
                "\"a\"",
                "null",
                "{",
                "{\"a\":1",
                "{\"a\":1}}",
                "{\"a\":1} x",
                "{\"_ts\":1e400}",
                "{\"a\":[1e400]}",
                "{\"id\":\"\\ud800\"}",
                "{\"a\":\"\u0001\"}",
            })
    void refusesWhatMayNotBeStored(String json) {
        assertThat(Samples.refusal(() -> parse(json))).startsWith("The request payload is invalid");
    }

    @Test
    void refusesAHugeNumberWithoutExponent() {
        assertThat(parse("{\"n\":" + "9".repeat(308) + "}").isEmpty()).isFalse();
        Samples.refusal(() -> parse("{\"n\":" + "9".repeat(309) + "}"));
        Samples.refusal(() -> parse("{\"n\":" + "9".repeat(309) + ".5}"));
    }

    @Test
    void nestsExactly128Levels() {
        assertThat(parse(Samples.nested(128)).id()).isEmpty();
        assertThat(Samples.refusal(() -> parse(Samples.nested(129)))).contains("128");
    }

    @Test
    void refusesBadUtf8AndOtherEncodings() {
        Samples.refusal(() -> ItemBody.parse(Bytes.ofHex("7B2261223A22C080227D")));
        Samples.refusal(() -> ItemBody.parse(Bytes.ofHex("7B002200610022003A0031007D00")));
        Samples.refusal(() -> ItemBody.parse(Bytes.ofHex("EFBBBF7B7D")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/a|{\"a\":\"x\"}|x",
                "/a|{\"b\":{\"a\":1},\"a\":\"y\"}|y",
                "/a/b|{\"a\":{\"c\":{\"b\":1},\"b\":\"x\"},\"b\":2}|x",
                "/a/b|{\"a\":{\"x\":{\"a\":{\"b\":\"no\"}}},\"c\":{\"b\":\"no\"}}|undefined",
                "/a/b|{\"a\":[{\"b\":\"no\"}]}|undefined",
                "/a/b|{\"a\":[],\"b\":\"no\"}|undefined",
                "/a/b|{\"x\":[{\"a\":{\"b\":\"no\"}}]}|undefined",
                "/a/b/c|{\"a\":{\"b\":{\"c\":\"x\",\"d\":1}}}|x",
                "/a|{\"a\":{\"b\":1}}|undefined",
                "/a|{\"a\":[\"x\"]}|undefined",
                "/\"a b\"|{\"a b\":\"x\"}|x",
                "/_ts|{\"_ts\":\"x\"}|undefined",
                "/_etag/a|{\"_etag\":{\"a\":\"x\"}}|undefined",
                "/id|{\"id\":\"x\"}|x",
            })
    void findsThePartitionKey(String path, String json, String expected) {
        PartitionKeyDefinition definition = Samples.keyed(path);
        PartitionKey key =
                expected.equals("undefined")
                        ? PartitionKey.of(KeyComponent.UNDEFINED)
                        : PartitionKey.ofText(expected);
        assertThat(ItemBody.parse(Bytes.ofUtf8(json), definition).partitionKey(definition))
                .isEqualTo(key);
        assertThat(parse(json).partitionKey(definition)).isEqualTo(key);
    }

    @Test
    void readsEveryKindOfKey() {
        Bytes json =
                Bytes.ofUtf8(
                        "{\"n\":9007199254740993,\"z\":-0.0,\"t\":true,\"f\":false,\"x\":null}");
        assertThat(
                        ItemBody.parse(json)
                                .partitionKey(Samples.keyed("/n", "/z", "/t", "/f", "/x", "/y"))
                                .components())
                .isEqualTo(
                        List.of(
                                new KeyComponent.Numeric(9007199254740992.0),
                                new KeyComponent.Numeric(-0.0),
                                KeyComponent.TRUE,
                                KeyComponent.FALSE,
                                KeyComponent.NULL,
                                KeyComponent.UNDEFINED));
        assertThat(ItemBody.parse(json).partitionKey(Samples.keyed()))
                .isEqualTo(PartitionKey.EMPTY);
    }

    @Test
    void findsPathsThatShareABeginning() {
        PartitionKeyDefinition definition = Samples.keyed("/a/b", "/a/c", "/a/b/c");
        ItemBody body =
                ItemBody.parse(
                        Bytes.ofUtf8("{\"a\":{\"b\":{\"c\":\"1\"},\"c\":\"2\"}}"), definition);
        assertThat(body.partitionKey(definition))
                .isEqualTo(
                        PartitionKey.of(
                                KeyComponent.UNDEFINED,
                                new KeyComponent.Text("2"),
                                new KeyComponent.Text("1")));
    }

    @Test
    void refusesAKeyThatUtf8CannotHold() {
        assertThat(
                        Samples.refusal(
                                () ->
                                        ItemBody.parse(
                                                Bytes.ofUtf8("{\"a\":\"\\udc00\"}"),
                                                Samples.keyed("/a"))))
                .contains("surrogate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"a\"", "{\"a\":[1", "{\"a\":\"x", "{\"a\":tru"})
    void saysThatABodyEndsTooEarlyAndNothingOfTheParser(String json) {
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> parse(json))
                .matches(e -> !e.text().contains("Source") && !e.text().contains("start marker"))
                .matches(e -> e.text().startsWith("The request payload is invalid. "));
    }
}
