package orrery.frontend.http;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads will do; the limit only ends a test that has failed already. */
final class Eventually {
    private Eventually() {}

    static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                fail("never happened: " + what);
            }
            LockSupport.parkNanos(500_000);
        }
    }

    /** The server has forgotten all its clients. */
    static void untilQuiet(HttpServer server) {
        until("quiet", () -> server.counters().equals(new HttpServer.Counters(0, 0, 0)));
    }
}
