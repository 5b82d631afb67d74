package orrery.bench.load;

/** Counts of times, each kept to within one part in 64. */
final class Histogram {
    private static final int SUB_BITS = 6;
    private static final int SUBS = 1 << SUB_BITS;

    private final long[] counts = new long[(64 - SUB_BITS) * SUBS];
    private long total;
    private long max;

    void add(long nanos) {
        long value = Math.max(0, nanos);
        counts[index(value)]++;
        total++;
        max = Math.max(max, value);
    }

    /** The time that this share of all did not exceed. */
    long percentile(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * total));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Math.min(max, upperEdge(i));
            }
        }
        return max;
    }

    long max() {
        return max;
    }

    /** Below {@code SUBS} one bucket per value, above it {@code SUBS} buckets per power of two. */
    private static int index(long value) {
        if (value < SUBS) {
            return (int) value;
        }
        int shift = 63 - Long.numberOfLeadingZeros(value) - SUB_BITS;
        return (shift + 1) * SUBS + (int) (value >>> shift) - SUBS;
    }

    private static long upperEdge(int index) {
        if (index < SUBS) {
            return index;
        }
        int shift = index / SUBS - 1;
        return ((long) (index % SUBS + SUBS + 1) << shift) - 1;
    }
}
