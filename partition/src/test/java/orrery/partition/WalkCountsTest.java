package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import orrery.model.PartitionId;

final class WalkCountsTest {
    private static final PartitionId PARTITION = new PartitionId(7, 0);
    private final WalkCounts counts = new WalkCounts();

    private int get(long lsn, Object what, int counted) {
        return counts.get(PARTITION, lsn, what, () -> counted);
    }

    @Test
    void aCountIsGoodUntilTheNextWrite() {
        assertThat(get(5, "a", 1)).isEqualTo(1);
        assertThat(get(5, "a", 2)).isEqualTo(1);
        assertThat(get(5, "b", 3)).isEqualTo(3);
        assertThat(get(6, "a", 4)).isEqualTo(4);
        // A reader with an older snapshot neither sees it nor takes it away.
        assertThat(get(5, "a", 5)).isEqualTo(5);
        assertThat(get(6, "a", 6)).isEqualTo(4);
        assertThat(counts.get(new PartitionId(7, 1), 6, "a", () -> 9)).isEqualTo(9);
    }

    @Test
    void thereIsAnEndToThem() {
        for (int i = 0; i < 1000; i++) {
            get(5, i, i);
        }
        assertThat(get(5, 0, 77)).isZero();
        assertThat(get(5, 999, 77)).isEqualTo(77);
    }
}
