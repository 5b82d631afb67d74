package orrery.partition.meter;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The keys that cost most lately, in fixed memory. Amounts fade with a half-life, so that a key
 * that was hot yesterday is not in the way today.
 *
 * <p>Space-Saving: so many counters, each of one key. A key without a counter takes over the
 * smallest, with its amount, and remembers how much of it is not its own. Thus each key that has
 * more than 1/capacity of the total has a counter, and each counter says between which bounds the
 * amount of its key lies.
 *
 * <p>At high rates only a sample is counted: a request below the step is counted with probability
 * cost/step, and then as a whole step. That is its cost on average, whatever its key, and takes at
 * most {@value #UPDATES_PER_SECOND} updates in a steady second; a request of a quiet partition, or
 * one above the step, is counted as it is. The die is the nanosecond at which the request came: the
 * requests that are left out share nothing, not even a random generator.
 *
 * @param <K> with equality; names a logical partition
 */
public final class TopKeys<K> {
    /** The number of updates per second that the step aims at. */
    private static final int UPDATES_PER_SECOND = 256;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** Keys that have faded below this are forgotten. */
    private static final double LEAST_RU = 0.01;

    private final int capacity;
    private final double halfLifeNanos;
    private final int updatesPerSecond;

    private final Map<K, Counter> counters = new HashMap<>();
    private double totalRu;
    private double ruThisSecond;
    private int updatesThisSecond;

    /** When the present second began; since then nothing has faded. */
    private long secondNanos;

    // Read without the lock by requests that are left out.
    private volatile long nextSecondNanos;
    private volatile double stepRu;

    private static final class Counter {
        double mostRu;
        double notOwnRu;
    }

    /**
     * @param leastRu what the key has cost at least; costs of long ago count less
     * @param mostRu and at most
     * @param share {@code leastRu} of what all keys have cost
     */
    public record KeyRu<K>(K key, double leastRu, double mostRu, double share) {}

    public TopKeys(int capacity, Duration halfLife, long nowNanos) {
        this(capacity, halfLife, nowNanos, UPDATES_PER_SECOND);
    }

    TopKeys(int capacity, Duration halfLife, long nowNanos, int updatesPerSecond) {
        this.capacity = capacity;
        this.halfLifeNanos = halfLife.toNanos();
        this.updatesPerSecond = updatesPerSecond;
        this.secondNanos = nowNanos;
        this.nextSecondNanos = nowNanos + NANOS_PER_SECOND;
    }

    public void add(K key, double ru, long nowNanos) {
        if (ru <= 0) {
            return; // not worth taking over a counter
        }
        if (nowNanos - nextSecondNanos >= 0) {
            fade(nowNanos);
        }
        double step = stepRu;
        if (ru >= step) {
            count(key, ru);
        } else if (unitInterval(nowNanos) * step < ru) {
            count(key, step);
        }
    }

    /** At most so many, the most expensive first. */
    public synchronized List<KeyRu<K>> top(int limit, long nowNanos) {
        fade(nowNanos);
        return counters.entrySet().stream()
                .map(entry -> describe(entry.getKey(), entry.getValue()))
                .sorted(Comparator.<KeyRu<K>>comparingDouble(KeyRu::leastRu).reversed())
                .limit(limit)
                .toList();
    }

    /**
     * Takes over what another knows about some keys: what a child of a split does with its parent,
     * and a merged partition with both.
     */
    public void takeOver(TopKeys<K> other, Predicate<? super K> isMine, long nowNanos) {
        List<KeyRu<K>> known = other.top(Integer.MAX_VALUE, nowNanos);
        synchronized (this) {
            fade(nowNanos);
            for (KeyRu<K> each : known) {
                if (isMine.test(each.key())) {
                    Counter counter = counterOf(each.key());
                    counter.mostRu += each.mostRu();
                    counter.notOwnRu += each.mostRu() - each.leastRu();
                    totalRu += each.leastRu();
                }
            }
        }
    }

    private KeyRu<K> describe(K key, Counter counter) {
        double least = counter.mostRu - counter.notOwnRu;
        return new KeyRu<>(key, least, counter.mostRu, totalRu > 0 ? least / totalRu : 0);
    }

    private synchronized void count(K key, double ru) {
        counterOf(key).mostRu += ru;
        totalRu += ru;
        ruThisSecond += ru;
        updatesThisSecond++;
        if (updatesThisSecond >= 2L * updatesPerSecond) {
            // Traffic has grown since the step was chosen, or there was none.
            stepRu = Math.max(2 * stepRu, 2 * ruThisSecond / updatesThisSecond);
            updatesThisSecond = updatesPerSecond;
        }
    }

    private Counter counterOf(K key) {
        Counter present = counters.get(key);
        if (present != null) {
            return present;
        }
        Counter counter = new Counter();
        if (counters.size() == capacity) {
            Map.Entry<K, Counter> smallest = smallest();
            counters.remove(smallest.getKey());
            counter.mostRu = smallest.getValue().mostRu;
            counter.notOwnRu = counter.mostRu;
        }
        counters.put(key, counter);
        return counter;
    }

    private Map.Entry<K, Counter> smallest() {
        return counters.entrySet().stream()
                .min(Comparator.comparingDouble(entry -> entry.getValue().mostRu))
                .orElseThrow();
    }

    private synchronized void fade(long nowNanos) {
        if (nowNanos - nextSecondNanos < 0) {
            return;
        }
        double elapsed = nowNanos - secondNanos;
        double factor = Math.pow(0.5, elapsed / halfLifeNanos);
        for (Counter counter : counters.values()) {
            counter.mostRu *= factor;
            counter.notOwnRu *= factor;
        }
        counters.values().removeIf(counter -> counter.mostRu < LEAST_RU);
        totalRu *= factor;
        // With this step the next second has the wanted number of updates, if it is like this one.
        stepRu = ruThisSecond / (elapsed / NANOS_PER_SECOND) / updatesPerSecond;
        ruThisSecond = 0;
        updatesThisSecond = 0;
        secondNanos = nowNanos;
        nextSecondNanos = nowNanos + NANOS_PER_SECOND;
    }

    /** Evenly distributed over [0, 1), however the times are; the finalizer of SplitMix64. */
    private static double unitInterval(long nanos) {
        long z = nanos * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        z ^= z >>> 31;
        return (z >>> 11) * 0x1p-53;
    }
}
