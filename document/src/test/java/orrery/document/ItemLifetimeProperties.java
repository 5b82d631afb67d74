package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.model.Bytes;
import orrery.model.Encoding;

class ItemLifetimeProperties {
    /** Properties as they may be written, which begin anywhere in the eight bytes of a look. */
    @Provide
    Arbitrary<List<String>> properties() {
        Arbitrary<String> filling =
                Arbitraries.strings()
                        .withChars("tl7 é\u4E2D:,{}")
                        .ofMaxLength(40)
                        .map(text -> "\"" + text.length() + "x\":\"" + text + "\"");
        Arbitrary<String> names =
                Arbitraries.of(
                        "\"ttl\":7",
                        "\"t\\u0074l\": 7",
                        "\"ttl\":\"7\"",
                        "\"tt\":7",
                        "\"ttl2\":7",
                        "\"o\":{\"ttl\":7}",
                        "\"q\":\"a\\\"ttl\\\"\"");
        return Arbitraries.oneOf(filling, names)
                .list()
                .ofMaxSize(4)
                .filter(all -> all.stream().filter(ItemLifetimeProperties::isNamedTtl).count() < 2);
    }

    /** In a stored item no name comes twice. */
    private static boolean isNamedTtl(String property) {
        return property.startsWith("\"ttl\"") || property.startsWith("\"t\\u");
    }

    @Property(tries = 1000)
    void findsWhatIsThere(@ForAll("properties") List<String> properties) {
        String json = properties.stream().collect(Collectors.joining(",", "{", "}"));
        Value.Obj item = (Value.Obj) JsonText.parse(json);
        boolean isThere = Value.of(7).equals(item.properties().get("ttl"));
        int expected = isThere ? 7 : ItemLifetime.UNSAID;
        assertThat(ItemLifetime.of(Encoding.JSON, Bytes.ofUtf8(json))).isEqualTo(expected);
        assertThat(ItemLifetime.of(Encoding.BSON, BsonCodec.write(item))).isEqualTo(expected);
    }
}
