package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;

final class ItemBodyProperties {
    /** Top-level properties as texts, with whatever white space stood around them. */
    record Text(List<String> properties, String space) {
        String print(boolean withSystemProperties) {
            List<String> printed =
                    properties.stream().filter(p -> withSystemProperties || !isSystem(p)).toList();
            return "{" + space + String.join("," + space, printed) + space + "}";
        }

        private static boolean isSystem(String property) {
            return SystemProperties.isSystemProperty(
                    property.substring(1, property.indexOf('"', 1)));
        }
    }

    @Property
    void neverAltersOtherText(@ForAll("texts") Text text) {
        ItemBody body = ItemBody.parse(Bytes.ofUtf8(text.print(true) + "\n"));
        // Equal but for white space between properties; so compare with it squeezed out.
        assertThat(squeeze(body.stored().toUtf8(), text.space))
                .isEqualTo(squeeze(text.print(false), text.space));
        assertThat(body.stored().at(body.stored().length() - 1)).isEqualTo((byte) '}');
        JsonText.parse(body.stored());

        ByteSink out = new ByteSink();
        SystemProperties.splice(
                out, body.stored(), "r==", "dbs/d/", "\"e\"", 17, OptionalLong.of(4));
        Bytes seen = out.toBytes();
        Map<String, Value> expected = new LinkedHashMap<>(properties(body.stored()));
        assertThat(body.isEmpty()).isEqualTo(expected.isEmpty());
        expected.remove("_lsn"); // the service's own takes its place
        expected.put("_rid", Value.of("r=="));
        expected.put("_self", Value.of("dbs/d/"));
        expected.put("_etag", Value.of("\"e\""));
        expected.put("_attachments", Value.of("attachments/"));
        expected.put("_ts", Value.of(17));
        expected.put("_lsn", Value.of(4));
        assertThat(properties(seen)).isEqualTo(expected);
    }

    private static String squeeze(String text, String space) {
        return space.isEmpty() ? text : text.replace(space, "");
    }

    private static Map<String, Value> properties(Bytes json) {
        return ((Value.Obj) JsonText.parse(json)).properties();
    }

    @Property(tries = 3000)
    void refusesDamagedBytesOrAgreesWithTheTree(
            @ForAll("items") Value.Obj item, @ForAll("edits") List<Edit> edits) {
        Bytes damaged = Bytes.wrap(apply(JsonText.writeBytes(item).toUtf8(), edits));
        PartitionKeyDefinition definition = Samples.keyed("/a/b");
        Optional<Value> tree = attempt(damaged);
        try {
            ItemBody body = ItemBody.parse(damaged, definition);
            assertThat(tree).isPresent();
            Map<String, Value> expected =
                    new LinkedHashMap<>(((Value.Obj) tree.orElseThrow()).properties());
            expected.keySet().removeIf(SystemProperties::isSystemProperty);
            assertThat(properties(body.stored())).isEqualTo(expected);
        } catch (OrreryException refusal) {
            assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        }
    }

    @Property
    void survivesRandomBytes(@ForAll byte[] bytes) {
        try {
            ItemBody.parse(Bytes.wrap(bytes));
        } catch (OrreryException refusal) {
            assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        }
    }

