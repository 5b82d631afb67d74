package orrery.partition.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import orrery.model.metering.RequestTerms;
import orrery.model.metering.RequestTerms.Priority;

class MeterProperties {
    private static final RequestTerms STANDARD = RequestTerms.STANDARD;

    @Property
    void consumptionOfEveryWindowIsWithinTheBudget(
            @ForAll @DoubleRange(min = 0.5, max = 1_000_000) double budget,
            @ForAll @Size(min = 1, max = 200)
                    List<@LongRange(min = 0, max = 400_000) Long> pausesMicros,
            @ForAll @DoubleRange(min = 0.01, max = 2_000) double largest) {
        FakeTime time = new FakeTime();
        Meter meter = Meter.of(budget, MeterSettings.DEFAULT, time.nanos(), time);
        Windows windows = new Windows(budget);
        int number = 0;
        for (long micros : pausesMicros) {
            time.pass(Duration.ofNanos(micros * 1_000));
            double ru = largest * (1 + number++ % 7) / 7;
            if (meter.admit(STANDARD, time.nanos()) == 0) {
                meter.charge(ru, STANDARD, time.nanos());
                windows.add(time.elapsedNanos() / 1e9, ru);
            }
        }
        assertThat(windows.worstExcess()).isLessThanOrEqualTo(budget + largest + 0.01);
    }

    @Property
    void burstsAreAtLeastTheBudgetAndAtMostTheirPace(
            @ForAll @IntRange(min = 10, max = 2_999) int budget,
            @ForAll @Size(min = 1, max = 200)
                    List<@LongRange(min = 0, max = 400_000) Long> pausesMicros,
            @ForAll @DoubleRange(min = 0.01, max = 2_000) double largest) {
        FakeTime time = new FakeTime();
        Meter plain = Meter.of(budget, MeterSettings.DEFAULT, time.nanos(), time);
        Meter bursting =
                Meter.of(budget, MeterSettings.DEFAULT.withBurst(true), time.nanos(), time);
        Windows paces = new Windows(Meter.BURST_RU_PER_SECOND);
        double plainUsed = 0;
        double burstUsed = 0;
        for (long micros : pausesMicros) {
            time.pass(Duration.ofNanos(micros * 1_000));
            if (plain.admit(STANDARD, time.nanos()) == 0) {
                plain.charge(largest, STANDARD, time.nanos());
                plainUsed += largest;
            }
            if (bursting.admit(STANDARD, time.nanos()) == 0) {
                bursting.charge(largest, STANDARD, time.nanos());
                paces.add(time.elapsedNanos() / 1e9, largest);
                burstUsed += largest;
            }
        }
        double pace = Meter.BURST_RU_PER_SECOND;
        assertThat(paces.worstExcess()).isLessThanOrEqualTo(pace + largest + 0.01);
        // Which requests are admitted may differ by the one that overdraws.
        assertThat(burstUsed).isGreaterThanOrEqualTo(plainUsed - largest - 0.01);
    }

    @Property
    void retryAfterIsTrue(
            @ForAll @DoubleRange(min = 0.5, max = 1_000_000) double budget,
            @ForAll @DoubleRange(min = 1, max = 60) double secondsSpent,
            @ForAll @LongRange(min = 0, max = 3_000_000_000L) long pauseNanos,
            @ForAll boolean isLow,
            @ForAll boolean burst,
            @ForAll boolean ruPerMinute) {
        FakeTime time = new FakeTime();
        var settings = new MeterSettings(true, ruPerMinute, burst, true);
        var terms = new RequestTerms(isLow ? Priority.LOW : Priority.HIGH, true, 1);
        Meter meter = Meter.of(budget, settings, time.nanos(), time);
        time.pass(Duration.ofNanos(pauseNanos));
        meter.charge(budget * secondsSpent, terms, time.nanos());

        long millis = meter.admit(terms, time.nanos());
        if (millis > 0) {
            time.passMillis(millis - 1);
            assertThat(meter.admit(terms, time.nanos())).isEqualTo(1);
            time.passMillis(1);
            assertThat(meter.admit(terms, time.nanos())).isZero();
        }
    }

    /** The quotient of these numbers is a little more than it should be. */
    @Example
    void retryAfterIsTrueWhereQuotientsAreRoundedUp() {
        retryAfterIsTrue(0.58, 1.05, 3_000_000_000L, true, false, true);
        retryAfterIsTrue(341.25, 31.3, 3_000_000_000L, false, false, false);
    }

