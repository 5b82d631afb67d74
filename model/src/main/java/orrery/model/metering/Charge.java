package orrery.model.metering;

import orrery.model.ConsistencyLevel;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The cost of a request, with its parts. It travels instead of the bare number, so that a receipt
 * is read off the charge itself and cannot disagree with it. {@link RequestCharge} makes them.
 *
 * @param ranges physical partitions that were asked
 * @param documents items that were loaded from storage
 * @param billedBytes size that was paid for, summed over items
 * @param leavesRemoved scalars that left the index
 * @param leavesAdded scalars that entered it
 * @param consistencyFactor how many replicas the answer stands for
 * @param baseRu what the operation costs whatever the size
 * @param sizeRu what the size costs
 * @param leavesRu what the index costs
 * @param usesMinute whether the budget of the minute paid a part of it
 */
public record Charge(
        int ranges,
        int documents,
        long billedBytes,
        int leavesRemoved,
        int leavesAdded,
        int consistencyFactor,
        double baseRu,
        double sizeRu,
        double leavesRu,
        boolean usesMinute) {
    /** The charge of requests that did no work for the client. */
    public static final Charge NONE = new Charge(0, 0, 0, 0, 0, 1, 0, 0, 0);

    /** A strong or bounded-staleness read needs two of the four replicas to agree. */
    private static final int QUORUM_READ_FACTOR = 2;

    public Charge {
        if (ranges < 0 || documents < 0 || billedBytes < 0 || consistencyFactor < 1) {
            throw new IllegalArgumentException("a charge counts something less than nothing");
        }
        if (leavesRemoved < 0 || leavesAdded < 0) {
            throw new IllegalArgumentException("a charge counts fewer than no leaves");
        }
        if (!isAmount(baseRu) || !isAmount(sizeRu) || !isAmount(leavesRu)) {
            throw new IllegalArgumentException("a part of a charge is not an amount");
        }
    }

    /** A charge that has not been met by a meter yet. */
    public Charge(
            int ranges,
            int documents,
            long billedBytes,
            int leavesRemoved,
            int leavesAdded,
            int consistencyFactor,
            double baseRu,
            double sizeRu,
            double leavesRu) {
        this(
                ranges,
                documents,
                billedBytes,
                leavesRemoved,
                leavesAdded,
                consistencyFactor,
                baseRu,
                sizeRu,
                leavesRu,
                false);
    }

    private static boolean isAmount(double ru) {
        return ru >= 0 && ru < Double.POSITIVE_INFINITY;
    }

    /** Request units, exact: add charges up first and round what the client sees. */
    public double ru() {
        return consistencyFactor * (baseRu + sizeRu + leavesRu);
    }

    /** The charge of both pieces of work; the replicas they stand for are settled afterwards. */
    public Charge plus(Charge other) {
        if (consistencyFactor != other.consistencyFactor) {
            throw new IllegalArgumentException("charges of different consistency do not add up");
        }
        return new Charge(
                ranges + other.ranges,
                documents + other.documents,
                billedBytes + other.billedBytes,
                leavesRemoved + other.leavesRemoved,
                leavesAdded + other.leavesAdded,
                consistencyFactor,
                baseRu + other.baseRu,
                sizeRu + other.sizeRu,
                leavesRu + other.leavesRu,
                usesMinute || other.usesMinute);
    }

    /**
     * This charge of a read as the gateway tells it. A replica answers the single charge: clients
     * in direct mode ask two of them and add up by themselves.
     */
    public Charge readAt(ConsistencyLevel level) {
        return switch (level) {
            case STRONG, BOUNDED_STALENESS -> withConsistencyFactor(QUORUM_READ_FACTOR);
            case SESSION, CONSISTENT_PREFIX, EVENTUAL -> this;
        };
    }

    Charge withConsistencyFactor(int factor) {
        return with(factor, usesMinute);
    }

    /** The same, of which the budget of the minute paid a part. */
    public Charge paidByMinute() {
        return with(consistencyFactor, true);
    }

    private Charge with(int factor, boolean minute) {
        return new Charge(
                ranges,
                documents,
                billedBytes,
                leavesRemoved,
                leavesAdded,
                factor,
                baseRu,
                sizeRu,
                leavesRu,
                minute);
    }

    public void write(BinaryWriter out) {
        out.u32(ranges).u32(documents).u64(billedBytes).u32(leavesRemoved).u32(leavesAdded);
        out.u8(consistencyFactor);
        out.u64(Double.doubleToLongBits(baseRu));
        out.u64(Double.doubleToLongBits(sizeRu));
        out.u64(Double.doubleToLongBits(leavesRu));
        out.bool(usesMinute);
    }

    public static Charge read(BinaryReader in) {
        return in.checked(
                r ->
                        new Charge(
                                r.u32(),
                                r.u32(),
                                r.u64(),
                                r.u32(),
                                r.u32(),
                                r.u8(),
                                Double.longBitsToDouble(r.u64()),
                                Double.longBitsToDouble(r.u64()),
                                Double.longBitsToDouble(r.u64()),
                                r.bool()));
    }
}
