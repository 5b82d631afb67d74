package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** A clock that jumps as it likes, while real time passes. */
class PacedTimeProperties {
    private static final long HOUR_MILLIS = 3_600_000;

    record Step(long passedNanos, long jumpMillis) {}

    private static Step step(long number) {
        // Most steps are no jump; passed times are no whole milliseconds.
        long jump = number % 5 == 0 ? number % (2 * HOUR_MILLIS) - HOUR_MILLIS : 0;
        return new Step(number % 7_000_000_001L, jump);
    }

    @Property
    void neverBackNeverBehindAndAtLeastHalfThePace(
            @ForAll @Size(max = 100) List<@LongRange(min = 0, max = Long.MAX_VALUE) Long> numbers) {
        long clock = 1_800_000_000_000L;
        long nanos = Long.MAX_VALUE - 5_000_000_000L; // overflows on the way, as it may
        long elapsed = 0;
        PacedTime time = new PacedTime(clock, nanos);
        long last = clock;
        long lastElapsed = 0;
        for (long number : numbers) {
            Step step = step(number);
            nanos += step.passedNanos();
            elapsed += step.passedNanos();
            clock += step.passedNanos() / 1_000_000 + step.jumpMillis();

            long now = time.advance(clock, nanos);
            assertThat(now).isGreaterThanOrEqualTo(clock).isGreaterThanOrEqualTo(last);
            if (now > clock) {
                assertThat(now - last)
                        .as("half of what has passed, to a millisecond")
                        .isBetween(
                                (elapsed - lastElapsed) / 2_000_000 - 1,
                                (elapsed - lastElapsed) / 2_000_000 + 1);
            }
            last = now;
            lastElapsed = elapsed;
        }
        long ahead = last - clock;
        nanos += 2 * ahead * 1_000_000;
        assertThat(time.advance(clock + 2 * ahead, nanos))
                .as("the clock catches up in twice the gap")
                .isBetween(clock + 2 * ahead, clock + 2 * ahead + 1);
    }
}
