package orrery.storage;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.storage.format.ItemRecord;

/**
 * Items that were read lately, decoded. RocksDB caches blocks: to get a row out of them it searches
 * memtables, filters, index and block anew, which takes longer than what is then done with the row.
 *
 * <p>What is here is what the store holds now, and has held since some sequence number. A change
 * therefore takes its items out before it can be read, and who read before it adds nothing any
 * more.
 */
final class ItemCache {
    private static final int STRIPES = 64;

    /** The heap that an item takes besides its body: the record, its key, and their places here. */
    private static final int OVERHEAD_BYTES = 320;

    /** An item may take this share of a stripe, so that one does not drive out all others. */
    private static final int LEAST_PER_STRIPE = 8;

    private final ConcurrentMap<Bytes, Kept> items = new ConcurrentHashMap<>();
    private final Stripe[] stripes = new Stripe[STRIPES];

    ItemCache(long maxBytes) {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe(items, maxBytes / STRIPES);
        }
    }

    /** The item as it was at a sequence number, if that is known. */
    @Nullable ItemRecord find(Bytes key, long sequence) {
        Kept kept = items.get(key);
        if (kept == null || kept.since > sequence) {
            return null;
        }
        if (!kept.isUsed) {
            kept.isUsed = true;
        }
        return kept.item;
    }

    /** Keeps an item that was read as of a sequence number. */
    void add(Bytes key, ItemRecord item, long sequence) {
        stripe(key).add(new Kept(key, item, sequence));
    }

    /** Before the store changes these items. */
    void beginChange(Collection<Bytes> keys) {
        for (Bytes key : keys) {
            stripe(key).beginChange(key);
        }
    }

    /**
     * When the change can be read.
     *
     * @param sequence of the change or a later one
     */
    void endChange(Collection<Bytes> keys, long sequence) {
        for (Bytes key : keys) {
            stripe(key).endChange(sequence);
        }
    }

    /** Like {@link #beginChange}, for changes whose items are not listed. */
    void beginChangeOfAll() {
        for (Stripe stripe : stripes) {
            stripe.beginChangeOfAll();
        }
    }

    void endChangeOfAll(long sequence) {
        for (Stripe stripe : stripes) {
            stripe.endChange(sequence);
        }
    }

    /** Items, with those that changed since and still have a place. */
    int queued() {
        int count = 0;
        for (Stripe stripe : stripes) {
            count += stripe.queued();
        }
        return count;
    }

    private Stripe stripe(Bytes key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return stripes[(hash >>> 16) % STRIPES];
    }

    private static final class Kept {
        private final Bytes key;
        private final int bytes;
        private final long since;

        /** Absent when it is not valid any more. */
        private volatile @Nullable ItemRecord item;

        /** Since it was last passed over. A write that is lost among threads does no harm. */
        private boolean isUsed;

        Kept(Bytes key, ItemRecord item, long since) {
            this.key = key;
            this.bytes = OVERHEAD_BYTES + key.length() + item.body().length();
            this.item = item;
            this.since = since;
        }
    }

    /** Some of the items, in the order in which they came; finding one needs no lock. */
    private static final class Stripe {
        private final ConcurrentMap<Bytes, Kept> items;
        private final long maxBytes;
        private final Queue<Kept> queue = new ArrayDeque<>();
        private long bytes;

        /** Changes that have begun and cannot be read yet, or failed. */
        private int changes;

        /** A row that was read before this sequence number may have changed since. */
        private long changedAt;

        Stripe(ConcurrentMap<Bytes, Kept> items, long maxBytes) {
            this.items = items;
            this.maxBytes = maxBytes;
        }

        synchronized void add(Kept kept) {
            boolean mayBeOld = changes > 0 || kept.since < changedAt;
            if (mayBeOld || kept.bytes > maxBytes / LEAST_PER_STRIPE) {
                return;
            }
            drop(items.put(kept.key, kept));
            queue.add(kept);
            bytes += kept.bytes;
            while (bytes > maxBytes) {
                Kept oldest = queue.remove();
                if (oldest.item != null && oldest.isUsed) {
                    oldest.isUsed = false;
                    queue.add(oldest);
                } else {
                    bytes -= oldest.item == null ? OVERHEAD_BYTES : oldest.bytes;
                    items.remove(oldest.key, oldest);
                }
            }
        }

        synchronized int queued() {
            return queue.size();
        }

        /** It stays in the queue, where only its item is missed. */
        private void drop(@Nullable Kept kept) {
            if (kept != null) {
                kept.item = null;
                bytes -= kept.bytes - OVERHEAD_BYTES;
            }
        }

        synchronized void beginChange(Bytes key) {
            changes++;
            drop(items.remove(key));
        }

        synchronized void beginChangeOfAll() {
            changes++;
            for (Kept kept : queue) {
                items.remove(kept.key, kept);
            }
            queue.clear();
            bytes = 0;
        }

        synchronized void endChange(long sequence) {
            changes--;
            changedAt = Math.max(changedAt, sequence);
        }
    }
}
