package orrery.model.metering;

/**
 * The charge of point operations in request units, fitted to the figures the service has published.
 * Sizes are of the stored UTF-8 JSON with its system properties; a leaf is a scalar on an indexed
 * path. Results are exact: add them up first and {@link #round} what the client sees.
 */
public final class RequestCharge {
    /** A read that finds nothing still looks. */
    public static final double NOT_FOUND_RU = 1.00;

    /** The published write charges are multiples of this. */
    private static final double QUANTUM_RU = 4.0 / 21;

    private static final double LEAF_RU = 2 * QUANTUM_RU;

    /** What a refused write costs beyond reading the item that stood in its way. */
    private static final double REFUSAL_RU = 0.24;

    private static final double BYTES_PER_KB = 1024;

    // Sizes in KB at which the service has published charges; linear between them.
    private static final double[] KNOTS_KB = {1, 4, 64, 100};
    private static final double[] READ_RU = {1.00, 1.30, 10, 10};
    private static final double[] WRITE_RU = {26 * QUANTUM_RU, 7, 48, 50};
    private static final double READ_RU_PER_KB_BEYOND = 0.10;
    private static final double WRITE_RU_PER_KB_BEYOND = 0.50;

    private RequestCharge() {}

    /** One replica's charge; reads that ask two replicas cost twice this. */
    public static double readRu(long itemBytes) {
        return interpolate(itemBytes, READ_RU, READ_RU_PER_KB_BEYOND);
    }

    public static double createRu(long itemBytes, int leaves) {
        return writeRu(itemBytes) + LEAF_RU * leaves;
    }

    public static double deleteRu(long itemBytes, int leaves) {
        return writeRu(itemBytes) + LEAF_RU * leaves;
    }

    /** A leaf whose value changes is removed once and added once. */
    public static double replaceRu(long newBytes, int leavesRemoved, int leavesAdded) {
        return 2 * writeRu(newBytes) + LEAF_RU * ((double) leavesRemoved + leavesAdded);
    }

    /** A write that ends in 409 or 412, by the size of the item it met. */
    public static double refusedWriteRu(long existingBytes) {
        return readRu(existingBytes) + REFUSAL_RU;
    }

    /** A page of a feed: the sum of {@link #readRu} over its items, and never nothing. */
    public static double feedPageRu(double itemsRu) {
        return Math.max(1.00, itemsRu);
    }

    /** To the two decimals in which clients are told charges. */
    public static double round(double ru) {
        return Math.round(ru * 100) / 100.0;
    }

    private static double writeRu(long itemBytes) {
        return interpolate(itemBytes, WRITE_RU, WRITE_RU_PER_KB_BEYOND);
    }

    private static double interpolate(long bytes, double[] knotsRu, double ruPerKbBeyond) {
        double kb = bytes / BYTES_PER_KB;
        if (kb <= KNOTS_KB[0]) {
            return knotsRu[0];
        }
        for (int i = 1; i < KNOTS_KB.length; i++) {
            if (kb <= KNOTS_KB[i]) {
                double part = (kb - KNOTS_KB[i - 1]) / (KNOTS_KB[i] - KNOTS_KB[i - 1]);
                return knotsRu[i - 1] + part * (knotsRu[i] - knotsRu[i - 1]);
            }
        }
        int last = KNOTS_KB.length - 1;
        return knotsRu[last] + ruPerKbBeyond * (kb - KNOTS_KB[last]);
    }
}
