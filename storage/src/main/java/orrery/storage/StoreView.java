package orrery.storage;

import org.jspecify.annotations.Nullable;

/** Reads of one replica's data, live or as of one moment. */
public interface StoreView {
    byte @Nullable [] get(Table table, byte[] key);

    /** Rows with {@code from <= key < to} in key order. The caller closes the cursor. */
    Cursor scan(Table table, byte[] from, byte[] to);

    /** The same rows, the last first. */
    Cursor scanBackward(Table table, byte[] from, byte[] to);
}
