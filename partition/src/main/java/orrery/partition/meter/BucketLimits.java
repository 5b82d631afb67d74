package orrery.partition.meter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import orrery.model.ThroughputBuckets;
import orrery.model.metering.RequestTerms;

/**
 * The limits of a meter's throughput buckets: each a share of the budget that fills like the budget
 * itself, one second's worth at most. So requests of a bucket never burst. What one bucket leaves
 * is for everybody, as their requests are paid from the budget too.
 */
final class BucketLimits {
    static final BucketLimits NONE = new BucketLimits(unset(), 0);

    private static final double CAPACITY_SECONDS = 1;
    private static final double PERCENT = 100;

    /** By id; there is none at 0. */
    private final List<Optional<Bucket>> limits;

    /** The bucket of requests that name none; 0 where these are not limited. */
    private final int defaultId;

    private BucketLimits(List<Optional<Bucket>> limits, int defaultId) {
        this.limits = List.copyOf(limits);
        this.defaultId = defaultId;
    }

    private static List<Optional<Bucket>> unset() {
        return Collections.nCopies(ThroughputBuckets.MOST + 1, Optional.empty());
    }

    /**
     * Makes limits of which some are used already, as their predecessors used theirs.
     *
     * @param balances in request units, by id; a bucket that is not there begins full
     */
    static BucketLimits of(
            ThroughputBuckets buckets,
            double ruPerSecond,
            Map<Integer, Double> balances,
            long nowNanos) {
        return NONE.changed(buckets, ruPerSecond, balances, nowNanos);
    }

    /** Returns other limits that go on with what is left of these. */
    BucketLimits changed(ThroughputBuckets buckets, double ruPerSecond, long nowNanos) {
        return changed(buckets, ruPerSecond, Map.of(), nowNanos);
    }

    private BucketLimits changed(
            ThroughputBuckets buckets,
            double ruPerSecond,
            Map<Integer, Double> balances,
            long nowNanos) {
        if (buckets.isEmpty()) {
            return NONE;
        }
        List<Optional<Bucket>> next = new ArrayList<>(unset());
        for (ThroughputBuckets.Bucket wanted : buckets.list()) {
            int id = wanted.id();
            double rate = ruPerSecond * wanted.percent() / PERCENT;
            limits.get(id).ifPresent(same -> same.change(rate, CAPACITY_SECONDS, nowNanos));
            double balance = balances.getOrDefault(id, rate * CAPACITY_SECONDS);
            next.set(
                    id,
                    limits.get(id)
                            .or(
                                    () ->
                                            Optional.of(
                                                    new Bucket(
                                                            rate,
                                                            CAPACITY_SECONDS,
                                                            balance,
                                                            nowNanos))));
        }
        int forOthers = buckets.defaultBucket().map(ThroughputBuckets.Bucket::id).orElse(0);
        return new BucketLimits(next, forOthers);
    }

    /** 0 when the bucket of the request has something left, else after how many milliseconds. */
    long admit(RequestTerms terms, long nowNanos) {
        Optional<Bucket> limit = limit(terms);
        return limit.isEmpty() || limit.get().holdsMoreThan(0, nowNanos)
                ? 0
                : Math.max(1, limit.get().millisUntilMoreThan(0, nowNanos));
    }

    void charge(long milliRu, RequestTerms terms, long nowNanos) {
        Optional<Bucket> limit = limit(terms);
        if (limit.isPresent()) {
            limit.get().charge(milliRu, nowNanos);
        }
    }

    /** Returns what is left of each bucket, in request units; negative for a debt. */
    Map<Integer, Double> balances(long nowNanos) {
        Map<Integer, Double> balances = new TreeMap<>();
        for (int id = 1; id < limits.size(); id++) {
            int each = id;
            limits.get(id)
                    .ifPresent(limit -> balances.put(each, MilliRu.toRu(limit.balance(nowNanos))));
        }
        return balances;
    }

    /** A bucket that a request names and nobody has set limits nothing, as in the service. */
    private Optional<Bucket> limit(RequestTerms terms) {
        return limits.get(terms.bucket() == 0 ? defaultId : terms.bucket());
    }
}
