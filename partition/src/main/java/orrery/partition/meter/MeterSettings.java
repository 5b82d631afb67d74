package orrery.partition.meter;

import orrery.model.ThroughputBuckets;

/**
 * The rules of a meter beyond the budget of a second. An account has one for all its meters.
 *
 * @param throttling whether requests are refused at all; they are counted either way
 * @param ruPerMinute an extra {@value Meter#MINUTE_SECONDS} seconds' worth per UTC minute, for what
 *     exceeds the second's budget (a preview of 2017)
 * @param burst unused budget is kept for later, where the budget is below {@value
 *     Meter#BURST_RU_PER_SECOND} RU/s
 * @param priorities requests of low priority are refused first; otherwise all are equal
 * @param buckets parts of the budget that groups of requests are held to
 */
public record MeterSettings(
        boolean throttling,
        boolean ruPerMinute,
        boolean burst,
        boolean priorities,
        ThroughputBuckets buckets) {
    public static final MeterSettings DEFAULT = new MeterSettings(true, false, false, false);

    /** Settings without buckets. */
    public MeterSettings(
            boolean throttling, boolean ruPerMinute, boolean burst, boolean priorities) {
        this(throttling, ruPerMinute, burst, priorities, ThroughputBuckets.NONE);
    }

    public MeterSettings withThrottling(boolean isOn) {
        return new MeterSettings(isOn, ruPerMinute, burst, priorities, buckets);
    }

    public MeterSettings withRuPerMinute(boolean isOn) {
        return new MeterSettings(throttling, isOn, burst, priorities, buckets);
    }

    public MeterSettings withBurst(boolean isOn) {
        return new MeterSettings(throttling, ruPerMinute, isOn, priorities, buckets);
    }

    public MeterSettings withPriorities(boolean isOn) {
        return new MeterSettings(throttling, ruPerMinute, burst, isOn, buckets);
    }

    public MeterSettings withBuckets(ThroughputBuckets wanted) {
        return new MeterSettings(throttling, ruPerMinute, burst, priorities, wanted);
    }
}
