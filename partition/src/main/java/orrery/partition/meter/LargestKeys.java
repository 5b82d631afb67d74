package orrery.partition.meter;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The keys with most bytes, in fixed memory, told the new size of a key whenever it changes. Sizes
 * are exact. A key that was pushed out comes back when it changes and is large enough; until then
 * it may be missing, and {@link Snapshot#othersAtMostBytes} says how large it can be.
 *
 * @param <K> with equality; names a logical partition
 */
public final class LargestKeys<K> {
    private final int capacity;
    private final Map<K, Long> sizes = new HashMap<>();

    /** No key that is not in {@link #sizes} is larger. */
    private long othersAtMostBytes;

    /** When all places are taken, the size of the smallest; otherwise 0. */
    private long entryBytes;

    public record KeyBytes<K>(K key, long bytes) {}

    /**
     * @param keys the largest first
     * @param othersAtMostBytes a key below this may be smaller than one that is not listed
     */
    public record Snapshot<K>(List<KeyBytes<K>> keys, long othersAtMostBytes) {}

    public LargestKeys(int capacity) {
        this.capacity = capacity;
    }

    /**
     * @param bytes its new size; 0 when the key has no items any more
     */
    public synchronized void update(K key, long bytes) {
        if (bytes <= entryBytes && !sizes.containsKey(key)) {
            othersAtMostBytes = Math.max(othersAtMostBytes, bytes);
            return;
        }
        if (bytes <= 0) {
            sizes.remove(key);
        } else {
            sizes.put(key, bytes);
        }
        if (sizes.size() > capacity) {
            Map.Entry<K, Long> smallest = smallest();
            othersAtMostBytes = Math.max(othersAtMostBytes, smallest.getValue());
            sizes.remove(smallest.getKey());
        }
        entryBytes = sizes.size() < capacity ? 0 : smallest().getValue();
    }

    /**
     * Like {@link #update}, for a size that was read a while ago: a later update wins.
     *
     * @param bytesNow reads it again; while this looks, no update comes between
     */
    public synchronized void offer(K key, long bytes, LongSupplier bytesNow) {
        if (sizes.containsKey(key)) {
            return;
        }
        if (bytes <= entryBytes) {
            othersAtMostBytes = Math.max(othersAtMostBytes, bytes);
        } else {
            update(key, bytesNow.getAsLong());
        }
    }

    public synchronized Snapshot<K> top(int limit) {
        List<KeyBytes<K>> all =
                sizes.entrySet().stream()
                        .map(entry -> new KeyBytes<>(entry.getKey(), entry.getValue()))
                        .sorted(Comparator.<KeyBytes<K>>comparingLong(KeyBytes::bytes).reversed())
                        .toList();
        long cut = all.size() > limit ? all.get(limit).bytes() : 0;
        return new Snapshot<>(all.stream().limit(limit).toList(), Math.max(cut, othersAtMostBytes));
    }

    /**
     * Takes over what another knows about some keys: what a child of a split does with its parent,
     * and a merged partition with both.
     */
    public void takeOver(LargestKeys<K> other, Predicate<? super K> isMine) {
        Snapshot<K> known = other.top(Integer.MAX_VALUE);
        synchronized (this) {
            othersAtMostBytes = Math.max(othersAtMostBytes, known.othersAtMostBytes());
            for (KeyBytes<K> each : known.keys()) {
                if (isMine.test(each.key())) {
                    update(each.key(), each.bytes());
                }
            }
        }
    }

    private Map.Entry<K, Long> smallest() {
        return sizes.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
    }
}
