package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IdRulesTest {
    /** Only the API whose rules they are has those of SQL. */
    @ParameterizedTest
    @EnumSource
    void eachKindHasItsOwn(ContainerKind kind) {
        assertThat(kind.ids())
                .isEqualTo(
                        switch (kind) {
                            case DOCUMENT -> IdRules.SQL;
                            case MONGODB, TABLE, GRAPH -> IdRules.ANY;
                        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\\b", "a/b", " "})
    void theEngineItselfTakesEveryText(String id) {
        assertThat(IdRules.ANY.rowKey(id)).isEqualTo(RowKey.ofText(id));
    }

    @Test
    void aTextHasOneByteLessThanAKey() {
        String most = "x".repeat(2047);
        assertThat(IdRules.ANY.rowKey(most).text()).isEqualTo(most);
        assertThatThrownBy(() -> IdRules.ANY.rowKey(most + "x"))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("may have 2048 bytes");
    }

    /** The rule of SQL speaks first, also for what no key could hold. */
    @Test
    void sqlSaysItsOwnLimit() {
        assertThatThrownBy(() -> IdRules.SQL.rowKey("x".repeat(5000)))
                .hasMessageContaining("may have 1023 bytes and this one has 5000");
        assertThatThrownBy(() -> IdRules.SQL.rowKey("\uD800"))
                .hasMessageContaining("not well-formed");
    }
}
