package orrery.partition.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import orrery.model.Precondition;
import orrery.model.ThroughputBuckets;
import orrery.model.ThroughputBuckets.Bucket;
import orrery.model.metering.RequestTerms;
import orrery.model.metering.RequestTerms.Priority;

/** Throughput buckets: each is held to its part of the budget, and the rest is for everybody. */
final class MeterBucketsTest {
    private static final Bucket TENTH = new Bucket(1, 10, false);
    private static final Bucket HALF = new Bucket(2, 50, false);
    private static final RequestTerms UNNAMED = RequestTerms.STANDARD;

    private final FakeTime time = new FakeTime();

    @Test
    void aBucketIsAdmittedWhileItHasSomethingLeft() {
        Meter meter = meter(400, TENTH);

        assertThat(bucket(meter, 1)).isZero();
        meter.charge(39.999, in(1), time.nanos());
        assertThat(bucket(meter, 1)).isZero();
        meter.charge(0.001, in(1), time.nanos());

        // It fills with 40 RU per second, so that a thousandth is there after less than 1 ms.
        assertThat(bucket(meter, 1)).isEqualTo(1);
        meter.charge(20, in(1), time.nanos());
        assertThat(bucket(meter, 1)).isEqualTo(501);
        time.passMillis(500);
        assertThat(bucket(meter, 1)).isEqualTo(1);
        time.passMillis(1);
        assertThat(bucket(meter, 1)).isZero();
    }

    @Test
    void othersHaveAllThatItLeaves() {
        Meter meter = meter(400, TENTH, HALF);
        meter.charge(40, in(1), time.nanos());

        assertThat(bucket(meter, 1)).isPositive();
        assertThat(bucket(meter, 2)).isZero();
        assertThat(bucket(meter, 0)).isZero();
        assertThat(meter.balanceRu(time.nanos())).isEqualTo(360);
        meter.charge(360, UNNAMED, time.nanos());
        assertThat(meter.admit(UNNAMED, time.nanos())).isEqualTo(1);
        assertThat(meter.admit(in(2), time.nanos())).isEqualTo(1);
    }

    @Test
    void nothingIsReserved() {
        Meter meter = meter(400, TENTH);
        meter.charge(400, UNNAMED, time.nanos());

        assertThat(bucket(meter, 1)).isZero();
        assertThat(meter.admit(in(1), time.nanos())).isEqualTo(1);
    }

    @Test
    void requestsWithoutABucketBelongToTheDefault() {
        Meter meter = meter(400, new Bucket(3, 25, true));
        meter.charge(100, UNNAMED, time.nanos());

        assertThat(bucket(meter, 0)).isEqualTo(1);
        assertThat(bucket(meter, 3)).isEqualTo(1);
        // A bucket that is not set has no limit, and is not the default.
        assertThat(bucket(meter, 4)).isZero();
    }

    @Test
    void upkeepBelongsToNoBucket() {
        Meter meter = meter(400, new Bucket(3, 25, true));
        meter.chargeUpkeep(100, time.nanos());

        assertThat(bucket(meter, 0)).isZero();
        assertThat(meter.balanceRu(time.nanos())).isEqualTo(300);
    }

    @Test
    void aWholeBucketIsTheWholeBudget() {
        Meter meter = meter(400, new Bucket(5, 100, false));
        meter.charge(399, in(5), time.nanos());

        assertThat(bucket(meter, 5)).isZero();
        assertThat(meter.admit(in(5), time.nanos())).isZero();
        meter.charge(1, in(5), time.nanos());
        assertThat(bucket(meter, 5)).isEqualTo(1);
        assertThat(meter.admit(in(5), time.nanos())).isEqualTo(1);
    }

    /** The service says that requests of a bucket do not burst. */
    @Test
    void bucketsSaveNothing() {
        Meter meter =
                Meter.of(
                        400,
                        MeterSettings.DEFAULT.withBurst(true).withBuckets(buckets(TENTH)),
                        time.nanos(),
                        time);
        time.pass(Duration.ofMinutes(5));
        meter.charge(40, in(1), time.nanos());

        assertThat(bucket(meter, 1)).isEqualTo(1);
        assertThat(meter.balanceRu(time.nanos())).isGreaterThan(100_000);
    }

    @Test
    void aChangeKeepsTheDebt() {
        Meter meter = meter(400, TENTH);
        meter.charge(60, in(1), time.nanos());
        assertThat(bucket(meter, 1)).isEqualTo(501);

        // Twice the throughput pays the same debt in half the time.
        meter.change(800, settings(TENTH), time.nanos());
        assertThat(bucket(meter, 1)).isEqualTo(251);
        meter.change(800, settings(new Bucket(1, 20, false)), time.nanos());
        assertThat(bucket(meter, 1)).isEqualTo(126);
        meter.change(800, MeterSettings.DEFAULT, time.nanos());
        assertThat(bucket(meter, 1)).isZero();
        meter.change(800, settings(TENTH), time.nanos());
        assertThat(bucket(meter, 1)).isZero();
    }

    @Test
    void heirsGoOnWithTheirShares() {
        Meter parent = meter(400, TENTH, HALF);
        parent.charge(60, in(1), time.nanos());
        Meter.Balance half = parent.balance(time.nanos()).share(0.5);
        Meter left = Meter.withBalance(half, 200, settings(TENTH, HALF), time.nanos(), time);
        Meter right = Meter.withBalance(half, 200, settings(TENTH, HALF), time.nanos(), time);

        assertThat(left.balance(time.nanos()).bucketRu())
                .hasEntrySatisfying(1, ru -> assertThat(ru).isEqualTo(-10, within(0.001)))
                .hasEntrySatisfying(2, ru -> assertThat(ru).isEqualTo(100, within(0.001)));
        assertThat(bucket(left, 1)).isEqualTo(501);
        Meter.Balance both = left.balance(time.nanos()).plus(right.balance(time.nanos()));
        Meter merged = Meter.withBalance(both, 400, settings(TENTH, HALF), time.nanos(), time);
        assertThat(bucket(merged, 1)).isEqualTo(501);
    }

    @Test
    void withoutThrottlingBucketsLimitNothing() {
        Meter meter = Meter.of(400, settings(TENTH).withThrottling(false), time.nanos(), time);
        meter.charge(10_000, in(1), time.nanos());

        assertThat(bucket(meter, 1)).isZero();
    }

    @Test
    void refusalsOfBucketsAreCounted() {
        Meter meter = meter(400, TENTH);
        meter.charge(40, in(1), time.nanos());
        bucket(meter, 1);
        time.pass(Duration.ofSeconds(1));

        assertThat(meter.usage().snapshot(time.nanos()).minute().refused()).isEqualTo(1);
    }

    private Meter meter(double ruPerSecond, Bucket... buckets) {
        return Meter.of(ruPerSecond, settings(buckets), time.nanos(), time);
    }

    private static MeterSettings settings(Bucket... buckets) {
        return MeterSettings.DEFAULT.withBuckets(buckets(buckets));
    }

    private static ThroughputBuckets buckets(Bucket... buckets) {
        return new ThroughputBuckets(List.copyOf(Arrays.asList(buckets)));
    }

    private static RequestTerms in(int bucket) {
        return new RequestTerms(Priority.HIGH, true, 1, new Precondition.Impossible(), bucket);
    }

    private long bucket(Meter meter, int bucket) {
        return meter.admitToBucket(in(bucket), time.nanos());
    }
}
