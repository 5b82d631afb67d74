package orrery.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class OrreryClockTest {
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    /** Nanoseconds of the machine since noon. */
    private final AtomicLong machine = new AtomicLong();

    private final OrreryClock clock =
            new OrreryClock(() -> NOON.plusNanos(machine.get()), machine::get);

    private void pass(Duration time) {
        machine.addAndGet(time.toNanos());
    }

    @Test
    void runsWithTheMachineUntilItIsMoved() {
        pass(Duration.ofSeconds(3));
        assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(3));
        assertThat(clock.nanoTime()).isEqualTo(Duration.ofSeconds(3).toNanos());
    }

    @Test
    void movesBothTimesForward() {
        clock.advance(Duration.ofHours(1));
        pass(Duration.ofSeconds(1));
        assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(3601));
        assertThat(clock.nanoTime()).isEqualTo(Duration.ofSeconds(3601).toNanos());
    }

    @Test
    void doesNotAdvanceBackwards() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.advance(Duration.ofSeconds(-1)))
                .withMessageContaining("use set");
    }

    @Test
    void monotonicTimeDoesNotGoBackWithTheOther() {
        clock.advance(Duration.ofHours(1));
        long before = clock.nanoTime();
        clock.set(NOON.minusSeconds(7200));
        assertThat(clock.instant()).isEqualTo(NOON.minusSeconds(7200));
        assertThat(clock.nanoTime()).isEqualTo(before);
    }

    @Test
    void aStoppedClockIsMovedByHandOnly() {
        clock.stop();
        pass(Duration.ofDays(1));
        assertThat(clock.instant()).isEqualTo(NOON);
        assertThat(clock.nanoTime()).isZero();

        clock.advance(Duration.ofSeconds(5));
        clock.set(NOON.plusSeconds(9));
        assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(9));
        assertThat(clock.nanoTime()).isEqualTo(Duration.ofSeconds(9).toNanos());
    }

    @Test
    void aStartedClockGoesOnFromTheTimeItShows() {
        clock.stop();
        pass(Duration.ofDays(1));
        clock.start();
        pass(Duration.ofSeconds(2));
        assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(2));
        assertThat(clock.nanoTime()).isEqualTo(Duration.ofSeconds(2).toNanos());
    }

    @Test
    void resetShowsTheTimeOfTheMachineAndTakesNoMonotonicTimeBack() {
        clock.advance(Duration.ofHours(1));
        clock.stop();
        clock.advance(Duration.ofHours(1));
        clock.reset();
        pass(Duration.ofSeconds(1));
        assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(1));
        assertThat(clock.nanoTime()).isEqualTo(Duration.ofSeconds(7201).toNanos());
    }

    /** Only a step of the clock ends the waits, because it stands still. */
    @Test
    void whoRestsIsWokenWhenTheTimeHasPassed() throws InterruptedException {
        clock.stop();
        Thread sleeper = Thread.ofVirtual().start(() -> clock.rest(Duration.ofMinutes(10)));
        clock.advance(Duration.ofMinutes(4));
        clock.start();
        clock.stop();
        // Whenever the sleeper began, this is enough for it, at the latest the second time.
        while (!sleeper.join(Duration.ofMillis(10))) {
            clock.advance(Duration.ofMinutes(10));
        }
        assertThat(sleeper.isAlive()).isFalse();
    }

    @Test
    void anInterruptEndsARest() throws InterruptedException {
        clock.stop();
        Thread sleeper = Thread.ofVirtual().start(() -> clock.rest(Duration.ofDays(1)));
        sleeper.interrupt();
        assertThat(sleeper.join(Duration.ofMinutes(2))).isTrue();
    }
}
