package orrery.partition.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.DerivedRow;
import orrery.model.KeyRange;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;
import orrery.storage.format.UniqueKeyRecord;

/**
 * The items, the unique-key entries, the derived rows, the counters of logical partitions and the
 * statements of sessions that one entry has changed, by row key.
 */
final class EntryRows {
    private final Map<Bytes, Optional<ItemRecord>> items = new HashMap<>();
    private final Map<Bytes, LogicalPartitionRecord> logicalPartitions = new HashMap<>();
    private final Map<Bytes, Optional<UniqueKeyRecord>> uniqueKeys = new HashMap<>(0);

    private final Map<Bytes, Optional<SessionRecord>> sessions = new HashMap<>(0);

    /** Rows that were derived from the items whose docid rows were put. */
    private final Map<Bytes, List<DerivedRow>> derived = new HashMap<>(0);

    /** Keys of rows that may be in the store but that a drop in this entry has deleted. */
    private final List<Rows> hidden = new ArrayList<>(0);

    private record Rows(Bytes from, Bytes to) {
        boolean contains(Bytes key) {
            return key.compareTo(from) >= 0 && key.compareTo(to) < 0;
        }
    }

    /**
     * Returns true if this entry has changed or removed the item, so that no older version counts.
     */
    boolean decidesItem(Bytes key) {
        return items.containsKey(key) || isHidden(key);
    }

    /** The item as this entry has left it, if it was this entry that put it. */
    @Nullable ItemRecord item(Bytes key) {
        Optional<ItemRecord> changed = items.get(key);
        return changed == null ? null : changed.orElse(null);
    }

    /** Like {@link #decidesItem}, for a row of a unique key. */
    boolean decidesUniqueKey(Bytes key) {
        return uniqueKeys.containsKey(key) || isHidden(key);
    }

    @Nullable UniqueKeyRecord uniqueKey(Bytes key) {
        Optional<UniqueKeyRecord> changed = uniqueKeys.get(key);
        return changed == null ? null : changed.orElse(null);
    }

    void put(Bytes key, UniqueKeyRecord record) {
        uniqueKeys.put(key, Optional.of(record));
    }

    void deleteUniqueKey(Bytes key) {
        uniqueKeys.put(key, Optional.empty());
    }

    /** Like {@link #decidesItem}, for a row of a session. */
    boolean decidesSession(Bytes key) {
        return sessions.containsKey(key) || isHidden(key);
    }

    @Nullable SessionRecord session(Bytes key) {
        Optional<SessionRecord> changed = sessions.get(key);
        return changed == null ? null : changed.orElse(null);
    }

    void put(Bytes key, SessionRecord record) {
        sessions.put(key, Optional.of(record));
    }

    void deleteSession(Bytes key) {
        sessions.put(key, Optional.empty());
    }

    /** The rows of sessions that this entry has put; empty inside for one that it has deleted. */
    Map<Bytes, Optional<SessionRecord>> sessions() {
        return sessions;
    }

    /** Returns true if a drop in this entry has deleted rows that may be in the store. */
    boolean hidesRows() {
        return !hidden.isEmpty();
    }

    /** Keys of the rows of sessions that were put, in a range of rows. */
    List<Bytes> sessionsBetween(byte[] from, byte[] to) {
        Rows range = new Rows(Bytes.wrap(from), Bytes.wrap(to));
        return sessions.entrySet().stream()
                .filter(row -> row.getValue().isPresent() && range.contains(row.getKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Null if this entry has left the row of the docid alone. */
    @Nullable List<DerivedRow> derived(Bytes docidKey) {
        return derived.get(docidKey);
    }

    /** A docid row that is deleted needs no note: the item that asks for it is gone as well. */
    void putDerived(Bytes docidKey, List<DerivedRow> rows) {
        derived.put(docidKey, rows);
    }

    /** Null if this entry has left the counters alone. */
    @Nullable LogicalPartitionRecord logicalPartition(Bytes key) {
        LogicalPartitionRecord changed = logicalPartitions.get(key);
        return changed == null && isHidden(key) ? LogicalPartitionRecord.EMPTY : changed;
    }

    Map<Bytes, LogicalPartitionRecord> logicalPartitions() {
        return logicalPartitions;
    }

    void put(Bytes key, ItemRecord record) {
        items.put(key, Optional.of(record));
    }

    void delete(Bytes key) {
        items.put(key, Optional.empty());
    }

    void put(Bytes key, LogicalPartitionRecord record) {
        logicalPartitions.put(key, record);
    }

    /** Forgets what was changed in a range of keys, and hides what the store has there. */
    void drop(int container, KeyRange keys) {
        Rows itemRows =
                new Rows(
                        Bytes.wrap(Keys.itemsFrom(container, keys.min())),
                        Bytes.wrap(Keys.itemsFrom(container, keys.max())));
        Rows counterRows =
                new Rows(
                        Bytes.wrap(Keys.logicalPartitionsFrom(container, keys.min())),
                        Bytes.wrap(Keys.logicalPartitionsFrom(container, keys.max())));
        Rows uniqueRows =
                new Rows(
                        Bytes.wrap(Keys.uniqueKeysFrom(container, keys.min())),
                        Bytes.wrap(Keys.uniqueKeysFrom(container, keys.max())));
        Rows sessionRows =
                new Rows(
                        Bytes.wrap(Keys.sessionsFrom(container, keys.min())),
                        Bytes.wrap(Keys.sessionsFrom(container, keys.max())));
        items.keySet().removeIf(itemRows::contains);
        sessions.keySet().removeIf(sessionRows::contains);
        uniqueKeys.keySet().removeIf(uniqueRows::contains);
        logicalPartitions.keySet().removeIf(counterRows::contains);
        hidden.add(itemRows);
        hidden.add(counterRows);
        hidden.add(uniqueRows);
        hidden.add(sessionRows);
    }

    /** Keys of the items that were put, in a range of rows, in order. */
    List<Bytes> putBetween(byte[] from, byte[] to) {
        Rows rows = new Rows(Bytes.wrap(from), Bytes.wrap(to));
        return items.entrySet().stream()
                .filter(item -> item.getValue().isPresent() && rows.contains(item.getKey()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private boolean isHidden(Bytes key) {
        for (Rows rows : hidden) {
            if (rows.contains(key)) {
                return true;
            }
        }
        return false;
    }
}
