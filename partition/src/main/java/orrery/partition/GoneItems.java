package orrery.partition;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import orrery.model.Bytes;
import orrery.model.PartitionId;
import orrery.partition.machine.Presence;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * The items of a snapshot that are gone although their rows are still there, for queries that are
 * answered from the index and never see the items. Purging keeps up, so that as a rule there are
 * few: then they are known by their docids. Where there are many, or a whole key was deleted, each
 * item that may be among them is looked at.
 */
final class GoneItems {
    /** Candidates that are looked at before a query to know all that are gone. */
    private static final int MAX_KNOWN = 1000;

    static final GoneItems NONE = new GoneItems(Optional.of(Set.of()), _ -> false);

    /** Absent if there are too many. */
    private final Optional<Set<Long>> known;

    private final Look look;

    private interface Look {
        boolean isGone(Bytes suffix);
    }

    private GoneItems(Optional<Set<Long>> known, Look look) {
        this.known = known;
        this.look = look;
    }

    /**
     * @param isIndexWhole false while another policy is being carried to the items: expiries may
     *     then not be in the index yet
     * @param examinedSeconds before this {@code _ts} no item is left that its container ends
     */
    static GoneItems find(
            StoreView snapshot,
            PartitionId partition,
            PartitionRecord record,
            Presence presence,
            boolean isIndexWhole,
            long examinedSeconds) {
        if (presence.isOfAll()) {
            return NONE;
        }
        Look look =
                suffix -> {
                    if (!presence.mayBeGone(suffix)) {
                        return false;
                    }
                    byte[] row =
                            snapshot.get(Table.ITEMS, Keys.item(partition.container(), suffix));
                    return row != null && presence.isGone(suffix, ItemRecord.decode(row));
                };
        if (!isIndexWhole || !presence.deletions().isEmpty()) {
            return new GoneItems(Optional.empty(), look);
        }
        Set<Long> gone = new HashSet<>();
        boolean isComplete =
                new GoneWalk(snapshot, partition, record, presence, examinedSeconds)
                        .run(
                                MAX_KNOWN,
                                (suffix, item) -> {
                                    gone.add(item.docid());
                                    return true;
                                });
        return isComplete
                ? gone.isEmpty() ? NONE : new GoneItems(Optional.of(gone), look)
                : new GoneItems(Optional.empty(), look);
    }

    boolean contains(long docid, Bytes suffix) {
        return known.map(docids -> docids.contains(docid)).orElseGet(() -> look.isGone(suffix));
    }
}
