package orrery.partition.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import orrery.model.metering.RequestTerms;
import orrery.model.metering.RequestTerms.Priority;

final class MeterTest {
    private static final RequestTerms STANDARD = RequestTerms.STANDARD;
    private static final RequestTerms LOW = new RequestTerms(Priority.LOW, true, 1);
    private static final RequestTerms NO_MINUTE = new RequestTerms(Priority.HIGH, false, 1);

    private static final MeterSettings BURST = MeterSettings.DEFAULT.withBurst(true);
    private static final MeterSettings MINUTES = MeterSettings.DEFAULT.withRuPerMinute(true);
    private static final MeterSettings PRIORITIES = MeterSettings.DEFAULT.withPriorities(true);

    private final FakeTime time = new FakeTime();

    @Test
    void admitsWhileTheBalanceIsPositiveAndChargesTheRealCost() {
        Meter meter = meter(400, MeterSettings.DEFAULT);

        assertThat(admit(meter)).isZero();
        meter.charge(399.99, STANDARD, time.nanos());
        assertThat(admit(meter)).isZero();
        meter.charge(200, STANDARD, time.nanos());

        assertThat(meter.balanceRu(time.nanos())).isEqualTo(-199.99, within(0.001));
        assertThat(admit(meter)).isEqualTo(500);
        time.passMillis(499);
        assertThat(admit(meter)).isEqualTo(1);
        time.passMillis(1);
        assertThat(admit(meter)).isZero();
    }

    @Test
    void aBalanceOfNothingIsNotPositive() {
        Meter meter = meter(1000, MeterSettings.DEFAULT);
        meter.charge(1000, STANDARD, time.nanos());

        assertThat(meter.balanceRu(time.nanos())).isZero();
        assertThat(admit(meter)).isEqualTo(1);
    }

    @Test
    void neverHoldsMoreThanASecond() {
        Meter meter = meter(400, MeterSettings.DEFAULT);
        time.pass(Duration.ofDays(3000));

        assertThat(meter.balanceRu(time.nanos())).isEqualTo(400);
        assertThat(drain(meter, 10)).isEqualTo(400);
    }

    @Test
    void aChargeDatedBeforeOthersIsTakenAllTheSame() {
        Meter meter = meter(400, MeterSettings.DEFAULT);
        long early = time.nanos();
        time.passSeconds(10);
        meter.charge(100, STANDARD, time.nanos());
        meter.charge(100, STANDARD, early);

        assertThat(meter.balanceRu(time.nanos())).isEqualTo(200);
    }

    @Test
    void anotherBudgetKeepsTheBalance() {
        Meter meter = meter(400, MeterSettings.DEFAULT);
        time.pass(Duration.ofDays(1));

        meter.change(10_000, MeterSettings.DEFAULT, time.nanos());
        assertThat(meter.balanceRu(time.nanos())).isEqualTo(400);
        time.passMillis(100);
        assertThat(meter.balanceRu(time.nanos())).isEqualTo(1_400);

        meter.charge(6_400, STANDARD, time.nanos());
        meter.change(1_000, MeterSettings.DEFAULT, time.nanos());
        assertThat(meter.balanceRu(time.nanos())).isEqualTo(-5_000);
        assertThat(admit(meter)).isEqualTo(5_001);

        time.passSeconds(100);
        meter.change(500, MeterSettings.DEFAULT, time.nanos());
        assertThat(meter.balanceRu(time.nanos())).isEqualTo(500);
    }

    @Test
    void childrenShareTheBalanceOfTheirParent() {
        Meter parent = meter(1_000, MeterSettings.DEFAULT);
        parent.charge(2_000, STANDARD, time.nanos());
        Meter.Balance half = parent.balance(time.nanos()).share(0.5);

        Meter child = Meter.withBalance(half, 500, MeterSettings.DEFAULT, time.nanos(), time);

        assertThat(child.balanceRu(time.nanos())).isEqualTo(-500);
        assertThat(admit(child)).isEqualTo(1_001);
    }

    @Test
    void withoutThrottlingEverythingIsAdmittedAndCounted() {
        Meter meter = meter(400, MeterSettings.DEFAULT.withThrottling(false));
        for (int i = 0; i < 100; i++) {
            assertThat(admit(meter)).isZero();
            meter.charge(100, STANDARD, time.nanos());
        }

        assertThat(meter.usage().total()).isEqualTo(new Usage.Window(10_000, 100, 0));
        // Nobody pays later for what was free.
        meter.change(400, MeterSettings.DEFAULT, time.nanos());
        assertThat(meter.balanceRu(time.nanos())).isEqualTo(400);
    }

    @Test
    void countsRefusals() {
        Meter meter = meter(400, MeterSettings.DEFAULT);
        meter.charge(800, STANDARD, time.nanos());
        admit(meter);
        admit(meter);
        admit(meter);

        Usage.Window total = meter.usage().total();
        assertThat(total).isEqualTo(new Usage.Window(800, 4, 3));
        assertThat(total.refusedShare()).isEqualTo(0.75);
    }

