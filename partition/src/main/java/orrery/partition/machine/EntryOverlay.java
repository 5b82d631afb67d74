package orrery.partition.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.storage.StoreBatch;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/**
 * What the commands of one entry have done so far. Commands read through it, so each sees the
 * effects of those before it although nothing has reached the store.
 */
final class EntryOverlay {
    private final StoreView store;
    private final StoreBatch batch;
    private final Map<PartitionId, PartitionState> open;
    private final Map<PartitionId, PartitionDraft> drafts = new LinkedHashMap<>();
    private final Map<PartitionId, Optional<PartitionState>> reshaped = new LinkedHashMap<>();
    private final Map<Bytes, Optional<ItemRecord>> items = new HashMap<>();
    private final Map<Bytes, LogicalPartitionRecord> logicalPartitions = new HashMap<>();

    /** Keys of rows that are still in the store but that a drop in this entry has deleted. */
    private final List<Rows> hidden = new ArrayList<>(0);

    private record Rows(Bytes from, Bytes to) {
        boolean contains(Bytes key) {
            return key.compareTo(from) >= 0 && key.compareTo(to) < 0;
        }
    }

    EntryOverlay(StoreView store, StoreBatch batch, Map<PartitionId, PartitionState> open) {
        this.store = store;
        this.batch = batch;
        this.open = open;
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

    void opened(PartitionId id, PartitionState state) {
        reshaped.put(id, Optional.of(state));
    }

    /**
     * Forgets a partition. What earlier commands of this entry put into its rows is deleted by the
     * range deletes that follow them in the batch; what is in the store no longer counts.
     */
    void dropped(PartitionId id, KeyRange keys) {
        drafts.remove(id);
        reshaped.put(id, Optional.empty());
        int container = id.container();
        Rows itemRows =
                new Rows(
                        Bytes.wrap(Keys.itemsFrom(container, keys.min())),
                        Bytes.wrap(Keys.itemsFrom(container, keys.max())));
        Rows counterRows =
                new Rows(
                        Bytes.wrap(Keys.logicalPartitionsFrom(container, keys.min())),
                        Bytes.wrap(Keys.logicalPartitionsFrom(container, keys.max())));
        items.keySet().removeIf(itemRows::contains);
        logicalPartitions.keySet().removeIf(counterRows::contains);
        hidden.add(itemRows);
        hidden.add(counterRows);
    }

    private boolean isHidden(Bytes key) {
        for (Rows rows : hidden) {
            if (rows.contains(key)) {
                return true;
            }
        }
        return false;
    }

    @Nullable ItemRecord item(Bytes key) {
        Optional<ItemRecord> changed = items.get(key);
        if (changed != null) {
            return changed.orElse(null);
        }
        byte[] stored = isHidden(key) ? null : store.get(Table.ITEMS, key.unsafeArray());
        return stored == null ? null : ItemRecord.decode(stored);
    }

    /** Whether this entry has left the item alone, so that its row in the store still holds. */
    boolean isAsStored(Bytes key) {
        return !items.containsKey(key) && !isHidden(key);
    }

    /** Keys of the items that this entry has put, in a range of rows, in order. */
    List<Bytes> putBetween(byte[] from, byte[] to) {
        Rows rows = new Rows(Bytes.wrap(from), Bytes.wrap(to));
        return items.entrySet().stream()
                .filter(item -> item.getValue().isPresent() && rows.contains(item.getKey()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    void putItem(Bytes key, ItemRecord record) {
        items.put(key, Optional.of(record));
        batch.put(Table.ITEMS, key.unsafeArray(), record.encode());
    }

    void deleteItem(Bytes key) {
        items.put(key, Optional.empty());
        batch.delete(Table.ITEMS, key.unsafeArray());
    }

    LogicalPartitionRecord logicalPartition(Bytes key) {
        LogicalPartitionRecord changed = logicalPartitions.get(key);
        if (changed != null) {
            return changed;
        }
        byte[] stored = isHidden(key) ? null : store.get(Table.META, key.unsafeArray());
        return stored == null
                ? LogicalPartitionRecord.EMPTY
                : LogicalPartitionRecord.decode(stored);
    }

    void putLogicalPartition(Bytes key, LogicalPartitionRecord record) {
        logicalPartitions.put(key, record);
    }

    /** Writes what was collected: each counter and each partition once, however often it moved. */
    Map<PartitionId, Optional<PartitionState>> finish() {
        logicalPartitions.forEach(
                (key, record) -> {
                    if (record.items() == 0) {
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
            if (draft.definitionChanged || !state.record().equals(draft.before)) {
                batch.put(Table.META, Keys.partition(draft.id), state.record().encode());
                reshaped.put(draft.id, Optional.of(state));
            }
        }
        return reshaped;
    }
}
