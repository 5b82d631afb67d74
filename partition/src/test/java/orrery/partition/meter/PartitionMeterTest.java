package orrery.partition.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import orrery.model.PartitionKey;
import orrery.model.metering.RequestTerms;
import orrery.partition.meter.TopKeys.KeyRu;

final class PartitionMeterTest {
    private static final PartitionKey A = PartitionKey.ofText("a");
    private static final PartitionKey B = PartitionKey.ofText("b");
    private static final RequestTerms STANDARD = RequestTerms.STANDARD;

    private final FakeTime time = new FakeTime();
    private final Meter meter = Meter.of(400, MeterSettings.DEFAULT, time.nanos(), time);

    @Test
    void countsARequestOnceWhenTheMeterIsItsOwn() {
        PartitionMeter partition = PartitionMeter.alone(meter, time.nanos());
        partition.charge(A, 500, STANDARD, time.nanos());
        partition.admit(STANDARD, time.nanos());

        assertThat(partition.usage().total()).isEqualTo(new Usage.Window(500, 2, 1));
        assertThat(meter.usage().total()).isEqualTo(new Usage.Window(500, 2, 1));
    }

    @Test
    void partitionsOfASlotShareTheBudgetAndCountApart() {
        PartitionMeter one = PartitionMeter.sharing(meter, time.nanos());
        PartitionMeter two = PartitionMeter.sharing(meter, time.nanos());
        one.charge(A, 300, STANDARD, time.nanos());
        two.charge(200, STANDARD, time.nanos());

        assertThat(one.admit(STANDARD, time.nanos())).isPositive();
        assertThat(two.admit(STANDARD, time.nanos())).isPositive();
        assertThat(two.admit(STANDARD, time.nanos())).isPositive();
        assertThat(one.usage().total()).isEqualTo(new Usage.Window(300, 2, 1));
        assertThat(two.usage().total()).isEqualTo(new Usage.Window(200, 3, 2));
        assertThat(meter.usage().total()).isEqualTo(new Usage.Window(500, 5, 3));
    }

    @Test
    void childrenKnowTheKeysOfTheirParent() {
        PartitionMeter parent = PartitionMeter.alone(meter, time.nanos());
        parent.charge(A, 10, STANDARD, time.nanos());
        parent.charge(B, 20, STANDARD, time.nanos());
        parent.largestKeys().update(A, 1_000, 1);
        parent.largestKeys().update(B, 2_000, 2);

        PartitionMeter child = PartitionMeter.alone(meter, time.nanos());
        child.takeOverKeys(parent, A::equals, time.nanos());

        assertThat(child.hottestKeys().top(10, time.nanos()))
                .extracting(KeyRu::key)
                .containsExactly(A);
        assertThat(child.largestKeys().top(10).keys())
                .containsExactly(new LargestKeys.KeyBytes<>(A, 1_000));
    }
}
