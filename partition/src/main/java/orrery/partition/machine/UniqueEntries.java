package orrery.partition.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.IndexPlan;
import orrery.document.UniqueIndex;
import orrery.document.UniqueValues;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.DerivedRow;
import orrery.model.Encoding;
import orrery.model.ItemKey;
import orrery.model.RowKey;
import orrery.storage.format.Keys;
import orrery.storage.format.UniqueKeyRecord;

/**
 * The unique-key entries of one logical partition, as a transaction would leave them. Each item has
 * one entry for each unique key of its container, and one for each of its keys in a unique index
 * that has a name. None has two items.
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

    /**
     * @param row the key of the entry
     * @param taken where it belongs, if that is an index with a name
     */
    record Entry(Bytes row, Optional<Outcome.TakenKey> taken) {}

    /**
     * The entries of an item.
     *
     * @param plan of the version of the definition that the item was indexed under
     * @param derived the rows that were derived from it then
     */
    List<Entry> of(
            ItemKey item, Encoding encoding, Bytes body, IndexPlan plan, List<DerivedRow> derived) {
        List<Bytes> digests = UniqueValues.of(keys, encoding, body);
        List<Entry> entries = new ArrayList<>(digests.size());
        for (int i = 0; i < digests.size(); i++) {
            Bytes row = Bytes.wrap(Keys.uniqueKey(container, item, i, digests.get(i)));
            entries.add(new Entry(row, Optional.empty()));
        }
        if (!plan.uniques().isEmpty()) {
            Value.Obj read = UniqueIndex.read(plan.uniques(), encoding, body);
            plan.uniques().stream()
                    .filter(index -> index.isFor(derived))
                    .forEach(index -> add(item, index, index.keys(read), entries));
        }
        return entries;
    }

    private void add(
            ItemKey item, UniqueIndex index, List<UniqueIndex.Key> all, List<Entry> entries) {
        for (int i = 0; i < all.size(); i++) {
            byte[] row =
                    Keys.uniqueKey(container, item, Keys.NAMED_CONSTRAINT, all.get(i).digest());
            entries.add(
                    new Entry(Bytes.wrap(row), Optional.of(new Outcome.TakenKey(index.name(), i))));
        }
    }

    static List<Bytes> rows(List<Entry> entries) {
        return entries.stream().map(Entry::row).distinct().toList();
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
