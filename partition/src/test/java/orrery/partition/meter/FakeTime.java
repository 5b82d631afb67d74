package orrery.partition.meter;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves when it is told to: UTC and {@code System.nanoTime} go together. */
final class FakeTime implements InstantSource {
    /** Like the real one, it may be negative and overflow while we look. */
    private static final long NANO_ORIGIN = Long.MAX_VALUE - 1_000_000_000_000L;

    private final Instant start;
    private final AtomicLong elapsedNanos = new AtomicLong();

    FakeTime(Instant start) {
        this.start = start;
    }

    /** Starts with a UTC hour. */
    FakeTime() {
        this(Instant.parse("2017-05-10T12:00:00Z"));
    }

    long nanos() {
        return nanosAt(elapsedNanos.get());
    }

    static long nanosAt(long elapsedNanos) {
        return NANO_ORIGIN + elapsedNanos;
    }

    long elapsedNanos() {
        return elapsedNanos.get();
    }

    @Override
    public Instant instant() {
        return start.plusNanos(elapsedNanos.get());
    }

    FakeTime pass(Duration time) {
        elapsedNanos.addAndGet(time.toNanos());
        return this;
    }

    FakeTime passMillis(long millis) {
        return pass(Duration.ofMillis(millis));
    }

    FakeTime passSeconds(long seconds) {
        return pass(Duration.ofSeconds(seconds));
    }
}
