package orrery.partition.machine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.storage.Cursor;
import orrery.storage.StoreBatch;
import orrery.storage.StoreView;
import orrery.storage.Table;

/** Rows that were changed in memory, on top of a view that stays as it is. Used by one thread. */
final class RowOverlay implements StoreView, StoreBatch {
    private final StoreView below;

    /** By table and key; empty for a row that was deleted. */
    private final Map<Table, NavigableMap<Bytes, Optional<byte[]>>> changed =
            new EnumMap<>(Table.class);

    RowOverlay(StoreView below) {
        this.below = below;
        for (Table table : Table.values()) {
            changed.put(table, new TreeMap<>());
        }
    }

    private NavigableMap<Bytes, Optional<byte[]>> rows(Table table) {
        NavigableMap<Bytes, Optional<byte[]>> rows = changed.get(table);
        if (rows == null) {
            throw new IllegalStateException("no such table: " + table);
        }
        return rows;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        Optional<byte[]> own = rows(table).get(Bytes.wrap(key));
        return own == null ? below.get(table, key) : own.orElse(null);
    }

    @Override
    public List<byte @Nullable []> getAll(Table table, List<byte[]> keys) {
        List<byte @Nullable []> found = new ArrayList<>(below.getAll(table, keys));
        for (int i = 0; i < keys.size(); i++) {
            Optional<byte[]> own = rows(table).get(Bytes.wrap(keys.get(i)));
            if (own != null) {
                found.set(i, own.orElse(null));
            }
        }
        return found;
    }

    @Override
    public Cursor scan(Table table, byte[] from, byte[] to) {
        return new Merged(
                below.scan(table, from, to),
                rows(table).subMap(Bytes.wrap(from), true, Bytes.wrap(to), false),
                1);
    }

    @Override
    public Cursor scanBackward(Table table, byte[] from, byte[] to) {
        return new Merged(
                below.scanBackward(table, from, to),
                rows(table).subMap(Bytes.wrap(from), true, Bytes.wrap(to), false).descendingMap(),
                -1);
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        rows(table).put(Bytes.wrap(key), Optional.of(value));
    }

    @Override
    public void delete(Table table, byte[] key) {
        rows(table).put(Bytes.wrap(key), Optional.empty());
    }

    @Override
    public void deleteRange(Table table, byte[] from, byte[] to) {
        throw new UnsupportedOperationException("changes of items delete row by row");
    }

    @Override
    public void clear() {
        changed.values().forEach(Map::clear);
    }

    /** Keeps the rows that were written, because they are nowhere else. */
    @Override
    public void close() {}

    /** Both in one order; where they have the same key, the row on top counts. */
    private static final class Merged implements Cursor {
        private final Cursor below;
        private final NavigableMap<Bytes, Optional<byte[]>> own;
        private final int direction;
        private Iterator<Map.Entry<Bytes, Optional<byte[]>>> ownRows;
        private Map.@Nullable Entry<Bytes, Optional<byte[]>> ownRow;
        private @Nullable Bytes belowKey;
        private boolean isStarted;
        private byte[] key = new byte[0];
        private byte[] value = new byte[0];

        Merged(Cursor below, NavigableMap<Bytes, Optional<byte[]>> own, int direction) {
            this.below = below;
            this.own = own;
            this.direction = direction;
            this.ownRows = own.entrySet().iterator();
        }

        @Override
        public boolean next() {
            if (!isStarted) {
                isStarted = true;
                stepBelow(below.next());
                stepOwn();
            }
            return settle();
        }

        @Override
        public boolean seek(byte[] sought) {
            isStarted = true;
            stepBelow(below.seek(sought));
            ownRows = from(Bytes.wrap(sought)).entrySet().iterator();
            stepOwn();
            return settle();
        }

        /** Returns the rows from a key on; the key may lie outside of the walk. */
        private NavigableMap<Bytes, Optional<byte[]>> from(Bytes sought) {
            if (own.isEmpty() || direction * sought.compareTo(own.firstKey()) <= 0) {
                return own;
            }
            return direction * sought.compareTo(own.lastKey()) > 0
                    ? Collections.emptyNavigableMap()
                    : own.tailMap(sought, true);
        }

        /** Takes the nearer of the two rows that come next, and goes past it. */
        private boolean settle() {
            while (ownRow != null || belowKey != null) {
                int order = order();
                if (order > 0 && belowKey != null) {
                    key = belowKey.unsafeArray();
                    value = below.value();
                    stepBelow(below.next());
                    return true;
                }
                Map.Entry<Bytes, Optional<byte[]>> row = ownRow;
                if (row == null) {
                    return false;
                }
                if (order == 0) {
                    stepBelow(below.next());
                }
                stepOwn();
                if (row.getValue().isPresent()) {
                    key = row.getKey().unsafeArray();
                    value = row.getValue().get();
                    return true;
                }
            }
            return false;
        }

        /** Negative if the own row comes first. */
        private int order() {
            if (ownRow == null) {
                return 1;
            }
            return belowKey == null ? -1 : direction * ownRow.getKey().compareTo(belowKey);
        }

        private void stepBelow(boolean isThere) {
            belowKey = isThere ? Bytes.wrap(below.key()) : null;
        }

        private void stepOwn() {
            ownRow = ownRows.hasNext() ? ownRows.next() : null;
        }

        @Override
        public byte[] key() {
            return key;
        }

        @Override
        public byte[] value() {
            return value;
        }

        @Override
        public void close() {
            below.close();
        }
    }
}
