package orrery.partition.machine;

import java.util.ArrayList;
import java.util.List;
import orrery.model.PartitionId;
import orrery.model.codec.BinaryReader;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord.Journal;

/**
 * Computes the journals that a partition keeps when versions of a certain age may be forgotten. It
 * looks at times and not at versions, so it costs the same however many there are.
 */
public final class JournalPurge {
    private static final long MILLIS_PER_MINUTE = 60_000;

    private final StoreView store;
    private final PartitionId partition;
    private final long cutoffMillis;

    /**
     * @param nowMillis versions that are older than the retention by then are of no more use
     */
    public JournalPurge(
            StoreView store, PartitionId partition, int retentionMinutes, long nowMillis) {
        this.store = store;
        this.partition = partition;
        this.cutoffMillis = nowMillis - retentionMinutes * MILLIS_PER_MINUTE;
    }

    /** The same list where nothing is old enough. */
    public List<Journal> after(List<Journal> journals) {
        if (journals.isEmpty()) {
            return journals;
        }
        List<Journal> kept = new ArrayList<>(journals);
        int place = 0;
        while (place < kept.size()) {
            Journal journal = kept.get(place);
            if (!journal.isOpen() && journal.closedMillis() <= cutoffMillis) {
                drop(kept, place);
            } else {
                place++;
            }
        }
        // All that is in the others is older than what is in the own one, so those go first.
        if (kept.size() == 1) {
            long minute = Math.max(0, cutoffMillis) / MILLIS_PER_MINUTE * MILLIS_PER_MINUTE;
            kept.set(0, kept.getFirst().withFloor(ownFloor(kept.getFirst()), minute - 1));
        }
        return kept;
    }

    /**
     * A reader that has not come to the end of a journal before it is dropped has missed something.
     * That is noted where the journal was continued: in what its own keys were written to after it.
     */
    private static void drop(List<Journal> kept, int place) {
        Journal old = kept.remove(place);
        boolean isNoted = false;
        for (int i = place; i < kept.size() - 1; i++) {
            if (kept.get(i).segment().clip().overlaps(old.segment().clip())) {
                kept.set(i, kept.get(i).withFloor(old.lastLsn(), old.closedMillis()));
                isNoted = true;
            }
        }
        if (!isNoted) {
            kept.set(kept.size() - 1, kept.getLast().withFloor(old.lastLsn(), old.closedMillis()));
        }
    }

    /** The last LSN before the minute in which the cutoff lies. */
    private long ownFloor(Journal own) {
        if (cutoffMillis < 0) {
            return 0;
        }
        int segment = own.segment().number();
        try (Cursor rows =
                store.scanBackward(
                        Table.META,
                        Keys.time(partition.container(), segment, 0),
                        Keys.time(
                                partition.container(),
                                segment,
                                cutoffMillis / MILLIS_PER_MINUTE + 1))) {
            return rows.next() ? new BinaryReader(rows.value()).u64() - 1 : 0;
        }
    }
}
