package orrery.model;

import java.util.Optional;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * One change of an item, with the item as the change left it or, for a delete, as it was before.
 *
 * @param expired for a delete: nobody asked for it, the item's time was over
 * @param lsn of the change; the item of a delete has a lower one
 * @param timeMillis when the change was made
 * @param previousLsn LSN of the version before, 0 if the change created the item
 * @param previous for a replace: the version before, if it is still kept
 * @param mark where the change is among others, and how it came
 */
public record ItemVersion(
        Operation operation,
        boolean expired,
        long lsn,
        long timeMillis,
        long previousLsn,
        ItemKey key,
        Item item,
        Optional<Item> previous,
        Mark mark) {
    /**
     * The place of a change, and how it came.
     *
     * @param place behind which the next change is read
     * @param isUpdate for a replace: its client said what to change of the item, and not all of it
     * @param transaction that the change was a part of
     */
    public record Mark(
            VersionPlace place, boolean isUpdate, Optional<SessionTransaction> transaction) {
        private void write(BinaryWriter out) {
            place.write(out);
            out.bool(isUpdate).optional(transaction, (w, name) -> name.write(w));
        }

        private static Mark read(BinaryReader in) {
            return new Mark(
                    VersionPlace.read(in), in.bool(), in.optional(SessionTransaction::read));
        }
    }

    /** The only change of its LSN, which came by itself and is no update. */
    public ItemVersion(
            Operation operation,
            boolean expired,
            long lsn,
            long timeMillis,
            long previousLsn,
            ItemKey key,
            Item item,
            Optional<Item> previous) {
        this(
                operation,
                expired,
                lsn,
                timeMillis,
                previousLsn,
                key,
                item,
                previous,
                new Mark(VersionPlace.after(lsn), false, Optional.empty()));
    }

    /** The same change behind which readers go on at another place. */
    public ItemVersion at(VersionPlace place) {
        return new ItemVersion(
                operation,
                expired,
                lsn,
                timeMillis,
                previousLsn,
                key,
                item,
                previous,
                new Mark(place, mark.isUpdate(), mark.transaction()));
    }

    /** The operation that made the version. */
    public enum Operation {
        CREATE,
        REPLACE,
        DELETE
    }

    public void write(BinaryWriter out) {
        out.enumeration(operation).bool(expired).u64(lsn).u64(timeMillis).u64(previousLsn);
        key.write(out);
        item.write(out);
        out.optional(previous, (w, version) -> version.write(w));
        mark.write(out);
    }

    public static ItemVersion read(BinaryReader in) {
        return new ItemVersion(
                in.enumeration(Operation.class),
                in.bool(),
                in.u64(),
                in.u64(),
                in.u64(),
                ItemKey.read(in),
                Item.read(in),
                in.optional(Item::read),
                Mark.read(in));
    }
}
