package orrery.bench;

/** Says on standard error what is going on; standard output is for the table. */
final class Progress {
    private final String measurement;
    private final long start = System.nanoTime();

    Progress(String measurement) {
        this.measurement = measurement;
    }

    void say(String text) {
        long seconds = (System.nanoTime() - start) / 1_000_000_000;
        System.err.println("  " + measurement + " " + seconds + " s: " + text);
    }
}
