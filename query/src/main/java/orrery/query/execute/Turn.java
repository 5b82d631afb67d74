package orrery.query.execute;

import java.util.concurrent.Semaphore;

/**
 * The right of a page to go on computing when it has done so for a while. Requests run on virtual
 * threads, and those keep their carrier until they wait for something; with a queue of pages that
 * compute for seconds, requests that need a microsecond would wait behind them. So of such pages as
 * many compute at a time as leave a carrier free, and they take turns.
 */
final class Turn {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final int CARRIERS =
            Integer.getInteger("jdk.virtualThreadScheduler.parallelism", PROCESSORS);

    // Fair, so that who has had a turn queues up behind the others.
    private static final Semaphore COMPUTING =
            new Semaphore(Math.clamp(CARRIERS - 1, 1, PROCESSORS), true);

    private boolean isHeld;

    /** Waits for the next turn. */
    void next() {
        end();
        COMPUTING.acquireUninterruptibly();
        isHeld = true;
    }

    void end() {
        if (isHeld) {
            COMPUTING.release();
            isHeld = false;
        }
    }
}
