package orrery.storage.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.RowKey;

/** The counters of a key say which of its items have a row in its creation order. */
class CreationRowsTest {
    private static final Extensions UNKNOWN = Extensions.NONE.and(0xE1, Bytes.ofHex("0A0B0C"));

    private static final LogicalPartitionRecord COUNTERS =
            new LogicalPartitionRecord(new DataSize(5, 100, 100), 9, UNKNOWN);

    @Test
    void rowsUpToAKeyCoverItAndWhatComesBefore() {
        CreationRows rows = new CreationRows.UpTo(RowKey.ofText("m"));
        assertThat(rows.covers(RowKey.ofText("a"))).isTrue();
        assertThat(rows.covers(RowKey.ofText("m"))).isTrue();
        assertThat(rows.covers(RowKey.ofText("ma"))).isFalse();
        assertThat(new CreationRows.None().covers(RowKey.ofText("a"))).isFalse();
        assertThat(new CreationRows.All().covers(RowKey.ofText("z"))).isTrue();
    }

    @Test
    void oneStateFollowsAnotherAndOtherFieldsStay() {
        LogicalPartitionRecord some = COUNTERS.with(new CreationRows.UpTo(RowKey.ofText("m")));
        LogicalPartitionRecord all = some.with(new CreationRows.All());

        assertThat(COUNTERS.creationRows()).isEqualTo(new CreationRows.None());
        assertThat(LogicalPartitionRecord.decode(some.encode()).creationRows())
                .isEqualTo(new CreationRows.UpTo(RowKey.ofText("m")));
        assertThat(LogicalPartitionRecord.decode(all.encode()).creationRows())
                .isEqualTo(new CreationRows.All());
        assertThat(all.extensions().find(0xE1)).contains(Bytes.ofHex("0A0B0C"));
        assertThat(all.with(new CreationRows.None())).isEqualTo(COUNTERS);
    }

    /** The record of an empty key is deleted, but may be read for a while before it is. */
    @Test
    void theLastItemTakesTheStateAlong() {
        LogicalPartitionRecord empty =
                COUNTERS.with(new CreationRows.All()).after(new DataSize(-5, -100, -100), 10);

        assertThat(empty.creationRows()).isEqualTo(new CreationRows.None());
    }
}
