package orrery.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ScriptSource;

class FunctionSandboxTest {
    private static final ScriptFixture SCRIPTS = new ScriptFixture();

    @AfterAll
    static void close() {
        SCRIPTS.close();
    }

    private static <T> T with(Duration time, Function<FunctionSandbox, T> use, String... bodies) {
        List<ScriptSource> sources = new java.util.ArrayList<>();
        for (String body : bodies) {
            sources.add(new ScriptSource("f" + sources.size(), 1, body));
        }
        return SCRIPTS.engine.call(
                ScriptFixture.CONTAINER,
                ScriptFixture.TIME,
                () -> {
                    try (FunctionSandbox functions = SCRIPTS.engine.functions(sources, time)) {
                        return use.apply(functions);
                    }
                });
    }

    private static Value call(String body, Value... arguments) {
        return with(ScriptFixture.TIME, f -> f.call("f0", List.of(arguments)), body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "false",
                "0",
                "-1.5",
                "9007199254740991",
                "\"\"",
                "\"text\"",
                "\"é😀\"",
                "[]",
                "[1,[2,{\"a\":null}]]",
                "{}",
                "{\"b\":1,\"a\":{\"c\":[true]}}"
            })
    void valuesComeBackAsTheyWent(String json) {
        Value value = JsonText.parse(json);
        assertThat(call("function (x) { return x; }", value)).isEqualTo(value);
    }

    @Test
    void whatHasNoJsonIsUndefined() {
        assertThat(call("function () {}")).isEqualTo(Value.Undefined.UNDEFINED);
        assertThat(call("function () { return 0 / 0; }")).isEqualTo(Value.Undefined.UNDEFINED);
        assertThat(call("function () { return function () {}; }"))
                .isEqualTo(Value.Undefined.UNDEFINED);
        assertThat(call("function () { return {toJSON() {}}; }"))
                .isEqualTo(Value.Undefined.UNDEFINED);
        assertThat(call("function (x) { return typeof x; }", Value.Undefined.UNDEFINED))
                .isEqualTo(Value.of("undefined"));
        assertThat(call("function (x) { return x === null; }", Value.Null.NULL))
                .isEqualTo(Value.of(true));
    }

    @Test
    void oneSandboxServesManyCallsOfManyFunctions() {
        Value sum =
                with(
                        ScriptFixture.TIME,
                        functions -> {
                            Value total = Value.of(0);
                            for (int i = 0; i < 1000; i++) {
                                Value twice = functions.call("f0", List.of(Value.of(i)));
                                total = functions.call("f1", List.of(total, twice));
                            }
                            return total;
                        },
                        "function (x) { return 2 * x; }",
                        "function (a, b) { return a + b; }");
        assertThat(sum).isEqualTo(Value.of(999_000));
    }

    @Test
    void anArrayOfAQueryIsAnArrayOfTheScript() {
        assertThat(
                        call(
                                "function (x) { return Array.isArray(x) && x.map(y => y + 1); }",
                                JsonText.parse("[1,2]")))
                .isEqualTo(JsonText.parse("[2,3]"));
    }

    @Test
    void failuresNameFunctionAndLine() {
        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class,
                        () -> call("function (x) {\n  return x.y.z;\n}", Value.of(1)));
        assertThat(failure.code()).isEqualTo(ErrorCode.SCRIPT_FAILED);
        assertThat(failure.text()).contains("TypeError").contains("f0.js:2:");
    }

    @Test
    void anUnknownFunctionIsNamed() {
        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class,
                        () -> with(ScriptFixture.TIME, f -> f.call("gone", List.of())));
        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(failure.text()).contains("udf.gone");
    }

    @Test
    void functionsEndWhenTheirTimeIsOver() {
        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                with(
                                        Duration.ofMillis(200),
                                        f -> f.call("f0", List.of()),
                                        "function () { while (true) {} }"));
        assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
    }

    @Test
    void functionsReachNoItems() {
        assertThat(call("function () { return typeof getContext + typeof __; }"))
                .isEqualTo(Value.of("undefinedundefined"));
    }
}
