package orrery.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class RefusalLimitTest {
    private static final Instant START = Instant.parse("2026-11-18T00:00:00Z");

    private final RefusalLimit limit = new RefusalLimit(2, Duration.ofMinutes(1));

    @Test
    void soManyPassInEachWindow() {
        assertThat(limit.take(START)).isTrue();
        assertThat(limit.take(START.plusSeconds(59))).isTrue();
        assertThat(limit.take(START.plusSeconds(59))).isFalse();
        assertThat(limit.settle(START.plusSeconds(59))).isZero();
        assertThat(limit.settle(START.plusSeconds(60))).isEqualTo(1);
        assertThat(limit.settle(START.plusSeconds(60))).isZero();
        assertThat(limit.take(START.plusSeconds(60))).isTrue();
        assertThat(limit.take(START.plusSeconds(119))).isTrue();
        assertThat(limit.take(START.plusSeconds(119))).isFalse();
    }

    @Test
    void whatWasLeftOutIsToldWithTheNextWindow() {
        for (int i = 0; i < 7; i++) {
            limit.take(START);
        }
        assertThat(limit.take(START.plusSeconds(61))).isTrue();
        assertThat(limit.settle(START.plusSeconds(61))).isEqualTo(5);
    }

    @Test
    void aClockThatIsSetBackBeginsAnew() {
        limit.take(START);
        limit.take(START);
        assertThat(limit.take(START)).isFalse();
        assertThat(limit.take(START.minusSeconds(1))).isTrue();
        assertThat(limit.settle()).isEqualTo(1);
    }
}
