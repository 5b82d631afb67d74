package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.OrreryException;

final class JsonSlicesTest {
    @Test
    void elementsKeepTheirBytes() {
        assertThat(
                        JsonSlices.elements(
                                Bytes.ofUtf8(
                                        "{\"x\":[[1]],\"all\" : [ {\"n\": -0,\"m\":1234567890123456789012} , [ ],"
                                                + " \"a\"],\"y\":{}}"),
                                "all"))
                .map(Bytes::toUtf8)
                .containsExactly("{\"n\": -0,\"m\":1234567890123456789012}", "[ ]", "\"a\"");
    }

    /** An item may be nested as deep as JSON may be at all. */
    @Test
    void depthCountsFromTheElement() {
        String deepest = "[".repeat(JsonText.MAX_DEPTH) + "]".repeat(JsonText.MAX_DEPTH);
        assertThat(JsonSlices.elements(Bytes.ofUtf8("{\"all\":[" + deepest + "]}"), "all"))
                .containsExactly(Bytes.ofUtf8(deepest));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"all\":{}}", "{\"all\":[1", "{\"other\":[]}"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> JsonSlices.elements(Bytes.ofUtf8(text), "all"))
                .isInstanceOf(OrreryException.class);
    }
}
