package orrery.storage;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import orrery.storage.format.ItemRecord;

/** Reads of one replica's data, live or as of one moment. */
public interface StoreView {
    byte @Nullable [] get(Table table, byte[] key);

    /** The same for many keys, in their order; rows that lie together are fetched together. */
    List<byte @Nullable []> getAll(Table table, List<byte[]> keys);

    /** The item of a row of {@link Table#ITEMS}. */
    default @Nullable ItemRecord item(byte[] key) {
        byte[] row = get(Table.ITEMS, key);
        return row == null ? null : ItemRecord.decode(row);
    }

    /** The same for many keys, in their order. */
    default List<@Nullable ItemRecord> items(List<byte[]> keys) {
        List<@Nullable ItemRecord> items = new ArrayList<>(keys.size());
        for (byte[] row : getAll(Table.ITEMS, keys)) {
            items.add(row == null ? null : ItemRecord.decode(row));
        }
        return items;
    }

    /** Rows with {@code from <= key < to} in key order. The caller closes the cursor. */
    Cursor scan(Table table, byte[] from, byte[] to);

    /** The same rows, the last first. */
    Cursor scanBackward(Table table, byte[] from, byte[] to);
}
