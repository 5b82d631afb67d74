package orrery.bench;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import orrery.bench.load.SampleItem;
import orrery.model.EffectiveKey;
import orrery.storage.Cursor;
import orrery.storage.StoreBatch;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.Keys;

/**
 * The rows that one item takes in the store, counted in a store that has some: what a peer has to
 * write to do the same work.
 */
record ItemRows(List<Rows> tables) {
    /**
     * @param inOrder whether a later item sorts after an earlier one; keys that begin with a hash
     *     do not
     */
    record Rows(Table table, int count, int keyBytes, int valueBytes, boolean inOrder) {}

    ItemRows {
        tables = List.copyOf(tables);
    }

    static ItemRows of(StoreView store, int container, int items) {
        byte[] prefix = Keys.itemsFrom(container, EffectiveKey.MIN);
        byte[] counters = Keys.logicalPartitionsFrom(container, EffectiveKey.MIN);
        return new ItemRows(
                List.of(
                        count(store, Table.ITEMS, prefix, items, false),
                        count(store, Table.INDEX, prefix, items, true),
                        count(store, Table.CHANGES, prefix, items, true),
                        count(store, Table.META, counters, items, false)));
    }

    private static Rows count(
            StoreView store, Table table, byte[] prefix, int items, boolean inOrder) {
        long rows = 0;
        long keyBytes = 0;
        long valueBytes = 0;
        try (Cursor cursor = store.scan(table, prefix, Keys.after(prefix))) {
            while (cursor.next()) {
                rows++;
                keyBytes += cursor.key().length;
                valueBytes += cursor.value().length;
            }
        }
        return new Rows(
                table,
                Math.toIntExact(Math.ceilDiv(rows, items)),
                Math.toIntExact(Math.ceilDiv(keyBytes, rows)),
                Math.toIntExact(Math.ceilDiv(valueBytes, rows)),
                inOrder);
    }

    /** The item alone, without what it takes to find and to follow it. */
    ItemRows withoutCompanions() {
        return new ItemRows(tables.stream().filter(rows -> rows.table() == Table.ITEMS).toList());
    }

    int count() {
        return tables.stream().mapToInt(Rows::count).sum();
    }

    int bytes() {
        return tables.stream()
                .mapToInt(rows -> rows.count() * (rows.keyBytes() + rows.valueBytes()))
                .sum();
    }

    /** Rows of the same sizes and in the same order. */
    void put(StoreBatch batch, long number) {
        byte[] body = SampleItem.body(number);
        for (Rows rows : tables) {
            for (int i = 0; i < rows.count(); i++) {
                batch.put(
                        rows.table(), key(rows, i, number), Arrays.copyOf(body, rows.valueBytes()));
            }
        }
    }

    private static byte[] key(Rows rows, int row, long number) {
        ByteBuffer key = ByteBuffer.allocate(rows.keyBytes());
        if (rows.inOrder()) {
            key.putInt(row).putLong(rows.keyBytes() - 8, number);
        } else {
            key.putLong(hash(number)).putLong(rows.keyBytes() - 8, number);
        }
        return key.array();
    }

    /** Spreads as a hash does, without two numbers meeting (the finaliser of SplitMix64). */
    private static long hash(long number) {
        long z = number + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
