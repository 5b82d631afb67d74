package orrery.partition.machine;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.storage.Table;
import orrery.storage.format.ChangeHeader;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.JournalRecord;
import orrery.storage.format.Keys;

/** Writes the changes of one LSN to the journal of a partition, if it has one. */
final class VersionKeeper {
    private final EntryOverlay overlay;
    private final PartitionDraft partition;
    private final long lsn;

    VersionKeeper(EntryOverlay overlay, PartitionDraft partition, long lsn) {
        this.overlay = overlay;
        this.partition = partition;
        this.lsn = lsn;
    }

    /**
     * Keeps what a change made, or for a delete what it took away. A container of MongoDB keeps
     * with a replace what was there before.
     *
     * @param number of the change among those of the LSN
     */
    void keep(
            int number,
            Bytes suffix,
            ChangeHeader header,
            @Nullable ItemRecord before,
            @Nullable ItemRecord after) {
        if (partition.journals.isEmpty()) {
            return;
        }
        ItemRecord image = after == null ? before : after;
        if (image == null) {
            throw new IllegalStateException("a delete of nothing passed its checks");
        }
        ChangeHeader kept = header.keptFor(ChangeHeader.RETENTION);
        JournalRecord record =
                after != null && before != null && keepsBefore()
                        ? new JournalRecord(
                                kept.withFlags(ChangeHeader.BEFORE),
                                suffix,
                                image.toItem(),
                                Optional.of(before.toItem()))
                        : new JournalRecord(kept, suffix, image.toItem());
        overlay.batch()
                .put(
                        Table.CHANGES,
                        Keys.journal(partition.id.container(), partition.ownSegment(), lsn, number),
                        record.encode());
    }

    /**
     * Readers of MongoDB's changes ask what an update has changed, also where the version before
     * was written so long ago that it is in no journal.
     */
    private boolean keepsBefore() {
        return overlay.level().keepsBefore()
                && partition.definition.current().definition().kind() == ContainerKind.MONGODB;
    }
}
