package orrery.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads of one replica's data, live or as of one moment. */
public interface StoreView {
    byte @Nullable [] get(Table table, byte[] key);

    /** The same for many keys, in their order; rows that lie together are fetched together. */
    List<byte @Nullable []> getAll(Table table, List<byte[]> keys);

    /** Rows with {@code from <= key < to} in key order. The caller closes the cursor. */
    Cursor scan(Table table, byte[] from, byte[] to);

    /** The same rows, the last first. */
    Cursor scanBackward(Table table, byte[] from, byte[] to);
}
