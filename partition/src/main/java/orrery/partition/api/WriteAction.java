package orrery.partition.api;

import java.util.Optional;
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
     * @param id the other id that it gives the item, which stays the same item; else it must leave
     *     the id alone
     */
    record Evaluate(
            int database, Evaluation evaluation, boolean upsert, Images images, Optional<RowKey> id)
            implements Computed {
        public Evaluate {
            if (upsert && id.isPresent()) {
                throw new IllegalArgumentException("only an item that is there gets another id");
            }
        }

        public Evaluate(int database, Evaluation evaluation, boolean upsert, Images images) {
            this(database, evaluation, upsert, images, Optional.empty());
        }

        /** A change of an item that must be there, answered with what it made. */
        public Evaluate(int database, Evaluation evaluation) {
            this(database, evaluation, false, Images.AFTER);
        }

        @Override
        public ItemKey target(ItemKey key) {
            return id.map(key::withRowKey).orElse(key);
        }

        private void writeRest(BinaryWriter out) {
            evaluation.write(out.u32(database));
            out.bool(upsert).enumeration(images);
        }

        private static Evaluate readRest(BinaryReader in, Optional<RowKey> id) {
            return new Evaluate(
                    in.u32(), Evaluation.read(in), in.bool(), in.enumeration(Images.class), id);
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
            case Evaluate evaluate -> {
                out.u8(evaluate.id().isEmpty() ? 6 : 7);
                evaluate.id().ifPresent(id -> id.write(out));
                evaluate.writeRest(out);
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
            case 6 -> Evaluate.readRest(in, Optional.empty());
            case 7 -> Evaluate.readRest(in, Optional.of(RowKey.read(in)));
            default -> throw new MalformedRecordException("unknown write action");
        };
    }
}
