package orrery.partition.api;

import java.util.Optional;
import orrery.model.ThroughputBuckets;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The budget of a partition.
 *
 * @param throttling whether what goes beyond is refused
 * @param slot where the budget is shared with ranges of other containers of the database
 */
public record Budget(double ruPerSecond, boolean throttling, Extras extras, Optional<Slot> slot) {
    /** One of the equal parts of a database's throughput. */
    public record Slot(int database, int number) {}

    /**
     * @param perMinute each second's budget is followed by ten more for the whole minute
     * @param burst what a small partition leaves unused is saved for later
     * @param priorities requests of low priority are refused first
     * @param buckets parts of the budget that groups of requests are held to; none in a slot
     */
    public record Extras(
            boolean perMinute, boolean burst, boolean priorities, ThroughputBuckets buckets) {
        public static final Extras NONE = new Extras(false, false, false);

        /** Extras without buckets. */
        public Extras(boolean perMinute, boolean burst, boolean priorities) {
            this(perMinute, burst, priorities, ThroughputBuckets.NONE);
        }
    }

    void write(BinaryWriter out) {
        out.u64(Double.doubleToLongBits(ruPerSecond))
                .bool(throttling)
                .bool(extras.perMinute)
                .bool(extras.burst)
                .bool(extras.priorities);
        extras.buckets.write(out);
        out.optional(slot, (w, s) -> w.u32(s.database).u32(s.number));
    }

    static Budget read(BinaryReader in) {
        return new Budget(
                Double.longBitsToDouble(in.u64()),
                in.bool(),
                new Extras(in.bool(), in.bool(), in.bool(), ThroughputBuckets.read(in)),
                in.optional(r -> new Slot(r.u32(), r.u32())));
    }
}
