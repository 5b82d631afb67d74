package orrery.bench;

/**
 * One thread of this process that does the same thing again and again. The last time counts whole:
 * some take a good part of a round.
 *
 * @param weight what one time counts for
 */
record Repeated(String name, double weight, Operation operation) implements Rounds.Contestant {
    interface Operation {
        void run() throws Exception;
    }

    @Override
    public ProcessHandle process() {
        return ProcessHandle.current();
    }

    @Override
    public double run(double seconds) throws Exception {
        long start = System.nanoTime();
        long done = 0;
        double passed = 0;
        while (passed < seconds) {
            operation.run();
            done++;
            passed = (System.nanoTime() - start) / 1e9;
        }
        return done * weight / passed;
    }
}
