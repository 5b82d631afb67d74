package orrery.model.metering;

/**
 * A charge as clients are told it: in hundredths of a request unit, with parts that add up to the
 * total exactly.
 *
 * @param consistency what the further replicas of a quorum read cost
 */
public record Receipt(long total, long base, long size, long leaves, long consistency) {
    private static final int PARTS = 4;

    public static Receipt of(Charge charge) {
        double once = charge.baseRu() + charge.sizeRu() + charge.leavesRu();
        double[] exact = {
            charge.baseRu() * 100,
            charge.sizeRu() * 100,
            charge.leavesRu() * 100,
            once * (charge.consistencyFactor() - 1) * 100
        };
        long total = hundredths(charge);
        long[] parts = new long[PARTS];
        long left = total;
        for (int i = 0; i < PARTS; i++) {
            parts[i] = (long) exact[i];
            left -= parts[i];
        }
        // The remainder of rounding down goes to the parts that lost most by it.
        for (; left > 0; left--) {
            int most = 0;
            for (int i = 1; i < PARTS; i++) {
                if (exact[i] - parts[i] > exact[most] - parts[most]) {
                    most = i;
                }
            }
            parts[most]++;
        }
        return new Receipt(total, parts[0], parts[1], parts[2], parts[3]);
    }

    /** The two decimals in which clients are told charges. */
    public static long hundredths(Charge charge) {
        return Math.round(charge.ru() * 100);
    }
}
