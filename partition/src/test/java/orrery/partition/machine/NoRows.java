package orrery.partition.machine;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;

/** A store with nothing in it, and a walk over that. */
enum NoRows implements StoreView, Cursor {
    NONE;

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        return null;
    }

    @Override
    public List<byte @Nullable []> getAll(Table table, List<byte[]> keys) {
        return Collections.nCopies(keys.size(), null);
    }

    @Override
    public Cursor scan(Table table, byte[] from, byte[] to) {
        return this;
    }

    @Override
    public Cursor scanBackward(Table table, byte[] from, byte[] to) {
        return this;
    }

    @Override
    public boolean next() {
        return false;
    }

    @Override
    public boolean seek(byte[] key) {
        return false;
    }

    @Override
    public byte[] key() {
        throw new IllegalStateException("there is no row");
    }

    @Override
    public byte[] value() {
        throw new IllegalStateException("there is no row");
    }

    @Override
    public void close() {}
}
