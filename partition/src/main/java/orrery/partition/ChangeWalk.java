package orrery.partition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import orrery.model.ChangeStart;
import orrery.model.codec.BinaryReader;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.ChangeRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord.Segment;

/**
 * The change records of a partition in the order of their LSNs, merged from its segments. Segments
 * of partitions that were merged have LSNs in common; those come one after the other.
 */
final class ChangeWalk implements AutoCloseable {
    private static final int MILLIS_PER_MINUTE = 60_000;

    private final List<Lane> lanes = new ArrayList<>();
    private final PriorityQueue<Step> ahead =
            new PriorityQueue<>(
                    Comparator.comparingLong((Step step) -> step.place.lsn())
                            .thenComparingLong(
                                    step -> Integer.toUnsignedLong(step.place.ordinal())));
    private @Nullable Step current;

    /** A segment being read. */
    private record Lane(Segment segment, Cursor rows) {}

    /** The next record of a segment. */
    private record Step(Lane lane, Keys.ChangePlace place, ChangeRecord change) {}

    ChangeWalk(StoreView store, int container, List<Segment> segments, ChangeStart start) {
        try {
            for (Segment segment : segments) {
                long fromLsn =
                        Math.max(
                                start.afterLsn() + 1,
                                firstLsn(store, container, segment.number(), start.sinceMillis()));
                Cursor rows =
                        store.scan(
                                Table.CHANGES,
                                Keys.change(container, segment.number(), fromLsn, 0),
                                Keys.after(Keys.segment(container, segment.number())));
                lanes.add(new Lane(segment, rows));
                advance(lanes.getLast());
            }
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    boolean next() {
        if (current != null) {
            advance(current.lane);
        }
        current = ahead.poll();
        return current != null;
    }

    long lsn() {
        return step().place.lsn();
    }

    ChangeRecord change() {
        return step().change;
    }

    @Override
    public void close() {
        lanes.forEach(lane -> lane.rows.close());
    }

    private Step step() {
        if (current == null) {
            throw new IllegalStateException("there is a change only after a step to it");
        }
        return current;
    }

    /** Finds the next record that counts; what lies outside the clip belongs to another. */
    private void advance(Lane lane) {
        while (lane.rows.next()) {
            ChangeRecord change = ChangeRecord.decode(lane.rows.value());
            if (Keys.inRange(change.itemSuffix(), lane.segment.clip())) {
                ahead.add(new Step(lane, Keys.changePlace(lane.rows.key()), change));
                return;
            }
        }
    }

    /**
     * A place in a segment behind which all changes since a time lie. The minute before is looked
     * up, not that of the time itself: in the one in which the segment was opened there may have
     * been changes before, which were carried here since and of whose times nothing is kept.
     */
    private static long firstLsn(StoreView store, int container, int segment, long sinceMillis) {
        long minute = sinceMillis / MILLIS_PER_MINUTE;
        // Rows are sparse and can be walked only forwards: look back ever further.
        long from = minute;
        for (long span = 1; from > 0; span *= 2) {
            from = Math.max(0, minute - span);
            long found = -1;
            try (Cursor rows =
                    store.scan(
                            Table.META,
                            Keys.time(container, segment, from),
                            Keys.time(container, segment, minute))) {
                while (rows.next()) {
                    found = new BinaryReader(rows.value()).u64();
                }
            }
            if (found >= 0) {
                return found;
            }
        }
        return 0;
    }
}
