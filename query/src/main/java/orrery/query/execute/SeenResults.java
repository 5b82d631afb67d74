package orrery.query.execute;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.document.Value;
import orrery.model.memory.MemoryAccount;
import orrery.query.evaluate.ValueHash;
import orrery.query.syntax.QueryError;

/** The results that DISTINCT has met so far, by hash. */
final class SeenResults {
    /** The number of results that a continuation has room for. */
    private static final int CARRIED = 24;

    private static final int MAX_SEEN = 500_000;

    /** A hash and its place in the set. */
    private static final int HASH_BYTES = 80;

    private final Set<ValueHash> hashes = new HashSet<>();
    private final MemoryAccount.Part memory;

    SeenResults(MemoryAccount.Part memory) {
        this.memory = memory;
    }

    boolean contains(Value result) {
        return hashes.contains(ValueHash.of(result));
    }

    void add(Value result) {
        if (!hashes.add(ValueHash.of(result))) {
            return;
        }
        memory.take(HASH_BYTES);
        if (hashes.size() > MAX_SEEN) {
            throw QueryError.engine(
                    "DISTINCT met more than " + MAX_SEEN + " different results in one partition.");
        }
    }

    void addAll(List<ValueHash> carried) {
        hashes.addAll(carried);
    }

    /** Absent if there are too many. */
    Optional<List<ValueHash>> carried() {
        return hashes.size() <= CARRIED ? Optional.of(List.copyOf(hashes)) : Optional.empty();
    }
}
