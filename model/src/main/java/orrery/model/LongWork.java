package orrery.model;

/**
 * Counts the steps of work that may take long, and asks now and then whether anybody still waits
 * for it: a single step is too short to ask each time. Used by one thread.
 */
public final class LongWork {
    /** Rows that are read in well under a millisecond. */
    private static final int STEPS_PER_QUESTION = 64;

    private final Cancellation cancellation = Cancellation.current();
    private int steps;

    /**
     * Counts a step.
     *
     * @throws OrreryException TIMEOUT if nobody waits for the work, or its time is over
     */
    public void step() {
        if (++steps % STEPS_PER_QUESTION == 0) {
            cancellation.check();
        }
    }
}
