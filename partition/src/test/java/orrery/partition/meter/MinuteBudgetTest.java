package orrery.partition.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MinuteBudgetTest {
    private static final long NOON = 24_905_520;

    private final MinuteBudget budget = new MinuteBudget();

    @Test
    void givesNoMoreThanIsLeft() {
        assertThat(budget.take(70, NOON, 100)).isEqualTo(70);
        assertThat(budget.take(70, NOON, 100)).isEqualTo(30);
        assertThat(budget.take(70, NOON, 100)).isZero();
        assertThat(budget.left(NOON, 100)).isZero();
    }

    @Test
    void isFullInEachMinute() {
        budget.take(70, NOON, 100);

        assertThat(budget.left(NOON + 1, 100)).isEqualTo(100);
        assertThat(budget.take(170, NOON + 1, 100)).isEqualTo(100);
    }

    @Test
    void whoReadTheClockBeforeOthersDoesNotRefillIt() {
        budget.take(70, NOON + 1, 100);

        assertThat(budget.take(20, NOON, 100)).isEqualTo(20);
        assertThat(budget.left(NOON + 1, 100)).isEqualTo(10);
    }

    @Test
    void aClockThatIsSetBackDoesNotLockIt() {
        budget.take(100, NOON + 60, 100);

        assertThat(budget.take(20, NOON, 100)).isEqualTo(20);
        assertThat(budget.left(NOON, 100)).isEqualTo(80);
    }

    @Test
    void aSmallerAllowanceLeavesNothingNegative() {
        budget.take(70, NOON, 100);

        assertThat(budget.left(NOON, 50)).isZero();
        assertThat(budget.take(10, NOON, 50)).isZero();
    }
}
