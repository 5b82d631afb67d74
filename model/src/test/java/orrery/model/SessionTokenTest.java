package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SessionTokenTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "0:-1#12            | 0:-1#12",
                "0:-1#12#1=5        | 0:-1#12",
                "0:-1#100#1=20#2=5   | 0:-1#100",
                "0:12               | 0:-1#12",
                "1:7,0:-1#12        | 0:-1#12,1:-1#7",
                "0:-1#12, 1:-1#7    | 0:-1#12,1:-1#7",
                "3:-1#5,3:9,3:-1#7  | 3:-1#9",
                "0:-1#-1            | 0:-1#-1",
                "0:-1#12,           | 0:-1#12",
                "0:9223372036854775807 | 0:-1#9223372036854775807",
                "\"\"               | \"\"",
            })
    void readsEveryForm(String text, String canonical) {
        assertThat(SessionToken.parse(text).format()).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                ":",
                "0:",
                ":12",
                "0:#",
                "0:-1#",
                "0:-1#12#",
                "0:-1#12#1",
                "0:-1#12#1=",
                "0:-1#12#=5",
                "0:-1#12=5",
                "0:--1#12",
                "0:-",
                "0:+1",
                "0:1.5",
                "a:1",
                "-1:1",
                "2147483648:1",
                "0:9223372036854775808",
                "0:99999999999999999999999999999999",
                ",0:1",
                "0:1,,1:1",
                "0:1;1:1",
                "0 :1",
                "0:1 2",
                "0:\u0661",
                "\u0000",
            })
    void refusesWhatIsMalformed(String text) {
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> SessionToken.parse(text))
                .withMessageStartingWith("The session token is malformed at character ")
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST));
    }

    @Test
    void hostileLengthEndsInAShortRefusal() {
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> SessionToken.parse("0:-1#1" + "#1=1".repeat(500_000) + "x"))
                .satisfies(e -> assertThat(e.text()).hasSizeLessThan(200));
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> SessionToken.parse("9".repeat(1_000_000)))
                .satisfies(e -> assertThat(e.text()).hasSizeLessThan(200));
        assertThat(SessionToken.parse("0:1" + ",0:1".repeat(500_000)).format()).isEqualTo("0:-1#1");
    }

    @Test
    void writesBothForms() {
        SessionToken token = new SessionToken(new TreeMap<>(Map.of(10, 7L, 2, 12L)));

        assertThat(token.format()).isEqualTo("2:-1#12,10:-1#7");
        assertThat(token.formatLegacy()).isEqualTo("2:12,10:7");
    }

    @Test
    void knowsTheLsnOfTheRangesItHasMet() {
        SessionToken token = SessionToken.of(3, 12);

        assertThat(token.lsn(3)).hasValue(12);
        assertThat(token.lsn(4)).isEmpty();
    }
}
