package orrery.query;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Things that were used lately. It holds as much as it may, and lets go of what was not asked for
 * longest. Safe to share.
 */
public final class SizedCache<K, V> {
    private final long maxBytes;
    private final Map<K, Sized<V>> values = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    private record Sized<V>(V value, long bytes) {}

    /**
     * @param maxBytes that keys and values take together, about
     */
    public SizedCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    public synchronized @Nullable V find(K key) {
        Sized<V> known = values.get(key);
        return known == null ? null : known.value();
    }

    /**
     * Keeps a value, unless it takes more than all of them may.
     *
     * @param size in bytes, with its key, about
     */
    public synchronized void put(K key, V value, long size) {
        if (size > maxBytes) {
            return;
        }
        Sized<V> before = values.put(key, new Sized<>(value, size));
        bytes += size - (before == null ? 0 : before.bytes());
        Iterator<Sized<V>> eldest = values.values().iterator();
        while (bytes > maxBytes) {
            bytes -= eldest.next().bytes();
            eldest.remove();
        }
    }
}
