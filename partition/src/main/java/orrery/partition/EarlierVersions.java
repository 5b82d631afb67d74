package orrery.partition;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import orrery.model.Item;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.JournalRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord.Journal;

/**
 * Finds in the journals of a partition what replaces have overwritten. Versions are kept once, so
 * one that is older than the retention is gone, also for the replace that came after it.
 *
 * <p>A transaction may replace thousands of items that another one wrote. So each LSN is scanned
 * once, and its rows are remembered without their bodies.
 */
final class EarlierVersions {
    /** Rows of earlier LSNs give way to the next LSN beyond this many; one LSN may have more. */
    private static final int MAX_REMEMBERED = 10_000;

    private final StoreView store;
    private final int container;
    private final List<Journal> journals;
    private final Map<Long, Map<Long, NavigableMap<Long, byte[]>>> rowsByLsn = new HashMap<>();
    private int remembered;

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
        long endOrdinal =
                replace.header().previousLsn() == place.lsn()
                        ? Integer.toUnsignedLong(place.ordinal())
                        : Long.MAX_VALUE;
        // Not by its id, which the replace may have changed.
        NavigableMap<Long, byte[]> rows =
                rows(replace.header().previousLsn())
                        .getOrDefault(replace.item().docid(), Collections.emptyNavigableMap());
        Map.Entry<Long, byte[]> last = rows.lowerEntry(endOrdinal);
        return last == null
                ? Optional.empty()
                : Optional.ofNullable(store.get(Table.CHANGES, last.getValue()))
                        .map(row -> JournalRecord.decode(row).item());
    }

    /** Returns the keys of an LSN's rows by docid, and for each docid by their ordinals. */
    private Map<Long, NavigableMap<Long, byte[]>> rows(long lsn) {
        Map<Long, NavigableMap<Long, byte[]>> known = rowsByLsn.get(lsn);
        if (known != null) {
            return known;
        }
        if (remembered >= MAX_REMEMBERED) {
            rowsByLsn.clear();
            remembered = 0;
        }
        Map<Long, NavigableMap<Long, byte[]>> found = scan(lsn);
        rowsByLsn.put(lsn, found);
        return found;
    }

    private Map<Long, NavigableMap<Long, byte[]>> scan(long lsn) {
        Map<Long, NavigableMap<Long, byte[]>> found = new HashMap<>();
        for (Journal journal : journals) {
            int segment = journal.segment().number();
            try (Cursor rows =
                    store.scan(
                            Table.CHANGES,
                            Keys.journalFrom(container, segment, lsn),
                            Keys.journalFrom(container, segment, lsn + 1))) {
                while (rows.next()) {
                    // The replace may have changed the id, but never the docid.
                    byte[] key = rows.key();
                    found.computeIfAbsent(JournalRecord.docid(rows.value()), _ -> new TreeMap<>())
                            .put(Integer.toUnsignedLong(Keys.changePlace(key).ordinal()), key);
                    remembered++;
                }
            }
        }
        return found;
    }
}