    @Property
    void changesOfTheBudgetNeitherGiveNorTake(
            @ForAll @Size(min = 1, max = 50) List<@IntRange(min = 1, max = 20_000) Integer> budgets,
            @ForAll @LongRange(min = 0, max = 500) long pauseMillis,
            @ForAll @DoubleRange(min = 0, max = 5_000) double ru) {
        FakeTime time = new FakeTime();
        double budget = budgets.getFirst();
        Meter meter = Meter.of(budget, MeterSettings.DEFAULT, time.nanos(), time);
        double balance = budget;
        for (int next : budgets) {
            meter.change(next, MeterSettings.DEFAULT, time.nanos());
            balance = Math.min(next, balance);
            time.passMillis(pauseMillis);
            balance = Math.min(next, balance + next * pauseMillis / 1_000.0);
            meter.charge(ru, STANDARD, time.nanos());
            balance -= ru;
            assertThat(meter.balanceRu(time.nanos())).isCloseTo(balance, within(0.2));
        }
    }

    @Property(tries = 10)
    void threadsTogetherStayWithinTheBudgetAndGetAllOfIt(
            @ForAll @IntRange(min = 2, max = 8) int threads,
            @ForAll @IntRange(min = 200, max = 20_000) int budget)
            throws Exception {
        int ru = 5;
        FakeTime time = new FakeTime();
        Meter meter = Meter.of(budget, MeterSettings.DEFAULT, time.nanos(), time);
        // Consumption by millisecond of the time the charge was made with.
        int millis = 4_000;
        AtomicIntegerArray used = new AtomicIntegerArray(millis);
        Threads.run(
                threads,
                () -> {
                    long elapsed;
                    while ((elapsed = time.elapsedNanos()) < millis * 1_000_000L) {
                        long now = FakeTime.nanosAt(elapsed);
                        if (meter.admit(STANDARD, now) == 0) {
                            meter.charge(ru, STANDARD, now);
                            used.addAndGet((int) (elapsed / 1_000_000), ru);
                        }
                        time.pass(Duration.ofNanos(20_000));
                    }
                });
        Windows windows = new Windows(budget);
        double total = 0;
        for (int i = 0; i < millis; i++) {
            total += used.get(i);
            windows.add(i / 1_000.0, used.get(i));
        }
        // A millisecond of rounding on either side. Each thread may be the last that is admitted,
        // and may have been held up between looking at the time and being charged with it.
        assertThat(windows.worstExcess()).isLessThanOrEqualTo(budget * 1.002 + 2.0 * ru * threads);
        // Demand is 250,000 RU/s, so nothing of the budget is left over.
        assertThat(total).isGreaterThanOrEqualTo(budget * 3.9);
        assertThat(meter.usage().total().ru()).isGreaterThanOrEqualTo(total);
    }

    @Property(tries = 5)
    void threadsLoseNoChargeWhileTheBudgetChanges(@ForAll @IntRange(min = 2, max = 6) int threads)
            throws Exception {
        FakeTime time = new FakeTime();
        Meter meter = Meter.of(1_000, MeterSettings.DEFAULT, time.nanos(), time);
        int each = 50_000;
        Threads.run(
                threads,
                () -> {
                    for (int i = 0; i < each; i++) {
                        meter.charge(1.5, STANDARD, time.nanos());
                        if (i % 50 == 0) {
                            meter.change(1_000 + i, MeterSettings.DEFAULT, time.nanos());
                        }
                    }
                });
        // Time stood still, so nothing was granted, and no capacity was below the first balance.
        assertThat(meter.balanceRu(time.nanos())).isEqualTo(1_000 - 1.5 * each * threads);
    }

    @Property(tries = 10)
    void threadsTogetherTakeTheMinuteOnce(@ForAll @IntRange(min = 2, max = 6) int threads)
            throws Exception {
        FakeTime time = new FakeTime();
        Meter meter =
                Meter.of(100, MeterSettings.DEFAULT.withRuPerMinute(true), time.nanos(), time);
        Threads.run(
                threads,
                () -> {
                    while (meter.admit(STANDARD, time.nanos()) == 0) {
                        meter.charge(1, STANDARD, time.nanos());
                    }
                });
        assertThat(meter.usage().total().ru()).isBetween(1_100.0, 1_100.0 + threads);
    }

    /**
     * Measures how far consumption ever runs ahead of the budget: the largest value, over all
     * windows, of what was used in the window less the budget of its time.
     */
    private static final class Windows {
        private final double budget;
        private double total;
        private double lowest = Double.MAX_VALUE;
        private double worst;

        Windows(double budget) {
            this.budget = budget;
        }

        void add(double atSeconds, double ru) {
            lowest = Math.min(lowest, total - budget * atSeconds);
            total += ru;
            worst = Math.max(worst, total - budget * atSeconds - lowest);
        }

        double worstExcess() {
            return worst;
        }
    }
}
