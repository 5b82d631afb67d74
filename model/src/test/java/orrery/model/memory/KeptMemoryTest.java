package orrery.model.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class KeptMemoryTest {
    private static final long MB = 1 << 20;

    /** An eighth may be kept; 55 are for large requests and what is kept. */
    private final MemoryBudget budget = new MemoryBudget(100 * MB);

    private final long eighth = budget.limit() / 8;

    @Test
    void outlivesTheRequestThatKeepsIt() {
        Optional<KeptMemory> kept;
        try (MemoryAccount account = budget.open()) {
            account.take(MB);
            kept = account.keep(MB);
        }
        assertThat(budget.reserved()).isEqualTo(MB);
        kept.orElseThrow().close();
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void isAnEighthOfTheBudgetAtMost() {
        try (MemoryAccount account = budget.open()) {
            KeptMemory all = account.keep(eighth).orElseThrow();
            assertThat(account.keep(1)).isEmpty();
            all.close();
            assertThat(account.keep(eighth + 1)).isEmpty();
            KeptMemory some = account.keep(eighth - 1).orElseThrow();
            KeptMemory rest = account.keep(1).orElseThrow();
            some.close();
            rest.close();
        }
        assertThat(budget.reserved()).isZero();
    }

    /** Requests come first, and a refusal to keep is not one of a request. */
    @Test
    void isRefusedWhereRequestsNeedTheMemory() {
        budget.reserve(55 * MB);
        try (MemoryAccount account = budget.open()) {
            assertThat(account.keep(1)).isEmpty();
            budget.release(MB);
            account.keep(MB).orElseThrow().close();
        }
        assertThat(budget.reserved()).isEqualTo(54 * MB);
        assertThat(budget.refusals()).isZero();
    }

    @Test
    void countsNothingForWorkThatNoRequestWaitsFor() {
        assertThat(MemoryAccount.NONE.keep(Long.MAX_VALUE)).isPresent();
    }
}
