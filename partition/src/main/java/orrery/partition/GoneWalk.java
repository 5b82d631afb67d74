package orrery.partition;

import java.util.Arrays;
import orrery.document.BsonValue;
import orrery.document.FieldExpiry;
import orrery.document.IndexPath;
import orrery.document.IndexPathCodec;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.PartitionId;
import orrery.partition.machine.Presence;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.IndexEntry;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Finds the items of a partition that are gone, in the order of their expiry. Those that say
 * themselves when they end have an index entry for it; dates in fields are indexed where items end
 * by them; the others end in the order of {@code _ts}, which is always indexed. Among the latter
 * are some that say otherwise: they are passed over, and the walk tells how far all have been.
 */
final class GoneWalk {
    private static final Bytes TS_PATH = IndexPathCodec.encode(IndexPath.of("_ts"));
    private static final Value FIRST_DATE = new BsonValue.DateTime(Long.MIN_VALUE);

    private final StoreView view;
    private final PartitionId partition;
    private final PartitionRecord record;
    private final Presence presence;
    private final long examinedSeconds;
    private boolean isStopped;
    private long progressSeconds = Long.MAX_VALUE;

    interface Visitor {
        /** False to see no more. */
        boolean visit(Bytes suffix, ItemRecord item);
    }

    /**
     * @param examinedSeconds before this {@code _ts} no item is left that its container ends
     */
    GoneWalk(
            StoreView view,
            PartitionId partition,
            PartitionRecord record,
            Presence presence,
            long examinedSeconds) {
        this.view = view;
        this.partition = partition;
        this.record = record;
        this.presence = presence;
        this.examinedSeconds = examinedSeconds;
    }

    /**
     * Looks at about so many candidates in each segment; false if there may be more. A second that
     * was begun is gone through, so that the next walk gets further.
     */
    boolean run(int atMost, Visitor visitor) {
        for (PartitionRecord.Segment segment : record.segments()) {
            if (presence.timeToLive().isOn()) {
                byte[] from = Keys.expiries(partition.container(), segment.number());
                byte[] to =
                        Keys.expiry(
                                partition.container(),
                                segment.number(),
                                presence.nowMillis() + 1000,
                                0);
                new SegmentWalk(segment, atMost, visitor).run(from, to);
            }
            for (FieldExpiry expiry : presence.expiries()) {
                byDates(segment, expiry, new SegmentWalk(segment, atMost, visitor));
            }
        }
        int seconds = presence.timeToLive().seconds();
        long until = presence.nowMillis() / 1000 - seconds;
        if (seconds > 0 && until >= examinedSeconds) {
            for (PartitionRecord.Segment segment : record.segments()) {
                SegmentWalk walk = new SegmentWalk(segment, atMost, visitor);
                walk.run(timestamp(segment, examinedSeconds), timestamp(segment, until + 1));
                // The last second is looked at again: not all of it may be over.
                progressSeconds =
                        Math.min(progressSeconds, walk.isWhole() ? until : walk.survivedSeconds);
            }
        }
        return !isStopped;
    }

    /** Goes through the dates of a field that the index has, up to the last that has ended. */
    private void byDates(PartitionRecord.Segment segment, FieldExpiry expiry, SegmentWalk walk) {
        Value last = new BsonValue.DateTime(expiry.lastEnded(presence.nowMillis()) + 1);
        for (IndexPath path : expiry.indexPaths()) {
            Bytes encoded = IndexPathCodec.encode(path);
            walk.run(term(segment, encoded, FIRST_DATE), term(segment, encoded, last));
        }
    }

    /**
     * Before which {@code _ts} nothing is left that its container ends. Not beyond the partition's
     * own time: a write that was stamped long ago may still come, but none that lies before it.
     */
    long examinedSeconds() {
        long progress = Math.min(progressSeconds, record.timeMillis() / 1000);
        return progressSeconds == Long.MAX_VALUE
                ? examinedSeconds
                : Math.max(examinedSeconds, progress);
    }

    /** The candidates of one kind in one segment. */
    private final class SegmentWalk {
        private final PartitionRecord.Segment segment;
        private final int atMost;
        private final Visitor visitor;
        private int looked;
        private boolean isAtGone;
        private boolean isCut;

        /** Up to here only items that stay. */
        private long survivedSeconds = examinedSeconds;

        SegmentWalk(PartitionRecord.Segment segment, int atMost, Visitor visitor) {
            this.segment = segment;
            this.atMost = atMost;
            this.visitor = visitor;
        }

        boolean isWhole() {
            return !isCut && !isAtGone;
        }

        void run(byte[] from, byte[] to) {
            if (Arrays.compareUnsigned(from, to) >= 0) {
                return;
            }
            try (Cursor entries = view.scan(Table.INDEX, from, to)) {
                while (!isCut && entries.next()) {
                    Bytes suffix = IndexEntry.itemSuffix(entries.value());
                    boolean isOurs =
                            Keys.inRange(suffix, segment.clip())
                                    && Keys.inRange(suffix, record.keys());
                    if (isOurs) {
                        look(suffix);
                    }
                }
            }
            isStopped |= isCut;
        }

        private void look(Bytes suffix) {
            byte[] row = view.get(Table.ITEMS, Keys.item(partition.container(), suffix));
            if (row == null) {
                return; // deleted since, where the view is no snapshot
            }
            ItemRecord item = ItemRecord.decode(row);
            long seconds = item.timestampMillis() / 1000;
            if (looked++ >= atMost && seconds > survivedSeconds) {
                isCut = true;
            } else if (presence.isGone(suffix, item)) {
                isAtGone = true;
                isCut = !visitor.visit(suffix, item);
            } else if (!isAtGone) {
                survivedSeconds = Math.max(survivedSeconds, seconds);
            }
        }
    }

    private byte[] timestamp(PartitionRecord.Segment segment, long seconds) {
        return term(segment, TS_PATH, Value.of(seconds));
    }

    private byte[] term(PartitionRecord.Segment segment, Bytes path, Value value) {
        byte[] prefix = Keys.segment(partition.container(), segment.number());
        byte[] encoded = IndexValue.encodeWhole(value).unsafeArray();
        byte[] bound = Arrays.copyOf(prefix, prefix.length + path.length() + encoded.length);
        System.arraycopy(path.unsafeArray(), 0, bound, prefix.length, path.length());
        System.arraycopy(encoded, 0, bound, prefix.length + path.length(), encoded.length);
        return bound;
    }
}
