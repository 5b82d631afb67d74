package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;

final class KeyHeaderTest {
    @Test
    void readsEveryForm() {
        assertThat(KeyHeader.parse("[\"a\"]")).isEqualTo(PartitionKey.ofText("a"));
        assertThat(KeyHeader.parse("[\"\\u00e9\"]")).isEqualTo(PartitionKey.ofText("é"));
        assertThat(KeyHeader.parse("[1.0]"))
                .isEqualTo(PartitionKey.of(new KeyComponent.Numeric(1)));
        assertThat(KeyHeader.parse("[1]")).isEqualTo(KeyHeader.parse("[1.0]"));
        assertThat(KeyHeader.parse("[-0]")).isEqualTo(KeyHeader.parse("[-0.0]"));
        assertThat(KeyHeader.parse("[9007199254740993]"))
                .isEqualTo(PartitionKey.of(new KeyComponent.Numeric(9007199254740992.0)));
        assertThat(KeyHeader.parse("[true]")).isEqualTo(PartitionKey.of(KeyComponent.TRUE));
        assertThat(KeyHeader.parse("[false]")).isEqualTo(PartitionKey.of(KeyComponent.FALSE));
        assertThat(KeyHeader.parse("[null]")).isEqualTo(PartitionKey.of(KeyComponent.NULL));
        assertThat(KeyHeader.parse("[{}]")).isEqualTo(PartitionKey.of(KeyComponent.UNDEFINED));
        assertThat(KeyHeader.parse(" [ ] ")).isEqualTo(PartitionKey.EMPTY);
        assertThat(KeyHeader.parse("[\"t\",{},1]"))
                .isEqualTo(
                        PartitionKey.of(
                                new KeyComponent.Text("t"),
                                KeyComponent.UNDEFINED,
                                new KeyComponent.Numeric(1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "\"a\"",
                "1",
                "{}",
                "[",
                "[\"a\"",
                "[\"a\"]x",
                "[[]]",
                "[[\"a\"]]",
                "[{\"a\":1}]",
                "[{\"type\":\"MinNumber\"}]",
                "[1e400]",
                "[NaN]",
                "[\"\\ud800\"]",
                "[\"\ud800\"]",
                "[,]",
                "null",
                "\u0000",
            })
    void refusesEverythingElse(String header) {
        assertThat(Samples.refusal(() -> KeyHeader.parse(header)))
                .startsWith("The header x-ms-documentdb-partitionkey is invalid. ")
                .doesNotContain("payload");
    }
}
