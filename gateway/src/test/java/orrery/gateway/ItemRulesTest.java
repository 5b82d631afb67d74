package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.IdRules;
import orrery.model.ItemRules;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.SizeLimits;

/** Each limit at the limit and one past it. */
final class ItemRulesTest {
    @Test
    void bodyHasTwoMegabytes() {
        ItemRules.checkBody(SizeLimits.DEFAULT, Bytes.wrap(new byte[2 << 20]));
        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                ItemRules.checkBody(
                                        SizeLimits.DEFAULT, Bytes.wrap(new byte[(2 << 20) + 1])));
        assertThat(failure.code()).isEqualTo(ErrorCode.TOO_LARGE);
    }

    @Test
    void idHas1023Bytes() {
        IdRules.SQL.rowKey("x".repeat(1023));
        IdRules.SQL.rowKey("é".repeat(511) + "x");
        assertThat(refused("x".repeat(1024))).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refused("é".repeat(512))).isEqualTo(ErrorCode.BAD_REQUEST);
        // Suites of clients look for this sentence.
        assertThatThrownBy(() -> IdRules.SQL.rowKey("x".repeat(1024)))
                .hasMessageContaining(
                        "Ensure to provide a unique non-empty string less than '1024' characters.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\\b", "\uD800"})
    void someIdsAreNoIds(String id) {
        assertThat(refused(id)).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " a", "a b", "%", "+", "\"", "日本", "😀", "a=b&c", ".", "a/b", "a?b", "a#b", "a ",
                "/"
            })
    void othersAre(String id) {
        assertThatCode(() -> IdRules.SQL.rowKey(id)).doesNotThrowAnyException();
    }

    @Test
    void keyHas2048Bytes() {
        ItemRules.checkKey(PartitionKey.ofText("k".repeat(2048)));
        OrreryException failure =
                catchThrowableOfType(
                        OrreryException.class,
                        () -> ItemRules.checkKey(PartitionKey.ofText("k".repeat(2049))));
        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void noKeyIsTheUndefinedOneOrNone() {
        var keyed = EngineFixture.definition("/pk").partitionKey();
        var fixed = EngineFixture.definition().partitionKey();
        var undefined = PartitionKey.of(KeyComponent.UNDEFINED);
        for (PartitionKey given : List.of(PartitionKey.EMPTY, undefined)) {
            assertThat(ItemRules.normalise(keyed, given)).isEqualTo(undefined);
            assertThat(ItemRules.normalise(fixed, given)).isEqualTo(PartitionKey.EMPTY);
        }
    }

    private static ErrorCode refused(String id) {
        return catchThrowableOfType(OrreryException.class, () -> IdRules.SQL.rowKey(id)).code();
    }
}
