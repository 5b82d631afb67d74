package orrery.model;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/**
 * The time that data goes by: stamps, lifetimes, budgets, retention. A test may set it. Deadlines,
 * signatures and certificates go by the clock of the machine instead, because clients do.
 */
public interface DataClock extends InstantSource {
    /** The clock of the machine. */
    DataClock SYSTEM =
            new DataClock() {
                private final InstantSource machine = InstantSource.system();

                @Override
                public Instant instant() {
                    return machine.instant();
                }

                @Override
                public long nanoTime() {
                    return System.nanoTime();
                }

                @Override
                public void rest(Duration time) {
                    LockSupport.parkNanos(time.toNanos());
                }
            };

    /** Never goes back, and moves on with {@link #instant} when that is set forward. */
    long nanoTime();

    /** Waits until so much time has passed on this clock. May return early. */
    void rest(Duration time);
}
