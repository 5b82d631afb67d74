package orrery.model.memory;

import java.util.Optional;

/**
 * Bytes of the budget that something holds between requests. All such things together hold at most
 * an eighth of the budget, so that requests are never short because of them. Closed once.
 */
public final class KeptMemory implements AutoCloseable {
    private final MemoryBudget budget;
    private final long bytes;

    KeptMemory(MemoryBudget budget, long bytes) {
        this.budget = budget;
        this.bytes = bytes;
    }

    static Optional<KeptMemory> of(MemoryBudget budget, long bytes) {
        return budget.tryKeep(bytes)
                ? Optional.of(new KeptMemory(budget, bytes))
                : Optional.empty();
    }

    @Override
    public void close() {
        budget.releaseKept(bytes);
    }
}
