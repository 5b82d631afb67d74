package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MembersTest {
    /** It is a map like any other, below and beyond the number that it holds by itself. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 8, 9, 20})
    void holdsWhatWasPut(int count) {
        Members.Builder builder = new Members.Builder();
        Map<String, Value> expected = new LinkedHashMap<>();
        for (int i = count; i > 0; i--) {
            builder.put("n" + i, Value.of(i));
            expected.put("n" + i, Value.of(i));
            assertThat(builder.size()).isEqualTo(expected.size());
        }
        Map<String, Value> built = builder.build();
        assertThat(built).isEqualTo(expected).hasSameHashCodeAs(expected);
        assertThat(expected).isEqualTo(built);
        assertThat(new ArrayList<>(built.keySet())).isEqualTo(new ArrayList<>(expected.keySet()));
        assertThat(new ArrayList<>(built.values())).isEqualTo(new ArrayList<>(expected.values()));
        List<String> names = new ArrayList<>();
        built.forEach((name, value) -> names.add(name + value));
        List<String> expectedNames = new ArrayList<>();
        expected.forEach((name, value) -> expectedNames.add(name + value));
        assertThat(names).isEqualTo(expectedNames);
        assertThat(built.get("none")).isNull();
        assertThat(built.containsKey("none")).isFalse();
        assertThat(built.containsKey("n1")).isEqualTo(count > 0);
        Value.Obj object = new Value.Obj(built);
        assertThat(object).isEqualTo(new Value.Obj(expected));
        assertThatThrownBy(() -> object.properties().put("x", Value.of(1)))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5, 8, 9, 20})
    void takesEachNameOnce(int count) {
        Members.Builder builder = new Members.Builder();
        for (int i = 1; i <= count; i++) {
            assertThat(builder.putIfNew("n" + i, Value.of(i))).isTrue();
        }
        for (int i = 1; i <= count; i++) {
            assertThat(builder.putIfNew("n" + i, Value.Null.NULL)).isFalse();
        }
        Members built = builder.build();
        assertThat(built).hasSize(count).containsEntry("n1", Value.of(1));
        assertThat(built.get("n" + count)).isEqualTo(Value.of(count));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5, 7, 8, 9, 20})
    void anotherValueOfAMemberMakesAnotherObject(int count) {
        Map<String, Value> before = new LinkedHashMap<>();
        for (int i = 1; i <= count; i++) {
            before.put("n" + i, Value.of(i));
        }
        Value.Obj object = new Value.Obj(before);
        for (String name : List.of("n1", "n" + count, "new")) {
            for (Value value : List.of(Value.of("x"), Value.Undefined.UNDEFINED)) {
                Map<String, Value> expected = new LinkedHashMap<>(before);
                if (value.isDefined()) {
                    expected.put(name, value);
                } else {
                    expected.remove(name);
                }
                assertThat(new ArrayList<>(object.with(name, value).properties().entrySet()))
                        .isEqualTo(new ArrayList<>(expected.entrySet()));
            }
        }
        assertThat(object).isEqualTo(new Value.Obj(before));
        // MongoDB stores values of this kind; they stay while another member changes.
        Value.Obj odd = object.with("n1", Value.of(0));
        Map<String, Value> undefined = new LinkedHashMap<>(odd.properties());
        undefined.put("u", Value.Undefined.UNDEFINED);
        assertThat(new Value.Obj(undefined).with("n1", Value.of(2)).properties()).containsKey("u");
        assertThat(new Value.Obj(undefined).with("u", Value.Undefined.UNDEFINED).properties())
                .doesNotContainKey("u");
    }

    /** Who made an object may go on with the map that it was made of. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 9})
    void aMapIsCopiedAndMembersAreShared(int count) {
        Map<String, Value> given = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            given.put("n" + i, Value.of(i));
        }
        Map<String, Value> before = new LinkedHashMap<>(given);
        Value.Obj object = new Value.Obj(given);
        given.put("more", Value.Null.NULL);
        given.remove("n0");

        assertThat(object.properties()).isEqualTo(before);
        assertThat(new Value.Obj(object.properties()).properties()).isSameAs(object.properties());
    }
}
