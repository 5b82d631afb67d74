package orrery.model.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

final class MemoryBudgetTest {
    private static final long MB = 1 << 20;
    private static final long KB = 1 << 10;

    /** 80 for large requests, 25 for one, 55 for all but the oldest. */
    private final MemoryBudget budget = new MemoryBudget(100 * MB);

    @Test
    void isHalfOfWhatCachesLeave() {
        assertThat(MemoryBudget.ofHeap(512 * MB, 68 * MB).limit()).isEqualTo(222 * MB);
        assertThat(MemoryBudget.ofHeap(10 * MB, 20 * MB).limit()).isZero();
    }

    @Test
    void requestsOfAFewKilobytesDoNotTouchIt() {
        try (MemoryAccount account = budget.open()) {
            account.take(10 * KB);
            account.take(6 * KB);
            assertThat(budget.reserved()).isZero();
            account.take(1);
            assertThat(budget.reserved()).isEqualTo(64 * KB);
        }
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void growsInStepsAndGivesThemBack() {
        try (MemoryAccount account = budget.open()) {
            account.take(65 * KB);
            assertThat(budget.reserved()).isEqualTo(128 * KB);
            account.take(63 * KB);
            assertThat(budget.reserved()).isEqualTo(128 * KB);
            account.take(MB);
            account.give(MB);
            assertThat(budget.reserved()).isEqualTo(128 * KB);
            account.give(128 * KB);
            assertThat(budget.reserved()).isZero();
            account.take(MB);
        }
        assertThat(budget.reserved()).isZero();
        assertThat(budget.refusals()).isZero();
    }

    @Test
    void oneRequestGetsAQuarter() {
        try (MemoryAccount account = budget.open()) {
            account.take(25 * MB);
            assertThatExceptionOfType(OrreryException.class)
                    .isThrownBy(() -> account.take(1))
                    .matches(failure -> failure.code() == ErrorCode.TOO_LARGE)
                    .withMessageContaining("more memory than the 25 MB");
            assertThat(budget.reserved()).isEqualTo(25 * MB);
            account.give(MB);
            account.take(MB);
        }
        assertThat(budget.reserved()).isZero();
        assertThat(budget.refusals()).isEqualTo(1);
    }

    @Test
    void theOldestLargeRequestGetsAllThatItMay() {
        MemoryAccount oldest = budget.open();
        oldest.take(MB);
        try (MemoryAccount second = budget.open();
                MemoryAccount third = budget.open()) {
            second.take(25 * MB);
            third.take(25 * MB);
            try (MemoryAccount fourth = budget.open()) {
                fourth.take(4 * MB);
                assertShort(() -> fourth.take(MB));
                // The others have taken 54, and it still has its quarter.
                oldest.take(24 * MB);
                assertThat(budget.reserved()).isEqualTo(79 * MB);
            }
            oldest.close();
            try (MemoryAccount late = budget.open()) {
                late.take(5 * MB);
                assertShort(() -> late.take(MB));
            }
        }
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void smallRequestsGoOnWhenLargeOnesHaveTakenAllTheyMay() {
        List<MemoryAccount> accounts = new ArrayList<>();
        assertThat(budget.tryReserve(55 * MB)).isTrue();
        assertThat(budget.tryReserve(64 * KB + 1)).isFalse();
        for (int i = 0; i < 45 * 16; i++) {
            MemoryAccount small = budget.open();
            small.take(64 * KB);
            accounts.add(small);
        }
        assertThat(budget.reserved()).isEqualTo(100 * MB);
        try (MemoryAccount one = budget.open()) {
            one.take(16 * KB);
            assertShort(() -> one.take(1));
        }
        accounts.forEach(MemoryAccount::close);
        budget.release(55 * MB);
        assertThat(budget.reserved()).isZero();
    }

    private static void assertShort(Runnable taking) {
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(taking::run)
                .matches(failure -> failure.code() == ErrorCode.TOO_MANY_REQUESTS)
                .matches(failure -> failure.retryAfter().isPresent())
                .withMessageContaining("short of memory");
    }

    @Test
    void whatExistsAlreadyIsCountedBeyondTheLimit() {
        budget.reserve(300 * MB);
        assertThat(budget.tryReserve(1)).isFalse();
        budget.release(300 * MB);
        assertThat(budget.tryReserve(1)).isTrue();
    }

    @Test
    void aPartGivesBackWhatItTook() {
        try (MemoryAccount account = budget.open()) {
            account.take(MB);
            try (MemoryAccount.Part part = account.part()) {
                part.take(5 * MB);
                part.give(MB);
                part.makeRoom(2 * MB);
                part.makeRoom(MB);
                part.makeRoom(3 * MB);
                assertThat(budget.reserved()).isEqualTo(8 * MB);
                assertThatExceptionOfType(OrreryException.class)
                        .isThrownBy(() -> part.take(100 * MB));
                assertThat(budget.reserved()).isEqualTo(8 * MB);
            }
            assertThat(budget.reserved()).isEqualTo(MB);
        }
    }

    @Test
    void whoeverGoesOnAfterTheEndGetsNothing() {
        MemoryAccount account = budget.open();
        MemoryAccount.Part part = account.part();
        part.take(MB);
        account.close();
        account.close();
        assertShort(() -> part.take(MB));
        part.close();
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void goesWithTheThreadsOfARequest() throws Exception {
        assertThat(MemoryAccount.current()).isSameAs(MemoryAccount.NONE);
        MemoryAccount.NONE.take(Long.MAX_VALUE);
        try (MemoryAccount account = budget.open();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(account.during(MemoryAccount::current)).isSameAs(account);
            assertThat(threads.submit(() -> account.during(MemoryAccount::current)).get())
                    .isSameAs(account);
        }
        assertThat(MemoryAccount.current()).isSameAs(MemoryAccount.NONE);
    }

    @Test
    void isNeverPassedByManyAtOnce() throws InterruptedException, ExecutionException {
        List<Future<Boolean>> held = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                held.add(threads.submit(this::growAndShrink));
            }
        }
        for (Future<Boolean> each : held) {
            assertThat(each.get()).isTrue();
        }
        assertThat(budget.reserved()).isZero();
    }

    private boolean growAndShrink() {
        boolean isWithin = true;
        for (int round = 0; round < 20; round++) {
            try (MemoryAccount account = budget.open()) {
                for (int i = 0; i < 30; i++) {
                    account.take(MB - 7);
                    isWithin &= budget.reserved() <= 80 * MB;
                }
            } catch (OrreryException refused) {
                isWithin &= budget.reserved() <= 80 * MB;
            }
        }
        return isWithin;
    }
}
