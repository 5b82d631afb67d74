package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.BsonValue;
import orrery.frontend.mongo.stream.ClusterTime;

/** The times that clients see, and the milliseconds that changes have. */
final class ClusterTimeTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 999, 1000, 1_800_000_000_123L, 4_294_967_294_999L})
    void allTimesOfAMillisecondLeadBackToIt(long millis) {
        for (long time : new long[] {ClusterTime.first(millis), ClusterTime.last(millis)}) {
            assertThat(ClusterTime.millis(ClusterTime.timestamp(time))).isEqualTo(millis);
        }
        assertThat(Long.compareUnsigned(ClusterTime.last(millis), ClusterTime.first(millis)))
                .isPositive();
        assertThat(Long.compareUnsigned(ClusterTime.first(millis + 1), ClusterTime.last(millis)))
                .isPositive();
    }

    @Test
    void theTimeBehindTheLastOfASecondIsInTheNext() {
        assertThat(ClusterTime.next(5L << 32 | 999_999_999)).isEqualTo(6L << 32 | 1);
        assertThat(ClusterTime.next(5L << 32 | 7)).isEqualTo(5L << 32 | 8);
    }

    /** Other servers number the changes of a second, and clients may make times up. */
    @Test
    void aNumberBeyondASecondCountsAsItsEnd() {
        assertThat(ClusterTime.millis(new BsonValue.Timestamp(7, -1))).isEqualTo(7999);
    }
}
