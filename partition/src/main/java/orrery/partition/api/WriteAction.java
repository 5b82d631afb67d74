package orrery.partition.api;

import orrery.model.Bytes;
import orrery.model.ItemKey;
import orrery.model.RowKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;

/**
 * The change of an item. Bodies are in the encoding of the container's kind; in JSON they are
 * without system properties.
 */
public sealed interface WriteAction {
    /** The key that an item has afterwards; another one only where its id changes. */
    default ItemKey target(ItemKey key) {
        return key;
    }

    record Create(Bytes body) implements WriteAction {}

    record Upsert(Bytes body) implements WriteAction {}

    record Replace(Bytes body) implements WriteAction {}

    /** A replace by an item with another id, which stays the same item. */
    record Rename(RowKey id, Bytes body) implements WriteAction {
        @Override
        public ItemKey target(ItemKey key) {
            return key.withRowKey(id);
        }
    }

    /**
     * An action that the leader can compute from whichever version it finds, so it may be aimed at
     * an item that is searched for.
     */
    sealed interface Computed extends WriteAction {
        /** The versions of the item that the answer holds. */
        Images images();
    }

    /**
     * @param images of a delete, nothing or the version that was deleted
     */
    record Delete(Images images) implements Computed {
        public Delete {
            if (images.after()) {
                throw new IllegalArgumentException("a delete leaves no version");
            }
        }

        public Delete() {
            this(Images.NONE);
        }
    }

    /**
     * A change in the words of a dialect, which the leader evaluates on the version that is there.
     *
     * @param database number of the container's database, which heads the item's rid
     * @param upsert whether the change is evaluated on absence too, and creates the item
     */
    record Evaluate(int database, Evaluation evaluation, boolean upsert, Images images)
            implements Computed {
        /** A change of an item that must be there, answered with what it made. */
        public Evaluate(int database, Evaluation evaluation) {
            this(database, evaluation, false, Images.AFTER);
        }
    }

    default void write(BinaryWriter out) {
        switch (this) {
            case Create(Bytes body) -> out.u8(1).bytes(body);
            case Upsert(Bytes body) -> out.u8(2).bytes(body);
            case Replace(Bytes body) -> out.u8(3).bytes(body);
            case Rename(RowKey id, Bytes body) -> {
                out.u8(4);
                id.write(out);
                out.bytes(body);
            }
            case Delete(Images images) -> out.u8(5).enumeration(images);
            case Evaluate(int database, Evaluation evaluation, boolean upsert, Images images) -> {
                out.u8(6).u32(database);
                evaluation.write(out);
                out.bool(upsert).enumeration(images);
            }
        }
    }

    static WriteAction read(BinaryReader in) {
        return switch (in.u8()) {
            case 1 -> new Create(in.bytes());
            case 2 -> new Upsert(in.bytes());
            case 3 -> new Replace(in.bytes());
            case 4 -> new Rename(RowKey.read(in), in.bytes());
            case 5 -> new Delete(in.enumeration(Images.class));
            case 6 ->
                    new Evaluate(
                            in.u32(), Evaluation.read(in), in.bool(), in.enumeration(Images.class));
            default -> throw new MalformedRecordException("unknown write action");
        };
    }
}
