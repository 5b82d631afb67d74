package orrery.junit.sample;

import java.util.concurrent.CyclicBarrier;

/** Holds a test until another one is there. */
final class Together {
    static final CyclicBarrier BOTH = new CyclicBarrier(2);

    private Together() {}
}
