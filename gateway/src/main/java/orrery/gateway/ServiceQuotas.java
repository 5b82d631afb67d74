package orrery.gateway;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import orrery.cluster.api.AccountSettings;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * The rates that the cloud service allows for fairness between its customers. Off unless the
 * account asks for them, to rehearse against the service's errors.
 */
final class ServiceQuotas {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long TEN_MINUTES = Duration.ofMinutes(10).toNanos();

    private final RateLimit creates;
    private final RateLimit throughputChanges;
    private final RateLimit metadata;

    /** By the number of the offer, for those whose buckets were changed. */
    private final Map<Integer, RateLimit> bucketChanges = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;

    ServiceQuotas(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.creates = new RateLimit(100, MINUTE, nanoTime);
        this.throughputChanges = new RateLimit(5, MINUTE, nanoTime);
        // 240 RU/s for all metadata, one each.
        this.metadata = new RateLimit(240, SECOND, nanoTime);
    }

    /** Begins new windows, in which nothing is taken. */
    void clear() {
        creates.clear();
        throughputChanges.clear();
        metadata.clear();
        bucketChanges.clear();
    }

    void countCreate(AccountSettings settings) {
        count(settings, creates, "databases and containers may be created per minute");
    }

    void countThroughputChange(AccountSettings settings) {
        count(settings, throughputChanges, "throughput changes are allowed per minute");
    }

    void countMetadata(AccountSettings settings) {
        count(settings, metadata, "metadata requests are allowed per second");
    }

    void countBucketChange(AccountSettings settings, int offer) {
        if (settings.serviceQuotas()) {
            take(
                    bucketChanges.computeIfAbsent(
                            offer, _ -> new RateLimit(1, TEN_MINUTES, nanoTime)),
                    ErrorCode.BUCKETS_JUST_CHANGED,
                    "change of a container's throughput buckets is allowed in ten minutes");
        }
    }

    private static void count(AccountSettings settings, RateLimit rate, String what) {
        if (settings.serviceQuotas()) {
            take(rate, ErrorCode.TOO_MANY_REQUESTS, what);
        }
    }

    private static void take(RateLimit rate, ErrorCode refusal, String what) {
        long waitNanos = rate.take();
        if (waitNanos > 0) {
            throw new OrreryException(
                            refusal,
                            "The request rate is too large: " + rate.limit() + " " + what + ".")
                    .withRetryAfter(Duration.ofNanos(waitNanos));
        }
    }

    /** Allows a number of calls in each window of time. A window begins with its first call. */
    private static final class RateLimit {
        private final int limit;
        private final long windowNanos;
        private final LongSupplier nanoTime;
        private long windowStart;
        private int taken;

        RateLimit(int limit, long windowNanos, LongSupplier nanoTime) {
            this.limit = limit;
            this.windowNanos = windowNanos;
            this.nanoTime = nanoTime;
            this.windowStart = nanoTime.getAsLong();
        }

        int limit() {
            return limit;
        }

        synchronized void clear() {
            windowStart = nanoTime.getAsLong();
            taken = 0;
        }

        /** Zero when there was room; else how long until there is. */
        synchronized long take() {
            long now = nanoTime.getAsLong();
            if (now - windowStart >= windowNanos) {
                windowStart = now;
                taken = 0;
            }
            if (taken == limit) {
                return windowStart + windowNanos - now;
            }
            taken++;
            return 0;
        }
    }
}