    @Property
    void findsTheKeyThatTheTreeHolds(
            @ForAll("items") Value.Obj item, @ForAll("keyPaths") List<String> path) {
        // A path has no empty segments, and none with both kinds of quotes.
        Assume.that(path.stream().noneMatch(name -> name.isEmpty() || name.contains("\"")));
        Value at = item;
        for (String name : path) {
            at =
                    at instanceof Value.Obj(Map<String, Value> properties)
                            ? properties.getOrDefault(name, Value.Undefined.UNDEFINED)
                            : Value.Undefined.UNDEFINED;
        }
        if (at instanceof Value.Text(String text) && Utf8.hasLoneSurrogate(text)) {
            return;
        }
        KeyComponent expected =
                switch (at) {
                    case Value.Null _ -> KeyComponent.NULL;
                    case Value.Bool(boolean truth) ->
                            truth ? KeyComponent.TRUE : KeyComponent.FALSE;
                    case Value.Int(long number) -> new KeyComponent.Numeric(number);
                    case Value.Real(double number) -> new KeyComponent.Numeric(number);
                    case Value.Text(String text) -> new KeyComponent.Text(text);
                    default -> KeyComponent.UNDEFINED;
                };
        PartitionKeyDefinition definition =
                new PartitionKeyDefinition(
                        List.of(new PropertyPath(path)),
                        PartitionKeyDefinition.Kind.HASH,
                        2,
                        false);
        Bytes json = JsonText.writeBytes(item);
        PartitionKey key = ItemBody.parse(json, definition).partitionKey(definition);
        assertThat(key).isEqualTo(PartitionKey.of(expected));
        assertThat(ItemBody.partitionKeyOf(json, definition)).isEqualTo(key);
    }

    private static Optional<Value> attempt(Bytes json) {
        try {
            return Optional.of(JsonText.parse(json));
        } catch (OrreryException refusal) {
            return Optional.empty();
        }
    }

    record Edit(int at, int drop, String insert) {}

    private static byte[] apply(String json, List<Edit> edits) {
        String text =
                new String(json.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        for (Edit edit : edits) {
            int at = edit.at % text.length();
            int end = Math.min(text.length(), at + edit.drop);
            text = text.substring(0, at) + edit.insert + text.substring(end) + " ";
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Provide
    Arbitrary<List<Edit>> edits() {
        Arbitrary<String> pieces =
                Arbitraries.oneOf(
                        Arbitraries.of(
                                "",
                                "{",
                                "}",
                                "[",
                                "]",
                                ",",
                                ":",
                                "\"",
                                "\\",
                                "\\u00",
                                "\\ud800",
                                "1e400",
                                "-",
                                "0",
                                "null",
                                "\"_ts\":1,",
                                "\"a\":",
                                " ",
                                "\u0000",
                                "\u00c3",
                                "\u00ed\u00a0\u0080",
                                "\u00ff"),
                        Arbitraries.strings().withCharRange('\u0000', '\u00ff').ofMaxLength(2));
        return Combinators.combine(
                        Arbitraries.integers().between(0, 1000),
                        Arbitraries.integers().between(0, 3),
                        pieces)
                .as(Edit::new)
                .list()
                .ofMaxSize(3);
    }

    @Provide
    Arbitrary<Value.Obj> items() {
        return Samples.items();
    }

    @Provide
    Arbitrary<List<String>> keyPaths() {
        return Arbitraries.of(Samples.NAMES).list().ofMinSize(1).ofMaxSize(3);
    }

    @Provide
    Arbitrary<Text> texts() {
        Arbitrary<String> names =
                Arbitraries.of(
                        "id2",
                        "a",
                        "b",
                        "c",
                        "_rid",
                        "_self",
                        "_etag",
                        "_ts",
                        "_attachments",
                        "_lsn",
                        "é");
        Arbitrary<String> raw =
                Arbitraries.of(
                        "1.10",
                        "-0.0e+0",
                        "123456789012345678901234567890",
                        "1E2",
                        "\"\\u0041\"",
                        "\"é\\/\"",
                        "\"}\"",
                        "\",\\\"_ts\\\":1\"",
                        "[1,{\"_ts\":2}]",
                        "{}",
                        "null",
                        "true");
        return Combinators.combine(
                        Arbitraries.maps(names, raw).ofMaxSize(8),
                        Arbitraries.of("", " ", "\n  ", "\t\r\n"))
                .as(
                        (properties, space) -> {
                            List<String> printed = new ArrayList<>();
                            properties.forEach(
                                    (name, value) -> printed.add("\"" + name + "\":" + value));
                            return new Text(printed, space);
                        });
    }
}
