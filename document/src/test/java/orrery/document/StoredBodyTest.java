package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;

/** It must find what a parser finds. */
final class StoredBodyTest {
    private static void readsAsTheParser(Bytes body, Set<String> wanted) {
        Map<String, Value> parsed = JsonText.parseStored(body, wanted::contains, Integer.MAX_VALUE);
        assertThat(StoredBody.read(body, new PropertyNames(wanted))).isEqualTo(parsed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " \n{ }",
                "{\"a\":1}",
                "{ \"x\" : [1,{\"a\":\"}\"}] ,\t\"a\" : 12 }",
                "{\"x\":\"\\\"a\\\":1\",\"a\":\"b\\\\\"}",
                "{\"x\":{\"a\":1},\"a\":{\"b\":[1,2,{\"c\":null}]}}",
                "{\"\\u0061\":7,\"b\":\"\\u00e9\"}",
                "{\"a\":-0,\"b\":0}",
                "{\"a\":-12,\"b\":1.0}",
                "{\"a\":1e3,\"b\":1.5E-7}",
                "{\"a\":9223372036854775807,\"b\":9223372036854775808}",
                "{\"a\":999999999999999999,\"b\":1000000000000000000}",
                "{\"a\":true,\"b\":false}",
                "{\"a\":null,\"b\":\"\"}",
                "{\"b\":\"é😀\",\"é\":1}",
                "{\"ab\":1,\"\":2}"
            })
    void readsAsTheParserDoes(String body) {
        for (Set<String> wanted :
                List.of(Set.of("a"), Set.of("a", "b"), Set.of("é"), Set.of("", "none"))) {
            readsAsTheParser(Bytes.ofUtf8(body), wanted);
        }
    }

    @Property
    void readsWhatWasWritten(@ForAll("items") Value.Obj item) {
        Bytes body = JsonText.writeBytes(item);
        readsAsTheParser(body, Set.copyOf(Samples.NAMES));
        for (String name : Samples.NAMES) {
            readsAsTheParser(body, Set.of(name));
        }
    }

    @Provide
    Arbitrary<Value.Obj> items() {
        return Samples.items();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{\"a\"", "{\"a\":", "{\"a\":\"b", "{\"x\":[1,2"})
    void saysThatABodyIsDamaged(String body) {
        assertThatThrownBy(
                        () -> StoredBody.read(Bytes.ofUtf8(body), new PropertyNames(Set.of("a"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not JSON");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1,\"b\":2,", "{\"b\":1,\"a\":2 garbage"})
    void doesNotLookBehindTheLastThatIsWanted(String begun) {
        assertThat(StoredBody.read(Bytes.ofUtf8(begun), new PropertyNames(Set.of("a", "b"))))
                .containsOnlyKeys("a", "b");
    }
}
