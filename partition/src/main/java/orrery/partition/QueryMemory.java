package orrery.partition;

/** Knowledge of the stored items that queries share. It would not be true of a rehearsal. */
record QueryMemory(PathGaps gaps, KeyCache keys, WalkCounts counts) {
    private static final long MAX_KEY_BYTES = 32L << 20;
    private static final int KEYS_OF_HEAP = 64;

    /** Nothing is known yet. */
    static QueryMemory empty() {
        return new QueryMemory(
                new PathGaps(),
                new KeyCache(
                        Math.min(MAX_KEY_BYTES, Runtime.getRuntime().maxMemory() / KEYS_OF_HEAP)),
                new WalkCounts());
    }
}
