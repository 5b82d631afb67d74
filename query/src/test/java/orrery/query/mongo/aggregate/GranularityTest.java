package orrery.query.mongo.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.model.OrreryException;

final class GranularityTest {
    private static Granularity series(String name) {
        return Granularity.of(Value.of(name));
    }

    @ParameterizedTest
    @CsvSource({
        "R5,       19,    16,     25",
        "R5,       63,    40,     100",
        "R10,      0.8,   0.63,   1",
        "R20,      19,    18,     20",
        "R20,      59,    56,     63",
        "R40,      1,     0.95,   1.06",
        "R80,      82,    80,     82.5",
        "1-2-5,    20,    10,     50",
        "1-2-5,    0.05,  0.02,   0.1",
        "E6,       68,    47,     100",
        "E12,      100,   82,     120",
        "E24,      20,    18,     22",
        "E48,      100,   95.3,   105",
        "E96,      1000,  976,    1020",
        "E192,     915,   909,    920",
        "POWERSOF2, 19,   16,     32",
        "POWERSOF2, 32,   16,     64",
        "POWERSOF2, 0.3,  0.25,   0.5",
        "1-2-5,    1e300, 5e299,  2e300"
    })
    void findsTheNextMembers(String name, double number, double below, double above) {
        assertThat(series(name).below(number)).isEqualTo(below);
        assertThat(series(name).above(number)).isEqualTo(above);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "R5",
                "R10",
                "R20",
                "R40",
                "R80",
                "1-2-5",
                "E6",
                "E12",
                "E24",
                "E48",
                "E96",
                "E192",
                "POWERSOF2"
            })
    void hasAMemberOnEachSideOfAnyNumber(String name) {
        Granularity series = series(name);
        double number = 1e-9;
        for (int i = 0; i < 2_000; i++) {
            assertThat(series.above(number)).isGreaterThan(number);
            assertThat(series.below(number)).isLessThan(number).isPositive();
            // A member is next to its own neighbours.
            assertThat(series.above(series.below(series.above(number))))
                    .isEqualTo(series.above(number));
            number *= 1.03;
        }
    }

    @Test
    void leavesZeroAndWhatHasNoEnd() {
        assertThat(series("R5").above(Value.of(0))).isEqualTo(Value.of(0));
        Value endless = new Value.Real(Double.POSITIVE_INFINITY);
        assertThat(series("E6").above(endless)).isEqualTo(endless);
        assertThat(series("E6").below(endless)).isEqualTo(endless);
    }

    @Test
    void refusesOtherNames() {
        assertThatThrownBy(() -> series("R6"))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        refused -> assertThat(refused.languageCode()).hasValue(40257));
        assertThatThrownBy(() -> Granularity.of(Value.of(5)))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        refused -> assertThat(refused.languageCode()).hasValue(40261));
    }
}
