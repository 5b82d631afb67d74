package orrery.partition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.ChangeStart;
import orrery.model.KeyRange;
import orrery.model.VersionPlace;
import orrery.model.codec.BinaryReader;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.ChangeRecord;
import orrery.storage.format.JournalRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord.Journal;
import orrery.storage.format.PartitionRecord.Segment;

/**
 * The change records or the journals of a partition in the order of their LSNs, merged from its
 * segments. Segments of partitions that were merged have LSNs in common; those come one after the
 * other. Rows that belong to a sibling of a split are met too, so that whoever walks can count them
 * and stop.
 */
final class ChangeWalk implements AutoCloseable {
    private static final int MILLIS_PER_MINUTE = 60_000;

    private final StoreView store;
    private final Function<byte[], Bytes> suffixOf;
    private final List<Lane> lanes = new ArrayList<>();
    private final PriorityQueue<Step> ahead =
            new PriorityQueue<>(Comparator.comparing(Step::place));
    private @Nullable Step current;

    /** A segment being read. */
    private record Lane(KeyRange clip, Cursor rows) {}

    /** The next row of a segment. */
    private record Step(Lane lane, Keys.ChangePlace place, Bytes value, Bytes suffix) {}

    private ChangeWalk(StoreView store, Function<byte[], Bytes> suffixOf) {
        this.store = store;
        this.suffixOf = suffixOf;
    }

    static ChangeWalk ofChanges(
            StoreView store, int container, List<Segment> segments, ChangeStart start) {
        ChangeWalk walk = new ChangeWalk(store, ChangeRecord::itemSuffix);
        try {
            for (Segment segment : segments) {
                long fromLsn =
                        Math.max(
                                start.afterLsn() + 1,
                                firstLsn(store, container, segment.number(), start.sinceMillis()));
                walk.open(
                        segment.clip(),
                        Keys.changesFrom(container, segment.number(), fromLsn),
                        Keys.after(Keys.segment(container, segment.number())));
            }
            return walk;
        } catch (RuntimeException failure) {
            walk.close();
            throw failure;
        }
    }

    static ChangeWalk ofJournals(
            StoreView store,
            int container,
            List<Journal> journals,
            VersionPlace after,
            long sinceMillis) {
        ChangeWalk walk = new ChangeWalk(store, JournalRecord::itemSuffix);
        try {
            for (Journal journal : journals) {
                if (journal.lastLsn() > after.wholeLsn()) {
                    int segment = journal.segment().number();
                    long fromLsn =
                            sinceMillis == 0 ? 0 : firstLsn(store, container, segment, sinceMillis);
                    walk.open(
                            journal.segment().clip(),
                            fromLsn > after.lsn()
                                    ? Keys.journalFrom(container, segment, fromLsn)
                                    : Keys.journalAfter(container, segment, after),
                            Keys.after(Keys.journal(container, segment)));
                }
            }
            return walk;
        } catch (RuntimeException failure) {
            walk.close();
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
        return place().lsn();
    }

    Keys.ChangePlace place() {
        return step().place;
    }

    /** The row's value, which is what the walk is over. */
    Bytes value() {
        return step().value;
    }

    /** The key, without its container, of the item that the row is about. */
    Bytes itemSuffix() {
        return step().suffix;
    }

    /** Returns true if the item is one of the partition's own. */
    boolean isOwn() {
        return Keys.inRange(step().suffix, step().lane.clip);
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

    private void open(KeyRange clip, byte[] from, byte[] to) {
        Lane lane = new Lane(clip, store.scan(Table.CHANGES, from, to));
        lanes.add(lane);
        advance(lane);
    }

    private void advance(Lane lane) {
        if (lane.rows.next()) {
            byte[] value = lane.rows.value();
            ahead.add(
                    new Step(
                            lane,
                            Keys.changePlace(lane.rows.key()),
                            Bytes.wrap(value),
                            suffixOf.apply(value)));
        }
    }

    /**
     * A place in a segment behind which all changes since a time lie. The minute before is looked
     * up, not that of the time itself: in the one in which the segment was opened there may have
     * been changes before, which were carried here since and of whose times nothing is kept.
     */
    private static long firstLsn(StoreView store, int container, int segment, long sinceMillis) {
        try (Cursor rows =
                store.scanBackward(
                        Table.META,
                        Keys.time(container, segment, 0),
                        Keys.time(container, segment, sinceMillis / MILLIS_PER_MINUTE))) {
            return rows.next() ? new BinaryReader(rows.value()).u64() : 0;
        }
    }
}
