package orrery.gateway;

import java.util.List;
import orrery.model.memory.MemoryAccount;
import orrery.query.evaluate.ValueHash;
import orrery.query.execute.SeenHashes;

/** The results that an answer has met. Their memory is that of the request that adds them. */
final class SeenResults {
    private SeenHashes hashes = new SeenHashes();

    /**
     * Returns true if a result was not there, and is now. If there is no memory for it, nothing has
     * changed.
     *
     * @param number tells when it came, for {@link #forgetFrom}
     */
    boolean add(ValueHash hash, int number) {
        long grown = hashes.nextSizeBytes() - hashes.sizeBytes();
        if (grown == 0) {
            return hashes.add(hash, number);
        }
        // While a table grows there are both.
        MemoryAccount.current().take(grown);
        long before = hashes.sizeBytes();
        boolean isNew = hashes.add(hash, number);
        MemoryAccount.current().give(grown - (hashes.sizeBytes() - before));
        return isNew;
    }

    boolean contains(ValueHash hash) {
        return hashes.contains(hash);
    }

    /** Forgets those that came with this number or a higher one. */
    void forgetFrom(int number) {
        hashes.forgetFrom(number);
    }

    void clear() {
        MemoryAccount.current().give(hashes.sizeBytes());
        hashes = new SeenHashes();
        MemoryAccount.current().take(hashes.sizeBytes());
    }

    /** Returns the hashes of all, in no order. */
    List<ValueHash> all() {
        return hashes.all();
    }

    int size() {
        return hashes.size();
    }

    long sizeBytes() {
        return hashes.sizeBytes();
    }
}
