package orrery.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
    @Test
    void readsDigits() {
        assertThat(Decimal.parse("0")).hasValue(0);
        assertThat(Decimal.parse("0042")).hasValue(42);
        assertThat(Decimal.parse("999999999999999999")).hasValue(999_999_999_999_999_999L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "+1",
                "-1",
                "1 ",
                "1.0",
                "1e3",
                "0x1",
                "1_000",
                "1000000000000000000",
                // Arabic-Indic, Devanagari and full-width digits.
                "\u0661",
                "\u0967",
                "\uff11",
                "1\u0662"
            })
    void readsNothingElse(String text) {
        assertThat(Decimal.parse(text)).isEmpty();
    }

    @Test
    void keepsToItsBounds() {
        assertThat(Decimal.parse("4", 5, 7)).isEmpty();
        assertThat(Decimal.parse("5", 5, 7)).hasValue(5);
        assertThat(Decimal.parse("7", 5, 7)).hasValue(7);
        assertThat(Decimal.parse("8", 5, 7)).isEmpty();
    }
}
