package orrery.partition;

import java.lang.System.Logger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Notices when the clock jumps: when it has moved by more or less than the monotonic clock since
 * the last look. Nobody is refused for it, since a machine that wakes from sleep jumps as well.
 */
final class ClockWatch {
    private static final Logger LOG = System.getLogger(ClockWatch.class.getName());

    /** Smaller steps are the daily business of time servers. */
    private static final Duration LEAST_JUMP = Duration.ofSeconds(1);

    /** A thread that was held up for longer between two clocks cannot compare them. */
    private static final Duration LONGEST_LOOK = Duration.ofMillis(100);

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private Instant lastInstant;
    private long lastNanos;
    private long jumps;
    private Optional<TimeStatus.Jump> lastJump = Optional.empty();

    ClockWatch(InstantSource clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.lastInstant = clock.instant();
        this.lastNanos = nanoTime.getAsLong();
    }

    /** Looks now. To be called often: a jump forth and back between two looks is not seen. */
    synchronized ClockWatch look() {
        long before = nanoTime.getAsLong();
        Instant instant = clock.instant();
        long nanos = nanoTime.getAsLong();
        if (nanos - before > LONGEST_LOOK.toNanos()) {
            return this;
        }
        Duration by = Duration.between(lastInstant, instant).minusNanos(nanos - lastNanos);
        lastInstant = instant;
        lastNanos = nanos;
        if (by.abs().compareTo(LEAST_JUMP) >= 0) {
            jumps++;
            lastJump = Optional.of(new TimeStatus.Jump(instant, by));
            LOG.log(
                    Logger.Level.WARNING,
                    "the clock of this machine jumped {0} by {1} to {2}; times of partitions that"
                            + " are ahead of it go at half pace until it has caught up",
                    by.isNegative() ? "back" : "forward",
                    by.abs(),
                    instant);
        }
        return this;
    }

    /** Returns the findings so far. */
    synchronized TimeStatus status(Duration ahead) {
        return new TimeStatus(jumps, lastJump, ahead);
    }
}
