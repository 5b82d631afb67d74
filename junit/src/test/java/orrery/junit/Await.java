package orrery.junit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what comes by itself; the limit ends only what would never come. */
final class Await {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private Await() {}

    static void until(String what, BooleanSupplier condition) {
        long began = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - began > LIMIT.toNanos()) {
                throw new AssertionError("waited in vain for " + what);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
