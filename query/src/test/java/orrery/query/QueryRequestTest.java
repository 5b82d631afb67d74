package orrery.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

final class QueryRequestTest {
    @Test
    void readsParameters() {
        QueryRequest request =
                parse(
                        "{\"query\":\"SELECT 1\",\"parameters\":[{\"name\":\"@a\",\"value\":1},"
                                + "{\"name\":\"@_B2\",\"value\":null,\"more\":1},{\"name\":\"@é\"}],"
                                + "\"clientQLCompatibilityLevel\":0}");
        assertThat(request.query()).isEqualTo("SELECT 1");
        assertThat(request.parameters())
                .isEqualTo(
                        Map.of(
                                "@a",
                                Value.of(1),
                                "@_B2",
                                Value.Null.NULL,
                                "@é",
                                Value.Undefined.UNDEFINED));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"query\":\"x\"}",
                "{\"query\":\"x\",\"parameters\":null}",
                "{\"query\":\"x\",\"parameters\":[]}"
            })
    void parametersMayBeMissing(String body) {
        assertThat(parse(body)).isEqualTo(new QueryRequest("x", Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SELECT 1",
                "[]",
                "{}",
                "{\"query\":1}",
                "{\"query\":null}",
                "{\"query\":\"x\",\"parameters\":{}}",
                "{\"query\":\"x\",\"parameters\":[1]}",
                "{\"query\":\"x\",\"parameters\":[{\"value\":1}]}",
                "{\"query\":\"x\",\"parameters\":[{\"name\":1}]}",
                "{\"query\":\"x\"} x"
            })
    void refusesOtherBodies(String body) {
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> parse(body))
                .matches(e -> e.code() == ErrorCode.BAD_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "", "@", "@1", "@a b", "a@", "@@a", "@a\\n"})
    void refusesNamesThatAreNone(String name) {
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(
                        () ->
                                parse(
                                        "{\"query\":\"x\",\"parameters\":[{\"name\":\""
                                                + name
                                                + "\",\"value\":1}]}"))
                .withMessage(
                        "Parameter names should be in the format of symbol '@' followed by a valid"
                                + " identifier");
    }

    @Test
    void refusesNamesThatRepeat() {
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(
                        () ->
                                parse(
                                        "{\"query\":\"x\",\"parameters\":[{\"name\":\"@a\"},"
                                                + "{\"name\":\"@a\",\"value\":1}]}"))
                .withMessage("Specified duplicate parameter name");
    }

    private static QueryRequest parse(String body) {
        return QueryRequest.parse(Bytes.ofUtf8(body));
    }
}
