package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IsoTimeTest {
    @Property
    void isTheTextOfTheJdk(@ForAll @LongRange(max = 253_402_300_799_999L) long millis) {
        assertThat(IsoTime.format(millis)).isEqualTo(Instant.ofEpochMilli(millis).toString());
        assertThat(IsoTime.parse(IsoTime.format(millis))).hasValue(millis);
    }

    @Test
    void zerosAtTheEndOfAFractionMayBeMissing() {
        assertThat(IsoTime.parse("1970-01-01T00:00:00.1Z")).hasValue(100);
        assertThat(IsoTime.parse("1970-01-01T00:00:00.12Z")).hasValue(120);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1970-01-01",
                "1969-12-31T23:59:59Z",
                "2026-02-29T00:00:00Z",
                "2026-13-01T00:00:00Z",
                "2026-01-01T24:00:00Z",
                "2026-01-01T00:00:00.Z",
                "2026-01-01T00:00:00+01:00"
            })
    void otherTextsAreRefused(String text) {
        assertThat(IsoTime.parse(text)).isEmpty();
    }
}
