package orrery.junit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import orrery.model.DataClock;

/**
 * The time that a server's data goes by: {@code _ts}, lifetimes, throughput, retention. It runs
 * with the clock of the machine until it is moved or stopped. Requests are signed and time out by
 * the clock of the machine all the same, so clients notice nothing. Safe for many threads.
 */
public final class OrreryClock implements DataClock {
    private final InstantSource machine;
    private final LongSupplier machineNanos;
    private final Lock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private volatile State state = new State(Duration.ZERO, 0, Optional.empty());

    /**
     * Distances from the clocks of the machine, and the time at which this one stands.
     *
     * @param aheadNanos never gets smaller while the clock runs: meters cannot go back
     */
    private record State(Duration ahead, long aheadNanos, Optional<Stopped> stopped) {}

    private record Stopped(Instant instant, long nanos) {}

    OrreryClock() {
        this(InstantSource.system(), System::nanoTime);
    }

    OrreryClock(InstantSource machine, LongSupplier machineNanos) {
        this.machine = machine;
        this.machineNanos = machineNanos;
    }

    @Override
    public Instant instant() {
        State now = state;
        return now.stopped.map(Stopped::instant).orElseGet(() -> machine.instant().plus(now.ahead));
    }

    @Override
    public long nanoTime() {
        State now = state;
        return now.stopped
                .map(Stopped::nanos)
                .orElseGet(() -> machineNanos.getAsLong() + now.aheadNanos);
    }

    /**
     * Moves the clock forward: items expire, budgets fill up, old versions are forgotten.
     *
     * @throws IllegalArgumentException for a negative time; {@link #set} goes back
     */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException(
                    "advance goes forward, not by " + time + "; use set, or reset the server");
        }
        change(() -> state = movedBy(time, time.toNanos()));
    }

    /**
     * Sets the clock, forward or back. It goes on from there, unless it is stopped. Containers that
     * have seen a later time keep it, because {@code _ts} never falls: they go on at half pace
     * until the clock has caught up. New containers begin with the new time.
     */
    public void set(Instant instant) {
        change(
                () -> {
                    Duration by = Duration.between(instant(), instant);
                    state = movedBy(by, by.isNegative() ? 0 : by.toNanos());
                });
    }

    /** Lets the clock stand still, so that only {@link #advance} and {@link #set} move it. */
    public void stop() {
        change(
                () ->
                        state =
                                new State(
                                        state.ahead,
                                        state.aheadNanos,
                                        Optional.of(new Stopped(instant(), nanoTime()))));
    }

    /** Lets a clock that was stopped go on, from the time that it shows. */
    public void start() {
        change(() -> state = running(Duration.between(machine.instant(), instant())));
    }

    /** Shows the time of the machine again, and runs. */
    void reset() {
        change(() -> state = running(Duration.ZERO));
    }

    /**
     * Waits until so much time has passed here, whether by itself or because the clock was moved.
     * No longer than that on the machine either: who worked while the clock was moved, and has not
     * noticed, looks again.
     */
    @Override
    public void rest(Duration time) {
        lock.lock();
        try {
            long end = nanoTime() + time.toNanos();
            long left = time.toNanos();
            while (left > 0 && end - nanoTime() > 0) {
                left = moved.awaitNanos(left);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private State movedBy(Duration time, long nanos) {
        return state.stopped
                .map(
                        stopped ->
                                new State(
                                        state.ahead,
                                        state.aheadNanos,
                                        Optional.of(
                                                new Stopped(
                                                        stopped.instant.plus(time),
                                                        stopped.nanos + nanos))))
                .orElseGet(
                        () ->
                                new State(
                                        state.ahead.plus(time),
                                        state.aheadNanos + nanos,
                                        Optional.empty()));
    }

    private State running(Duration ahead) {
        return new State(ahead, nanoTime() - machineNanos.getAsLong(), Optional.empty());
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
