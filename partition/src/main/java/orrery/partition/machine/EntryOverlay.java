package orrery.partition.machine;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.DerivedRow;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.storage.Cursor;
import orrery.storage.StoreBatch;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.IndexEntry;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;
import orrery.storage.format.UniqueKeyRecord;

/**
 * The effects of the commands of one entry so far. Commands read through it, so each sees the
 * effects of those before it although nothing has reached the store. The entry before may be on its
 * way there still, so reading goes through that one's effects too.
 */
final class EntryOverlay {
    private final StoreView store;
    private final StoreBatch batch;
    private final Map<PartitionId, PartitionState> open;
    private final Map<PartitionId, PartitionDraft> drafts = new LinkedHashMap<>();
    private final Map<PartitionId, Optional<PartitionState>> reshaped = new LinkedHashMap<>();
    private final EntryRows rows = new EntryRows();
    private final EntryRows before;
    private final RecentSessions recentSessions;
    private final long position;
    private final Level level;
    private Level nextLevel;

    /**
     * @param before what the entry before this one has changed, whether or not it is in the store
     * @param recentSessions rows of sessions as the entry before this one has left them
     */
    EntryOverlay(
            StoreView store,
            StoreBatch batch,
            Map<PartitionId, PartitionState> open,
            EntryRows before,
            RecentSessions recentSessions,
            long position,
            Level level) {
        this.store = store;
        this.batch = batch;
        this.open = open;
        this.before = before;
        this.recentSessions = recentSessions;
        this.position = position;
        this.level = level;
        this.nextLevel = level;
    }

    /** Returns the position of the entry in the log. */
    long position() {
        return position;
    }

    Level level() {
        return level;
    }

    /** The level of the entry behind this one. A level is never taken back. */
    void raiseTo(Level higher) {
        if (higher.number() > nextLevel.number()) {
            nextLevel = higher;
        }
    }

    Level nextLevel() {
        return nextLevel;
    }

    StoreBatch batch() {
        return batch;
    }

    StoreView store() {
        return store;
    }

    /** The partition as this entry has left it so far; null if it is not open. */
    @Nullable PartitionDraft draft(PartitionId id) {
        PartitionDraft draft = drafts.get(id);
        if (draft != null) {
            return draft;
        }
        Optional<PartitionState> changed = reshaped.get(id);
        PartitionState state = changed != null ? changed.orElse(null) : open.get(id);
        if (state == null) {
            return null;
        }
        PartitionDraft created = new PartitionDraft(id, state);
        drafts.put(id, created);
        return created;
    }

    /** Every partition of a container as this entry has left it so far. */
    Map<PartitionId, PartitionState> partitionsOf(int container) {
        Map<PartitionId, PartitionState> all = new HashMap<>(open);
        reshaped.forEach(
                (id, state) ->
                        state.ifPresentOrElse(
                                present -> all.put(id, present), () -> all.remove(id)));
        drafts.forEach((id, draft) -> all.put(id, draft.toState()));
        all.keySet().removeIf(id -> id.container() != container);
        return all;
    }

    void opened(PartitionId id, PartitionState state) {
        reshaped.put(id, Optional.of(state));
    }

    void closed(PartitionId id) {
        drafts.remove(id);
        reshaped.put(id, Optional.empty());
    }

    /**
     * Makes the rows of a dropped partition unseen. What earlier commands of this entry put there
     * is deleted by the range deletes that follow them in the batch; what is in the store no longer
     * counts.
     */
    void hideRows(int container, KeyRange keys) {
        rows.drop(container, keys);
    }

    @Nullable ItemRecord item(Bytes key) {
        if (rows.decidesItem(key)) {
            return rows.item(key);
        }
        if (before.decidesItem(key)) {
            return before.item(key);
        }
        byte[] stored = store.get(Table.ITEMS, key.unsafeArray());
        return stored == null ? null : ItemRecord.decode(stored);
    }

    /**
     * Returns true if this entry has left the item alone, so that its row in the store still holds.
     */
    boolean isAsStored(Bytes key) {
        return !rows.decidesItem(key);
    }

    /** Keys of the items that this entry has put, in a range of rows, in order. */
    List<Bytes> putBetween(byte[] from, byte[] to) {
        return rows.putBetween(from, to);
    }

    /** An item with the key of its row. */
    record Stored(Bytes key, ItemRecord record) {}

    /** The first items in a range of rows, in order, as this entry has left them so far. */
    List<Stored> itemsBetween(byte[] from, byte[] to, int most) {
        NavigableMap<Bytes, ItemRecord> found = new TreeMap<>();
        try (Cursor stored = store.scan(Table.ITEMS, from, to)) {
            while (found.size() < most && stored.next()) {
                Bytes key = Bytes.wrap(stored.key());
                // The entry before may be in the store or not: what it says of a row holds.
                boolean isChanged = rows.decidesItem(key) || before.decidesItem(key);
                ItemRecord record = isChanged ? item(key) : ItemRecord.decode(stored.value());
                if (record != null) {
                    found.put(key, record);
                }
            }
        }
        for (EntryRows changed : List.of(before, rows)) {
            for (Bytes key : changed.putBetween(from, to)) {
                ItemRecord record = item(key);
                if (record != null) {
                    found.put(key, record);
                }
            }
        }
        return found.entrySet().stream()
                .limit(most)
                .map(each -> new Stored(each.getKey(), each.getValue()))
                .toList();
    }

