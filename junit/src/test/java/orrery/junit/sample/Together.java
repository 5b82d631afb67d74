package orrery.junit.sample;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Holds a test until another one is there. */
final class Together {
    private static final CyclicBarrier BOTH = new CyclicBarrier(2);

    private Together() {}

    /** The limit ends only what would hang. */
    static void await() throws InterruptedException, BrokenBarrierException, TimeoutException {
        BOTH.await(2, TimeUnit.MINUTES);
    }
}
