package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import orrery.model.ThroughputBuckets.Bucket;

final class ThroughputBucketsTest {
    @Test
    void idsAreOneToFive() {
        assertThat(new Bucket(1, 50, false).id()).isEqualTo(1);
        assertThat(new Bucket(5, 50, false).id()).isEqualTo(5);
        assertThatIllegalArgumentException().isThrownBy(() -> new Bucket(0, 50, false));
        assertThatIllegalArgumentException().isThrownBy(() -> new Bucket(6, 50, false));
    }

    @Test
    void percentsAreOneToAHundred() {
        assertThat(new Bucket(1, 1, false).percent()).isEqualTo(1);
        assertThat(new Bucket(1, 100, false).percent()).isEqualTo(100);
        assertThatIllegalArgumentException().isThrownBy(() -> new Bucket(1, 0, false));
        assertThatIllegalArgumentException().isThrownBy(() -> new Bucket(1, 101, false));
    }

    @Test
    void eachIsThereOnceAndInOrder() {
        Bucket first = new Bucket(1, 100, false);
        Bucket third = new Bucket(3, 100, true);
        assertThat(new ThroughputBuckets(List.of(third, first)).list())
                .containsExactly(first, third);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ThroughputBuckets(List.of(first, new Bucket(1, 20, false))));
    }

    @Test
    void oneIsTheDefaultAtMost() {
        Bucket one = new Bucket(1, 10, true);
        assertThat(new ThroughputBuckets(List.of(one)).defaultBucket()).contains(one);
        assertThat(ThroughputBuckets.NONE.defaultBucket()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ThroughputBuckets(List.of(one, new Bucket(2, 10, true))));
    }
}
