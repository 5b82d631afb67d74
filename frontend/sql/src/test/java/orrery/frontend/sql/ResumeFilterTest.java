package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ResourceId;
import orrery.query.execute.ResumePoint;

final class ResumeFilterTest {
    private static ResumePoint parse(String json) {
        return ResumeFilter.parse(Bytes.ofUtf8(json));
    }

    @Test
    void valuesAndPlace() {
        String rid = ResourceId.ofItem(1, 2, 77).toString();
        assertThat(parse("{\"value\":[1,\"a\"],\"rid\":\"" + rid + "\",\"exclude\":true}"))
                .isEqualTo(
                        new ResumePoint(
                                List.of(Value.of(1), Value.of("a")), Optional.of(77L), true));
        assertThat(parse("{\"value\":[null]}"))
                .isEqualTo(new ResumePoint(List.of(Value.Null.NULL), Optional.empty(), false));
    }

    /** SDKs write undefined as an empty array, and others by their type and a hash. */
    @Test
    void valuesThatAreNotWrittenAsThemselves() {
        assertThat(
                        parse(
                                        "{\"value\":[[],{\"type\":\"array\",\"low\":1,\"high\":2},"
                                                + "{\"type\":\"object\",\"low\":1,\"high\":2}]}")
                                .values())
                .isEqualTo(
                        List.of(
                                Value.Undefined.UNDEFINED,
                                new Value.Array(List.of(Value.Null.NULL)),
                                new Value.Obj(Map.of("", Value.Null.NULL))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "{}",
                "{\"value\":1}",
                "{\"value\":[1],\"rid\":\"x\"}",
                "{\"value\":[1],\"rid\":\"AQAAAA==\"}"
            })
    void othersAreRefused(String json) {
        assertThatThrownBy(() -> parse(json))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST));
    }
}
