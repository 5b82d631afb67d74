package orrery.storage.format;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.RowKey;
import orrery.model.codec.BinaryReader;

/**
 * The items of a logical partition that have a row in its creation order. Few items have none. When
 * they become many, rows are written in the order of row keys, some with each write.
 */
public sealed interface CreationRows {
    /** Returns true if the item with this row key has a row. */
    boolean covers(RowKey rowKey);

    /** No item has one. */
    record None() implements CreationRows {
        @Override
        public boolean covers(RowKey rowKey) {
            return false;
        }
    }

    /** The items up to a row key have one, that item included. */
    record UpTo(RowKey last) implements CreationRows {
        @Override
        public boolean covers(RowKey rowKey) {
            return rowKey.compareTo(last) <= 0;
        }
    }

    /** Every item has one. */
    record All() implements CreationRows {
        @Override
        public boolean covers(RowKey rowKey) {
            return true;
        }
    }

    /** Empty for none: then the record has no such field. */
    static Optional<Bytes> encode(CreationRows rows) {
        return switch (rows) {
            case None _ -> Optional.empty();
            case UpTo(RowKey last) -> Optional.of(last.bytes());
            // No row key is empty.
            case All _ -> Optional.of(Bytes.EMPTY);
        };
    }

    static CreationRows decode(Optional<Bytes> field) {
        if (field.isEmpty()) {
            return new None();
        }
        return field.get().isEmpty()
                ? new All()
                : new BinaryReader(field.get())
                        .checked(in -> new UpTo(new RowKey(Bytes.wrap(in.rest()))));
    }
}
