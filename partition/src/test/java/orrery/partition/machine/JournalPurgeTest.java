package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.storage.format.PartitionRecord.Journal;
import orrery.storage.format.PartitionRecord.Segment;

/** Journals of ancestors that are all too old at once, as after a long pause. */
class JournalPurgeTest {
    private static final PartitionId PARTITION = new PartitionId(7, 5);
    private static final long MINUTE = 60_000;

    /** A dropped journal is noted in the next one, which is then dropped itself. */
    @Test
    void severalAreDroppedTogether() {
        List<Journal> after =
                new JournalPurge(NoRows.NONE, PARTITION, 1, 10 * MINUTE)
                        .after(
                                List.of(
                                        closed(1, 10, MINUTE),
                                        closed(2, 20, 2 * MINUTE),
                                        closed(3, 30, 3 * MINUTE),
                                        Journal.open(segment(5), 30, 0)));

        assertThat(after).containsExactly(Journal.open(segment(5), 30, 0));
    }

    @Test
    void whatIsDroppedIsNotedInWhatFollowsIt() {
        List<Journal> after =
                new JournalPurge(NoRows.NONE, PARTITION, 1, 3 * MINUTE)
                        .after(
                                List.of(
                                        closed(1, 10, MINUTE),
                                        closed(2, 20, 3 * MINUTE),
                                        Journal.open(segment(5), 20, 0)));

        assertThat(after)
                .containsExactly(
                        closed(2, 20, 3 * MINUTE).withFloor(10, MINUTE),
                        Journal.open(segment(5), 20, 0));
    }

    private static Journal closed(int segment, long lastLsn, long millis) {
        return Journal.open(segment(segment)).closed(lastLsn, millis);
    }

    private static Segment segment(int number) {
        return new Segment(number, KeyRange.FULL);
    }
}