    @Test
    void refusesAmountsThatAreNone() {
        Meter meter = meter(400, MeterSettings.DEFAULT);
        assertThatThrownBy(() -> meter.charge(-1, STANDARD, time.nanos()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> meter.charge(Double.NaN, STANDARD, time.nanos()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> meter.change(0, MeterSettings.DEFAULT, time.nanos()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theMinutePaysWhatExceedsTheSecond() {
        // The example of the announcement, over two ranges.
        Meter meter = meter(5_000, MINUTES);

        assertThat(meter.charge(5_000, STANDARD, time.nanos())).isFalse();
        assertThat(admit(meter)).isZero();
        assertThat(meter.charge(505, STANDARD, time.nanos())).isTrue();

        assertThat(meter.balanceRu(time.nanos())).isZero();
        time.passMillis(200);
        assertThat(meter.charge(1_000, STANDARD, time.nanos())).isFalse();
        // 49,495 are left, and the rest is a debt.
        assertThat(meter.charge(49_500, STANDARD, time.nanos())).isTrue();
        assertThat(meter.balanceRu(time.nanos())).isEqualTo(-5);
        assertThat(admit(meter)).isEqualTo(2);
    }

    @Test
    void aRequestMayLeaveTheMinuteAlone() {
        Meter meter = meter(400, MINUTES);

        assertThat(meter.charge(600, NO_MINUTE, time.nanos())).isFalse();

        assertThat(meter.admit(NO_MINUTE, time.nanos())).isEqualTo(501);
        assertThat(admit(meter)).isZero();
    }

    @Test
    void theMinuteIsFullAgainWhenTheNextBegins() {
        time.passSeconds(59);
        Meter meter = meter(100, MINUTES);
        meter.charge(100 + 1_000 + 500, STANDARD, time.nanos());

        // The debt takes five seconds, the next minute one.
        assertThat(meter.admit(NO_MINUTE, time.nanos())).isEqualTo(5_001);
        assertThat(admit(meter)).isEqualTo(1_000);
        time.passMillis(999);
        assertThat(admit(meter)).isEqualTo(1);
        time.passMillis(1);
        assertThat(admit(meter)).isZero();
        assertThat(meter.charge(1_000, STANDARD, time.nanos())).isTrue();
        assertThat(admit(meter)).isPositive();
    }

    @Test
    void aSplitOrMergeDoesNotRefillTheMinute() {
        Meter parent = meter(200, MINUTES);
        parent.charge(200 + 1_600, STANDARD, time.nanos());
        Meter.Balance half = parent.balance(time.nanos()).share(0.5);

        Meter left = Meter.withBalance(half, 100, MINUTES, time.nanos(), time);
        Meter right = Meter.withBalance(half, 100, MINUTES, time.nanos(), time);
        // 1,600 of 2,000 are gone: each has 200 of its 1,000.
        assertThat(left.charge(250, STANDARD, time.nanos())).isTrue();
        assertThat(left.balanceRu(time.nanos())).isEqualTo(-50);
        Meter.Balance both = left.balance(time.nanos()).plus(right.balance(time.nanos()));
        Meter merged = Meter.withBalance(both, 200, MINUTES, time.nanos(), time);
        assertThat(merged.charge(300, STANDARD, time.nanos())).isTrue();
        assertThat(merged.balanceRu(time.nanos())).isEqualTo(-150);

        time.passSeconds(60);
        assertThat(merged.charge(200 + 2_000, STANDARD, time.nanos())).isTrue();
        assertThat(merged.balanceRu(time.nanos())).isZero();
    }

    @Test
    void largeBudgetsHaveNoMinute() {
        Meter meter = meter(5_001, MINUTES);
        meter.charge(5_001, STANDARD, time.nanos());

        assertThat(admit(meter)).isPositive();
    }

    @Test
    void anotherBudgetDoesNotRefillTheMinute() {
        Meter meter = meter(100, MINUTES);
        meter.charge(100 + 1_000, STANDARD, time.nanos());
        assertThat(admit(meter)).isPositive();

        meter.change(200, MINUTES, time.nanos());
        assertThat(meter.charge(1_500, STANDARD, time.nanos())).isTrue();

        assertThat(meter.balanceRu(time.nanos())).isEqualTo(-500);
    }

    @Test
    void savesFiveMinutesAndSpendsThemAtThreeThousand() {
        Meter meter = meter(100, BURST);
        time.pass(Duration.ofHours(2));
        assertThat(meter.balanceRu(time.nanos())).isEqualTo(30_000);

        // A second's worth at once, as with every budget.
        assertThat(drain(meter, 10)).isEqualTo(3_000);
        double used = 0;
        int seconds = 0;
        while (meter.balanceRu(time.nanos()) > 0) {
            time.passSeconds(1);
            double second = drain(meter, 10);
            assertThat(second).isLessThanOrEqualTo(3_000);
            used += second;
            seconds++;
        }
        assertThat(used).isBetween(27_000.0, 27_000.0 + 100 * (seconds + 1));
        assertThat(seconds).isBetween(9, 10);
        time.passSeconds(1);
        assertThat(drain(meter, 10)).isEqualTo(100);
    }

    @Test
    void aBurstThatIsTooFastHearsWhenItMayGoOn() {
        Meter meter = meter(100, BURST);
        time.pass(Duration.ofHours(2));
        meter.charge(6_000, STANDARD, time.nanos());

        assertThat(admit(meter)).isEqualTo(1_001);
        time.passMillis(1_001);
        assertThat(admit(meter)).isZero();
    }

    @Test
    void switchingBurstsOnFindsNoSavings() {
        Meter meter = meter(100, MeterSettings.DEFAULT);
        time.pass(Duration.ofHours(1));
        meter.change(100, BURST, time.nanos());
        assertThat(meter.balanceRu(time.nanos())).isEqualTo(100);

        time.passSeconds(9);
        assertThat(meter.balanceRu(time.nanos())).isEqualTo(1_000);
        meter.change(100, MeterSettings.DEFAULT, time.nanos());
        assertThat(meter.balanceRu(time.nanos())).isEqualTo(100);
    }

    @Test
    void largeBudgetsSaveNothing() {
        Meter meter = meter(3_000, BURST);
        time.passSeconds(100);

        assertThat(meter.balanceRu(time.nanos())).isEqualTo(3_000);
    }

    @Test
    void lowPriorityIsRefusedFirst() {
        Meter meter = meter(400, PRIORITIES);
        meter.charge(200, LOW, time.nanos());

        assertThat(meter.admit(LOW, time.nanos())).isEqualTo(1);
        assertThat(admit(meter)).isZero();
        meter.charge(100, STANDARD, time.nanos());
        assertThat(admit(meter)).isZero();
        assertThat(meter.admit(LOW, time.nanos())).isEqualTo(251);
        time.passMillis(251);
        assertThat(meter.admit(LOW, time.nanos())).isZero();
    }

    @Test
    void lowPriorityGetsAllThatHighLeaves() {
        Meter meter = meter(1_000, PRIORITIES);
        double high = 0;
        double low = 0;
        for (int millis = 0; millis < 10_000; millis++) {
            if (millis % 100 == 0) {
                assertThat(admit(meter)).as("%s ms", millis).isZero();
                meter.charge(30, STANDARD, time.nanos());
                high += 30;
            }
            for (int i = 0; i < 4 && meter.admit(LOW, time.nanos()) == 0; i++) {
                meter.charge(5, LOW, time.nanos());
                low += 5;
            }
            time.passMillis(1);
        }
        assertThat(high).isEqualTo(3_000);
        assertThat(low).isBetween(7_000.0, 7_000.0 + 500 + 5);
    }

    @Test
    void withoutPrioritiesLowIsLikeHigh() {
        Meter meter = meter(400, MeterSettings.DEFAULT);
        meter.charge(399, STANDARD, time.nanos());

        assertThat(meter.admit(LOW, time.nanos())).isZero();
    }

    @Test
    void remembersTheBusiestSecondOfEachHour() {
        Meter meter = meter(1_000, MeterSettings.DEFAULT);
        meter.charge(100, STANDARD, time.nanos());
        time.passSeconds(1);
        meter.charge(250, STANDARD, time.nanos());
        time.passMillis(500);
        meter.charge(250, STANDARD, time.nanos());
        time.passSeconds(20);
        meter.charge(300, STANDARD, time.nanos());
        // Nobody comes until the hour is over: it is still that hour's.
        time.pass(Duration.ofHours(3));
        meter.charge(5_000, STANDARD, time.nanos());
        time.passSeconds(2);

        assertThat(meter.hourlyPeaks(time.nanos()))
                .containsExactly(
                        new HourlyPeaks.Peak(Instant.parse("2017-05-10T12:00:00Z"), 0.5),
                        new HourlyPeaks.Peak(Instant.parse("2017-05-10T15:00:00Z"), 1));
    }

    @Test
    void remembersADayOfHours() {
        Meter meter = meter(1_000, MeterSettings.DEFAULT);
        for (int hour = 0; hour < 100; hour++) {
            meter.charge(10, STANDARD, time.nanos());
            time.pass(Duration.ofHours(1));
        }

        var peaks = meter.hourlyPeaks(time.nanos());
        assertThat(peaks).hasSize(HourlyPeaks.HOURS);
        assertThat(peaks.getLast().hour()).isEqualTo(Instant.parse("2017-05-14T15:00:00Z"));
    }

    private Meter meter(double ruPerSecond, MeterSettings settings) {
        return Meter.of(ruPerSecond, settings, time.nanos(), time);
    }

    private long admit(Meter meter) {
        return meter.admit(STANDARD, time.nanos());
    }

    /** Request units used by requests of the same cost until one is refused. */
    private double drain(Meter meter, double ru) {
        double used = 0;
        while (admit(meter) == 0) {
            meter.charge(ru, STANDARD, time.nanos());
            used += ru;
        }
        return used;
    }
}
