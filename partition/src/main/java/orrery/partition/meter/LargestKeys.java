package orrery.partition.meter;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The keys with most bytes, in fixed memory, told the new size of a key whenever a write changes
 * it. Writers tell it in any order: the later LSN wins. A key that was pushed out comes back when
 * it changes and is large enough; until then it may be missing, and {@link
 * Snapshot#othersAtMostBytes} says how large it can be.
 *
 * @param <K> with equality; names a logical partition
 */
public final class LargestKeys<K> {
    private final int capacity;
    private final Map<K, Size> sizes = new HashMap<>();

    /** No key that is not in {@link #sizes} is larger. */
    private long othersAtMostBytes;

    /** When all places are taken, the size of the smallest; otherwise 0. */
    private long entryBytes;

    /**
     * @param lsn the latest that told it
     */
    private record Size(long bytes, long lsn) {}

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
     * @param lsn of the write that made it so
     */
    public synchronized void update(K key, long bytes, long lsn) {
        Size known = sizes.get(key);
        if (known == null ? bytes > entryBytes : lsn >= known.lsn()) {
            put(key, new Size(bytes, lsn));
            trim();
        } else if (known == null) {
            othersAtMostBytes = Math.max(othersAtMostBytes, bytes);
        }
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
            update(key, bytesNow.getAsLong(), 0);
        }
    }

    /**
     * Reads the sizes of the keys in the list again. Not every change tells: a purge and a new
     * index do not.
     *
     * @param bytesNow while this looks, no update comes between
     */
    public synchronized void refresh(ToLongFunction<K> bytesNow) {
        Map.copyOf(sizes)
                .forEach(
                        (key, known) -> put(key, new Size(bytesNow.applyAsLong(key), known.lsn())));
        trim();
    }

    public synchronized Snapshot<K> top(int limit) {
        List<KeyBytes<K>> all =
                sizes.entrySet().stream()
                        .map(entry -> new KeyBytes<>(entry.getKey(), entry.getValue().bytes()))
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
        Map<K, Size> known;
        long othersOfOther;
        synchronized (other) {
            known = Map.copyOf(other.sizes);
            othersOfOther = other.othersAtMostBytes;
        }
        synchronized (this) {
            othersAtMostBytes = Math.max(othersAtMostBytes, othersOfOther);
            known.forEach(
                    (key, size) -> {
                        if (isMine.test(key)) {
                            update(key, size.bytes(), size.lsn());
                        }
                    });
        }
    }

    private void put(K key, Size size) {
        if (size.bytes() <= 0) {
            sizes.remove(key);
        } else {
            sizes.put(key, size);
        }
    }

    /** Gives the smallest key up when there is one too many. */
    private void trim() {
        if (sizes.size() > capacity) {
            Map.Entry<K, Size> smallest = smallest();
            othersAtMostBytes = Math.max(othersAtMostBytes, smallest.getValue().bytes());
            sizes.remove(smallest.getKey());
        }
        entryBytes = sizes.size() < capacity ? 0 : smallest().getValue().bytes();
    }

    private Map.Entry<K, Size> smallest() {
        return sizes.entrySet().stream()
                .min(Map.Entry.comparingByValue(Comparator.comparingLong(Size::bytes)))
                .orElseThrow();
    }
}
