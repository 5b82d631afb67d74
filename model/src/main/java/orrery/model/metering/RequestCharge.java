package orrery.model.metering;

import java.util.List;

/**
 * The charge of operations in request units, fitted to the figures the service has published. Sizes
 * are of the stored UTF-8 JSON with its system properties; a leaf is a scalar on an indexed path.
 * Charges are a function of the work alone, never of load or of how much else is stored.
 */
public final class RequestCharge {
    /** A read that finds nothing still looks. */
    public static final Charge NOT_FOUND = base(1, 1.00);

    /** A script that asks for nothing still runs. */
    public static final Charge EMPTY_SCRIPT = base(1, 1.00);

    /** The charge of reading databases, containers, offers and partition maps. */
    public static final Charge METADATA = base(0, 1.00);

    /**
     * Bytes that the system properties add to a body: {@code _rid} 34, {@code _self} 73, {@code
     * _etag} 51, {@code _attachments} 30 and {@code _ts} 17 bytes, commas included.
     */
    private static final int SYSTEM_PROPERTIES_BYTES = 205;

    /** The published write charges are multiples of this. */
    private static final double QUANTUM_RU = 4.0 / 21;

    private static final double LEAF_RU = 2 * QUANTUM_RU;

    /** A patch is charged as if it had removed one leaf and added another, if it did less. */
    private static final int MIN_PATCH_LEAVES = 2;

    /** The cost of a refused write beyond reading the item that stood in its way. */
    private static final double REFUSAL_RU = 0.24;

    private static final double NOT_MODIFIED_RU = 1.00;

    private static final double QUERY_RANGE_RU = 2.3;
    private static final double QUERY_DOCUMENT_RU = 0.10;
    private static final double QUERY_RU_PER_KB = 0.08;

    /**
     * The price of a processor's time where work is paid by the steps it takes: an RU for a fifth
     * of a millisecond. Loading an item, at 0.10 RU and more, takes some twenty microseconds.
     */
    private static final double NANOS_PER_RU = 200_000;

    // Measured, on a processor of 2026. They are constants of the formula: nobody looks at a clock.
    private static final double NANOS_PER_QUERY_NODE = 3_000;
    private static final double NANOS_PER_QUERY_CHARACTER = 10;
    private static final double NANOS_PER_STEP = 1;

    /** The price of the range contains so much of a query's text, its tree and its evaluation. */
    private static final long FREE_QUERY_CHARACTERS = 4096;

    private static final long FREE_QUERY_NODES = 256;
    private static final long FREE_STEPS = 200_000;

    /** And so much in the price of each document that was loaded. */
    private static final long FREE_STEPS_PER_DOCUMENT = 20_000;

    /** Operations inside a script save the way to the partition and back. */
    private static final double SCRIPT_SHARE = 0.75;

    private static final int BYTES_PER_KB = 1024;

    // Sizes in KB at which the service has published charges; linear between them.
    private static final double[] KNOTS_KB = {1, 4, 64, 100};
    private static final double[] READ_RU = {1.00, 1.30, 10, 10};
    private static final double[] WRITE_RU = {26 * QUANTUM_RU, 7, 48, 50};
    private static final double READ_RU_PER_KB_BEYOND = 0.10;
    private static final double WRITE_RU_PER_KB_BEYOND = 0.50;

    private RequestCharge() {}

    /** The size of an item that is stored without its system properties. */
    public static int itemBytes(int bodyBytes) {
        return bodyBytes + SYSTEM_PROPERTIES_BYTES;
    }

    /** One replica's charge; see {@link Charge#readAt}. */
    public static Charge read(long itemBytes) {
        return new Charge(1, 1, billed(itemBytes), 0, 0, 1, 0, readRu(itemBytes), 0);
    }

    /** A read whose client turned out to have the item already; one replica's charge too. */
    public static Charge notModified() {
        return new Charge(1, 1, 0, 0, 0, 1, NOT_MODIFIED_RU, 0, 0);
    }

    public static Charge create(long itemBytes, int leaves) {
        return write(0, itemBytes, writeRu(itemBytes), 0, leaves);
    }

    public static Charge delete(long itemBytes, int leaves) {
        return write(1, itemBytes, writeRu(itemBytes), leaves, 0);
    }

    /** A leaf whose value changes is removed once and added once. */
    public static Charge replace(long newBytes, int leavesRemoved, int leavesAdded) {
        return write(1, newBytes, 2 * writeRu(newBytes), leavesRemoved, leavesAdded);
    }

    /** A replace that changes at least one leaf, whether it did or not. */
    public static Charge patch(long newBytes, int leavesRemoved, int leavesAdded) {
        int missing = Math.max(0, MIN_PATCH_LEAVES - leavesRemoved - leavesAdded);
        return new Charge(
                1,
                1,
                billed(newBytes),
                leavesRemoved,
                leavesAdded,
                1,
                LEAF_RU * missing,
                2 * writeRu(newBytes),
                leavesRu(leavesRemoved, leavesAdded));
    }

