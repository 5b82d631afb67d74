package orrery.partition;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.IndexEntry;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/** Finds items by their docids, in whichever segment of a partition they are indexed. */
final class DocidLookup {
    private DocidLookup() {}

    /** Returns the item's key without its container. */
    static Optional<Bytes> find(StoreView view, int container, PartitionRecord record, long docid) {
        for (PartitionRecord.Segment segment : record.segments()) {
            byte[] row = view.get(Table.INDEX, Keys.docid(container, segment.number(), docid));
            Bytes suffix = row == null ? Bytes.EMPTY : IndexEntry.itemSuffix(row);
            if (row != null && Keys.inRange(suffix, segment.clip())) {
                return Optional.of(suffix);
            }
        }
        return Optional.empty();
    }
}
