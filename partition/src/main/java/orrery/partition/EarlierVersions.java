package orrery.partition;

import java.util.List;
import java.util.Optional;
import orrery.model.Item;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.JournalRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord.Journal;

/**
 * Finds in the journals of a partition what a replace has overwritten. Versions are kept once, so
 * one that is older than the retention is gone, also for the replace that came after it.
 */
final class EarlierVersions {
    private final StoreView store;
    private final int container;
    private final List<Journal> journals;

    EarlierVersions(StoreView store, int container, List<Journal> journals) {
        this.store = store;
        this.container = container;
        this.journals = journals;
    }

    /**
     * The version before a replace.
     *
     * @param place of the replace in its journal: one transaction may write an item twice
     */
    Optional<Item> before(JournalRecord replace, Keys.ChangePlace place) {
        boolean isSameLsn = replace.previousLsn() == place.lsn();
        long endLsn = isSameLsn ? place.lsn() : replace.previousLsn() + 1;
        int endOrdinal = isSameLsn ? place.ordinal() : 0;
        for (Journal journal : journals) {
            int segment = journal.segment().number();
            try (Cursor rows =
                    store.scanBackward(
                            Table.CHANGES,
                            Keys.journal(container, segment, replace.previousLsn(), 0),
                            Keys.journal(container, segment, endLsn, endOrdinal))) {
                while (rows.next()) {
                    // The replace may have changed the id, but never the docid.
                    JournalRecord earlier = JournalRecord.decode(rows.value());
                    if (earlier.item().docid() == replace.item().docid()) {
                        return Optional.of(earlier.item());
                    }
                }
            }
        }
        return Optional.empty();
    }
}
