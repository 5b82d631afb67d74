package orrery.server;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what comes by itself; the limit only ends what hangs. */
final class Waiting {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private Waiting() {}

    static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("nothing came in " + LIMIT);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
