package orrery.partition.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import orrery.model.Bytes;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.RowKey;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.CreationRecord;
import orrery.storage.format.CreationRows;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/**
 * Holds the creation orders of all keys against the items of a model, after one entry and another,
 * and notes what has happened to keys that had such rows.
 */
final class CreationFollower {
    /** Something that a key with rows has come through. */
    enum Event {
        BEGUN,
        COMPLETED,
        SMALL_AGAIN,
        EMPTIED,
        ITEM_RENAMED,
        ITEM_GONE,
        SPLIT,
        MERGED
    }

    private final Set<Event> seen = EnumSet.noneOf(Event.class);
    private Map<Bytes, Order> last = Map.of();

    /** The creation order of one key, with the keys of its partition. */
    private record Order(KeyRange keys, CreationRows rows, int items, Map<Long, RowKey> rowKeys) {
        boolean isNone() {
            return rows instanceof CreationRows.None;
        }

        boolean isSmall() {
            return items <= PartitionReplica.SORTED_ITEMS;
        }
    }

    /** The model must have come as far as the store. */
    void follow(StoreView store, PartitionModel model) {
        Map<Bytes, Order> now = new HashMap<>();
        model.partitions()
                .values()
                .forEach(
                        partition ->
                                keys(partition)
                                        .forEach(
                                                (counters, items) ->
                                                        now.put(
                                                                counters,
                                                                order(
                                                                        store, partition, counters,
                                                                        items))));
        assertThat(count(store))
                .as("rows of creation orders")
                .isEqualTo(now.values().stream().mapToInt(order -> order.rowKeys().size()).sum());
        last.forEach(
                (counters, before) -> {
                    if (!before.isNone()) {
                        compare(before, Optional.ofNullable(now.get(counters)));
                    }
                });
        now.forEach(
                (counters, after) -> {
                    Order before = last.get(counters);
                    if (!after.isNone() && (before == null || before.isNone())) {
                        seen.add(Event.BEGUN);
                    }
                });
        last = now;
    }

    Set<Event> seen() {
        return seen;
    }

    /** The items of each key, by the row of its counters. */
    private static Map<Bytes, List<StoredItem>> keys(PartitionModel.Partition partition) {
        Map<Bytes, List<StoredItem>> keys = new HashMap<>();
        for (StoredItem item : partition.items.values()) {
            byte[] counters =
                    Keys.logicalPartition(
                            partition.id.container(), item.key().epk(), item.key().partitionKey());
            keys.computeIfAbsent(Bytes.wrap(counters), _ -> new ArrayList<>()).add(item);
        }
        return keys;
    }

    private static Order order(
            StoreView store,
            PartitionModel.Partition partition,
            Bytes counters,
            List<StoredItem> items) {
        byte[] row =
                Objects.requireNonNull(
                        store.get(Table.META, counters.unsafeArray()),
                        "a key with items has no counters");
        CreationRows covered = LogicalPartitionRecord.decode(row).creationRows();
        Map<Long, RowKey> expected = new TreeMap<>();
        for (StoredItem item : items) {
            if (covered.covers(item.key().rowKey())) {
                expected.put(item.docid(), item.key().rowKey());
            }
        }
        Map<Long, RowKey> stored = stored(store, partition.id.container(), items.getFirst().key());
        assertThat(stored).as("the creation order of a key").isEqualTo(expected);
        return new Order(partition.keys, covered, items.size(), stored);
    }

    private static Map<Long, RowKey> stored(StoreView store, int container, ItemKey any) {
        Map<Long, RowKey> rowKeys = new TreeMap<>();
        byte[] prefix = Keys.creationsOf(container, any.epk(), any.partitionKey());
        try (Cursor rows = store.scan(Table.META, prefix, Keys.after(prefix))) {
            while (rows.next()) {
                rowKeys.put(Keys.docidOf(rows.key()), CreationRecord.decode(rows.value()).rowKey());
            }
        }
        return rowKeys;
    }

    private static int count(StoreView store) {
        int count = 0;
        byte[] prefix = Keys.allCreations();
        try (Cursor rows = store.scan(Table.META, prefix, Keys.after(prefix))) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }

    private void compare(Order before, Optional<Order> next) {
        if (next.isEmpty()) {
            seen.add(Event.EMPTIED);
            return;
        }
        Order after = next.get();
        note(Event.SMALL_AGAIN, !before.isSmall() && after.isSmall());
        note(Event.COMPLETED, after.rows() instanceof CreationRows.All);
        boolean isMoved = !before.keys().equals(after.keys());
        note(Event.SPLIT, isMoved && holds(before.keys(), after.keys()));
        note(Event.MERGED, isMoved && holds(after.keys(), before.keys()));
        before.rowKeys()
                .forEach(
                        (docid, rowKey) -> {
                            RowKey now = after.rowKeys().get(docid);
                            note(Event.ITEM_GONE, now == null);
                            note(Event.ITEM_RENAMED, now != null && !now.equals(rowKey));
                        });
    }

    private void note(Event event, boolean hasHappened) {
        if (hasHappened) {
            seen.add(event);
        }
    }

    private static boolean holds(KeyRange outer, KeyRange inner) {
        return outer.intersect(inner).filter(inner::equals).isPresent();
    }
}
