package orrery.partition.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.UniqueValues;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.Encoding;
import orrery.model.ItemKey;
import orrery.model.RowKey;
import orrery.storage.format.Keys;
import orrery.storage.format.UniqueKeyRecord;

/**
 * The unique-key entries of one logical partition, as a transaction would leave them. Each item has
 * one entry for each unique key of its container, and none has two items.
 */
final class UniqueEntries {
    private final EntryOverlay overlay;
    private final int container;
    private final List<UniqueKey> keys;
    private final Map<Bytes, Optional<RowKey>> staged = new HashMap<>(0);

    /** Entries as they were before the transaction, of those that were looked at. */
    private final Map<Bytes, Optional<UniqueKeyRecord>> found = new HashMap<>(0);

    UniqueEntries(EntryOverlay overlay, PartitionDraft partition) {
        this.overlay = overlay;
        this.container = partition.id.container();
        this.keys = partition.definition.current().definition().uniqueKeys();
    }

    /** The keys of an item's entries, one for each constraint. */
    List<Bytes> of(ItemKey item, Encoding encoding, Bytes body) {
        List<Bytes> digests = UniqueValues.of(keys, encoding, body);
        List<Bytes> rows = new ArrayList<>(digests.size());
        for (int i = 0; i < digests.size(); i++) {
            rows.add(Bytes.wrap(Keys.uniqueKey(container, item, i, digests.get(i))));
        }
        return rows;
    }

    /** The row key of the item that has the values. */
    Optional<RowKey> owner(Bytes entry) {
        Optional<RowKey> mine = staged.get(entry);
        return mine != null ? mine : found(entry).map(UniqueKeyRecord::rowKey);
    }

    void give(List<Bytes> entries, RowKey rowKey) {
        entries.forEach(entry -> staged.put(entry, Optional.of(rowKey)));
    }

    void release(List<Bytes> entries) {
        entries.forEach(entry -> staged.put(entry, Optional.empty()));
    }

    void commit() {
        staged.forEach(
                (entry, owner) ->
                        owner.ifPresentOrElse(
                                rowKey -> put(entry, rowKey),
                                () -> overlay.deleteUniqueKey(entry)));
    }

    /** An entry that stays with its item is left alone. */
    private void put(Bytes entry, RowKey owner) {
        Optional<UniqueKeyRecord> before = found(entry);
        UniqueKeyRecord after =
                before.map(record -> record.ownedBy(owner))
                        .orElseGet(() -> new UniqueKeyRecord(owner));
        if (before.isEmpty() || !before.get().equals(after)) {
            overlay.putUniqueKey(entry, after);
        }
    }

    private Optional<UniqueKeyRecord> found(Bytes entry) {
        return found.computeIfAbsent(entry, key -> Optional.ofNullable(overlay.uniqueKey(key)));
    }

    /** Returns the index bytes that the entries count against their partition. */
    static long bytes(List<Bytes> entries, RowKey rowKey) {
        if (entries.isEmpty()) {
            return 0;
        }
        long each = UniqueKeyRecord.storedBytes(rowKey);
        return entries.stream().mapToLong(entry -> entry.length() + each).sum();
    }
}
