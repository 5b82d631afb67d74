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
 */
public record ItemVersion(
        Operation operation,
        boolean expired,
        long lsn,
        long timeMillis,
        long previousLsn,
        ItemKey key,
        Item item,
        Optional<Item> previous) {
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
                in.optional(Item::read));
    }
}
