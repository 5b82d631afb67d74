package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/** A write of an open transaction, evaluated: what its item is to become. */
public sealed interface TransactionWrite {
    /** The item within the logical partition of the transaction. */
    RowKey item();

    /** The bytes of the body that it makes. */
    int bodyBytes();

    /**
     * @param isNew whether the item was not there before
     * @param isUpdate whether an item that was there is changed, and not replaced as a whole
     * @param body in the encoding of the container's kind
     */
    record Put(RowKey item, boolean isNew, boolean isUpdate, Bytes body)
            implements TransactionWrite {
        public Put {
            if (isNew && isUpdate) {
                throw new IllegalArgumentException("a new item cannot be updated");
            }
        }

        /** A put of a whole item. */
        public Put(RowKey item, boolean isNew, Bytes body) {
            this(item, isNew, false, body);
        }

        @Override
        public int bodyBytes() {
            return body.length();
        }
    }

    record Remove(RowKey item) implements TransactionWrite {
        @Override
        public int bodyBytes() {
            return 0;
        }
    }

    default void write(BinaryWriter out) {
        switch (this) {
            case Put(RowKey item, boolean isNew, boolean isUpdate, Bytes body) -> {
                out.u8(isNew ? 1 : isUpdate ? 4 : 2);
                item.write(out);
                out.bytes(body);
            }
            case Remove(RowKey item) -> {
                out.u8(3);
                item.write(out);
            }
        }
    }

    static TransactionWrite read(BinaryReader in) {
        int kind = in.u8();
        return switch (kind) {
            case 1, 2, 4 -> new Put(RowKey.read(in), kind == 1, kind == 4, in.bytes());
            case 3 -> new Remove(RowKey.read(in));
            default -> throw new MalformedRecordException("unknown write of a transaction");
        };
    }
}
