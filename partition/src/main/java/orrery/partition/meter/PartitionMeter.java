package orrery.partition.meter;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import orrery.model.PartitionKey;
import orrery.model.metering.RequestTerms;

/**
 * All that one physical partition meters: who is admitted, what was used, and which keys stand out.
 * Safe for all threads.
 */
public final class PartitionMeter {
    /** Ten are shown; the others are there so that the ten are right. */
    private static final int KEYS = 64;

    private static final Duration HALF_LIFE = Duration.ofMinutes(5);

    private final Meter meter;

    /** The partition's own; the very usage of the meter when nobody shares that. */
    private final Usage usage;

    private final TopKeys<PartitionKey> hottest;
    private final LargestKeys<PartitionKey> largest = new LargestKeys<>(KEYS);

    private PartitionMeter(Meter meter, Usage usage, long nowNanos) {
        this.meter = meter;
        this.usage = usage;
        this.hottest = new TopKeys<>(KEYS, HALF_LIFE, nowNanos);
    }

    /** Makes the meter of a partition with its own budget. */
    public static PartitionMeter alone(Meter meter, long nowNanos) {
        return new PartitionMeter(meter, meter.usage(), nowNanos);
    }

    /**
     * Makes the meter of a partition that shares the slot's budget with partitions of other
     * containers.
     */
    public static PartitionMeter sharing(Meter slot, long nowNanos) {
        return new PartitionMeter(slot, new Usage(nowNanos), nowNanos);
    }

    /** Like {@link Meter#admitToBucket}; a meter that is shared has no buckets. */
    public long admitToBucket(RequestTerms terms, long nowNanos) {
        return meter.admitToBucket(terms, nowNanos);
    }

    /** Like {@link Meter#admit}; counts the refusals of a partition that shares its meter. */
    public long admit(RequestTerms terms, long nowNanos) {
        long retryAfterMillis = meter.admit(terms, nowNanos);
        if (retryAfterMillis > 0 && isSharing()) {
            usage.addRefused(nowNanos);
        }
        return retryAfterMillis;
    }

    /** Like {@link Meter#charge}, for a request about one key. */
    public boolean charge(PartitionKey key, double ru, RequestTerms terms, long nowNanos) {
        hottest.add(key, ru, nowNanos);
        return charge(ru, terms, nowNanos);
    }

    /** Like {@link Meter#charge}, for a request over many keys. */
    public boolean charge(double ru, RequestTerms terms, long nowNanos) {
        if (isSharing()) {
            usage.add(MilliRu.of(ru), nowNanos);
        }
        return meter.charge(ru, terms, nowNanos);
    }

    /** Like {@link Meter#chargeUpkeep}. */
    public void chargeUpkeep(double ru, long nowNanos) {
        if (isSharing()) {
            usage.add(MilliRu.of(ru), nowNanos);
        }
        meter.chargeUpkeep(ru, nowNanos);
    }

    /**
     * Takes over keys of a partition: a child of a split from its parent, a merged partition from
     * both.
     */
    public void takeOverKeys(PartitionMeter other, Predicate<PartitionKey> isMine, long nowNanos) {
        hottest.takeOver(other.hottest, isMine, nowNanos);
        largest.takeOver(other.largest, isMine);
    }

    /**
     * Like {@link Usage#continueFrom}. Call it before this meter is used: the usage of a range goes
     * on when its owner changes.
     */
    public void continueUsage(List<PartitionMeter> others, double share, long nowNanos) {
        usage.continueFrom(others.stream().map(PartitionMeter::usage).toList(), share, nowNanos);
    }

    public Meter meter() {
        return meter;
    }

    public Usage usage() {
        return usage;
    }

    public TopKeys<PartitionKey> hottestKeys() {
        return hottest;
    }

    /** To be told whenever the bytes of a key change. */
    public LargestKeys<PartitionKey> largestKeys() {
        return largest;
    }

    private boolean isSharing() {
        return usage != meter.usage();
    }
}