    /**
     * The versions of an item that a write keeps for the case that it is sent again. They lie in a
     * row that is there anyway, so that they cost what their size does, and small ones nothing.
     */
    public static Charge images(long bytes) {
        return new Charge(0, 0, 0, 0, 0, 1, 0, writeRu(bytes) - writeRu(0), 0);
    }

    /**
     * A write that ends in 409 or 412.
     *
     * @param existingBytes size of the item it met, 0 if there was none
     */
    public static Charge refusedWrite(long existingBytes) {
        return new Charge(
                1,
                existingBytes > 0 ? 1 : 0,
                billed(existingBytes),
                0,
                0,
                1,
                REFUSAL_RU,
                readRu(existingBytes),
                0);
    }

    /** A query over documents that take {@code bytes} together: those loaded, not returned. */
    public static Charge query(int ranges, int documents, long bytes) {
        return new Charge(
                ranges,
                documents,
                bytes,
                0,
                0,
                1,
                QUERY_RANGE_RU * ranges,
                QUERY_DOCUMENT_RU * documents + QUERY_RU_PER_KB * bytes / BYTES_PER_KB,
                0);
    }

    /** One range's page of a feed: as a query that answers with the same items. */
    public static Charge feedPage(int items, long bytes) {
        return query(1, items, bytes);
    }

    /**
     * The price of making a query ready, beyond what the price of a range contains.
     *
     * @param characters of its text and its parameters
     * @param nodes of its syntax tree, and values of its parameters
     */
    public static Charge queryText(long characters, long nodes) {
        return base(
                0,
                (NANOS_PER_QUERY_CHARACTER * Math.max(0, characters - FREE_QUERY_CHARACTERS)
                                + NANOS_PER_QUERY_NODE * Math.max(0, nodes - FREE_QUERY_NODES))
                        / NANOS_PER_RU);
    }

    /**
     * The price of evaluating a query, beyond what the prices of a range and of the documents
     * contain.
     *
     * @param steps counted, as the query engine does
     */
    public static Charge queryEvaluation(long steps, int documents) {
        long free = FREE_STEPS + FREE_STEPS_PER_DOCUMENT * documents;
        return base(0, NANOS_PER_STEP * Math.max(0, steps - free) / NANOS_PER_RU);
    }

    /**
     * A batch: what its operations cost together.
     *
     * @param ranges physical partitions that had to do with it
     */
    public static Charge batch(int ranges, List<Charge> operations) {
        int documents = 0;
        long billedBytes = 0;
        int leavesRemoved = 0;
        int leavesAdded = 0;
        double baseRu = 0;
        double sizeRu = 0;
        double leavesRu = 0;
        boolean usesMinute = false;
        for (Charge each : operations) {
            documents += each.documents();
            billedBytes += each.billedBytes();
            leavesRemoved += each.leavesRemoved();
            leavesAdded += each.leavesAdded();
            // Reads of a bulk request may stand for more replicas than its writes.
            baseRu += each.consistencyFactor() * each.baseRu();
            sizeRu += each.consistencyFactor() * each.sizeRu();
            leavesRu += each.consistencyFactor() * each.leavesRu();
            usesMinute |= each.usesMinute();
        }
        return new Charge(
                ranges,
                documents,
                billedBytes,
                leavesRemoved,
                leavesAdded,
                1,
                baseRu,
                sizeRu,
                leavesRu,
                usesMinute);
    }

    /** A script, by the sum of what it did. */
    public static Charge script(Charge operations) {
        return new Charge(
                operations.ranges(),
                operations.documents(),
                operations.billedBytes(),
                operations.leavesRemoved(),
                operations.leavesAdded(),
                operations.consistencyFactor(),
                SCRIPT_SHARE * operations.baseRu(),
                SCRIPT_SHARE * operations.sizeRu(),
                SCRIPT_SHARE * operations.leavesRu());
    }

    private static Charge base(int ranges, double ru) {
        return new Charge(ranges, 0, 0, 0, 0, 1, ru, 0, 0);
    }

    private static Charge write(
            int documents, long itemBytes, double sizeRu, int leavesRemoved, int leavesAdded) {
        return new Charge(
                1,
                documents,
                billed(itemBytes),
                leavesRemoved,
                leavesAdded,
                1,
                0,
                sizeRu,
                leavesRu(leavesRemoved, leavesAdded));
    }

    private static double leavesRu(int removed, int added) {
        return LEAF_RU * ((double) removed + added);
    }

    /** Less than one KB is paid as one. */
    private static long billed(long itemBytes) {
        return Math.max(BYTES_PER_KB, itemBytes);
    }

    private static double readRu(long itemBytes) {
        return interpolate(itemBytes, READ_RU, READ_RU_PER_KB_BEYOND);
    }

    private static double writeRu(long itemBytes) {
        return interpolate(itemBytes, WRITE_RU, WRITE_RU_PER_KB_BEYOND);
    }

    private static double interpolate(long bytes, double[] knotsRu, double ruPerKbBeyond) {
        double kb = (double) bytes / BYTES_PER_KB;
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