    void putItem(Bytes key, ItemRecord record) {
        rows.put(key, record);
        batch.put(Table.ITEMS, key.unsafeArray(), record.encode());
    }

    void deleteItem(Bytes key) {
        rows.delete(key);
        batch.delete(Table.ITEMS, key.unsafeArray());
    }

    @Nullable UniqueKeyRecord uniqueKey(Bytes key) {
        if (rows.decidesUniqueKey(key)) {
            return rows.uniqueKey(key);
        }
        if (before.decidesUniqueKey(key)) {
            return before.uniqueKey(key);
        }
        byte[] stored = store.get(Table.META, key.unsafeArray());
        return stored == null ? null : UniqueKeyRecord.decode(stored);
    }

    void putUniqueKey(Bytes key, UniqueKeyRecord record) {
        rows.put(key, record);
        batch.put(Table.META, key.unsafeArray(), record.encode());
    }

    void deleteUniqueKey(Bytes key) {
        rows.deleteUniqueKey(key);
        batch.delete(Table.META, key.unsafeArray());
    }

    /** Returns the rows that were derived from an item when it was last put into the index. */
    List<DerivedRow> derived(int container, ItemRecord item) {
        byte[] key = Keys.docid(container, item.segment(), item.docid());
        List<DerivedRow> changed = rows.derived(Bytes.wrap(key));
        if (changed == null) {
            changed = before.derived(Bytes.wrap(key));
        }
        if (changed != null) {
            return changed;
        }
        byte[] stored = store.get(Table.INDEX, key);
        if (stored == null) {
            throw new IllegalStateException("an item has no docid row");
        }
        return IndexEntry.derived(stored);
    }

    void putDerived(Bytes docidKey, List<DerivedRow> derived) {
        rows.putDerived(docidKey, derived);
    }

    /** The rows of sessions as this entry has left them so far. */
    SessionMemory.Rows sessions() {
        return new Sessions();
    }

    private final class Sessions implements SessionMemory.Rows {
        @Override
        public @Nullable SessionRecord session(Bytes key) {
            if (rows.decidesSession(key)) {
                return rows.session(key);
            }
            if (before.decidesSession(key)) {
                return before.session(key);
            }
            SessionRecord recent = recentSessions.find(key);
            if (recent != null) {
                return recent;
            }
            byte[] stored = store.get(Table.META, key.unsafeArray());
            return stored == null ? null : SessionRecord.decode(stored);
        }

        @Override
        public List<SessionRecord> sessions(byte[] from, byte[] to) {
            Set<Bytes> keys = new TreeSet<>(rows.sessionsBetween(from, to));
            keys.addAll(before.sessionsBetween(from, to));
            try (Cursor stored = store.scan(Table.META, from, to)) {
                while (stored.next()) {
                    keys.add(Bytes.wrap(stored.key()));
                }
            }
            return keys.stream().map(this::session).filter(Objects::nonNull).toList();
        }
    }

    void putSession(Bytes key, SessionRecord record) {
        rows.put(key, record);
        batch.put(Table.META, key.unsafeArray(), record.encode());
    }

    void deleteSession(Bytes key) {
        rows.deleteSession(key);
        batch.delete(Table.META, key.unsafeArray());
    }

    LogicalPartitionRecord logicalPartition(Bytes key) {
        LogicalPartitionRecord changed = rows.logicalPartition(key);
        if (changed == null) {
            changed = before.logicalPartition(key);
        }
        if (changed != null) {
            return changed;
        }
        byte[] stored = store.get(Table.META, key.unsafeArray());
        return stored == null
                ? LogicalPartitionRecord.EMPTY
                : LogicalPartitionRecord.decode(stored);
    }

    void putLogicalPartition(Bytes key, LogicalPartitionRecord record) {
        rows.put(key, record);
    }

    EntryRows rows() {
        return rows;
    }

    void putKeyDeletions(PartitionId id, KeyDeletions deletions) {
        if (deletions.isEmpty()) {
            batch.delete(Table.META, Keys.keyDeletions(id));
        } else {
            batch.put(Table.META, Keys.keyDeletions(id), deletions.encode());
        }
    }

    /** Writes what was collected: each counter and each partition once, however often it moved. */
    Map<PartitionId, Optional<PartitionState>> finish() {
        rows.logicalPartitions()
                .forEach(
                        (key, record) -> {
                            if (record.size().items() == 0) {
                                batch.delete(Table.META, key.unsafeArray());
                            } else {
                                batch.put(Table.META, key.unsafeArray(), record.encode());
                            }
                        });
        for (PartitionDraft draft : drafts.values()) {
            PartitionState state = draft.toState();
            if (draft.definitionChanged) {
                batch.put(
                        Table.META, Keys.definition(draft.id), draft.definition.record().encode());
            }
            if (draft.deletionsChanged) {
                putKeyDeletions(draft.id, draft.deletions);
            }
            if (draft.definitionChanged
                    || draft.deletionsChanged
                    || !state.record().equals(draft.before)) {
                batch.put(Table.META, Keys.partition(draft.id), state.record().encode());
                reshaped.put(draft.id, Optional.of(state));
            }
        }
        return reshaped;
    }
}
